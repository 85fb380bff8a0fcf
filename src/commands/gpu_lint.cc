// ridge gpu lint: a table of claimed specs against the catalogue.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "commands/fields.h"
#include "commands/registry.h"
#include "hardware/lint.h"

namespace ridge::commands {
namespace {

using hardware::Claim;
using hardware::Judgement;
using hardware::LintFlag;

constexpr std::uint64_t kMostBytes = 64u << 20;
constexpr std::size_t kMostNamed = 1000;  // claims with figures of their own; larger tables have their rows

struct GpuLintRequest {
  std::string file;
  std::string format;
};

void describe_lint(Fields<GpuLintRequest>& f) {
  f.positional("file", &GpuLintRequest::file, "FILE", "CSV, TSV, JSON or YAML with accelerator, metric, precision, claimed, unit; - is standard input")
      .required()
      .type("file");
  f.option("format", &GpuLintRequest::format, "FORMAT", "what the file is, where its first line does not say").choices({"csv", "tsv", "json", "yaml"});
}

// What a mistake of the kind means, and how to be rid of it.
struct Advice {
  LintFlag flag;
  const char* text;
  const char* advice;
};
constexpr Advice kAdvice[] = {
    {LintFlag::kSparseAsDense, "A rate with structured sparsity stands as the dense one.", "Use the dense figure: an ordinary model has no such zeros."},
    {LintFlag::kUnitCounted, "A total of several units, or the figure of a piece of one, stands as that of the part.",
     "Say what is counted: die, chip, superchip, system or rack."},
    {LintFlag::kOtherSku, "The figure of another part stands under this name.", "Name the SKU: form factor and memory."},
    {LintFlag::kPreliminary, "A figure from an announcement stands where a final one exists.", "Take the final one."},
    {LintFlag::kVectorAsTensor, "A rate of the vector units stands where matrix products are meant.", "Matrix products run on the tensor or matrix units."},
    {LintFlag::kBinaryPrefix, "A decimal figure was multiplied by a power of 1,024.", "GB/s is 10^9 B/s, TB is 10^12 B."},
    {LintFlag::kUnsupportedPrecision, "A rate stands for a precision that the part's units do not multiply.",
     "Leave it out; a model in that format runs in a wider one there."},
    {LintFlag::kCapacityAsBandwidth, "The size of the memory stands as its bandwidth.", "Bandwidth is in B/s."},
    {LintFlag::kOtherPrecision, "The rate of another precision stands in this column.", "Name the precision of each rate."},
    {LintFlag::kPressEstimate, "An estimate of the press stands as the maker's figure.", "Take the maker's."},
    {LintFlag::kOtherConfiguration, "The figure of an option or variant stands as that of the part.", "Say which configuration is meant."},
    {LintFlag::kDisputed, "A measured or disputed figure stands as final.", "Say that it was measured, and how."},
    {LintFlag::kMismatch, "A value agrees with no figure of the part.", "Take the value in the table."},
};

void add_findings(report::Report& answer, const std::map<LintFlag, std::vector<std::string>>& by_flag) {
  for (const Advice& advice : kAdvice)
    if (const auto found = by_flag.find(advice.flag); found != by_flag.end())
      answer.find(report::Severity::kWarning, std::string(word_for(advice.flag)), advice.text, fmt::format("{}", fmt::join(found->second, ", ")),
                  advice.advice);
  std::vector<std::string> open;
  for (const auto& [flag, labels] : by_flag)
    if (!decided(flag)) open.insert(open.end(), labels.begin(), labels.end());
  if (!open.empty())
    answer.find(report::Severity::kInfo, "undecided",
                "Some claims could not be decided: the part is unknown or its name ambiguous, or the catalogue has no figure of that basis.",
                fmt::format("{}", fmt::join(open, ", ")), "Name the SKU, or add what is missing with --catalog.");
}

std::string metric_of(const Claim& claim) {
  switch (claim.kind) {
    case hardware::ClaimKind::kPeak:
      return "peak";
    case hardware::ClaimKind::kComputeCapability:
      return "compute_capability";
    case hardware::ClaimKind::kFigure:
      return std::string(word_of(claim.figure));
  }
  return "";
}

// For scripts: the flag of a claim and the right value in its base unit, by its case. A label that stands twice names neither.
void add_claim(report::Report& answer, const Claim& claim, const Judgement& judgement) {
  std::string name = "claim." + claim.label;
  std::replace(name.begin(), name.end(), ' ', '_');
  if (answer.figure(name + ".flag") != nullptr) return;
  answer.add_category(name + ".flag", std::string(word_for(judgement.flag)));
  if (!judgement.right) return;
  report::Figure& right = answer.add(name + ".right", *judgement.right, claim.base);
  right.basis = fmt::format("{}, {}", judgement.accelerator, metric_of(claim));
  right.sources = judgement.sources;
}

Result<report::Report> run_lint(const GpuLintRequest& request, const Environment& environment) {
  RIDGE_TRY(std::string text, environment.files.read_all(request.file, kMostBytes));
  RIDGE_TRY(hardware::ClaimTable table, hardware::read_claims(text, request.file, request.format));
  const hardware::Linter linter(environment.catalog);

  report::Report answer;
  report::Table claims{"claims",
                       "Claims",
                       {{"case", ""},
                        {"accelerator", ""},
                        {"metric", ""},
                        {"precision", ""},
                        {"claimed", ""},
                        {"flag", ""},
                        {"right_value", ""},
                        {"explanation", ""},
                        {"source", ""}},
                       {}};
  std::map<LintFlag, std::vector<std::string>> by_flag;
  for (const Claim& claim : table.claims) {
    const Judgement judgement = linter.judge(claim);
    by_flag[judgement.flag].push_back(claim.label);
    claims.rows.push_back({claim.label, claim.accelerator, metric_of(claim),
                           claim.kind == hardware::ClaimKind::kPeak ? report::Cell(std::string(ridge::name_of(claim.precision))) : report::Cell{},
                           claim.unit.empty() ? claim.claimed : claim.claimed + " " + claim.unit, std::string(word_for(judgement.flag)),
                           judgement.right ? report::Cell(judgement.right_text) : report::Cell{}, judgement.explanation,
                           fmt::format("{}", fmt::join(judgement.sources, ", "))});
    if (table.claims.size() <= kMostNamed) add_claim(answer, claim, judgement);
  }
  int good = 0, open = 0;
  for (const auto& [flag, labels] : by_flag) {
    const int count = static_cast<int>(labels.size());
    good += holds(flag) ? count : 0;
    open += decided(flag) ? 0 : count;
    answer.add(fmt::format("flag.{}", word_for(flag)), count, "1");
  }
  const int all = static_cast<int>(table.claims.size());
  answer.add("claims", all, "1");
  answer.add("claims.wrong", all - good - open, "1");
  answer.add("claims.undecided", open, "1");
  answer.verdict.ok = good + open == all;
  answer.verdict.text =
      all == 0 ? "There are no claims."
               : fmt::format("{} of {} claims do not hold{}.", all - good - open, all, open == 0 ? "" : fmt::format("; {} could not be decided", open));
  add_findings(answer, by_flag);
  if (!table.ignored.empty())
    answer.find(report::Severity::kInfo, "columns-ignored", fmt::format("Columns that were not read: {}.", fmt::join(table.ignored, ", ")));
  if (!claims.rows.empty()) answer.tables.push_back(std::move(claims));
  return answer;
}

}  // namespace

Command gpu_lint_command() {
  return make_command<GpuLintRequest>({"gpu lint",
                                       kGroupFigures,
                                       "Check a table of claimed specs against the catalogue",
                                       "Reads claims as dense, final and per unit counted, and says which hold. A wrong number is explained by the mistake "
                                       "that made it: sparse as dense, another unit counted, another SKU, "
                                       "a preliminary figure, vector for tensor, a binary prefix, a precision that the part lacks, a capacity as a bandwidth. "
                                       "Columns: accelerator, metric (peak, memory_bandwidth, memory_capacity, "
                                       "scale_up, pcie, power, compute_capability, …), precision, claimed, unit; case and sparsity where wanted. With --check "
                                       "a wrong claim makes the exit status 1.",
                                       {{"gpu lint docs/examples/gpu_claims.csv", "which figures of a spreadsheet hold, and what went wrong with the others"},
                                        {"gpu lint docs/examples/gpu_claims.csv --markdown", "the same as tables that paste into an issue"}}},
                                      describe_lint, run_lint);
}

}  // namespace ridge::commands
