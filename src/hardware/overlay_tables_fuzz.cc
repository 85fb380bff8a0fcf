// Any bytes as a user's catalogue: no crash, and what is accepted answers the questions of the room without one.
#include <cstdint>

#include "hardware/chips.h"
#include "hardware/instances.h"
#include "hardware/mig.h"
#include "hardware/software_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace hw = ridge::hardware;
  const auto catalog = hw::Catalog::with_overlay(std::string(data, data + size), "fuzz");
  if (!catalog) return 0;
  hw::OfferQuery query;
  query.as_of = {2026, 12, 1};
  query.unpriced = query.unsourced = true;
  for (const hw::Offer& offer : hw::offers(*catalog, query))
    if (offer.per_hour && !(*offer.per_hour > 0)) __builtin_trap();
  const hw::ChipTables chips = hw::chips(*catalog);
  for (const hw::DieRow& die : chips.dies)
    if (const auto shape = hw::die_shape(die))
      for (const hw::ExposureFieldRow& field : chips.fields)
        if (!(hw::share_of_field(*shape, field).share > 0)) __builtin_trap();
  if (const auto nodes = hw::node_comparisons(chips, ""))
    for (const hw::NodeComparison& one : *nodes) (void)hw::answer_claim(*one.claims.front(), 0.1, 0.1);
  for (const hw::MigGpuRow& gpu : hw::mig_gpus(*catalog))
    for (const std::string_view id : gpu.accelerators)
      if (const hw::AcceleratorRow* part = hw::find_record(*catalog, id))
        for (const hw::MigProfileRow& profile : gpu.profiles) (void)hw::mig_slice(*catalog, *part, profile.name);
  if (const auto part = catalog->resolve("h100-sxm5"))
    for (const hw::EngineRow& engine : hw::software(*catalog).engines)
      (void)hw::check_software(*catalog, part->profiles.front(),
                               {.engine = hw::EngineReference{&engine, ""},
                                .driver = *hw::parse_version("550.54.14"),
                                .torch = *hw::parse_version("2.9"),
                                .precision = ridge::Precision::kFp8});
  return 0;
}
