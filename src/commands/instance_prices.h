// What the instance commands share: the user's prices, the age that a price may have, and how an offer is shown.
#pragma once

#include "commands/fields.h"
#include "hardware/instances.h"

namespace ridge::commands {

template <>
struct FieldType<Date> {
  static constexpr const char* name = "date";
  static constexpr const char* unit = "";
  static Result<Date> parse(std::string_view text) { return parse_date(text); }
  static report::Cell echo(const Date& value) { return format_date(value); }
};

struct PriceOptions {
  std::string prices;
  std::optional<Seconds> max_price_age;
  std::optional<Date> as_of;
};

// Adds --prices, --max-price-age and --as-of. `R` holds a PriceOptions as its base.
template <class R>
void describe_prices(Fields<R>& f) {
  // Members of the base, as members of the request.
  std::string R::* prices = &R::prices;
  std::optional<Seconds> R::* max_price_age = &R::max_price_age;
  std::optional<Date> R::* as_of = &R::as_of;
  f.option("prices", prices, "FILE", "your own prices, CSV or YAML: instance or accelerator, price, commitment, region, date").type("file");
  f.option("max-price-age", max_price_age, "TIME", "flag prices older than this: 180d");
  f.option("as-of", as_of, "DATE", "the day from which ages are counted, as in 2026-12-01; by default today");
}

// A query for all offers of the catalogue under these options. `prices` must outlive it.
struct PriceContext {
  std::vector<hardware::UserPrice> prices;
  Date as_of;
  std::optional<std::int64_t> max_age_days;

  hardware::OfferQuery query() const;
};
Result<PriceContext> price_context(const PriceOptions& options, const Environment& environment);

// "too old" and so on, "" for a price within its age.
std::string flags_of(const hardware::Offer& offer);

// Findings about the prices shown: too old, of a later day, from a file without a day of its own, unsourced counts, the user's own.
void add_price_findings(report::Report& report, const std::vector<hardware::Offer>& offers, const PriceContext& context);

}  // namespace ridge::commands
