// MODEL as people write it.
#include <set>

#include "model/config_fixture.h"
#include "model/inline.h"

namespace ridge::model {
namespace {

const formats::MemoryFileSystem kNone;

std::string error_text(std::string_view text, const formats::FileSystem& files = kNone) {
  const auto model = load(text, files);
  EXPECT_FALSE(model) << text;
  return model ? "" : to_string(model.error());
}

TEST(Load, FindsANameOfTheCatalogueInAnySpelling) {
  for (const char* name : {"llama-3.1-8b", "Llama-3.1-8B", "meta-llama/Llama-3.1-8B", "meta-llama/Meta-Llama-3.1-8B-Instruct", "llama3.1-8b"}) {
    const auto model = load(name, kNone);
    ASSERT_TRUE(model) << name;
    EXPECT_EQ(model->name, "llama-3.1-8b") << name;
    EXPECT_EQ(model->origin, "catalogue");
    ASSERT_EQ(model->sources.size(), 1u);
  }
}

TEST(Load, SuggestsTheNearestNames) {
  EXPECT_EQ(error_text("llama-3.1-8"),
            "llama-3.1-8: no model of this name is in the catalogue, and there is no such file\n  Did you mean llama-3.1-8b, llama-3-8b, llama-3.2-1b?");
}

TEST(Load, ReadsACount) {
  EXPECT_EQ(load("7e9", kNone)->given_parameters, 7e9);
  EXPECT_EQ(load("7b", kNone)->given_parameters, 7e9);
  EXPECT_EQ(load("70B", kNone)->given_parameters, 70e9);
  EXPECT_EQ(load("1.5b", kNone)->origin, "count");
  EXPECT_EQ(parameters(*load("7b", kNone))->total, 7'000'000'000);
  EXPECT_FALSE(load("0", kNone));
  EXPECT_FALSE(load("1e16", kNone));
  EXPECT_FALSE(load("-7b", kNone));
}

TEST(Load, ReadsAConfigOrTheFolderThatHoldsIt) {
  formats::MemoryFileSystem files;
  files.files = {{"models/small/config.json", small_config("llama")}};
  for (const char* path : {"models/small/config.json", "models/small", "models/small/"}) {
    const auto model = load(path, files);
    ASSERT_TRUE(model) << path << ": " << to_string(model.error());
    EXPECT_EQ(model->name, "small") << path;
    EXPECT_EQ(model->origin, "config.json");
    EXPECT_EQ(model->family, "llama");
  }
}

TEST(Load, TakesTheQuantisationFromTheFileBesideIt) {
  formats::MemoryFileSystem files;
  files.files = {{"m/config.json", small_config("llama")},
                 {"m/hf_quant_config.json", R"({"quantization": {"quant_algo": "FP8", "exclude_modules": ["lm_head"]}})"}};
  EXPECT_EQ(load("m", files)->quantisation_name, "fp8");
  files.files["m/hf_quant_config.json"] = R"({"quantization": {"quant_algo": "FP7"}})";
  EXPECT_EQ(error_text("m", files).substr(0, 70), "m/hf_quant_config.json: quantization.quant_algo: \"FP7\" is no quantisat");
}

TEST(Load, NotesANameThatPromisesAQuantisationWithoutOne) {
  formats::MemoryFileSystem files;
  files.files = {{"Llama-8B-NVFP4/config.json", small_config("llama")}};
  EXPECT_EQ(
      load("Llama-8B-NVFP4", files)->notes,
      std::vector<std::string>{"the name says NVFP4, but neither config.json nor hf_quant_config.json describes a quantisation: sizes are those of bf16"});
}

TEST(Load, NamesTheFileAndThePlaceOfAnError) {
  formats::MemoryFileSystem files;
  files.files = {{"a.json", "{\"model_type\": \"llama\", \"hidden_size\": 0}"}, {"b.json", "{\"model_type\": "}, {"c.json", ""}, {"empty/x", ""}};
  EXPECT_EQ(error_text("a.json", files), "a.json: fields are missing: num_hidden_layers, num_attention_heads, vocab_size, intermediate_size");
  EXPECT_EQ(error_text("b.json", files).substr(0, 39), "b.json: not valid JSON: line 1, column ");
  EXPECT_EQ(error_text("c.json", files), "c.json: the file is empty\n  A JSON document is expected.");
  EXPECT_EQ(error_text("d.json", files), "d.json: there is no such file");
  EXPECT_EQ(error_text("./llama-3.1-8b", files), "./llama-3.1-8b: there is no such file") << "a path is no name of the catalogue";
  EXPECT_EQ(error_text("empty", files), "empty: the folder holds no config.json\n  Give the folder of a Hugging Face model, its config.json, or a .gguf file.");
  EXPECT_EQ(error_text(""), "no model is given\n  Give a name, a config.json, a parameter count such as 7b, or layers=…,hidden=…,heads=….");
}

TEST(Catalogue, HoldsNamesOnceAndReadsThemAll) {
  std::set<std::string> seen;
  for (const std::string& name : catalogue_names()) {
    EXPECT_TRUE(seen.insert(name).second) << name;
    const auto model = load(name, kNone);
    ASSERT_TRUE(model) << to_string(model.error());
    EXPECT_EQ(model->name, name) << "an alias of another row hides it";
    EXPECT_TRUE(model->shapes_known()) << name;
    EXPECT_TRUE(model->max_context) << name;
    EXPECT_FALSE(model->sources.empty()) << name;
  }
  EXPECT_GT(seen.size(), 120u);
}

TEST(Inline, KnowsItsAttentionBeforeItsMlp) {
  const Model model = *load("layers=32,hidden=4096,heads=32", kNone);
  EXPECT_EQ(model.text.layers(), 32);
  EXPECT_EQ(model.text.blocks[0].attention->kv_heads, 32);
  EXPECT_EQ(model.text.blocks[0].attention->head_dim, 128);
  EXPECT_EQ(model.missing, (std::vector<std::string>{"intermediate", "vocab"}));
  EXPECT_FALSE(model.shapes_known());
  EXPECT_EQ(to_string(parameters(model).error()).substr(0, 92), "layers=32,hidden=4096,heads=32: the number of parameters needs what the description lacks: i");
}

TEST(Inline, CompleteIsShapedLikeLlama) {
  const Model model = *load("layers=32,hidden=4096,heads=32,kv_heads=8,intermediate=14336,vocab=128256", kNone);
  EXPECT_EQ(parameters(model)->total, 8'030'261'248);
  const Model told = *load("params=8e9,layers=32,hidden=4096,heads=32,kv_heads=8,intermediate=14336,vocab=128256", kNone);
  EXPECT_EQ(parameters(told)->total, 8'000'000'000) << "what one is told outranks the sum";
}

TEST(Inline, MayHaveExperts) {
  const Model model = *load("layers=2,hidden=64,heads=8,intermediate=128,vocab=100,experts=4,top_k=2,expert_intermediate=32,shared_intermediate=16", kNone);
  const Parameters p = *parameters(model);
  EXPECT_EQ(p.routed_experts, 2 * 4 * 3 * 64 * 32);
  EXPECT_EQ(p.shared_experts, 2 * 3 * 64 * 16);
  EXPECT_EQ(p.active, p.total - p.embedding - p.routed_experts / 2);
}

TEST(Inline, NeedsNoDivisorWhereTheHeadSizeIsGiven) {
  const Model model = *load("params=540e9,layers=118,hidden=18432,heads=48,head_dim=256", kNone);
  EXPECT_EQ(model.text.blocks[0].attention->q_width(), 48 * 256);
}

TEST(Inline, NamesTheKeyOfAnError) {
  EXPECT_EQ(error_text("layers=0"), "model description: layers: 0 is outside 1 to 10000");
  EXPECT_EQ(error_text("layers=1e9"), "model description: layers: 1000000000 is outside 1 to 10000");
  EXPECT_EQ(error_text("layers=32,layers=33"), "model description: the key \"layers\" stands twice");
  EXPECT_EQ(error_text("layer=32"), "model description: the key \"layer\" is unknown\n  Did you mean layers?");
  EXPECT_EQ(error_text("layers="), "model description: \"layers=\" is no key=value\n  Write for example params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
  EXPECT_EQ(error_text("heads=32,kv_heads=5"), "model description: kv_heads: 32 query heads are not a multiple of 5 key-value heads");
  EXPECT_EQ(error_text("hidden=4097,heads=32,layers=1"), "model description: hidden: 4097 is not a multiple of 32 heads, and head_dim is not given");
  EXPECT_EQ(error_text("experts=8"), "model description: experts: experts and top_k belong together");
  EXPECT_EQ(error_text("experts=8,top_k=9"), "model description: top_k: 9 is more than 8 experts");
  EXPECT_EQ(error_text("active=3e9"), "model description: active: given without params");
  EXPECT_EQ(error_text("params=1e16"), "model description: params: 1e16 is outside 1 to 1e+15");
  EXPECT_EQ(error_text("tied=perhaps"), "model description: tied: \"perhaps\" is neither true nor false");
}

}  // namespace
}  // namespace ridge::model
