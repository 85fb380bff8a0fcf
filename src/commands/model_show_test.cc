// What ridge model show answers.
#include <gtest/gtest.h>

#include <algorithm>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> show(std::vector<std::pair<std::string, std::string>> options) {
  static const formats::MemoryFileSystem kFiles = [] {
    formats::MemoryFileSystem files;
    files.files["tiny/config.json"] = R"({"model_type": "brand_new", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 8,
      "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100, "torch_dtype": "bfloat16", "quantization_config": {"quant_method": "aqlm"}})";
    return files;
  }();
  const Environment environment{kFiles, hardware::Catalog::builtin(), "2026-12-01", 1, false, ""};
  Arguments arguments;
  for (auto& [name, value] : options) arguments.push_back({name, {value}});
  return model_show_command().run(arguments, environment);
}

double value_of(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? -1 : std::get<double>(figure->value);
}

bool finds(const Report& report, std::string_view kind) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) { return finding.kind == kind; });
}

TEST(ModelShow, CountsADenseModel) {
  const auto report = show({{"model", "llama-3.1-8b"}});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->verdict.text, "llama-3.1-8b has 8.03 B parameters in 32 layers; its checkpoint takes 14.96 GiB (16.06 GB).");
  EXPECT_EQ(value_of(*report, "parameters.total"), 8'030'261'248);
  EXPECT_EQ(value_of(*report, "checkpoint.bytes"), 16'060'522'496);
  EXPECT_EQ(value_of(*report, "kv_cache.per_token"), 131'072);
  EXPECT_EQ(value_of(*report, "kv_cache.full.per_token"), 131'072);
  EXPECT_EQ(value_of(*report, "kv_cache.at_context"), 536'870'912);
  EXPECT_EQ(report->figure("parameters.active"), nullptr) << "of a dense model all are";
  EXPECT_NEAR(value_of(*report, "decode.flops_per_token"), 2.0 * (8'030'261'248 - 525'336'576) + 4.0 * 32 * 4096 * 4097, 0.01e9);
}

TEST(ModelShow, TellsActiveFromTotalAndKeepsPredictorsApart) {
  const auto report = show({{"model", "deepseek-v3"}});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->verdict.text,
            "deepseek-v3 has 671 B parameters, 36.6 B of them active per token, in 61 layers; its checkpoint takes 641.3 GiB (688.6 GB).");
  EXPECT_EQ(value_of(*report, "parameters.active"), 36'625'618'432);
  EXPECT_EQ(value_of(*report, "kv_cache.per_token"), 61 * 576 * 2);
  EXPECT_LT(value_of(*report, "weights.bytes"), value_of(*report, "checkpoint.bytes"));
  EXPECT_EQ(std::get<std::string>(report->figure("quantisation")->value), "fp8 128x128");
}

TEST(ModelShow, SeparatesKindsOfCache) {
  const auto sliding = show({{"model", "gpt-oss-20b"}, {"context", "32768"}});
  ASSERT_TRUE(sliding);
  EXPECT_EQ(value_of(*sliding, "kv_cache.sliding.per_token"), 12 * 2048);
  EXPECT_EQ(value_of(*sliding, "kv_cache.per_token"), 12 * 2048) << "only the full layers grow";
  EXPECT_EQ(value_of(*sliding, "kv_cache.at_context"), 12 * 2048 * (32768 + 128));
  const auto linear = show({{"model", "qwen3-next-80b-a3b"}});
  ASSERT_TRUE(linear);
  EXPECT_GT(value_of(*linear, "kv_cache.gated_delta_rule.state"), 0);
  EXPECT_EQ(value_of(*linear, "kv_cache.full.per_token"), 12 * 2 * 2 * 256 * 2);
}

TEST(ModelShow, GivesEachHeadlineFigureItsDerivation) {
  const auto report = show({{"model", "mixtral-8x7b"}});
  ASSERT_TRUE(report);
  for (const report::Figure& figure : report->figures) {
    if (figure.label.empty() || figure.unit.empty() || figure.name == "max_context") continue;
    EXPECT_TRUE(std::any_of(report->derivation.begin(), report->derivation.end(), [&](const DerivationStep& step) { return step.name == figure.name; }))
        << figure.name;
  }
}

TEST(ModelShow, SharesTheReadingOfWeightsInABatch) {
  const auto one = show({{"model", "llama-3.1-8b"}});
  const auto many = show({{"model", "llama-3.1-8b"}, {"batch", "64"}});
  EXPECT_LT(value_of(*many, "decode.bytes_per_token"), value_of(*one, "decode.bytes_per_token") / 15);
}

TEST(ModelShow, TakesTheFormatsItIsGiven) {
  const auto report = show({{"model", "llama-3.1-8b"}, {"dtype", "fp8"}, {"kv-dtype", "fp8"}});
  ASSERT_TRUE(report);
  EXPECT_EQ(value_of(*report, "kv_cache.per_token"), 65'536);
  EXPECT_NEAR(value_of(*report, "weights.bytes"), 9.08e9, 0.01e9) << "embedding and head stay in bf16";
}

TEST(ModelShow, SaysWhatACountLeavesOut) {
  const auto report = show({{"model", "7e9"}});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->verdict.text, "7e9 has 7.00 B parameters.");
  EXPECT_EQ(value_of(*report, "weights.bytes"), 14e9);
  EXPECT_TRUE(finds(*report, "layers-unknown"));
  EXPECT_EQ(report->figure("kv_cache.per_token"), nullptr);
}

TEST(ModelShow, SaysWhatADescriptionLacks) {
  const auto report = show({{"model", "layers=32,hidden=4096,heads=32"}, {"context", "2048"}});
  ASSERT_TRUE(report);
  EXPECT_EQ(value_of(*report, "kv_cache.at_context"), 1'073'741'824);
  EXPECT_TRUE(finds(*report, "description-incomplete"));
  EXPECT_TRUE(finds(*report, "costs-unknown"));
  EXPECT_EQ(report->figure("parameters.total"), nullptr);
}

TEST(ModelShow, RepeatsTheNotesOfTheModel) {
  const auto report = show({{"model", "tiny"}});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_TRUE(finds(*report, "model-note"));
  EXPECT_EQ(report->figure("checkpoint.bytes"), nullptr) << "aqlm is not counted, so no size is claimed";
  EXPECT_EQ(value_of(*report, "parameters.total"), 2 * (2 * 64 * 64 + 2 * 16 * 64 + 3 * 64 * 128 + 128) + 2 * 6400 + 64);
}

TEST(ModelShow, WarnsOfAContextBeyondTheModel) {
  EXPECT_TRUE(finds(*show({{"model", "gpt2"}, {"context", "4096"}}), "context-beyond-model"));
  EXPECT_FALSE(finds(*show({{"model", "gpt2"}}), "context-beyond-model")) << "the default follows the model";
}

TEST(ModelShow, RefusesWhatIsNoModelOrStep) {
  EXPECT_FALSE(show({{"model", "llama-9"}}));
  EXPECT_EQ(show({{"model", "gpt2"}, {"batch", "0"}}).error().where, "--batch");
  EXPECT_EQ(show({{"model", "gpt2"}, {"context", "-1"}}).error().where, "--context");
}

}  // namespace
}  // namespace ridge::commands
