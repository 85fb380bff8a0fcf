#include "hardware/instances_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quantity/text.h"

namespace ridge::hardware {
namespace {

constexpr double kMostDollars = 1e6;    // an hour; a rack of accelerators is below a thousandth of it
constexpr double kMostByteRate = 1e15;  // 1 PB/s for one machine
constexpr double kMostBytes = 1e17;     // 100 PB
constexpr int kMostAccelerators = 100'000;

constexpr std::array kAmounts{
    InstanceAmount{"ram", &InstanceRow::ram, false},
    InstanceAmount{"memory_per_accelerator", &InstanceRow::memory_per_accelerator, false},
    InstanceAmount{"memory_total", &InstanceRow::memory_total, false},
    InstanceAmount{"local_storage", &InstanceRow::local_storage, false},
    InstanceAmount{"temporary_disk", &InstanceRow::temporary_disk, false},
    InstanceAmount{"network", &InstanceRow::network, true},
    InstanceAmount{"frontend_network", &InstanceRow::frontend_network, true},
    InstanceAmount{"storage_network", &InstanceRow::storage_network, true},
};

bool is_date_character(char c) { return (c >= '0' && c <= '9') || c == '-'; }

Result<void> check_amount(const InstanceAmount& amount, std::string_view text, const formats::NodeRef& at) {
  if (text.empty()) return {};
  double value = 0;
  if (amount.rate) {
    const auto rate = parse_bytes_per_second(text);
    if (!rate) return at.error(fmt::format("{}: {}", amount.key, rate.error().what), rate.error().advice);
    value = rate->value;
  } else {
    const auto bytes = parse_bytes(text);
    if (!bytes) return at.error(fmt::format("{}: {}", amount.key, bytes.error().what), bytes.error().advice);
    value = bytes->as_double();
  }
  if (value == 0) return at.error(fmt::format("{} is zero", amount.key), "Leave it out where it is not known.");
  if (value > (amount.rate ? kMostByteRate : kMostBytes))
    return at.error(fmt::format("{} \"{}\" is more than a machine has", amount.key, text), "Check the unit.");
  return {};
}

}  // namespace

std::span<const InstanceAmount> instance_amounts() { return kAmounts; }

Result<PriceDate> parse_price_date(std::string_view text) {
  std::string_view found;
  for (std::size_t begin = 0; begin < text.size();) {
    if (text[begin] < '0' || text[begin] > '9') {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && is_date_character(text[end])) ++end;
    if (!found.empty()) return fail("", fmt::format("\"{}\" holds two dates", text), "Write one, as in 2026-08-22.");
    found = text.substr(begin, end - begin);
    begin = end;
  }
  if (found.empty()) return fail("", fmt::format("\"{}\" holds no date", text), "Write a day, a month or a year, as in 2026-08-22, 2026-08 or 2026.");
  RIDGE_TRY(const DateSpan days, parse_date_span(found));
  return PriceDate{days, found.size() != text.size()};
}

Result<void> check(const PriceRow& row, const formats::NodeRef& at) {
  if (!(row.value > 0)) return at.error(fmt::format("a price of {} USD an hour", row.value), "Leave the price out where it is not known.");
  if (row.value > kMostDollars) return at.error(fmt::format("a price of {} USD an hour is beyond {}", row.value, kMostDollars), "Prices are in USD an hour.");
  if (const auto date = parse_price_date(row.date); !date) return at.error("date: " + date.error().what, date.error().advice);
  return {};
}

Result<void> check(const InstanceRow& row, const formats::NodeRef& at) {
  if (row.count < 1 || row.count > kMostAccelerators)
    return at.error(fmt::format("{} accelerators", row.count), fmt::format("Write a count from 1 to {}.", kMostAccelerators));
  for (const InstanceAmount& amount : kAmounts) RIDGE_TRY_VOID(check_amount(amount, row.*amount.member, at));
  if (row.vcpu && *row.vcpu < 1) return at.error(fmt::format("{} vCPUs", *row.vcpu));
  if ((row.nics && *row.nics < 0) || (row.efa_interfaces && *row.efa_interfaces < 0)) return at.error("a negative number of interfaces");
  constexpr std::array<std::string_view, 6> kOthers{"count", "accelerator", "vcpu", "nics", "efa_interfaces", "nvswitch"};
  for (const InstanceExceptionRow& exception : row.exceptions) {
    const bool known = std::find(kOthers.begin(), kOthers.end(), exception.figure) != kOthers.end() ||
                       std::any_of(kAmounts.begin(), kAmounts.end(), [&exception](const InstanceAmount& a) { return a.key == exception.figure; });
    if (!known) return at.error(fmt::format("the exception is for \"{}\", which is no figure of an instance", exception.figure));
    if (exception.source.empty() && exception.note.empty())
      return at.error(fmt::format("the exception for \"{}\" has neither a source nor a note", exception.figure));
  }
  const bool counted =
      std::any_of(row.exceptions.begin(), row.exceptions.end(), [](const InstanceExceptionRow& e) { return e.figure == "count" && !e.source.empty(); });
  if (row.source.empty() && !counted) return at.error("\"count\" has no source", "Give the record a \"source\", or the count an exception with one.");
  if (row.view_of == row.name && !row.view_of.empty()) return at.error("the instance is a view of itself");
  return {};
}

}  // namespace ridge::hardware
