// The rows of data/instances.yaml: what a machine of a cloud holds, and what it costs by default. Amounts are texts with their
// unit, as their source prints them; check() sees that they can be read.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"
#include "quantity/date.h"

namespace ridge::hardware {

using formats::Named;

enum class Commitment : std::uint8_t { kOnDemand, kSpot, kReserved };
inline constexpr Named<Commitment> kCommitments[] = {{"on-demand", Commitment::kOnDemand}, {"spot", Commitment::kSpot}, {"reserved", Commitment::kReserved}};
constexpr std::span<const Named<Commitment>> names_of(Commitment) { return kCommitments; }

// What an hourly price buys: the whole machine, or one accelerator of a machine that is not described.
enum class PricedBy : std::uint8_t { kInstance, kAccelerator };
inline constexpr Named<PricedBy> kPricedBy[] = {{"instance", PricedBy::kInstance}, {"accelerator", PricedBy::kAccelerator}};
constexpr std::span<const Named<PricedBy>> names_of(PricedBy) { return kPricedBy; }

// How a price is dated. Invariant: it was true on a day on or before `days.last`; where the date is that of the file which holds the
// price (`of_file`), it may be older than `days.first` too.
struct PriceDate {
  DateSpan days;
  bool of_file = false;
};

// "2026-07-20", "2026-06", "2026"; or a text around one such date, which is then the date of a file: "file of 2026-08-22".
// Errors: no date in the text, two dates, a day that does not exist.
Result<PriceDate> parse_price_date(std::string_view text);

struct PriceRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::PriceRow";
  double value = 0;  // USD per hour
  PricedBy per = PricedBy::kInstance;
  Commitment commitment = Commitment::kOnDemand;
  std::string_view region;
  std::string_view date;  // as parse_price_date() reads it
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, PriceRow& row) {
  v.required("value", row.value);
  v.required("per", row.per);
  v.optional("commitment", row.commitment);
  v.optional("region", row.region);
  v.required("date", row.date);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const PriceRow& row, const formats::NodeRef& at);

// A figure of an instance whose source is not the record's, or that needs a word.
struct InstanceExceptionRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::InstanceExceptionRow";
  std::string_view figure;  // a key of InstanceRow
  std::string_view source;
  std::string_view note;
};
template <class V>
void describe(V& v, InstanceExceptionRow& row) {
  v.required("figure", row.figure);
  v.reference("source", row.source, "sources", false);
  v.optional("note", row.note);
}

struct InstanceRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::InstanceRow";
  std::string_view provider;
  std::string_view name;
  std::string_view accelerator;
  int count = 1;
  std::optional<int> vcpu;
  std::string_view ram;
  std::string_view memory_per_accelerator;  // as the provider prints it, in its own convention
  std::string_view memory_total;
  std::string_view local_storage;
  std::string_view temporary_disk;
  std::string_view network;  // between machines, all interfaces together
  std::string_view frontend_network;
  std::string_view storage_network;
  std::optional<int> nics;
  std::optional<int> efa_interfaces;
  std::optional<bool> nvswitch;
  std::string_view source;
  std::span<const InstanceExceptionRow> exceptions;
  std::string_view view_of;  // another source's view of that instance
  std::string_view note;
  std::string_view page_date;
  std::span<const PriceRow> prices;
};
template <class V>
void describe(V& v, InstanceRow& row) {
  v.required("provider", row.provider);
  v.key("name", row.name, "instances");
  v.reference("accelerator", row.accelerator, "accelerators");
  v.required("count", row.count);
  v.optional("vcpu", row.vcpu);
  v.optional("ram", row.ram);
  v.optional("memory_per_accelerator", row.memory_per_accelerator);
  v.optional("memory_total", row.memory_total);
  v.optional("local_storage", row.local_storage);
  v.optional("temporary_disk", row.temporary_disk);
  v.optional("network", row.network);
  v.optional("frontend_network", row.frontend_network);
  v.optional("storage_network", row.storage_network);
  v.optional("nics", row.nics);
  v.optional("efa_interfaces", row.efa_interfaces);
  v.optional("nvswitch", row.nvswitch);
  v.reference("source", row.source, "sources", false);
  v.optional("exceptions", row.exceptions);
  v.reference("view_of", row.view_of, "instances", false);
  v.optional("note", row.note);
  v.optional("page_date", row.page_date);
  v.optional("prices", row.prices);
}
Result<void> check(const InstanceRow& row, const formats::NodeRef& at);

// The figures of an instance that are texts with a unit, by the name of their key.
struct InstanceAmount {
  std::string_view key;
  std::string_view InstanceRow::* member;
  bool rate;  // B/s rather than B
};
std::span<const InstanceAmount> instance_amounts();

}  // namespace ridge::hardware
