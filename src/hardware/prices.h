// The user's own prices, which stand in place of the catalogue's. Read from CSV or YAML, told apart by their content:
//
//   instance,accelerator,price,per,commitment,region,date,provider
//   p5.48xlarge,,40.00,,reserved,us-east-1,2026-11-01,
//   ,h100-sxm5,2.10,,spot,,,own
//
//   prices:
//   - {instance: p5.48xlarge, price: 40.00, commitment: reserved, region: us-east-1, date: 2026-11-01}
//   - {accelerator: h100-sxm5, price: 2.10, commitment: spot, provider: own}
//
// A row names an instance or an accelerator; `price` is USD an hour for the whole instance, or for one accelerator (`per` says
// otherwise). Without a commitment a price is on-demand. Invariant: every name is in the catalogue.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/catalog.h"
#include "hardware/instances_rows.h"

namespace ridge::hardware {

struct UserPrice {
  std::string instance;     // a name of the catalogue, or ""
  std::string accelerator;  // an id of the catalogue, or ""; one of the two is there
  std::string provider;     // "" for any
  double value = 0;         // USD an hour
  PricedBy per = PricedBy::kInstance;
  Commitment commitment = Commitment::kOnDemand;
  std::string region;
  std::string date_text;
  std::optional<PriceDate> date;  // absent: the price of the day of asking
  std::string where;              // "prices.csv:3"
};

// Errors name the file, the line and the key or column: an unknown instance, accelerator, key or column, a price that is no
// positive number or above 1e6 USD/h, a row with both names or neither, the same price given twice, over 100,000 rows.
Result<std::vector<UserPrice>> read_prices(std::string_view text, const std::string& file, const Catalog& catalog);

}  // namespace ridge::hardware
