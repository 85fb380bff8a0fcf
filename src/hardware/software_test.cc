#include "hardware/software.h"

#include <gtest/gtest.h>

#include <set>

#include "hardware/software_check.h"

namespace ridge::hardware {
namespace {

const Catalog& catalog() { return Catalog::builtin(); }
SoftwareTables tables() { return software(catalog()); }
Version v(std::string_view text) { return *parse_version(text); }

Device device(std::string_view name) {
  auto reference = catalog().resolve(name);
  EXPECT_TRUE(reference) << to_string(reference.error());
  return reference ? reference->profiles.front() : Device{};
}

TEST(Version, ComparesPartByPart) {
  EXPECT_LT(v("550.54.14"), v("550.90.07"));
  EXPECT_LT(v("9.0"), v("10.0"));
  EXPECT_EQ(v("12.4"), v("12.4.0"));
  EXPECT_LT(v("1.3.0rc24"), v("1.3.0"));
  EXPECT_LT(v("1.3.0rc2"), v("1.3.0rc24"));
  EXPECT_EQ(v("v2.9.1+cu128"), v("2.9.1"));
}

TEST(Version, RefusesWhatIsNone) {
  for (const char* text : {"", "v", "12.", ".4", "12.4.1.2.3", "12.x", "1234567", "12.4-beta", "rc1", "-1"}) EXPECT_FALSE(parse_version(text)) << text;
}

TEST(FindToolkit, TakesAMinorReleaseAsItsFirstAndAnUnlistedUpdateAsTheNewest) {
  EXPECT_EQ(find_toolkit(tables(), v("12.4"))->name, "12.4 GA");
  EXPECT_EQ(find_toolkit(tables(), v("12.4.1"))->name, "12.4 Update 1");
  EXPECT_EQ(find_toolkit(tables(), v("12.4.131"))->name, "12.4 Update 1") << "a component's build number";
  EXPECT_EQ(find_toolkit(tables(), v("12.7")), nullptr) << "there was none";
}

TEST(DriverRuns, TellsFullFromMinorVersionFromTooOld) {
  const Device h100 = device("h100-sxm5");
  EXPECT_EQ(driver_runs(tables(), v("550.54.14"), v("12.4"), h100).fit, DriverFit::kFull);
  EXPECT_EQ(driver_runs(tables(), v("550.54.14"), v("12.4.1"), h100).fit, DriverFit::kMinorVersion);
  EXPECT_EQ(driver_runs(tables(), v("535.104.05"), v("12.8"), h100).fit, DriverFit::kMinorVersion);
  EXPECT_EQ(driver_runs(tables(), v("580.65.06"), v("12.4"), h100).fit, DriverFit::kFull) << "newer drivers run older toolkits";
  const DriverAnswer old = driver_runs(tables(), v("550.54.14"), v("13.0"), h100);
  EXPECT_EQ(old.fit, DriverFit::kForwardPackage);
  EXPECT_EQ(old.why, "CUDA 13.0 needs driver 580 or later, and 550.54.14 is older");
  EXPECT_TRUE(old.change.starts_with("install driver 580 or later (R580 is a long-term branch, to 2028-06), or the package cuda-compat-13-0")) << old.change;
}

TEST(DriverRuns, HasNoForwardPackageForGeForce) {
  const DriverAnswer answer = driver_runs(tables(), v("575.57.08"), v("13.0"), device("rtx5090"));
  EXPECT_EQ(answer.fit, DriverFit::kRefused);
  EXPECT_NE(answer.why.find("forward compatibility is not for a GeForce card"), std::string::npos);
  EXPECT_EQ(answer.change.find("cuda-compat"), std::string::npos);
}

TEST(DriverRuns, KnowsThatAnOlderDriverHasNotHeardOfANewerPart) {
  const DriverAnswer answer = driver_runs(tables(), v("550.54.14"), v("12.4"), device("b200-sxm-hgx"));
  EXPECT_EQ(answer.fit, DriverFit::kRefused);
  EXPECT_EQ(answer.why, "driver 550.54.14 is older than 570.26, that of the first toolkit for compute capability 10.0");
}

TEST(DriverRuns, KnowsTheLastBranchOfAnOldPart) {
  EXPECT_EQ(driver_runs(tables(), v("580.65.06"), v("12.6"), device("v100-sxm2-32gb")).fit, DriverFit::kFull);
  const DriverAnswer answer = driver_runs(tables(), v("595.45.04"), v("12.6"), device("v100-sxm2-32gb"));
  EXPECT_EQ(answer.fit, DriverFit::kRefused);
  EXPECT_EQ(answer.change, "install a driver of branch R580");
}

TEST(DriverRuns, SaysWhenTheDriverOfAToolkitWasNotRead) {
  const DriverAnswer answer = driver_runs(tables(), v("610.43.02"), v("13.5"), device("h100-sxm5"));
  EXPECT_EQ(answer.fit, DriverFit::kMinorVersion);
  EXPECT_NE(answer.why.find("was not read"), std::string::npos);
  EXPECT_EQ(driver_runs(tables(), v("610.43.02"), v("14.0"), device("h100-sxm5")).fit, DriverFit::kUnknown);
}

// Every driver that runs a toolkit in full runs each older one of the family too, on a part that all of them know.
TEST(DriverRuns, NeverGetsWorseWithANewerDriver) {
  const Device h100 = device("h100-sxm5");
  const auto rank = [](DriverFit fit) { return fit == DriverFit::kFull ? 2 : fit == DriverFit::kMinorVersion ? 1 : 0; };
  std::vector<Version> drivers;
  for (const ToolkitRow& row : tables().toolkits)
    if (!row.driver.empty()) drivers.push_back(v(row.driver));
  std::sort(drivers.begin(), drivers.end());
  for (const ToolkitRow& row : tables().toolkits) {
    int last = 0;
    for (const Version& driver : drivers) {
      const int now = rank(driver_runs(tables(), driver, v(row.version), h100).fit);
      EXPECT_GE(now, last) << row.version;
      last = now;
    }
    if (!row.driver.empty() && !(v(row.driver) < v("520.61.05"))) {
      EXPECT_EQ(driver_runs(tables(), v(row.driver), v(row.version), h100).fit, DriverFit::kFull) << row.version;
    }
  }
}

TEST(ToolkitTargets, HasAFirstAndALastRelease) {
  EXPECT_EQ(toolkit_targets(tables(), v("12.4"), device("b200-sxm-hgx")).answer, Known::kNo);
  EXPECT_EQ(toolkit_targets(tables(), v("12.4"), device("b200-sxm-hgx")).change, "use CUDA 12.8 or later");
  EXPECT_EQ(toolkit_targets(tables(), v("12.8"), device("b200-sxm-hgx")).answer, Known::kYes);
  EXPECT_EQ(toolkit_targets(tables(), v("12.9.1"), device("v100-pcie")).answer, Known::kYes) << "an update of the last release";
  EXPECT_EQ(toolkit_targets(tables(), v("13.0"), device("v100-pcie")).change, "use CUDA 12.9 or earlier");
  EXPECT_EQ(toolkit_targets(tables(), v("13.0"), device("mi300x")).answer, Known::kUnknown);
}

bool runs(std::vector<std::string_view> code, std::string_view cc) { return code_runs(code, cc).answer == Known::kYes; }

TEST(CodeRuns, OnTheSameMajorVersionUpwards) {
  EXPECT_TRUE(runs({"8.6"}, "8.6"));
  EXPECT_TRUE(runs({"8.6"}, "8.9"));
  EXPECT_FALSE(runs({"8.6"}, "8.0"));
  EXPECT_FALSE(runs({"8.6"}, "9.0"));
  EXPECT_TRUE(runs({"10.0"}, "10.3"));
  EXPECT_FALSE(runs({"10.0"}, "12.0"));
}

TEST(CodeRuns, ThroughPtxOnAnyLaterPart) {
  EXPECT_TRUE(runs({"9.0+PTX"}, "10.0"));
  EXPECT_TRUE(runs({"8.0-PTX"}, "8.0"));
  EXPECT_FALSE(runs({"12.0+PTX"}, "10.3")) << "PTX goes forward only";
  EXPECT_FALSE(runs({"12.0a"}, "12.1"));
  EXPECT_TRUE(runs({"12.0a"}, "12.0"));
  EXPECT_EQ(code_runs(std::vector<std::string_view>{"8.0", "9.0+PTX"}, "8.9").why, "binary code for 8.0");
  EXPECT_EQ(code_runs({}, "8.9").answer, Known::kUnknown);
}

TEST(BinariesFor, SayWhichPyTorchWheelServesAPart) {
  std::set<std::string> holding;
  for (const BinaryAnswer& one : binaries_for(tables(), "pytorch", v("2.9"), {}, "10.3"))
    if (one.runs.answer == Known::kYes) holding.emplace(one.binary->cuda);
  EXPECT_EQ(holding, (std::set<std::string>{"12.8.1", "13.0.0"}));
  const auto volta = binaries_for(tables(), "pytorch", v("2.11"), v("12.8"), "7.0");
  ASSERT_EQ(volta.size(), 1U);
  EXPECT_EQ(volta[0].runs.answer, Known::kNo) << "dropped from cu128 in 2.11";
  EXPECT_EQ(binaries_for(tables(), "pytorch", v("2.10"), v("12.8"), "7.0")[0].runs.answer, Known::kYes);
  EXPECT_EQ(binaries_for(tables(), "pytorch", v("2.9.1"), v("13"), "9.0").size(), 1U);
  EXPECT_EQ(binaries_for(tables(), "pytorch", v("2.7"), v("12.6"), "9.0")[0].runs.answer, Known::kUnknown) << "its targets were not read";
}

TEST(BinariesFor, KnowTheDefaultBuildOfLlamaCpp) {
  for (const auto& [cc, runs_with_13] : {std::pair{"7.5", Known::kYes}, {"7.0", Known::kNo}, {"10.0", Known::kYes}, {"12.0", Known::kYes}})
    EXPECT_EQ(binaries_for(tables(), "llama.cpp", Version{}, v("13"), cc).at(0).runs.answer, runs_with_13) << cc;
}

TEST(ParseEngine, KnowsOtherSpellingsAndVersions) {
  EXPECT_EQ(parse_engine(tables(), "TRTLLM")->engine->engine, "tensorrt-llm");
  EXPECT_EQ(parse_engine(tables(), "vllm==v0.11.0")->version, "0.11.0");
  EXPECT_EQ(to_string(parse_engine(tables(), "vlm").error()),
            "vlm: there is no engine of that name in the catalogue\n  Did you mean vllm? Known: vllm, sglang, tensorrt-llm, llama.cpp, pytorch.");
  EXPECT_FALSE(parse_engine(tables(), "vllm==latest"));
}

EngineRelease release(std::string_view text) { return engine_release(tables(), *parse_engine(tables(), text)); }

TEST(EngineRelease, IsTheNewestWhereNoneIsNamed) {
  EXPECT_EQ(release("vllm").version, "0.21.0");
  EXPECT_EQ(release("vllm").match, ReleaseMatch::kNewest);
  EXPECT_EQ(release("sglang").version, "after 0.5.19");
  EXPECT_EQ(release("sglang").cuda[0].version, "13.0");
}

TEST(EngineRelease, TakesWhatItsNeighboursAgreeOn) {
  const EngineRelease between = release("vllm==0.10.0");
  EXPECT_EQ(between.match, ReleaseMatch::kBetween);
  EXPECT_TRUE(between.cuda.empty()) << "0.9.0 and 0.11.0 differ in what is said of their wheels";
  EXPECT_EQ(between.rocm, "6.3");
  EXPECT_EQ(between.why, "vllm 0.10.0 is not listed; what 0.9.0 and 0.11.0 agree on is taken for it");
}

TEST(EngineRelease, IsUnknownBeyondTheListedOnes) {
  EXPECT_EQ(release("vllm==0.1.0").match, ReleaseMatch::kUnknown);
  EXPECT_EQ(release("sglang==0.4.0").match, ReleaseMatch::kUnknown);
  EXPECT_EQ(release("sglang==0.6.0").match, ReleaseMatch::kExact) << "holds for every release after 0.5.19";
  EXPECT_EQ(release("vllm==main").match, ReleaseMatch::kExact);
}

TEST(EngineTakes, GoesByTheReleasesOwnMinimum) {
  EXPECT_EQ(engine_takes(tables(), release("vllm==0.14.0"), device("v100-pcie")).answer, Known::kYes);
  const Verdict3 no = engine_takes(tables(), release("vllm==0.21.0"), device("v100-pcie"));
  EXPECT_EQ(no.answer, Known::kNo);
  EXPECT_EQ(no.change, "use vllm 0.14.0, the newest listed release that takes this part");
  EXPECT_EQ(engine_takes(tables(), release("sglang"), device("p100-sxm")).answer, Known::kNo);
}

TEST(EngineTakes, LeavesOpenWhatLiesBetweenTwoStatements) {
  EXPECT_EQ(engine_takes(tables(), release("vllm==0.20.0"), device("v100-pcie")).answer, Known::kUnknown) << "7.0 up to 0.14.0, 7.5 from 0.21.0";
  EXPECT_EQ(engine_takes(tables(), release("vllm==0.20.0"), device("t4")).answer, Known::kYes);
  EXPECT_EQ(engine_takes(tables(), release("vllm==0.16.0"), device("p100-sxm")).answer, Known::kNo);
}

TEST(EngineTakes, DoesNotExtendAClosedList) {
  EXPECT_EQ(engine_takes(tables(), release("tensorrt-llm"), device("h100-sxm5")).answer, Known::kYes);
  EXPECT_EQ(engine_takes(tables(), release("tensorrt-llm"), device("a10g")).answer, Known::kUnknown);
  EXPECT_EQ(engine_takes(tables(), release("vllm"), device("mi300x")).answer, Known::kUnknown);
}

TEST(MinimumSoftware, IsTheFirstToolkitOfAPartAlone) {
  const auto b200 = minimum_software(catalog(), device("b200-sxm-hgx"), "");
  ASSERT_TRUE(b200);
  EXPECT_EQ(b200->cuda, "12.8");
  EXPECT_EQ(b200->driver, "570.26") << "525 would be the family's floor, but no such driver knows the part";
  const auto h100 = minimum_software(catalog(), device("h100-sxm5"), "hardware");
  EXPECT_EQ(h100->cuda, "11.8");
  EXPECT_EQ(h100->driver, "520.61.05");
}

TEST(MinimumSoftware, StandsOnTheSureSideWhereSourcesDiffer) {
  const auto vllm = minimum_software(catalog(), device("h100-sxm5"), "vllm==0.21.0");
  ASSERT_TRUE(vllm);
  EXPECT_EQ(vllm->cuda, "13.0");
  EXPECT_EQ(vllm->driver, "580");
  EXPECT_EQ(vllm->driver_full, "580.65.06");
  ASSERT_EQ(vllm->builds.size(), 2U);
  EXPECT_EQ(vllm->builds[0].cuda, "12.9");
  bool said = false;
  for (const std::string& note : vllm->notes) said = said || note.find("sources differ on the standard build: CUDA 12.9 and 13.0") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(MinimumSoftware, KnowsRocmAndWhatItDoesNotKnow) {
  EXPECT_EQ(minimum_software(catalog(), device("mi300x"), "vllm==0.14.0")->rocm, "6.3");
  EXPECT_EQ(minimum_software(catalog(), device("tpu-v6e"), "vllm")->platform, "");
  EXPECT_FALSE(minimum_software(catalog(), device("h100-sxm5"), "nosuch"));
  EXPECT_EQ(minimum_software(catalog(), device("h100-sxm5/mig-3g.40gb"), "vllm==0.9.0")->driver, "525.85.12") << "MIG on the part";
}

Support support(std::string_view gpu, Precision precision, std::string_view engine) {
  return precision_support(catalog(), device(gpu), precision, engine).support;
}

struct SupportCase {
  const char* gpu;
  Precision precision;
  const char* engine;
  Support expected;
};
void PrintTo(const SupportCase& c, std::ostream* out) { *out << c.gpu << " " << name_of(c.precision) << " " << c.engine; }
class PrecisionSupportTable : public testing::TestWithParam<SupportCase> {};

TEST_P(PrecisionSupportTable, IsAsTheSourcesSay) {
  const SupportCase& c = GetParam();
  EXPECT_EQ(name_of(support(c.gpu, c.precision, c.engine)), name_of(c.expected)) << precision_support(catalog(), device(c.gpu), c.precision, c.engine).reason;
}

INSTANTIATE_TEST_SUITE_P(
    Engines, PrecisionSupportTable,
    testing::Values(
        SupportCase{"v100-sxm2-32gb", Precision::kBf16, "hardware", Support::kNone},
        SupportCase{"a100-sxm4-80gb", Precision::kBf16, "hardware", Support::kNative},
        SupportCase{"a100-sxm4-80gb", Precision::kFp8, "hardware", Support::kNone}, SupportCase{"l4", Precision::kFp8, "hardware", Support::kNative},
        SupportCase{"h100-sxm5", Precision::kNvFp4, "hardware", Support::kNone}, SupportCase{"b300-sxm-hgx", Precision::kNvFp4, "hardware", Support::kNative},
        SupportCase{"rtx5090", Precision::kMxFp8, "hardware", Support::kNone}, SupportCase{"b200-sxm-hgx", Precision::kMxFp8, "hardware", Support::kNative},
        SupportCase{"mi300x", Precision::kFp8, "hardware", Support::kNative}, SupportCase{"v100-sxm2-32gb", Precision::kFp8, "vllm", Support::kNone},
        SupportCase{"t4", Precision::kFp8, "vllm", Support::kWeightOnly}, SupportCase{"a100-sxm4-80gb", Precision::kFp8, "vllm", Support::kWeightOnly},
        SupportCase{"a10g", Precision::kFp8, "vllm", Support::kWeightOnly}, SupportCase{"l40s", Precision::kFp8, "vllm", Support::kNative},
        SupportCase{"h100-sxm5", Precision::kFp8, "vllm", Support::kNative}, SupportCase{"b200-sxm-hgx", Precision::kFp8, "vllm", Support::kNative},
        SupportCase{"mi300x", Precision::kFp8, "vllm", Support::kNative}, SupportCase{"mi210", Precision::kFp8, "vllm", Support::kUnknown},
        SupportCase{"h100-sxm5", Precision::kInt8, "vllm", Support::kNative}, SupportCase{"b200-sxm-hgx", Precision::kInt8, "vllm", Support::kNone},
        SupportCase{"t4", Precision::kInt8, "vllm", Support::kNative}, SupportCase{"v100-sxm2-32gb", Precision::kInt8, "vllm", Support::kWeightOnly},
        SupportCase{"mi300x", Precision::kInt8, "vllm", Support::kNone}, SupportCase{"h100-sxm5", Precision::kInt4, "vllm", Support::kWeightOnly},
        SupportCase{"b200-sxm-hgx", Precision::kInt4, "vllm", Support::kUnknown}, SupportCase{"h100-sxm5", Precision::kNvFp4, "vllm", Support::kWeightOnly},
        SupportCase{"b200-sxm-hgx", Precision::kNvFp4, "vllm", Support::kNative}, SupportCase{"rtx5090", Precision::kNvFp4, "vllm", Support::kNative},
        SupportCase{"t4", Precision::kMxFp4, "vllm", Support::kNone}, SupportCase{"a100-sxm4-80gb", Precision::kMxFp4, "vllm", Support::kWeightOnly},
        SupportCase{"t4", Precision::kBf16, "vllm", Support::kNone}, SupportCase{"t4", Precision::kFp16, "vllm", Support::kNative},
        SupportCase{"mi300x", Precision::kBf16, "vllm", Support::kNative}, SupportCase{"tpu-v5e", Precision::kFp8, "vllm", Support::kUnknown},
        SupportCase{"a100-sxm4-80gb", Precision::kFp8, "tensorrt-llm", Support::kNone},
        SupportCase{"h100-sxm5", Precision::kInt4, "tensorrt-llm", Support::kWeightOnly},
        SupportCase{"b200-sxm-hgx", Precision::kInt4, "tensorrt-llm", Support::kNone},
        SupportCase{"gb200-gpu", Precision::kMxFp4, "tensorrt-llm", Support::kNative}, SupportCase{"h100-sxm5", Precision::kFp8, "sglang", Support::kNative},
        SupportCase{"a100-sxm4-80gb", Precision::kFp8, "sglang", Support::kUnknown}, SupportCase{"mi300x", Precision::kNvFp4, "sglang", Support::kWeightOnly},
        SupportCase{"h100-sxm5", Precision::kNvFp4, "sglang", Support::kNone}, SupportCase{"h100-sxm5", Precision::kFp8, "llama.cpp", Support::kUnknown},
        SupportCase{"h100-sxm5", Precision::kBf16, "llama.cpp", Support::kNative}));

TEST(PrecisionSupport, NamesTheKernelsSmallestToolkit) {
  EXPECT_EQ(precision_support(catalog(), device("l4"), Precision::kFp8, "vllm").cuda, "12.4");
  EXPECT_EQ(precision_support(catalog(), device("b200-sxm-hgx"), Precision::kFp8, "vllm").cuda, "12.8");
}

TEST(PrecisionSupport, SaysWhatIsMissingOfAPartialOne) {
  const PrecisionSupport nvfp4 = precision_support(catalog(), device("rtx5090"), Precision::kNvFp4, "hardware");
  EXPECT_TRUE(nvfp4.partial);
  EXPECT_NE(nvfp4.reason.find("round to nearest only"), std::string::npos);
}

TEST(PrecisionSupport, OfASliceIsThatOfItsPart) { EXPECT_EQ(support("h100-sxm5/mig-3g.40gb", Precision::kFp8, "vllm"), Support::kNative); }

TEST(PrecisionSupport, ListensToTheUsersRules) {
  const auto mine = Catalog::with_overlay(
      "precision_rules:\n- {id: mine, engine: vllm, formats: [int4], vendor: NVIDIA, from: \"10.0\", support: weight_only, sources: [user]}\n", "mine.yaml");
  ASSERT_TRUE(mine) << to_string(mine.error());
  EXPECT_EQ(precision_support(*mine, device("b200-sxm-hgx"), Precision::kInt4, "vllm").support, Support::kWeightOnly);
}

TEST(PrecisionCaveats, SaySafetyIsAnotherMatter) {
  std::set<std::string> kinds;
  for (const Precision precision : all_precisions())
    for (const PrecisionCaveat& caveat : precision_caveats(precision)) kinds.insert(caveat.kind);
  for (const char* kind : {"fp16-range", "bf16-precision", "fp32-masters", "needs-scaling", "quality-check"}) EXPECT_TRUE(kinds.contains(kind)) << kind;
  EXPECT_TRUE(precision_caveats(Precision::kFp32).empty());
}

TEST(SoftwareOverlay, RefusesWhatCannotBe) {
  const auto refused = [](const std::string& yaml) {
    const auto laid = Catalog::with_overlay(yaml, "mine.yaml");
    return laid ? "" : to_string(laid.error());
  };
  EXPECT_EQ(refused("compute_capabilities:\n- {cc: \"13.0\", first_toolkit: \"\", sources: [user]}\n"),
            "mine.yaml:2: compute_capabilities[0]: in \"13.0\": first_toolkit is empty\n  Write numbers with dots, as in 550.54.14.");
  EXPECT_NE(refused("compute_capabilities:\n- {cc: \"13\", first_toolkit: \"14.0\", sources: [user]}\n").find("is not a compute capability"),
            std::string::npos);
  EXPECT_NE(refused("binaries:\n- {id: b, engine: pytorch, cuda: \"14.0\", code: [sm_90], sources: [user]}\n").find("is not a target"), std::string::npos);
  EXPECT_NE(refused("engine_releases:\n- {id: b, engine: nosuch, version: \"1\", sources: [user]}\n").find("nosuch"), std::string::npos);
  EXPECT_NE(
      refused("precision_rules:\n- {id: r, engine: vllm, formats: [fp8], vendor: NVIDIA, from: \"9.0\", below: \"8.0\", support: native, sources: [user]}\n")
          .find("matches nothing"),
      std::string::npos);
  EXPECT_NE(refused("toolkits:\n- {version: new, name: x, source: user}\n").find("is not a version"), std::string::npos);
}

SoftwareAnswer check(std::string_view gpu, SoftwareQuestion question, std::string_view engine = {}) {
  if (!engine.empty()) question.engine = *parse_engine(tables(), engine);
  auto answer = check_software(catalog(), device(gpu), question);
  EXPECT_TRUE(answer) << to_string(answer.error());
  return answer ? *answer : SoftwareAnswer{};
}

TEST(CheckSoftware, SaysYesWhereEverythingFits) {
  const SoftwareAnswer answer = check("h100-sxm5", {.driver = v("550.54.14"), .precision = Precision::kFp8}, "vllm==0.9.0");
  EXPECT_EQ(answer.answer, Known::kYes);
  ASSERT_EQ(answer.builds.size(), 1U);
  EXPECT_EQ(answer.builds[0].driver->fit, DriverFit::kMinorVersion);
}

TEST(CheckSoftware, SaysNoToAnOldDriverAndWhatWouldDo) {
  const SoftwareAnswer answer = check("h100-sxm5", {.driver = v("550.54.14"), .precision = Precision::kFp8}, "vllm==0.20.0");
  EXPECT_EQ(answer.answer, Known::kNo);
  ASSERT_GE(answer.changes.size(), 2U);
  EXPECT_EQ(answer.changes[0], "take the build with CUDA 12.9 (--torch-backend=cu129), which runs on this driver by minor-version compatibility");
  EXPECT_TRUE(answer.changes[1].starts_with("install driver 580 or later"));
  EXPECT_EQ(check("h100-sxm5", {.driver = v("580.65.06")}, "vllm==0.20.0").answer, Known::kYes);
  EXPECT_EQ(check("h100-sxm5", {.driver = v("550.54.14"), .cuda = v("12.9")}, "vllm==0.20.0").answer, Known::kYes) << "the other build was named";
}

TEST(CheckSoftware, SaysNoToAFormatThatThePartRefuses) {
  const SoftwareAnswer answer = check("b200-sxm-hgx", {.precision = Precision::kInt8}, "vllm==0.21.0");
  EXPECT_EQ(answer.answer, Known::kNo);
  ASSERT_FALSE(answer.changes.empty());
  EXPECT_NE(answer.changes[0].find("fp8"), std::string::npos);
}

TEST(CheckSoftware, NeedsTheReleaseForWhichTheKernelsAreBuilt) {
  EXPECT_EQ(check("l4", {.cuda = v("12.1"), .precision = Precision::kFp8}, "vllm==0.7.2").answer, Known::kNo);
  EXPECT_EQ(check("l4", {.cuda = v("12.4"), .precision = Precision::kFp8}, "vllm==0.7.2").answer, Known::kYes);
}

TEST(CheckSoftware, LetsCodeOfALowerArchitectureRun) {
  const SoftwareAnswer answer = check("b300-sxm-hgx", {.driver = v("580.65.06")}, "vllm==0.14.0");
  EXPECT_EQ(answer.answer, Known::kYes);
  EXPECT_NE(answer.builds[0].code.why.find("binary code for 10.0 runs there"), std::string::npos);
  EXPECT_EQ(check("b200-sxm-hgx", {.driver = v("580.65.06")}, "vllm==0.7.2").answer, Known::kNo) << "CUDA 12.1 has no code for 10.x";
}

TEST(CheckSoftware, LooksIntoTheWheel) {
  EXPECT_EQ(check("v100-sxm2-32gb", {.torch = v("2.11")}).answer, Known::kYes) << "the CUDA 12.6 wheel";
  EXPECT_EQ(check("v100-sxm2-32gb", {.cuda = v("12.8"), .torch = v("2.11")}).answer, Known::kNo);
  EXPECT_EQ(check("h100-sxm5", {}, "pytorch==2.9").answer, Known::kYes);
  EXPECT_EQ(check("p100-sxm", {.cuda = v("13.0")}, "pytorch==2.14").answer, Known::kNo);
}

TEST(CheckSoftware, DoesNotGuess) {
  EXPECT_EQ(check("h100-sxm5", {}, "vllm==0.99.0").answer, Known::kUnknown);
  EXPECT_EQ(check("mi300x", {.driver = v("550.54.14")}, "vllm").answer, Known::kUnknown);
  EXPECT_EQ(check("tpu-v6e", {}, "sglang").answer, Known::kUnknown);
  EXPECT_EQ(check("a10g", {.driver = v("580.65.06")}, "tensorrt-llm").answer, Known::kUnknown);
  EXPECT_EQ(check("h100-sxm5", {.precision = Precision::kFp8}, "llama.cpp").answer, Known::kUnknown);
}

TEST(CheckSoftware, AnswersForAPartAlone) {
  EXPECT_EQ(check("b200-sxm-hgx", {.driver = v("550.54.14")}).answer, Known::kNo);
  EXPECT_EQ(check("b200-sxm-hgx", {.driver = v("580.65.06")}).answer, Known::kYes);
  EXPECT_EQ(check("a100-sxm4-80gb", {.precision = Precision::kFp8}).answer, Known::kNo);
  EXPECT_EQ(check("a100-sxm4-80gb", {.driver = v("550.54.14"), .cuda = v("12.4")}).answer, Known::kYes);
}

TEST(CheckSoftware, AsksMoreOfAMigSlice) {
  EXPECT_EQ(check("h200-sxm/mig-1g.18gb", {.driver = v("535.104.05")}, "vllm==0.9.0").answer, Known::kNo);
  EXPECT_EQ(check("h200-sxm/mig-1g.18gb", {.driver = v("550.90.07")}, "vllm==0.9.0").answer, Known::kYes);
}

}  // namespace
}  // namespace ridge::hardware
