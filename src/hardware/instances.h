// Instances: what a machine of a cloud holds and what an hour of it costs, with the day and the region of the price. The user's own
// prices (prices.h) stand in place of the catalogue's. Invariant: what no source states (`unsourced`) is shown, and no price per accelerator,
// ratio or verdict is made of it.
#pragma once

#include "hardware/accelerators.h"
#include "hardware/instances_rows.h"
#include "hardware/prices.h"

namespace ridge::hardware {

std::span<const InstanceRow> instances(const Catalog& catalog);

// By name, or PROVIDER/NAME; case does not matter. Errors list near names.
Result<const InstanceRow*> find_instance(const Catalog& catalog, std::string_view name);

// The source of a figure of an instance, by its key ("ram"), and what must be said with it.
std::string_view source_of(const InstanceRow& row, std::string_view figure);
std::string_view note_of(const InstanceRow& row, std::string_view figure);
bool is_sourced(const InstanceRow& row, std::string_view figure);

// Amounts in base units. Absent where the record has none.
std::optional<Bytes> bytes_of(const InstanceRow& row, std::string_view figure);
std::optional<BytesPerSecond> rate_of(const InstanceRow& row, std::string_view figure);

enum class PriceAge {
  kWithin,          // of the age allowed, or no limit was given
  kTooOld,          // older, by the earliest day that its date may mean
  kLaterThanAsked,  // dated after the day of asking
};

// One way to buy accelerators: an instance at a price.
struct Offer {
  const InstanceRow* instance = nullptr;  // null: a price of the user's for an accelerator that no instance here carries
  std::string provider;
  std::string name;         // of the instance; "h100-sxm5 (your price)" where there is none
  std::string accelerator;  // id
  int accelerators = 1;     // of one instance; 1 where it is sold by the accelerator
  bool sold_by_accelerator = false;
  std::optional<double> per_hour;              // USD for the whole instance; absent: no price known
  std::optional<double> per_accelerator_hour;  // absent too where the count is unsourced
  Commitment commitment = Commitment::kOnDemand;
  std::string region;
  std::string date;                      // as written; "" where the user gave none
  std::optional<std::int64_t> age_days;  // by the earliest day that the date may mean
  PriceAge age = PriceAge::kWithin;
  bool by_user = false;
  bool count_sourced = true;
  std::string source;                     // of the price; "user" or "user: prices.csv:3"
  std::optional<BytesPerSecond> network;  // between instances, all interfaces together, one direction; absent: not known
  std::optional<bool> nvswitch;           // only where a source says so
};

struct OfferQuery {
  std::vector<std::string> accelerators;  // ids; empty: all
  std::vector<std::string> providers;     // empty: all
  std::string region;                     // "": all
  std::optional<Commitment> commitment;   // absent: all
  std::span<const UserPrice> prices;
  Date as_of;
  std::optional<std::int64_t> max_age_days;
  bool unpriced = false;   // with those whose price is not known
  bool unsourced = false;  // with those whose count is not sourced, which no verdict may use
};

// In the order of the catalogue, then the user's own. A price of the user's stands in place of every catalogue price of the same instance
// (or of each instance with that accelerator, of that provider where one is named) and the same commitment; prices of other commitments stay.
std::vector<Offer> offers(const Catalog& catalog, const OfferQuery& query);

}  // namespace ridge::hardware
