#include "hardware/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/csv.h"
#include "hardware/instances.h"
#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

using formats::Node;
using formats::NodeRef;

constexpr std::size_t kMostPrices = 100'000;
constexpr double kMostDollars = 1e6;

// One row as it is written. The keys of the YAML and the columns of the CSV are these.
struct UserPriceRow {
  std::string_view instance, accelerator, provider;
  double price = 0;
  std::optional<PricedBy> per;
  Commitment commitment = Commitment::kOnDemand;
  std::string_view region, date;
};
template <class V>
void describe(V& v, UserPriceRow& row) {
  v.optional("instance", row.instance);
  v.optional("accelerator", row.accelerator);
  v.optional("provider", row.provider);
  v.required("price", row.price);
  v.optional("per", row.per);
  v.optional("commitment", row.commitment);
  v.optional("region", row.region);
  v.optional("date", row.date);
}

// CSV begins with a header row; YAML and JSON with a list, a map or a comment of their own. The first line that says anything decides.
bool looks_like_csv(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    if (line.empty() || line.front() == '#') continue;
    return line.find_first_of(":[{-") == std::string_view::npos;
  }
  return false;
}

// "$2.10", "2.10USD/h" → the number; numbers stay.
Result<void> price_to_number(Node& row, const NodeRef& at) {
  for (auto& [key, value] : row.map) {
    if (key != "price" || value.kind != Node::Kind::kText) continue;
    const auto price = parse_usd_per_hour(value.text);
    if (!price) return at.error("price: " + price.error().what, price.error().advice);
    value.kind = Node::Kind::kReal;
    value.real = price->value;
  }
  return {};
}

Node text_node(std::string text, int line) {
  Node node;
  node.kind = Node::Kind::kText;
  node.line = line;
  node.text = std::move(text);
  return node;
}

// A CSV table as the list of maps that a YAML file would hold; empty cells are absent.
Result<Node> rows_of_csv(std::string_view text, const std::string& file) {
  RIDGE_TRY(const formats::Table table, formats::read_csv(text, file));
  Node list;
  list.kind = Node::Kind::kList;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    Node row;
    row.kind = Node::Kind::kMap;
    row.line = table.lines[i];
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (!table.rows[i][c].empty()) row.map.emplace_back(table.columns[c], text_node(table.rows[i][c], table.lines[i]));
    list.list.push_back(std::move(row));
  }
  return list;
}

Result<Node> rows_of_yaml(std::string_view text, const std::string& file) {
  RIDGE_TRY(Node document, formats::read_yaml(text, file));
  if (document.kind == Node::Kind::kList) return document;
  const NodeRef root(document, file);
  RIDGE_TRY_VOID(root.only({"prices"}));
  RIDGE_TRY(const NodeRef prices, root.require("prices"));
  if (prices.kind() != Node::Kind::kList) return prices.error("a list of prices is expected");
  return Node(prices.node());
}

Result<UserPrice> resolve(const UserPriceRow& row, const NodeRef& at, const Catalog& catalog) {
  if (row.instance.empty() == row.accelerator.empty())
    return at.error(row.instance.empty() ? "neither an instance nor an accelerator is named" : "both an instance and an accelerator are named",
                    "Name one of the two.");
  if (!(row.price > 0)) return at.error(fmt::format("price: {} is not above zero", row.price), "Leave a row out whose price is not known.");
  if (row.price > kMostDollars) return at.error(fmt::format("price: {} USD an hour is beyond {}", row.price, kMostDollars), "Prices are in USD an hour.");
  UserPrice price;
  price.provider = row.provider;
  price.value = row.price;
  price.per = row.per.value_or(row.instance.empty() ? PricedBy::kAccelerator : PricedBy::kInstance);
  price.commitment = row.commitment;
  price.region = row.region;
  price.date_text = row.date;
  price.where = at.where();
  if (!row.date.empty()) {
    auto date = parse_price_date(row.date);
    if (!date) return at.error("date: " + date.error().what, date.error().advice);
    price.date = *date;
  }
  if (!row.instance.empty()) {
    auto instance = find_instance(catalog, row.instance);
    if (!instance) return at.error(fmt::format("instance: \"{}\" is not in the catalogue", row.instance), instance.error().advice);
    price.instance = (*instance)->name;
    if (!price.provider.empty() && price.provider != (*instance)->provider)
      return at.error(fmt::format("provider: {} is of {}, not of {}", price.instance, (*instance)->provider, price.provider));
    price.provider = (*instance)->provider;
    return price;
  }
  if (price.per == PricedBy::kInstance) return at.error("per: a price of an accelerator cannot be per instance", "Name the instance instead.");
  auto part = find_records(catalog, row.accelerator);
  if (!part) return at.error("accelerator: " + part.error().what, part.error().advice);
  price.accelerator = part->front()->id;
  return price;
}

}  // namespace

Result<std::vector<UserPrice>> read_prices(std::string_view text, const std::string& file, const Catalog& catalog) {
  RIDGE_TRY(Node rows, looks_like_csv(text) ? rows_of_csv(text, file) : rows_of_yaml(text, file));
  if (rows.list.empty()) return fail(file, "holds no prices", "Give at least one row; `ridge instance list --help` shows the form.");
  if (rows.list.size() > kMostPrices) return fail(file, fmt::format("{} prices, more than {}", rows.list.size(), kMostPrices), "Split the file.");
  formats::Arena arena;
  formats::RowContext context(arena);
  std::vector<UserPrice> prices;
  std::set<std::tuple<std::string, std::string, std::string, Commitment, std::string>> seen;
  for (Node& row : rows.list) {
    if (row.kind == Node::Kind::kMap) RIDGE_TRY_VOID(price_to_number(row, NodeRef(row, file)));
    const NodeRef at(row, file);
    RIDGE_TRY(const UserPriceRow read, formats::read_row<UserPriceRow>(at, context));
    RIDGE_TRY(UserPrice price, resolve(read, at, catalog));
    if (!seen.emplace(price.instance, price.accelerator, price.provider, price.commitment, price.region).second)
      return at.error(fmt::format("a second {} price of {}", formats::word_of(price.commitment), price.instance.empty() ? price.accelerator : price.instance),
                      "Keep one of the two rows.");
    prices.push_back(std::move(price));
  }
  return prices;
}

}  // namespace ridge::hardware
