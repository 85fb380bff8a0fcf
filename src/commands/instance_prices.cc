#include "commands/instance_prices.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::commands {
namespace {

constexpr std::uint64_t kMostPriceBytes = 16U << 20;
constexpr double kSecondsOfDay = 86400;

std::string names_of_offers(const std::vector<const hardware::Offer*>& offers) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, offers.size()); ++i) text += (i == 0 ? "" : ", ") + offers[i]->name;
  if (offers.size() > kShown) text += fmt::format(" and {} more", offers.size() - kShown);
  return text;
}

}  // namespace

hardware::OfferQuery PriceContext::query() const {
  hardware::OfferQuery query;
  query.prices = prices;
  query.as_of = as_of;
  query.max_age_days = max_age_days;
  return query;
}

Result<PriceContext> price_context(const PriceOptions& options, const Environment& environment) {
  PriceContext context;
  if (options.as_of) {
    context.as_of = *options.as_of;
  } else {
    RIDGE_TRY(context.as_of, parse_date(environment.today));
  }
  if (options.max_price_age) context.max_age_days = static_cast<std::int64_t>(std::min(options.max_price_age->value / kSecondsOfDay, 1e6));
  if (!options.prices.empty()) {
    RIDGE_TRY(const std::string text, environment.files.read_all(options.prices, kMostPriceBytes));
    RIDGE_TRY(context.prices, hardware::read_prices(text, options.prices, environment.catalog));
  }
  return context;
}

std::string flags_of(const hardware::Offer& offer) {
  std::vector<std::string> flags;
  if (offer.by_user) flags.emplace_back("yours");
  if (offer.age == hardware::PriceAge::kTooOld) flags.emplace_back("too old");
  if (offer.age == hardware::PriceAge::kLaterThanAsked) flags.emplace_back("later than asked");
  if (!offer.count_sourced) flags.emplace_back("count unsourced");
  return fmt::format("{}", fmt::join(flags, ", "));
}

void add_price_findings(report::Report& report, const std::vector<hardware::Offer>& offers, const PriceContext& context) {
  std::vector<const hardware::Offer*> old, later, unsourced, of_file, mine, priced;
  for (const hardware::Offer& offer : offers) {
    if (offer.age == hardware::PriceAge::kTooOld) old.push_back(&offer);
    if (offer.age == hardware::PriceAge::kLaterThanAsked) later.push_back(&offer);
    if (!offer.count_sourced) unsourced.push_back(&offer);
    if (offer.by_user) mine.push_back(&offer);
    const auto date = hardware::parse_price_date(offer.date);
    if (date && date->of_file) of_file.push_back(&offer);
    if (offer.per_hour || offer.per_accelerator_hour) priced.push_back(&offer);
  }
  const std::string day = format_date(context.as_of);
  if (!old.empty())
    report.find(report::Severity::kWarning, "price-too-old",
                fmt::format("{} of the prices shown are older than {} days on {}: {}.", old.size(), *context.max_age_days, day, names_of_offers(old)),
                "by the earliest day that each date may mean", "Look the prices up and give them: --prices FILE.");
  if (!later.empty())
    report.find(report::Severity::kWarning, "price-later",
                fmt::format("{} of the prices shown are dated after {}: {}.", later.size(), day, names_of_offers(later)));
  if (!unsourced.empty())
    report.find(
        report::Severity::kWarning, "unsourced-count",
        fmt::format("No source read states how many accelerators these have: {}. Their price per accelerator is not computed, and no verdict rests on them.",
                    names_of_offers(unsourced)),
        "unsourced", "Look the machine up, and add it with --catalog FILE.");
  if (!of_file.empty())
    report.find(report::Severity::kInfo, "price-of-a-file",
                fmt::format("{} of the prices carry the date of the file that holds them, and may be older: {}.", of_file.size(), names_of_offers(of_file)));
  if (mine.size() < priced.size())
    report.find(report::Severity::kInfo, "default-prices", "The catalogue's prices are on demand and of the day shown; yours will differ.", "",
                "Give your own: --prices FILE.");
}

}  // namespace ridge::commands
