// The rows of data/efficiency.yaml: how well each kind of kernel and collective runs, by class of accelerator. A class is one
// measured part, a family that takes after it, or the default; classes form chains by `like` that end at "default". The
// user's --calibration file holds the same tables: its rows replace those of the same class, kernel and format.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::cost {

// What a row is about. Attention is two kernels: reading a cache for a few new tokens, and multiplying a prompt with itself.
enum class Kernel : std::uint8_t { kGemm, kMoe, kAttentionDecode, kAttentionPrefill, kLinearAttention, kElementwise };
inline constexpr int kKernels = 6;
inline constexpr formats::Named<Kernel> kKernelNames[] = {
    {"gemm", Kernel::kGemm},
    {"moe", Kernel::kMoe},
    {"attention_decode", Kernel::kAttentionDecode},
    {"attention_prefill", Kernel::kAttentionPrefill},
    {"linear_attention", Kernel::kLinearAttention},
    {"elementwise", Kernel::kElementwise},
};
constexpr std::span<const formats::Named<Kernel>> names_of(Kernel) { return kKernelNames; }

enum class Collective : std::uint8_t { kAllReduce, kAllGather, kAllToAll, kSendReceive };
inline constexpr int kCollectives = 4;
inline constexpr formats::Named<Collective> kCollectiveNames[] = {
    {"all_reduce", Collective::kAllReduce},
    {"all_gather", Collective::kAllGather},
    {"all_to_all", Collective::kAllToAll},
    {"send_receive", Collective::kSendReceive},
};
constexpr std::span<const formats::Named<Collective>> names_of(Collective) { return kCollectiveNames; }

// Which link a collective's row is about: of the part itself (NVLink, Infinity Fabric, ICI) or the host's (PCIe).
enum class Path : std::uint8_t { kAny, kScaleUp, kHost };
inline constexpr formats::Named<Path> kPathNames[] = {{"any", Path::kAny}, {"scale-up", Path::kScaleUp}, {"host", Path::kHost}};
constexpr std::span<const formats::Named<Path>> names_of(Path) { return kPathNames; }

enum class Evidence : std::uint8_t { kMeasured, kTakenFromRelative, kAssumed };
inline constexpr formats::Named<Evidence> kEvidenceNames[] = {
    {"measured", Evidence::kMeasured}, {"relative", Evidence::kTakenFromRelative}, {"assumed", Evidence::kAssumed}};
constexpr std::span<const formats::Named<Evidence>> names_of(Evidence) { return kEvidenceNames; }

// A class holds for the devices whose id is listed, else for those of a listed compute capability, else for those whose architecture
// begins with one of `architectures`, else for those of one of `vendors`; "default" for all others.
struct ClassRow {
  static constexpr std::string_view kTypeName = "ridge::cost::ClassRow";
  std::string_view id;
  std::string_view title;
  std::string_view like;  // class that answers what this one does not; "" for the default
  std::span<const std::string_view> devices;
  std::span<const std::string_view> capabilities;  // "9.0"
  std::span<const std::string_view> architectures;
  std::span<const std::string_view> vendors;
  Evidence evidence = Evidence::kAssumed;
  // Host time of one engine step, and for each sequence in it, that no kernel hides.
  std::optional<double> step_us;
  std::optional<double> request_us;
  std::string_view source;
  std::string_view sibling;  // the class that this part would take after, had it not been measured: the back-test's hold-out
};
template <class V>
void describe(V& v, ClassRow& row) {
  v.key("id", row.id, "classes");
  v.required("title", row.title);
  v.reference("like", row.like, "classes", false);
  v.optional("devices", row.devices);
  v.optional("capabilities", row.capabilities);
  v.optional("architectures", row.architectures);
  v.optional("vendors", row.vendors);
  v.optional("evidence", row.evidence);
  v.optional("step_us", row.step_us);
  v.optional("request_us", row.request_us);
  v.reference("source", row.source, "sources", false);
  v.reference("sibling", row.sibling, "classes", false);
}
Result<void> check(const ClassRow& row, const formats::NodeRef& at);

// t = launch + max(FLOPs / (compute(rows) · peak), bytes / (memory · bandwidth)). compute is linear in log(rows) between the
// points of `rows`, proportional to rows below the first (a tile is padded to that many) and constant above the last; one value
// without `rows` is a constant. What rows counts: m of a GEMM, tokens per touched expert of a mixture of experts, new tokens
// of one sequence in attention.
struct KernelRow {
  static constexpr std::string_view kTypeName = "ridge::cost::KernelRow";
  std::string_view of;  // class
  Kernel kernel = Kernel::kGemm;
  Precision format = Precision::kBf16;  // of the weights; of the cache for attention
  Precision peak = Precision::kBf16;    // the dense peak that `compute` is a share of
  double launch_us = 0;
  double memory = 1;
  std::span<const double> rows;
  std::span<const double> compute;
  std::optional<double> fit_median;  // |relative error| of the fit over the measured launches
  std::optional<double> fit_p90;
  std::string_view source;
};
template <class V>
void describe(V& v, KernelRow& row) {
  v.reference("of", row.of, "classes");
  v.required("kernel", row.kernel);
  v.required("format", row.format);
  v.required("peak", row.peak);
  v.required("launch_us", row.launch_us);
  v.required("memory", row.memory);
  v.optional("rows", row.rows);
  v.required("compute", row.compute);
  v.optional("fit_median", row.fit_median);
  v.optional("fit_p90", row.fit_p90);
  v.reference("source", row.source, "sources");
}
Result<void> check(const KernelRow& row, const formats::NodeRef& at);

// t = launch + factor · message / rate, factor 2 (n − 1)/n for an all-reduce, (n − 1)/n for an all-gather or all-to-all, 1 for a send.
// The rate is a share of the link's per direction; rate_gbs (GB/s) stands in where a device's link has no known rate.
struct CollectiveRow {
  static constexpr std::string_view kTypeName = "ridge::cost::CollectiveRow";
  std::string_view of;
  Collective collective = Collective::kAllReduce;
  Path path = Path::kAny;
  int ranks = 2;  // the row holds up to this many ranks; the largest one beyond
  double launch_us = 0;
  std::optional<double> rate_gbs;
  std::optional<double> share;
  std::optional<double> fit_median;
  std::optional<double> fit_p90;
  std::string_view source;
};
template <class V>
void describe(V& v, CollectiveRow& row) {
  v.reference("of", row.of, "classes");
  v.required("collective", row.collective);
  v.optional("path", row.path);
  v.required("ranks", row.ranks);
  v.required("launch_us", row.launch_us);
  v.optional("rate_gbs", row.rate_gbs);
  v.optional("share", row.share);
  v.optional("fit_median", row.fit_median);
  v.optional("fit_p90", row.fit_p90);
  v.reference("source", row.source, "sources");
}
Result<void> check(const CollectiveRow& row, const formats::NodeRef& at);

inline constexpr int kMostCurvePoints = 12;

}  // namespace ridge::cost
