#include "hardware/mig.h"

#include <gtest/gtest.h>

namespace ridge::hardware {
namespace {

const Catalog& catalog() { return Catalog::builtin(); }

Device device(std::string_view name) {
  auto reference = catalog().resolve(name);
  EXPECT_TRUE(reference) << to_string(reference.error());
  return reference ? reference->profiles.front() : Device{};
}

TEST(MigDevice, IsAPartOfItsOwn) {
  const auto reference = catalog().resolve("h100-sxm5/mig-3g.40gb:2");
  ASSERT_TRUE(reference) << to_string(reference.error());
  EXPECT_EQ(reference->count, 2);
  const Device& slice = reference->profiles.front();
  EXPECT_EQ(slice.id, "h100-sxm5/mig-3g.40gb");
  EXPECT_EQ(slice.compute_capability, "9.0");
}

TEST(MigDevice, HasTheMemoryThatATestedPartReports) {
  const Device slice = device("h100-sxm5/mig-3g.40gb");
  ASSERT_TRUE(slice.usable_memory);
  EXPECT_EQ(slice.usable_memory->low.count, 40320 * kMiB);
  EXPECT_EQ(slice.usable_memory->high.count, 40320 * kMiB);
  EXPECT_EQ(slice.usable_memory->sources, std::vector<std::string>{"gpuop_mig"});
}

TEST(MigDevice, HasTheIntervalOfItsLabelWhereNothingWasMeasured) {
  for (const char* name : {"h100-sxm5/mig-4g.40gb", "h100-pcie/mig-3g.40gb"}) {
    const Device slice = device(name);
    ASSERT_TRUE(slice.usable_memory) << name;
    EXPECT_EQ(slice.usable_memory->low.count, 40'000'000'000) << name;
    EXPECT_EQ(slice.usable_memory->high.count, 40 * kGiB) << name << ": what was measured on the SXM5 part is not taken for the card";
  }
}

TEST(MigDevice, HasItsShareOfTheSmsWhereBothCountsAreKnown) {
  const Device whole = device("h100-sxm5"), slice = device("h100-sxm5/mig-3g.40gb");
  EXPECT_NEAR(slice.peak.at(Precision::kBf16).low(), whole.peak.at(Precision::kBf16).low() * 60 / 132, 1e6);
  EXPECT_NE(slice.peak.at(Precision::kBf16).basis.find("60 of 132 SMs"), std::string::npos);
  EXPECT_EQ(slice.peak.at(Precision::kBf16).provenance, Provenance::kDerived);
}

TEST(MigDevice, HasItsShareOfTheComputeSlicesElse) {
  const Device whole = device("h200-sxm"), slice = device("h200-sxm/mig-3g.71gb");
  EXPECT_NEAR(slice.peak.at(Precision::kBf16).low(), whole.peak.at(Precision::kBf16).low() * 3 / 7, 1e6);
  EXPECT_NE(slice.peak.at(Precision::kBf16).basis.find("3 of 7 compute slices, its SMs not published"), std::string::npos);
}

TEST(MigDevice, HasTheBandwidthOfItsMemorySlicesAndSaysThatItIsDerived) {
  const Device whole = device("a100-sxm4-40gb"), slice = device("a100-sxm4-40gb/mig-3g.20gb");
  EXPECT_NEAR(slice.memory_bandwidth->low(), whole.memory_bandwidth->low() * 4 / 8, 1);
  EXPECT_NE(slice.memory_bandwidth->basis.find("derived: 4 of 8 memory slices, not published"), std::string::npos);
  const Device by_label = device("h200-sxm/mig-1g.35gb");
  EXPECT_NE(by_label.memory_bandwidth->basis.find("2 of 8 memory slices by the label"), std::string::npos);
}

TEST(MigDevice, HasNoLinkToOthersAndNoPowerOfItsOwn) {
  const Device slice = device("h100-sxm5/mig-1g.10gb");
  EXPECT_FALSE(slice.scale_up);
  EXPECT_TRUE(slice.scale_up_none);
  EXPECT_FALSE(slice.power);
}

TEST(MigDevice, ListsTheProfilesOfThePartForAnUnknownOne) {
  const auto wrong = catalog().resolve("h100-sxm5/mig-3g.20gb");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(to_string(wrong.error()),
            "h100-sxm5/mig-3g.20gb: \"3g.20gb\" is no MIG profile of this part\n"
            "  Its profiles: 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb.");
}

TEST(MigDevice, IsRefusedForAPartWithoutMig) {
  EXPECT_EQ(to_string(catalog().resolve("l4/mig-1g.6gb").error()), "l4: no MIG profile of this part is known\n  Name the whole part.");
  EXPECT_FALSE(catalog().resolve("h100-sxm5/mig-"));
  EXPECT_FALSE(catalog().resolve("nosuch/mig-1g.10gb"));
}

TEST(MigSlice, NamesTheKubernetesResourceOnlyWhereItsFormIsStated) {
  const AcceleratorRow& h100 = *find_record(catalog(), "h100-sxm5");
  EXPECT_EQ(mig_slice(catalog(), h100, "3g.40gb")->resource, "nvidia.com/mig-3g.40gb");
  EXPECT_EQ(mig_slice(catalog(), h100, "1g.10gb+me")->resource, "");
}

// What any set of profiles must satisfy, whoever wrote it.
TEST(MigProfiles, AddUpToNoMoreThanThePart) {
  for (const MigGpuRow& gpu : mig_gpus(catalog()))
    for (const std::string_view id : gpu.accelerators) {
      const AcceleratorRow* part = find_record(catalog(), id);
      ASSERT_NE(part, nullptr) << id;
      for (const MigProfileRow& profile : gpu.profiles) {
        SCOPED_TRACE(std::string(id) + " " + std::string(profile.name));
        const auto slice = mig_slice(catalog(), *part, profile.name);
        ASSERT_TRUE(slice) << to_string(slice.error());
        EXPECT_GT(slice->compute_share, 0);
        EXPECT_LE(slice->compute_share * profile.most, 1.0001);
        EXPECT_LE(slice->memory_slices * profile.most, gpu.memory_slices);
        EXPECT_TRUE(profile.name.starts_with(std::to_string(profile.compute) + "g." + std::to_string(profile.memory_gb) + "gb"));
        if (!profile.memory_mib) continue;
        const double bytes = static_cast<double>(*profile.memory_mib) * kMiB;
        EXPECT_GT(bytes, profile.memory_gb * 1e9 * 0.95);
        EXPECT_LT(bytes, profile.memory_gb * static_cast<double>(kGiB) * 1.001);
      }
    }
}

}  // namespace
}  // namespace ridge::hardware
