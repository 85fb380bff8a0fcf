#include "commands/fleets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "hardware/software.h"

namespace ridge::commands {
namespace {

// Formats that a plan tries beside the stored one, widest first. fp16 stands in where a part has no bf16.
constexpr std::array kTried{Precision::kBf16, Precision::kFp8, Precision::kInt8, Precision::kMxFp4, Precision::kNvFp4, Precision::kInt4};

bool is_plain(Precision format) { return element_bits(format) >= 16; }

class PrecisionChooser {
 public:
  PrecisionChooser(const hardware::Catalog& catalog, const model::Model& model, const FleetRequest& request, Fleets& into)
      : catalog_(catalog), model_(model), request_(request), stored_(model::stored_format(model)), into_(into) {}

  std::vector<plan::PrecisionChoice> of(const hardware::Device& device) {
    std::vector<plan::PrecisionChoice> choices;
    if (const std::string why = refusal(device); !why.empty()) {
      into_.unsupported.emplace_back(device.id, why);
      return choices;
    }
    if (request_.precisions.empty()) {
      add_stored(device, choices);
      for (Precision format : kTried)
        if (format != stored_ && bits_with_scales(format) < bits_with_scales(stored_)) add(device, format, choices);
      return choices;
    }
    for (Precision format : request_.precisions) {
      if (format == stored_ && !model_.quantisation_name.empty())
        add_stored(device, choices);
      else
        add(device, format, choices);
    }
    return choices;
  }

 private:
  // Why the engine does not run on the part, or cannot be said to; "" where it does, or no engine is asked for.
  std::string refusal(const hardware::Device& device) const {
    if (device.user_defined || request_.engine.empty()) return {};
    const hardware::SoftwareTables tables = hardware::software(catalog_);
    const auto reference = hardware::parse_engine(tables, request_.engine);
    if (!reference) return {};  // checked by make_fleets()
    const hardware::Verdict3 takes = hardware::engine_takes(tables, hardware::engine_release(tables, *reference), device);
    return takes.answer == hardware::Known::kYes ? std::string() : takes.why;
  }

  // How the part and the engine take a format. A part that the user described has no tables: its peaks decide.
  hardware::PrecisionSupport support(const hardware::Device& device, Precision format) const {
    if (!device.user_defined) return hardware::precision_support(catalog_, device, format, request_.engine);
    hardware::PrecisionSupport own;
    own.support = device.peak_of(format) ? hardware::Support::kNative : hardware::Support::kNone;
    own.reason = fmt::format("the description gives no {} peak", name_of(format));
    return own;
  }

  // bf16 where the part multiplies it, else fp16; absent where it has neither.
  std::optional<Precision> sixteen_bits(const hardware::Device& device) const {
    for (Precision format : {model_.native == Precision::kFp16 ? Precision::kFp16 : Precision::kBf16, Precision::kBf16, Precision::kFp16})
      if (device.peak_of(format) && support(device, format).support != hardware::Support::kNone) return format;
    return std::nullopt;
  }

  void add_stored(const hardware::Device& device, std::vector<plan::PrecisionChoice>& choices) {
    plan::PrecisionChoice choice;
    choice.label = model_.quantisation_name.empty() ? std::string(name_of(stored_)) : model_.quantisation_name;
    if (!is_plain(stored_)) {
      place(device, stored_, std::move(choice), choices);
      return;
    }
    const std::optional<Precision> plain = sixteen_bits(device);
    if (!plain) {
      into_.unsupported.emplace_back(fmt::format("{} {}", device.id, choice.label), "neither bf16 nor fp16 has a figure or is run by the engine");
      return;
    }
    choice.activations = *plain;
    if (*plain != stored_) {
      choice.label = name_of(*plain);
      choice.weights = plain;
      choice.note =
          support(device, stored_).support == hardware::Support::kNone
              ? fmt::format("The checkpoint is {}, which is not run on this part: the engine casts to {}, whose range is narrower; check for overflow.",
                            name_of(stored_), name_of(*plain))
              : fmt::format("The catalogue has no {} rate for this part: the plan is for {}.", name_of(stored_), name_of(*plain));
      if (stored_ == Precision::kFp32) choice.note = fmt::format("The checkpoint is fp32; the engine casts it to {}.", name_of(*plain));
    }
    choices.push_back(std::move(choice));
  }

  void add(const hardware::Device& device, Precision format, std::vector<plan::PrecisionChoice>& choices) {
    plan::PrecisionChoice choice;
    choice.label = name_of(format);
    choice.weights = format;
    // Widening to 16 bits or more loses nothing; any other change of format does.
    choice.as_checkpoint = format == stored_ || (is_plain(format) && element_bits(format) >= element_bits(stored_));
    place(device, format, std::move(choice), choices);
  }

  void place(const hardware::Device& device, Precision format, plan::PrecisionChoice choice, std::vector<plan::PrecisionChoice>& choices) {
    const hardware::PrecisionSupport found = support(device, format);
    if (found.support == hardware::Support::kNative && (is_plain(format) || device.peak_of(format))) {
      choice.activations = format;
    } else if (found.support == hardware::Support::kWeightOnly || found.support == hardware::Support::kNative) {
      const std::optional<Precision> plain = sixteen_bits(device);
      if (!plain) return;
      choice.activations = *plain;
      if (!is_plain(format)) choice.label += " weight-only";
    } else {
      into_.unsupported.emplace_back(fmt::format("{} {}", device.id, choice.label), found.reason);
      return;
    }
    choices.push_back(std::move(choice));
  }

  const hardware::Catalog& catalog_;
  const model::Model& model_;
  const FleetRequest& request_;
  Precision stored_;
  Fleets& into_;
};

hardware::Offer owned(const plan::InventoryItem& item, const std::string& accelerator) {
  hardware::Offer offer;
  offer.provider = "inventory";
  offer.name = item.name.empty() ? fmt::format("node of {}", item.gpus_per_node) : item.name;
  offer.accelerator = accelerator;
  offer.accelerators = static_cast<int>(item.gpus_per_node);
  if (item.price) {
    offer.per_hour = item.price->value * static_cast<double>(item.gpus_per_node);
    offer.per_accelerator_hour = item.price->value;
  }
  offer.by_user = true;
  offer.source = item.where;
  return offer;
}

Result<std::vector<plan::Fleet>> from_inventory(const hardware::Catalog& catalog, const FleetRequest& request) {
  std::vector<plan::Fleet> fleets;
  for (const plan::InventoryItem& item : request.inventory) {
    auto reference = catalog.resolve(item.accelerator);
    if (!reference) return tl::unexpected<Error>(with_context(reference.error(), item.where));
    for (hardware::Device& device : reference->profiles) {
      plan::Fleet fleet;
      fleet.offers = {owned(item, device.id)};
      fleet.domain = item.gpus_per_node;
      fleet.max_gpus = item.count;
      fleet.device = std::move(device);
      fleets.push_back(std::move(fleet));
    }
  }
  return fleets;
}

Result<std::vector<plan::Fleet>> from_names(const hardware::Catalog& catalog, const FleetRequest& request) {
  std::vector<plan::Fleet> fleets;
  const auto add = [&](hardware::Device device, std::optional<std::int64_t> most) {
    plan::Fleet fleet;
    fleet.device = std::move(device);
    fleet.max_gpus = most;
    fleets.push_back(std::move(fleet));
  };
  if (request.gpus.empty()) {
    for (hardware::Device& device : catalog.devices()) add(std::move(device), std::nullopt);
    return fleets;
  }
  for (const std::string& name : request.gpus) {
    auto reference = catalog.resolve(name);
    if (!reference) return tl::unexpected<Error>(with_context(reference.error(), "--gpu"));
    const std::optional<std::int64_t> most = reference->count_given ? std::optional<std::int64_t>(reference->count) : std::nullopt;
    for (hardware::Device& device : reference->profiles) add(std::move(device), most);
  }
  return fleets;
}

// All offers of the catalogue and the user, by accelerator.
std::map<std::string, std::vector<hardware::Offer>> offers_by_accelerator(const hardware::Catalog& catalog, const FleetRequest& request,
                                                                          std::vector<std::string>& stale) {
  hardware::OfferQuery query;
  query.providers = request.providers;
  query.region = request.region;
  query.commitment = request.commitment;
  query.prices = request.prices;
  query.as_of = request.as_of;
  query.max_age_days = request.max_price_age_days;
  std::map<std::string, std::vector<hardware::Offer>> sorted;
  for (hardware::Offer& offer : hardware::offers(catalog, query)) {
    if (!offer.per_hour || !offer.count_sourced) continue;
    if (offer.age == hardware::PriceAge::kTooOld) stale.push_back(fmt::format("{} {} of {}", offer.provider, offer.name, offer.date));
    sorted[offer.accelerator].push_back(std::move(offer));
  }
  return sorted;
}

}  // namespace

Result<Fleets> make_fleets(const hardware::Catalog& catalog, const model::Model& model, const FleetRequest& request) {
  Fleets made;
  if (!request.engine.empty()) {
    if (auto known = hardware::parse_engine(hardware::software(catalog), request.engine); !known)
      return tl::unexpected<Error>(with_context(known.error(), "--engine"));
  }
  if (!request.inventory.empty()) {
    RIDGE_TRY(made.fleets, from_inventory(catalog, request));
  } else {
    RIDGE_TRY(made.fleets, from_names(catalog, request));
    auto offers = offers_by_accelerator(catalog, request, made.stale_prices);
    for (plan::Fleet& fleet : made.fleets) {
      const auto found = offers.find(fleet.device.id);
      if (found == offers.end()) continue;
      fleet.offers = found->second;
      // One node bounds tensor parallelism; what is sold by the accelerator does not say how many share a node.
      std::int64_t largest = 0;
      bool by_accelerator = false;
      for (const hardware::Offer& offer : fleet.offers) {
        largest = std::max<std::int64_t>(largest, offer.accelerators);
        by_accelerator = by_accelerator || offer.sold_by_accelerator;
      }
      if (!by_accelerator) fleet.domain = largest;
    }
    if (!request.providers.empty() || request.commitment || !request.region.empty())
      std::erase_if(made.fleets, [](const plan::Fleet& fleet) { return fleet.offers.empty(); });
    if (made.fleets.empty())
      return fail("", "no accelerator is offered under these conditions", "Loosen --provider, --region or --commitment; see `ridge instance list`.");
  }
  PrecisionChooser chooser(catalog, model, request, made);
  for (plan::Fleet& fleet : made.fleets) fleet.precisions = chooser.of(fleet.device);
  return made;
}

}  // namespace ridge::commands
