// Number formats: how each runs on a part and an engine, and what must be watched where it does.
#include <fmt/format.h>

#include <algorithm>

#include "hardware/mig.h"
#include "hardware/software.h"

namespace ridge::hardware {
namespace {

bool matches(const PrecisionRuleRow& rule, std::string_view engine, Precision precision, const Device& device) {
  if (rule.engine != engine || rule.vendor != device.vendor) return false;
  if (std::find(rule.formats.begin(), rule.formats.end(), precision) == rule.formats.end()) return false;
  if (!rule.accelerators.empty()) {
    const std::string_view part = std::string_view(device.id).substr(0, device.id.find(kMigMark));
    if (std::find(rule.accelerators.begin(), rule.accelerators.end(), part) == rule.accelerators.end()) return false;
  }
  if (rule.from.empty() && rule.below.empty()) return true;
  const auto cc = parse_version(device.compute_capability);
  if (!cc) return false;
  return (rule.from.empty() || *parse_version(rule.from) <= *cc) && (rule.below.empty() || *cc < *parse_version(rule.below));
}

// The last rule that fits: an overlay's rules stand after the catalogue's.
const PrecisionRuleRow* rule_for(const SoftwareTables& tables, std::string_view engine, Precision precision, const Device& device) {
  const PrecisionRuleRow* found = nullptr;
  for (const PrecisionRuleRow& rule : tables.precision_rules)
    if (matches(rule, engine, precision, device)) found = &rule;
  return found;
}

bool is_plain(Precision precision) {
  return precision == Precision::kFp64 || precision == Precision::kFp32 || precision == Precision::kTf32 || precision == Precision::kFp16 ||
         precision == Precision::kBf16;
}

std::string range_words(const PrecisionRuleRow& rule) {
  if (!rule.accelerators.empty()) return fmt::format("on {}", fmt::join(rule.accelerators, ", "));
  if (!rule.from.empty() && !rule.below.empty()) return fmt::format("from compute capability {} to below {}", rule.from, rule.below);
  if (!rule.from.empty()) return fmt::format("from compute capability {}", rule.from);
  if (!rule.below.empty()) return fmt::format("below compute capability {}", rule.below);
  return fmt::format("on {} parts", rule.vendor);
}

PrecisionSupport by_rule(const PrecisionRuleRow& rule, Precision precision, std::string_view who) {
  PrecisionSupport support;
  support.partial = rule.partial;
  support.method = rule.method;
  support.cuda = rule.cuda;
  support.sources.assign(rule.sources.begin(), rule.sources.end());
  const std::string_view name = ridge::name_of(precision);
  switch (rule.support) {
    case RuleSupport::kNative:
      support.support = Support::kNative;
      support.reason = fmt::format("{} multiplies {} {}", who, name, range_words(rule));
      break;
    case RuleSupport::kWeightOnly:
      support.support = Support::kWeightOnly;
      support.reason = fmt::format("{} stores weights in {} and multiplies in 16 bits {}", who, name, range_words(rule));
      break;
    case RuleSupport::kNone:
      support.support = Support::kNone;
      support.reason = fmt::format("{} has no {} {}", who, name, range_words(rule));
      break;
    case RuleSupport::kListed:
    case RuleSupport::kUnknown:
      support.reason = fmt::format("{} does not say how {} runs {}", who, name, range_words(rule));
      break;
  }
  if (!rule.method.empty()) support.reason += fmt::format(" by {}", rule.method);
  if (!rule.note.empty()) support.reason += fmt::format("; {}", rule.note);
  return support;
}

PrecisionSupport by_hardware(const SoftwareTables& tables, const Device& device, Precision precision) {
  if (const PrecisionRuleRow* rule = rule_for(tables, "hardware", precision, device)) return by_rule(*rule, precision, "the part");
  PrecisionSupport support;
  const std::string_view name = ridge::name_of(precision);
  const auto rate = device.peak_of(precision);
  if (rate) {
    support.support = Support::kNative;
    support.reason = fmt::format("the part has a rate in {}: {}", name, rate->basis);
    support.sources = rate->sources;
  } else if (precision == Precision::kFp32 && device.vector_fp32) {
    support.support = Support::kNative;
    support.reason = "the part has a rate in fp32 of its vector units";
    support.sources = device.vector_fp32->sources;
  } else {
    support.reason = fmt::format("no source gives the part a dense {} rate, and none says that it has none", name);
  }
  return support;
}

}  // namespace

std::string_view name_of(Support support) {
  switch (support) {
    case Support::kNative:
      return "native";
    case Support::kWeightOnly:
      return "weight_only";
    case Support::kNone:
      return "none";
    case Support::kUnknown:
      return "unknown";
  }
  return "unknown";
}

PrecisionSupport precision_support(const Catalog& catalog, const Device& device, Precision precision, std::string_view engine) {
  const SoftwareTables tables = software(catalog);
  if (engine.empty() || engine == "hardware" || engine == "pytorch") return by_hardware(tables, device, precision);
  const PrecisionRuleRow* rule = rule_for(tables, engine, precision, device);
  if (rule == nullptr) {
    if (is_plain(precision)) return by_hardware(tables, device, precision);
    PrecisionSupport unknown;
    unknown.reason = fmt::format("the tables of {} that were read do not name {} on {} parts{}", engine, ridge::name_of(precision),
                                 device.vendor.empty() ? "such" : device.vendor,
                                 device.compute_capability.empty() ? "" : fmt::format(" of compute capability {}", device.compute_capability));
    return unknown;
  }
  if (rule->support != RuleSupport::kListed) return by_rule(*rule, precision, engine);
  PrecisionSupport support = by_hardware(tables, device, precision);
  const std::string listed =
      fmt::format("{} lists {} for {} parts without naming them", engine, rule->method.empty() ? ridge::name_of(precision) : rule->method, device.vendor);
  for (const std::string_view source : rule->sources) support.sources.emplace_back(source);
  support.method = rule->method;
  support.cuda = rule->cuda;
  if (support.support == Support::kNative) {
    support.reason = fmt::format("{}, and {}", listed, support.reason);
  } else {
    // Listed for the vendor, and this part cannot multiply it: it may be converted or refused, and nothing says which.
    support.support = Support::kUnknown;
    support.reason = fmt::format("{}; of this part, {}", listed, support.reason);
  }
  return support;
}

std::vector<PrecisionCaveat> precision_caveats(Precision precision) {
  std::vector<PrecisionCaveat> caveats;
  const PrecisionCaveat check{"quality-check", "Few bits change the answers of some models and tasks more than others.",
                              "Compare quality on your own task before you rely on it."};
  const PrecisionCaveat masters{"fp32-masters",
                                "Training in 16 bits or fewer keeps fp32 master weights and accumulates in fp32: the small updates would be lost otherwise.",
                                "Count the master copy in the memory of a training run."};
  switch (precision) {
    case Precision::kFp64:
    case Precision::kFp32:
      break;
    case Precision::kTf32:
      caveats.push_back({"tf32-mantissa", "tf32 keeps the range of fp32 and 10 bits of its fraction; sums stay in fp32.", ""});
      break;
    case Precision::kFp16:
      caveats.push_back({"fp16-range", "fp16 has a narrow range: values above 65,504 overflow and small gradients vanish.",
                         "Train with loss scaling; watch for infinities where activations are large."});
      caveats.push_back(masters);
      break;
    case Precision::kBf16:
      caveats.push_back({"bf16-precision", "bf16 keeps the range of fp32 and has 8 bits of precision: no loss scaling, but coarser sums.", ""});
      caveats.push_back(masters);
      break;
    case Precision::kFp8:
    case Precision::kFp6:
    case Precision::kFp4:
    case Precision::kMxFp8:
    case Precision::kMxFp6:
    case Precision::kMxFp4:
    case Precision::kNvFp4:
      caveats.push_back({"needs-scaling",
                         fmt::format("{} covers so narrow a range that weights and activations need scale factors, from a calibration or computed as it runs.",
                                     ridge::name_of(precision)),
                         "Use a checkpoint quantised for this format, or calibrate on data like yours."});
      caveats.push_back(check);
      caveats.push_back(masters);
      break;
    case Precision::kInt8:
    case Precision::kInt4:
      caveats.push_back({"needs-calibration",
                         fmt::format("{} is a uniform grid: outliers in weights or activations cost the rest its resolution.", ridge::name_of(precision)),
                         "Use a method that handles them (group scales, smoothing), calibrated on data like yours."});
      caveats.push_back(check);
      break;
  }
  return caveats;
}

}  // namespace ridge::hardware
