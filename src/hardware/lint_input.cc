// Tables of claims as people have them: CSV, TSV, JSON or YAML.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "formats/csv.h"
#include "hardware/lint.h"
#include "quantity/text.h"

namespace ridge::hardware {
namespace {

constexpr std::size_t kMostClaims = 100'000;

// One claim as texts, by column.
struct RawClaim {
  std::string where, label;
  std::string accelerator, metric, precision, sparsity, claimed, unit;
};

struct Metric {
  std::string_view word;
  ClaimKind kind;
  FigureName figure;
};
constexpr std::array kMetrics{
    Metric{"peak", ClaimKind::kPeak, FigureName::kMemoryBandwidth},
    Metric{"memory_bandwidth", ClaimKind::kFigure, FigureName::kMemoryBandwidth},
    Metric{"memory_capacity", ClaimKind::kFigure, FigureName::kMemoryCapacity},
    Metric{"scale_up", ClaimKind::kFigure, FigureName::kScaleUp},
    Metric{"pcie", ClaimKind::kFigure, FigureName::kPcie},
    Metric{"host_link", ClaimKind::kFigure, FigureName::kHostLink},
    Metric{"power", ClaimKind::kFigure, FigureName::kTdp},
    Metric{"sm_count", ClaimKind::kFigure, FigureName::kSmCount},
    Metric{"cu_count", ClaimKind::kFigure, FigureName::kCuCount},
    Metric{"die_area", ClaimKind::kFigure, FigureName::kDieArea},
    Metric{"transistors", ClaimKind::kFigure, FigureName::kTransistors},
    Metric{"compute_capability", ClaimKind::kComputeCapability, FigureName::kMemoryBandwidth},
    // Other words for them.
    Metric{"flops", ClaimKind::kPeak, FigureName::kMemoryBandwidth},
    Metric{"tflops", ClaimKind::kPeak, FigureName::kMemoryBandwidth},
    Metric{"bandwidth", ClaimKind::kFigure, FigureName::kMemoryBandwidth},
    Metric{"mem_bw", ClaimKind::kFigure, FigureName::kMemoryBandwidth},
    Metric{"memory", ClaimKind::kFigure, FigureName::kMemoryCapacity},
    Metric{"capacity", ClaimKind::kFigure, FigureName::kMemoryCapacity},
    Metric{"nvlink", ClaimKind::kFigure, FigureName::kScaleUp},
    Metric{"tdp", ClaimKind::kFigure, FigureName::kTdp},
};
constexpr std::size_t kPlainMetrics = 12;  // of the list above, those that errors propose

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

// "1,979" → "1979": separators of thousands, only where three digits follow each.
std::string without_separators(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    if (text[i] == ',' && i > 0 && digit(i - 1) && digit(i + 1) && digit(i + 2) && digit(i + 3) && !digit(i + 4)) continue;
    plain += text[i];
  }
  return plain;
}

Error at(const RawClaim& raw, Error error) {
  error.where = error.where.empty() ? raw.where : raw.where + ": " + error.where;
  return error;
}

Result<double> base_of(const Claim& claim, Dimension dimension, const std::string& text) {
  const auto value = [](auto parsed) -> Result<double> {
    if (!parsed) return tl::unexpected<Error>(parsed.error());
    return parsed->value;
  };
  switch (dimension) {
    case Dimension::kRate:
      return value(parse_flop_per_second(text));
    case Dimension::kByteRate:
      return value(parse_bytes_per_second(text));
    case Dimension::kBytes: {
      RIDGE_TRY(Bytes bytes, parse_bytes(text));
      return bytes.as_double();
    }
    case Dimension::kPower:
      return value(parse_watts(text));
    case Dimension::kArea:
      return value(parse_area(text));
    default:
      if (!claim.unit.empty() && claim.unit != "1" && claim.unit != "SM" && claim.unit != "CU")
        return fail("", fmt::format("\"{}\" is not a unit of a count", claim.unit), "Leave the unit empty, or write 1, SM or CU.");
      return parse_count(claim.claimed);
  }
}

Result<void> read_amount(const RawClaim& raw, Claim& claim) {
  claim.claimed = without_separators(raw.claimed);
  claim.unit = raw.unit;
  if (claim.claimed.empty()) return fail("claimed", "there is no value", "Write a number.");
  if (claim.kind == ClaimKind::kComputeCapability) {
    RIDGE_TRY(claim.printed, parse_real(claim.claimed));
    claim.value = claim.printed;
    claim.base = "1";
    return {};
  }
  if (claim.unit.empty()) {  // "3.35 TB/s" in one column
    const std::size_t end = claim.claimed.find_first_not_of("0123456789.eE+-");
    if (end != std::string::npos && end > 0) {
      claim.unit = trimmed(std::string_view(claim.claimed).substr(end));
      claim.claimed = trimmed(std::string_view(claim.claimed).substr(0, end));
    }
  }
  auto printed = parse_real(claim.claimed);
  if (!printed) return tl::unexpected<Error>(with_context(printed.error(), "claimed"));
  claim.printed = *printed;
  const Dimension dimension = claim.kind == ClaimKind::kPeak ? Dimension::kRate : dimension_of(claim.figure);
  auto value = base_of(claim, dimension, claim.claimed + claim.unit);
  if (!value) return tl::unexpected<Error>(with_context(value.error(), "unit"));
  if (*value <= 0) return fail("claimed", fmt::format("\"{}\" is no figure of a part", claim.claimed), "Write a number above 0.");
  claim.value = *value;
  claim.base = base_unit(dimension);
  return {};
}

Result<Claim> claim_of(const RawClaim& raw) {
  Claim claim;
  claim.label = raw.label;
  claim.where = raw.where;
  claim.accelerator = raw.accelerator;
  if (raw.accelerator.empty()) return tl::unexpected<Error>(at(raw, {"accelerator", "the name of a part is missing", "Name one; see `ridge gpu list`."}));
  const auto metric = std::find_if(kMetrics.begin(), kMetrics.end(), [&raw](const Metric& known) { return known.word == raw.metric; });
  if (metric == kMetrics.end()) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kPlainMetrics; ++i) known.emplace_back(kMetrics[i].word);
    return tl::unexpected<Error>(
        at(raw, {"metric", fmt::format("\"{}\" is not a metric that can be checked", raw.metric), fmt::format("Known: {}.", fmt::join(known, ", "))}));
  }
  claim.kind = metric->kind;
  claim.figure = metric->figure;
  if (claim.kind == ClaimKind::kPeak) {
    if (raw.precision.empty()) return tl::unexpected<Error>(at(raw, {"precision", "a peak needs its precision", "Write fp16, bf16, fp8, …"}));
    auto precision = parse_precision(raw.precision);
    if (!precision) return tl::unexpected<Error>(at(raw, with_context(precision.error(), "precision")));
    claim.precision = *precision;
    if (raw.sparsity == "2:4" || raw.sparsity == "sparse")
      claim.sparsity = Sparsity::kTwoOfFour;
    else if (!raw.sparsity.empty() && raw.sparsity != "dense")
      return tl::unexpected<Error>(at(raw, {"sparsity", fmt::format("\"{}\" is not a sparsity", raw.sparsity), "Write dense or 2:4."}));
  }
  if (auto amount = read_amount(raw, claim); !amount) return tl::unexpected<Error>(at(raw, amount.error()));
  return claim;
}

// The member of a raw claim that a column fills; null for a column that is passed over.
std::string* member(RawClaim& raw, std::string_view column) {
  if (column == "accelerator" || column == "gpu") return &raw.accelerator;
  if (column == "metric") return &raw.metric;
  if (column == "precision" || column == "dtype") return &raw.precision;
  if (column == "sparsity") return &raw.sparsity;
  if (column == "claimed" || column == "value") return &raw.claimed;
  if (column == "unit") return &raw.unit;
  if (column == "case") return &raw.label;
  return nullptr;
}

Result<void> check_columns(const std::vector<std::string>& columns, const std::string& where) {
  RawClaim probe;
  std::set<std::string*> seen;
  for (const std::string& column : columns)
    if (std::string* filled = member(probe, column); filled != nullptr && !seen.insert(filled).second)
      return fail(where, fmt::format("\"{}\" stands beside another column of the same meaning", column), "Keep one of them.");
  for (const auto& [name, needed] : {std::pair{"accelerator", &probe.accelerator}, std::pair{"metric", &probe.metric}, std::pair{"claimed", &probe.claimed}})
    if (!seen.contains(needed))
      return fail(where, fmt::format("there is no column \"{}\"", name),
                  fmt::format("Columns: {}. Needed: accelerator, metric, claimed, unit; precision for a peak.", fmt::join(columns, ", ")));
  return {};
}

void note_ignored(ClaimTable& table, const std::string& column) {
  if (std::find(table.ignored.begin(), table.ignored.end(), column) == table.ignored.end()) table.ignored.push_back(column);
}

Result<ClaimTable> from_csv(std::string_view text, const std::string& file, char separator) {
  RIDGE_TRY(formats::Table csv, formats::read_csv(text, file, separator));
  RIDGE_TRY_VOID(check_columns(csv.columns, file + ": header"));
  if (csv.rows.size() > kMostClaims) return fail(file, fmt::format("more than {} claims", kMostClaims), "Split the table.");
  ClaimTable table;
  RawClaim probe;
  for (const std::string& column : csv.columns)
    if (member(probe, column) == nullptr) note_ignored(table, column);
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    RawClaim raw;
    raw.where = fmt::format("{}:{}", file, csv.lines[i]);
    for (std::size_t c = 0; c < csv.columns.size(); ++c)
      if (std::string* cell = member(raw, csv.columns[c])) *cell = trimmed(csv.rows[i][c]);
    if (raw.label.empty()) raw.label = fmt::format("line {}", csv.lines[i]);
    RIDGE_TRY(Claim claim, claim_of(raw));
    table.claims.push_back(std::move(claim));
  }
  return table;
}

// A cell of JSON or YAML as it would stand in a CSV.
Result<std::string> text_of(const formats::NodeRef& at) {
  switch (at.kind()) {
    case formats::Node::Kind::kText:
      return at.as_text();
    case formats::Node::Kind::kInteger:
      return fmt::format("{}", at.node().integer);
    case formats::Node::Kind::kReal:
      return fmt::format("{}", at.node().real);
    case formats::Node::Kind::kNull:
      return std::string();
    default:
      return at.error(fmt::format("text or a number is expected, found {}", name_of(at.kind())));
  }
}

Result<ClaimTable> from_tree(const formats::Node& node, const std::string& file) {
  formats::NodeRef list(node, file);
  if (list.kind() == formats::Node::Kind::kMap) {
    RIDGE_TRY(list, list.require("claims"));
  }
  if (list.kind() != formats::Node::Kind::kList) return list.error(fmt::format("a list of claims is expected, found {}", name_of(list.kind())));
  if (list.size() > kMostClaims) return fail(file, fmt::format("more than {} claims", kMostClaims), "Split the table.");
  ClaimTable table;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const formats::NodeRef item = list.at(i);
    if (item.kind() != formats::Node::Kind::kMap) return item.error(fmt::format("a claim is a map, found {}", name_of(item.kind())));
    RawClaim raw;
    raw.where = item.where();
    std::vector<std::string> columns;
    for (std::size_t k = 0; k < item.size(); ++k) {
      const auto [key, value] = item.entry(k);
      columns.emplace_back(key);
      std::string* cell = member(raw, key);
      if (cell == nullptr) {
        note_ignored(table, std::string(key));
        continue;
      }
      RIDGE_TRY(std::string text, text_of(value));
      *cell = trimmed(text);
    }
    RIDGE_TRY_VOID(check_columns(columns, raw.where));
    if (raw.label.empty()) raw.label = item.node().line > 0 ? fmt::format("line {}", item.node().line) : fmt::format("claim {}", i + 1);
    RIDGE_TRY(Claim claim, claim_of(raw));
    table.claims.push_back(std::move(claim));
  }
  return table;
}

// By the first line that says something: JSON opens with a bracket, a YAML list with '-', a YAML map with a key and nothing behind it.
std::string_view recognised(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (line.empty() || line == "\r" || line.front() == '#') continue;
    if (line.front() == '{' || line.front() == '[') return "json";
    if (line.starts_with("- ") || line == "-" || line == "---" || line.starts_with("claims:")) return "yaml";
    return "csv";
  }
  return "csv";
}

}  // namespace

Result<ClaimTable> read_claims(std::string_view text, const std::string& file, std::string_view format) {
  if (format.empty()) format = recognised(text);
  if (format == "csv") return from_csv(text, file, 0);
  if (format == "tsv") return from_csv(text, file, '\t');
  if (format == "json") {
    RIDGE_TRY(formats::Node node, formats::read_json(text, file));
    return from_tree(node, file);
  }
  if (format == "yaml") {
    RIDGE_TRY(formats::Node node, formats::read_yaml(text, file));
    return from_tree(node, file);
  }
  return fail("--format", fmt::format("\"{}\" is no format of a table of claims", format), "Use one of: csv, tsv, json, yaml.");
}

}  // namespace ridge::hardware
