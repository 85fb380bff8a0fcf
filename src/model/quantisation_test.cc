// Storage from quantization_config, by method: bits, scales, zeros, and what is left out.
#include "model/quantisation.h"
#include "model/config_fixture.h"
#include "model/layout.h"

namespace ridge::model {
namespace {

Model quantised(const std::string& config, const std::string& type = "llama", const std::string& fields = {}) {
  return model_of(small_config(type, (fields.empty() ? "" : fields + ", ") + "\"quantization_config\": " + config));
}

Storage storage_of(const Model& model, std::size_t i, std::string_view name) {
  const auto tensor = find_tensor(layer(model, i).tensors, name);
  EXPECT_NE(tensor, nullptr) << name;
  return tensor == nullptr ? Storage{} : tensor->storage;
}

constexpr const char* kUp = "mlp.up_proj.weight";
constexpr const char* kQ = "self_attn.q_proj.weight";

TEST(Fp8, KeepsAScalePerBlock) {
  const Model model = quantised(R"({"quant_method": "fp8", "weight_block_size": [128, 64]})");
  const Storage s = storage_of(model, 0, kUp);
  EXPECT_EQ(s.format, Precision::kFp8);
  EXPECT_EQ(s.scale_bits, 32);
  EXPECT_EQ(s.tile_rows, 128);
  EXPECT_EQ(s.tile_columns, 64);
  EXPECT_EQ(model.quantisation_name, "fp8 128x64");
  EXPECT_EQ(stored_bytes(128, 64, s).count, 128 * 64 + 4);
}

TEST(Fp8, LeavesHeadEmbeddingNormsAndRouterAlone) {
  const Model model = quantised(R"({"quant_method": "fp8"})", "mixtral", R"("num_local_experts": 4, "num_experts_per_tok": 2)");
  EXPECT_EQ(find_tensor(model.text.tensors, "lm_head.weight")->storage, plain_storage(Precision::kBf16));
  EXPECT_EQ(find_tensor(model.text.tensors, "model.embed_tokens.weight")->storage, plain_storage(Precision::kBf16));
  EXPECT_EQ(storage_of(model, 0, "block_sparse_moe.gate.weight"), plain_storage(Precision::kBf16));
  EXPECT_EQ(storage_of(model, 0, "input_layernorm.weight"), plain_storage(Precision::kBf16));
  EXPECT_EQ(storage_of(model, 0, "block_sparse_moe.experts.*.w1.weight").format, Precision::kFp8);
}

TEST(Fp8, StaticActivationsAddAnInputScale) {
  EXPECT_EQ(storage_of(quantised(R"({"quant_method": "fp8", "activation_scheme": "static"})"), 0, kUp).tensor_bits, 32);
  EXPECT_EQ(storage_of(quantised(R"({"quant_method": "fp8", "activation_scheme": "dynamic"})"), 0, kUp).tensor_bits, 0);
}

TEST(Exclusions, MakeLayersOfTheirOwn) {
  const Model model = quantised(R"({"quant_method": "fp8", "modules_to_not_convert": ["model.layers.1.mlp", "model.layers.3.mlp.up_proj"]})");
  EXPECT_EQ(storage_of(model, 0, kUp).format, Precision::kFp8);
  EXPECT_EQ(storage_of(model, 1, kUp).format, Precision::kBf16);
  EXPECT_EQ(storage_of(model, 1, kQ).format, Precision::kFp8);
  EXPECT_EQ(storage_of(model, 3, kUp).format, Precision::kBf16);
  EXPECT_EQ(storage_of(model, 3, "mlp.gate_proj.weight").format, Precision::kFp8);
  EXPECT_EQ(model.text.blocks.size(), 3u) << "layers 0 and 2 are alike";
  EXPECT_EQ(model.text.sequence[0], model.text.sequence[2]);
}

TEST(Gptq, CountsZerosScalesAndTheGroupOfEveryInput) {
  const Model model = quantised(R"({"quant_method": "gptq", "bits": 4, "group_size": 32, "sym": true})");
  const Storage s = storage_of(model, 0, kUp);  // 128 × 64
  EXPECT_EQ(stored_bytes(128, 64, s).count, 128 * 64 / 2 + 128 * 2 * 2 + 128 * 2 / 2 + 64 * 4);
  EXPECT_EQ(model.quantisation_name, "gptq int4 g32");
}

TEST(Gptq, OfOneGroupPerRow) {
  const Storage s = storage_of(quantised(R"({"quant_method": "gptq", "bits": 8, "group_size": -1})"), 0, kUp);
  EXPECT_EQ(s.tile_columns, 0);
  EXPECT_EQ(stored_bytes(128, 64, s).count, 128 * 64 + 128 * 2 + 128 + 64 * 4);
}

TEST(Gptq, OfThreeBitsIsPackedWithoutGaps) {
  EXPECT_EQ(stored_bytes(128, 64, storage_of(quantised(R"({"quant_method": "gptq", "bits": 3, "group_size": 64})"), 0, kUp)).count,
            128 * 64 * 3 / 8 + 128 * 2 + 128 * 3 / 8 + 64 * 4);
}

TEST(Awq, HasZerosButNoGroupIndex) {
  const Storage s = storage_of(quantised(R"({"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": true})"), 0, kUp);
  EXPECT_EQ(stored_bytes(128, 64, s).count, 128 * 64 / 2 + 128 * 2 + 128 / 2);
}

TEST(Mxfp4, ConvertsExpertsAlone) {
  const Model model = quantised(R"({"quant_method": "mxfp4"})", "gpt_oss", R"("num_local_experts": 4, "num_experts_per_tok": 2)");
  EXPECT_EQ(storage_of(model, 0, kQ).format, Precision::kBf16);
  const Storage s = storage_of(model, 0, "mlp.experts.gate_up_proj");
  EXPECT_EQ(s.format, Precision::kMxFp4);
  EXPECT_EQ(stored_bytes(64, 64, s).count, 64 * 64 / 2 + 64 * 2);
  EXPECT_EQ(storage_of(model, 0, "mlp.experts.down_proj_bias").format, Precision::kBf16);
}

TEST(BitsAndBytes, CountsBlocksOf64AndTheirNestedScales) {
  const Storage nf4 = storage_of(quantised(R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})"), 0, kUp);
  EXPECT_EQ(stored_bytes(128, 64, nf4).count, 128 * 64 / 2 + 128 * 4 + 64);
  const Storage nested = storage_of(quantised(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true})"), 0, kUp);
  EXPECT_EQ(stored_bytes(128, 64, nested).count, 128 * 64 / 2 + 128 + 4 + 64 + 1024);
  const Storage int8 = storage_of(quantised(R"({"quant_method": "bitsandbytes", "load_in_8bit": true})"), 0, kUp);
  EXPECT_EQ(stored_bytes(128, 64, int8).count, 128 * 64 + 128 * 4 + 1);
}

TEST(CompressedTensors, ReadGroupsAndIgnoreByNameAndExpression) {
  const Model model = quantised(R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head", "re:.*self_attn.*"],
    "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "group_size": 32, "strategy": "group", "symmetric": true}}}})");
  EXPECT_EQ(storage_of(model, 0, kQ).format, Precision::kBf16);
  const Storage s = storage_of(model, 0, kUp);
  EXPECT_EQ(stored_bytes(128, 64, s).count, 128 * 64 / 2 + 128 * 2 * 2 + 16) << "bf16 scales, and the shape as two int64";
  EXPECT_EQ(model.quantisation_name, "compressed-tensors int4 g32");
  EXPECT_EQ(find_tensor(model.text.tensors, "lm_head.weight")->storage.format, Precision::kBf16);
}

TEST(CompressedTensors, TakeTheHeadUnlessItIsIgnored) {
  const Model model = quantised(R"({"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": [],
    "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "channel"},
                                  "input_activations": {"dynamic": true, "num_bits": 8, "type": "float"}}}})");
  const Storage s = find_tensor(model.text.tensors, "lm_head.weight")->storage;
  EXPECT_EQ(s.format, Precision::kFp8);
  EXPECT_EQ(stored_bytes(100, 64, s).count, 100 * 64 + 100 * 2);
}

TEST(CompressedTensors, GiveTargetsByNameTheirOwnStorage) {
  const Model model = quantised(R"({"quant_method": "compressed-tensors", "format": "mixed", "ignore": ["lm_head"], "config_groups": {
    "group_0": {"targets": ["re:.*mlp.*"], "weights": {"num_bits": 4, "type": "float", "group_size": 16}},
    "group_1": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int", "strategy": "channel"}}}})");
  EXPECT_EQ(storage_of(model, 0, kUp).format, Precision::kNvFp4);
  EXPECT_EQ(storage_of(model, 0, kQ).format, Precision::kInt8);
}

TEST(ModelOpt, Nvfp4HasAScalePer16AndTwoPerMatrix) {
  const Model model = quantised(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head", "model.layers.*.self_attn*"],
    "kv_cache_scheme": {"num_bits": 8, "type": "float", "dynamic": false}})");
  EXPECT_EQ(stored_bytes(128, 64, storage_of(model, 0, kUp)).count, 128 * 64 / 2 + 128 * 4 + 8);
  EXPECT_EQ(storage_of(model, 0, kQ).format, Precision::kBf16);
  EXPECT_EQ(model.kv_cache, Precision::kFp8);
  EXPECT_EQ(model.quantisation_name, "nvfp4");
}

TEST(ModelOpt, MixedPrecisionFollowsItsMap) {
  const Model model = quantised(R"({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": {
    "model.layers.0.mlp.up_proj": {"quant_algo": "W4A16_NVFP4", "group_size": 16}, "model.layers.*.self_attn": {"quant_algo": "FP8"},
    "lm_head": {"quant_algo": "FP8"}}})");
  EXPECT_EQ(storage_of(model, 0, kUp).format, Precision::kNvFp4);
  EXPECT_EQ(storage_of(model, 0, kUp).tensor_bits, 32) << "activations are not quantised: no input scale";
  EXPECT_EQ(storage_of(model, 1, kUp).format, Precision::kBf16) << "what the map does not name stays";
  EXPECT_EQ(storage_of(model, 3, kQ).format, Precision::kFp8);
  EXPECT_EQ(find_tensor(model.text.tensors, "lm_head.weight")->storage.format, Precision::kFp8) << "unless the map names it";
  EXPECT_EQ(model.quantisation_name, "nvfp4 + fp8");
}

TEST(ModelOpt, MayStandInAFileBesideTheConfig) {
  const Model model = model_of(small_config("llama"), R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8",
    "exclude_modules": ["lm_head", "model.layers.0*"]}})");
  EXPECT_EQ(storage_of(model, 0, kUp).format, Precision::kBf16);
  EXPECT_EQ(storage_of(model, 1, kUp).format, Precision::kFp8);
  EXPECT_EQ(model.kv_cache, Precision::kFp8);
}

TEST(FusedTensors, HoldWhatStandsOncePerTensorOnce) {
  const Model model = quantised(R"({"quant_method": "modelopt", "quant_algo": "FP8"})", "phi3");
  std::int64_t bytes = 0;
  std::int64_t elements = 0;
  for (const Tensor& t : layer(model, 0).tensors)
    if (t.name == "self_attn.qkv_proj.weight") bytes += t.stored().count, elements += t.elements();
  EXPECT_EQ(bytes, elements + 8) << "one weight scale and one input scale for all three slices";
}

TEST(UnknownMethod, LeavesTheSizeOpen) {
  const Model model = quantised(R"({"quant_method": "aqlm"})");
  EXPECT_FALSE(model.storage_known);
  EXPECT_EQ(model.notes, std::vector<std::string>{"the storage of the quantisation method \"aqlm\" is not known"});
  const auto bytes = weight_bytes(model, std::nullopt, Layout{});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().what, "the storage of its quantisation \"aqlm\" is not known");
  EXPECT_EQ(bytes.error().advice, "Give the format of the weights, for example --dtype int4.");
  EXPECT_TRUE(weight_bytes(model, Precision::kInt4, Layout{}));
}

TEST(QuantisationErrors, NameTheirPlace) {
  const auto error = [](const std::string& config) { return error_of(small_config("llama", "\"quantization_config\": " + config)); };
  EXPECT_EQ(error(R"({"quant_method": "gptq", "bits": 5})"), "config.json: quantization_config.bits: 5 bits; 2, 3, 4 and 8 are known");
  EXPECT_EQ(error(R"({"quant_method": "fp8", "weight_block_size": [128]})"),
            "config.json: quantization_config.weight_block_size: two sides are expected, found 1");
  EXPECT_EQ(error(R"({"bits": 4})"), "config.json: quantization_config: a field is missing: quant_method");
  EXPECT_EQ(error(R"({"quant_method": "compressed-tensors"})"), "config.json: quantization_config: a field is missing: config_groups");
  EXPECT_EQ(error(R"({"quant_method": "fp8", "modules_to_not_convert": ["ok", "re:("]})"),
            "config.json: quantization_config.modules_to_not_convert[1]: the pattern \"re:(\" has an unclosed '(' at character 2");
  EXPECT_EQ(error(R"({"quant_method": "modelopt", "quant_algo": "FP5"})").substr(0, 81),
            "config.json: quantization_config.quant_algo: \"FP5\" is no quantisation algorithm t");
}

}  // namespace
}  // namespace ridge::model
