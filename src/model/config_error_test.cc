// What the readers refuse, and how they say it.
#include "model/config_fixture.h"

namespace ridge::model {
namespace {

TEST(ConfigErrors, ListEveryMissingFieldAtOnce) {
  EXPECT_EQ(error_of("{\"model_type\": \"llama\"}"),
            "config.json: fields are missing: num_hidden_layers, hidden_size, num_attention_heads, vocab_size, intermediate_size");
  EXPECT_EQ(error_of("{}"), "config.json: fields are missing: num_hidden_layers, hidden_size, num_attention_heads, vocab_size, intermediate_size");
  EXPECT_EQ(error_of(small_config("llama", "\"vocab_size\": null")), "config.json: a field is missing: vocab_size");
}

TEST(ConfigErrors, NameTheSectionOfAWrapper) {
  EXPECT_EQ(error_of(R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", "hidden_size": 64}})"),
            "config.json: text_config: fields are missing: num_hidden_layers, num_attention_heads, vocab_size, intermediate_size");
}

TEST(ConfigErrors, RefuseSizesOutsideTheirLimits) {
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": 0")), "config.json: hidden_size: 0 is outside 1 to 1000000");
  EXPECT_EQ(error_of(small_config("llama", "\"num_hidden_layers\": 1000000000")), "config.json: num_hidden_layers: 1000000000 is outside 1 to 10000");
  EXPECT_EQ(error_of(small_config("llama", "\"num_hidden_layers\": -3")), "config.json: num_hidden_layers: -3 is outside 1 to 10000");
  EXPECT_EQ(error_of(small_config("llama", "\"vocab_size\": 200000000")), "config.json: vocab_size: 200000000 is outside 1 to 100000000");
  EXPECT_EQ(error_of(small_config("qwen3_moe", "\"moe_intermediate_size\": 8, \"num_experts\": 100001")),
            "config.json: num_experts: 100001 is outside 0 to 100000");
}

TEST(ConfigErrors, RefuseWrongTypes) {
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": \"64\"")), "config.json: hidden_size: a whole number is expected, found text");
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": 64.5")), "config.json: hidden_size: a whole number is expected, found 64.5");
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": NaN")), "config.json: hidden_size: a whole number is expected, found text");
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": [64]")), "config.json: hidden_size: a whole number is expected, found a list");
  EXPECT_EQ(error_of(small_config("llama", "\"tie_word_embeddings\": 1")), "config.json: tie_word_embeddings: true or false is expected, found a whole number");
  EXPECT_EQ(error_of("[1, 2]"), "config.json: a map of the model's fields is expected, found a list");
  EXPECT_EQ(error_of(R"({"model_type": 3})"), "config.json: model_type: text is expected, found a whole number");
}

TEST(ConfigErrors, RefuseHeadsThatDoNotDivide) {
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": 65")), "config.json: hidden_size: 65 is not a multiple of 8 heads, and head_dim is not given");
  EXPECT_EQ(error_of(small_config("llama", "\"num_key_value_heads\": 3")),
            "config.json: num_key_value_heads: 8 query heads are not a multiple of 3 key-value heads");
  EXPECT_TRUE(read_text(small_config("llama", "\"hidden_size\": 65, \"head_dim\": 8"))) << "with head_dim given, hidden need not divide";
}

TEST(ConfigErrors, RefuseListsOfAnotherLength) {
  EXPECT_EQ(error_of(small_config("qwen3", R"("layer_types": ["full_attention", "full_attention"])")),
            "config.json: layer_types: the list has 2 entries for 4 layers");
  EXPECT_EQ(error_of(small_config("nemotron-nas", R"("block_configs": [])")), "config.json: block_configs: the list has 0 entries for 4 layers");
  EXPECT_EQ(error_of(small_config("nemotron_h", R"("hybrid_override_pattern": "M*M")")),
            "config.json: num_hidden_layers: 4 layers, but the pattern of layers has 3 entries");
  EXPECT_EQ(
      error_of(small_config("deepseek_v4", R"("moe_intermediate_size": 8, "n_routed_experts": 4, "num_experts_per_tok": 2, "q_lora_rank": 8, "o_lora_rank": 8,
    "o_groups": 2, "qk_rope_head_dim": 4, "sliding_window": 8, "head_dim": 8, "compress_ratios": [0, 4])")),
      "config.json: compress_ratios has 2 entries for 4 layers and 0 MTP modules");
}

TEST(ConfigErrors, RefuseUnknownKindsOfLayer) {
  EXPECT_EQ(error_of(small_config("qwen3", R"("layer_types": ["full_attention", "full_attention", "rotary_memory", "full_attention"])")),
            "config.json: layer_types[2]: \"rotary_memory\" is no kind of layer that this family has\n  Known kinds: full_attention, sliding_attention, "
            "chunked_attention.");
  EXPECT_EQ(error_of(small_config("nemotron_h", R"("hybrid_override_pattern": "M*?M")")),
            "config.json: hybrid_override_pattern: letter 3 stands for no kind of layer\n  Known letters: M (Mamba-2), * (attention), - (MLP), E (experts).");
}

TEST(ConfigErrors, RefuseMoreChosenExpertsThanThereAre) {
  EXPECT_EQ(error_of(small_config("mixtral", "\"num_local_experts\": 4, \"num_experts_per_tok\": 5")), "config.json: num_experts_per_tok: 5 is outside 1 to 4");
}

TEST(ConfigErrors, RefuseAFamilysUsualChoiceOfMoreExpertsThanThereAre) {
  EXPECT_EQ(error_of(small_config("qwen3_moe", "\"num_experts\": 4, \"moe_intermediate_size\": 8")),
            "config.json: num_experts_per_tok is missing, and the family's usual 8 are more than 4 experts");
}

TEST(ConfigErrors, RefuseMoreParametersThanAnyModelHas) {
  EXPECT_EQ(error_of(small_config("llama", "\"hidden_size\": 1000000, \"num_attention_heads\": 8, \"num_hidden_layers\": 10000")),
            "config.json: the shapes add up to 2.5e+16 parameters, more than the limit of 1e+15\n  Look for a dimension that is too large by a factor.");
}

TEST(ConfigErrors, RefuseAnUnknownStorageFormat) {
  EXPECT_EQ(error_of(small_config("llama", "\"torch_dtype\": \"float17\"")).substr(0, 58), "config.json: torch_dtype: \"float17\" is not a number format");
}

TEST(ConfigErrors, SayWhyAnEncoderIsNotRead) {
  EXPECT_EQ(
      error_of(R"({"model_type": "bert"})"),
      "config.json: model_type \"bert\" is an encoder: it reads text and generates none, so it has no decoding to size\n  Give a model that generates text, or "
      "a parameter count such as 110m for the size of its weights.");
}

TEST(ConfigErrors, BoundDepthAndLength) {
  EXPECT_FALSE(read_text(std::string(100, '[')));
  std::string layers;
  for (int i = 0; i < 10'001; ++i) layers += 'M';
  EXPECT_EQ(error_of(small_config("nemotron_h", "\"num_hidden_layers\": null, \"hybrid_override_pattern\": \"" + layers + "\"")),
            "config.json: hybrid_override_pattern: 10001 letters; 1 to 10000 are expected");
}

TEST(UnknownFamily, IsReadAsTheDecoderThatItsFieldsDescribe) {
  const Model model = model_of(small_config("brand_new"));
  EXPECT_EQ(parameters(model)->total, parameters(model_of(small_config("llama")))->total);
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0], "model_type \"brand_new\" is not known: read as the decoder that its fields describe");
}

TEST(UnknownFamily, MayHaveExpertsAndALatent) {
  const Model moe = model_of(small_config("brand_new", R"("num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32)"));
  EXPECT_EQ(layer(moe, 0).mlp.kind, Mlp::Kind::kMoe);
  EXPECT_EQ(layer(moe, 0).mlp.intermediate, 32);
  const Model latent =
      model_of(small_config("brand_new", R"("kv_lora_rank": 16, "q_lora_rank": null, "qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 8)"));
  EXPECT_EQ(mixers(latent), "LLLL");
}

TEST(UnknownFamily, IsRefusedWhereAFieldSpeaksOfAnotherStructure) {
  EXPECT_EQ(
      error_of(small_config("brand_new", "\"mamba_d_state\": 16")),
      "config.json: mamba_d_state: model_type \"brand_new\" is not known, and this field says that it is no ordinary decoder\n  Give a parameter count, or "
      "describe it: params=…,layers=…,hidden=…,heads=….");
  EXPECT_TRUE(read_text(small_config("brand_new", "\"mamba_d_state\": null, \"is_encoder_decoder\": false"))) << "switched off, it says nothing";
}

TEST(UnknownFamily, IsRefusedWhereLayersShareTheirCache) {
  EXPECT_EQ(error_of(small_config("brand_new", "\"num_kv_shared_layers\": 2")).substr(0, 97),
            "config.json: num_kv_shared_layers: model_type \"brand_new\" is not known, and this field says that ");
}

TEST(UnknownFamily, ListsWhatItLacks) {
  EXPECT_EQ(error_of(R"({"model_type": "brand_new", "hidden_size": 64})"),
            "config.json: fields are missing: num_hidden_layers, num_attention_heads, vocab_size, intermediate_size");
}

TEST(UnknownWrapper, IsReadByItsTextModel) {
  const Model model = model_of(R"({"model_type": "brand_new_vl", "vision_config": {}, "text_config": )" + small_config("qwen3") + "}");
  EXPECT_EQ(parameters(model)->total, parameters(model_of(small_config("qwen3")))->total);
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0], "the vision tower's shapes are not known: it is not counted");
}

}  // namespace
}  // namespace ridge::model
