#include "hardware/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

const InstanceExceptionRow* exception_of(const InstanceRow& row, std::string_view figure) {
  for (const InstanceExceptionRow& exception : row.exceptions)
    if (exception.figure == figure) return &exception;
  return nullptr;
}

std::string_view text_of(const InstanceRow& row, std::string_view figure) {
  for (const InstanceAmount& amount : instance_amounts())
    if (amount.key == figure) return row.*amount.member;
  return {};
}

template <class T>
bool allows(const std::vector<T>& wanted, std::string_view value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

void set_age(Offer& offer, const std::optional<PriceDate>& date, const OfferQuery& query) {
  if (!date) return;  // the user's own, of the day of asking
  offer.age_days = day_number(query.as_of) - day_number(date->days.first);
  if (day_number(date->days.first) > day_number(query.as_of))
    offer.age = PriceAge::kLaterThanAsked;
  else if (query.max_age_days && *offer.age_days > *query.max_age_days)
    offer.age = PriceAge::kTooOld;
}

Offer offer_of(const InstanceRow& row) {
  Offer offer;
  offer.instance = &row;
  offer.provider = row.provider;
  offer.name = row.name;
  offer.accelerator = row.accelerator;
  offer.accelerators = row.count;
  offer.count_sourced = is_sourced(row, "count");
  if (is_sourced(row, "network")) offer.network = rate_of(row, "network");
  if (row.nvswitch && is_sourced(row, "nvswitch")) offer.nvswitch = row.nvswitch;
  return offer;
}

void set_price(Offer& offer, double value, PricedBy per) {
  offer.sold_by_accelerator = offer.sold_by_accelerator || (per == PricedBy::kAccelerator && offer.accelerators == 1);
  if (per == PricedBy::kInstance || offer.count_sourced) offer.per_hour = per == PricedBy::kInstance ? value : value * offer.accelerators;
  if (per == PricedBy::kAccelerator)
    offer.per_accelerator_hour = value;
  else if (offer.count_sourced)
    offer.per_accelerator_hour = value / offer.accelerators;
}

bool is_about(const UserPrice& price, const InstanceRow& row) {
  if (!price.instance.empty()) return price.instance == row.name;
  return price.accelerator == row.accelerator && (price.provider.empty() || price.provider == row.provider) && row.view_of.empty();
}

Offer with_user_price(Offer offer, const UserPrice& price, const OfferQuery& query) {
  set_price(offer, price.value, price.per);
  offer.commitment = price.commitment;
  offer.region = price.region;
  offer.date = price.date_text;
  offer.by_user = true;
  offer.source = "user: " + price.where;
  set_age(offer, price.date, query);
  return offer;
}

// All offers of one instance: the user's, then the catalogue's of the commitments that the user did not price.
void add_offers(const InstanceRow& row, const OfferQuery& query, std::vector<Offer>& out) {
  const Offer bare = offer_of(row);
  std::vector<Commitment> priced;
  // A price of this very instance goes before one of its accelerator.
  const bool by_name = std::any_of(query.prices.begin(), query.prices.end(), [&row](const UserPrice& p) { return p.instance == row.name; });
  for (const UserPrice& price : query.prices) {
    if (!is_about(price, row) || (by_name && price.instance.empty())) continue;
    priced.push_back(price.commitment);
    out.push_back(with_user_price(bare, price, query));
  }
  for (const PriceRow& price : row.prices) {
    if (std::find(priced.begin(), priced.end(), price.commitment) != priced.end()) continue;
    Offer offer = bare;
    offer.sold_by_accelerator = price.per == PricedBy::kAccelerator;
    set_price(offer, price.value, price.per);
    offer.commitment = price.commitment;
    offer.region = price.region;
    offer.date = price.date;
    offer.source = price.source;
    if (const auto date = parse_price_date(price.date)) set_age(offer, *date, query);
    out.push_back(std::move(offer));
  }
  if (row.prices.empty() && priced.empty() && query.unpriced) out.push_back(bare);
}

}  // namespace

std::span<const InstanceRow> instances(const Catalog& catalog) { return catalog.tables().data.instances; }

Result<const InstanceRow*> find_instance(const Catalog& catalog, std::string_view name) {
  const std::string wanted = lower(name);
  std::vector<std::string> names;
  for (const InstanceRow& row : instances(catalog)) {
    if (lower(row.name) == wanted || lower(fmt::format("{}/{}", row.provider, row.name)) == wanted) return &row;
    names.emplace_back(row.name);
  }
  const std::string near = nearest_names(name, names);
  return fail(std::string(name), "there is no instance of that name",
              (near.empty() ? "" : "Did you mean " + near + "? ") + "`ridge instance list` has them all.");
}

std::string_view source_of(const InstanceRow& row, std::string_view figure) {
  const InstanceExceptionRow* exception = exception_of(row, figure);
  return exception != nullptr && !exception->source.empty() ? exception->source : row.source;
}

std::string_view note_of(const InstanceRow& row, std::string_view figure) {
  const InstanceExceptionRow* exception = exception_of(row, figure);
  return exception == nullptr ? std::string_view{} : exception->note;
}

bool is_sourced(const InstanceRow& row, std::string_view figure) {
  const std::string_view source = source_of(row, figure);
  return !source.empty() && source != "unsourced";
}

std::optional<Bytes> bytes_of(const InstanceRow& row, std::string_view figure) {
  const auto bytes = parse_bytes(text_of(row, figure));
  return bytes ? std::optional<Bytes>(*bytes) : std::nullopt;
}

std::optional<BytesPerSecond> rate_of(const InstanceRow& row, std::string_view figure) {
  const auto rate = parse_bytes_per_second(text_of(row, figure));
  return rate ? std::optional<BytesPerSecond>(*rate) : std::nullopt;
}

std::vector<Offer> offers(const Catalog& catalog, const OfferQuery& query) {
  std::vector<Offer> all;
  for (const InstanceRow& row : instances(catalog)) add_offers(row, query, all);
  for (const UserPrice& price : query.prices) {
    const bool carried = std::any_of(instances(catalog).begin(), instances(catalog).end(), [&price](const InstanceRow& row) { return is_about(price, row); });
    if (carried) continue;
    Offer offer;
    offer.provider = price.provider;
    offer.name = price.accelerator + " (your price)";
    offer.accelerator = price.accelerator;
    offer.sold_by_accelerator = true;
    all.push_back(with_user_price(std::move(offer), price, query));
  }
  std::erase_if(all, [&query](const Offer& offer) {
    const bool wanted = allows(query.accelerators, offer.accelerator) && allows(query.providers, offer.provider) &&
                        (query.region.empty() || offer.region == query.region) && (!query.commitment || offer.commitment == *query.commitment);
    return !wanted || (!offer.count_sourced && !query.unsourced) || (!offer.per_hour && !offer.per_accelerator_hour && !query.unpriced);
  });
  return all;
}

}  // namespace ridge::hardware
