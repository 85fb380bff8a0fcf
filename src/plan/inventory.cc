#include "plan/inventory.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/csv.h"
#include "formats/tree.h"

namespace ridge::plan {
namespace {

constexpr std::int64_t kMostGpus = 1'000'000;

Result<std::int64_t> count_in(std::string_view text, std::int64_t most) {
  RIDGE_TRY(const std::int64_t value, parse_integer(text));
  if (value < 1 || value > most) return fail("", fmt::format("{} is outside 1 to {}", value, most));
  return value;
}

Result<void> check_nodes(const InventoryItem& item) {
  if (item.gpus_per_node <= item.count) return {};
  return fail(item.where, fmt::format("{} GPUs per node are more than the {} there are", item.gpus_per_node, item.count));
}

Result<std::vector<InventoryItem>> from_csv(std::string_view text, const std::string& file) {
  RIDGE_TRY(const formats::Table table, formats::read_csv(text, file));
  for (const std::string& column : table.columns) {
    const std::vector<std::string> known{"accelerator", "count", "gpus_per_node", "price_per_hour", "name"};
    if (std::find(known.begin(), known.end(), column) == known.end())
      return fail(file, fmt::format("the column \"{}\" is unknown", column), "Known columns: accelerator, count, gpus_per_node, price_per_hour, name.");
  }
  RIDGE_TRY_VOID(table.column("accelerator"));
  RIDGE_TRY_VOID(table.column("count"));
  std::vector<InventoryItem> items;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    InventoryItem item;
    item.where = fmt::format("{}:{}", file, table.lines[i]);
    item.gpus_per_node = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::string& value = table.rows[i][c];
      const std::string& column = table.columns[c];
      Result<void> read;
      const auto take = [&](auto parsed, auto& into) {
        if (parsed)
          into = std::move(*parsed);
        else
          read = tl::unexpected<Error>(with_context(parsed.error(), item.where + ": " + column));
      };
      if (column == "accelerator")
        item.accelerator = value;
      else if (column == "name")
        item.name = value;
      else if (column == "count")
        take(count_in(value, kMostGpus), item.count);
      else if (column == "gpus_per_node" && !value.empty())
        take(count_in(value, kMostGpus), item.gpus_per_node);
      else if (column == "price_per_hour" && !value.empty())
        take(parse_usd_per_hour(value), item.price);
      RIDGE_TRY_VOID(read);
    }
    if (item.accelerator.empty()) return fail(item.where, "the accelerator is missing");
    if (item.gpus_per_node == 0) item.gpus_per_node = std::min<std::int64_t>(8, item.count);
    RIDGE_TRY_VOID(check_nodes(item));
    items.push_back(std::move(item));
  }
  if (items.empty()) return fail(file, "the inventory holds no GPUs");
  return items;
}

Result<std::vector<InventoryItem>> from_yaml(std::string_view text, const std::string& file) {
  RIDGE_TRY(const formats::Node node, formats::read_yaml(text, file));
  const formats::NodeRef root(node, file);
  RIDGE_TRY_VOID(root.only({"inventory"}));
  RIDGE_TRY(const formats::NodeRef list, root.require("inventory"));
  if (list.kind() != formats::Node::Kind::kList || list.size() == 0) return list.error("a list with at least one accelerator is expected");
  std::vector<InventoryItem> items;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const formats::NodeRef entry = list.at(i);
    RIDGE_TRY_VOID(entry.only({"accelerator", "count", "gpus_per_node", "price_per_hour", "name"}));
    InventoryItem item;
    item.where = entry.where();
    RIDGE_TRY(const formats::NodeRef accelerator, entry.require("accelerator"));
    RIDGE_TRY(item.accelerator, accelerator.as_text());
    RIDGE_TRY(const formats::NodeRef count, entry.require("count"));
    RIDGE_TRY(item.count, count.as_integer(1, kMostGpus));
    item.gpus_per_node = std::min<std::int64_t>(8, item.count);
    if (const auto nodes = entry.get("gpus_per_node")) {
      RIDGE_TRY(item.gpus_per_node, nodes->as_integer(1, kMostGpus));
    }
    if (const auto price = entry.get("price_per_hour")) {
      RIDGE_TRY(const double value, price->as_real());
      if (value < 0) return price->error("a price is 0 or more");
      item.price = UsdPerHour{value};
    }
    if (const auto name = entry.get("name")) {
      RIDGE_TRY(item.name, name->as_text());
    }
    RIDGE_TRY_VOID(check_nodes(item));
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

Result<std::vector<InventoryItem>> read_inventory(std::string_view text, const std::string& file) {
  // A CSV begins with its header row; YAML has a colon before any comma.
  const std::string_view first = text.substr(0, text.find('\n'));
  const bool yaml = first.find(':') != std::string_view::npos || first.starts_with('{') || first.starts_with("---");
  return yaml ? from_yaml(text, file) : from_csv(text, file);
}

}  // namespace ridge::plan
