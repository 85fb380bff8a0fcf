// Habits of families: which layers are of which kind, and what an absent field means.
#include "model/config_fixture.h"
#include "model/operations.h"

namespace ridge::model {
namespace {

TEST(Mistral, SlidesByDefaultAndNotWhereTheConfigSaysNull) {
  EXPECT_EQ(mixers(model_of(small_config("mistral"))), "SSSS") << "MistralConfig's own window is 4,096";
  EXPECT_EQ(layer(model_of(small_config("mistral")), 0).attention->window, 4096);
  EXPECT_EQ(mixers(model_of(small_config("mistral", "\"sliding_window\": null"))), "FFFF");
  EXPECT_EQ(layer(model_of(small_config("mistral", "\"num_key_value_heads\": null")), 0).attention->kv_heads, 8);
}

TEST(Qwen2, SlidesOnlyWhereItIsSwitchedOn) {
  EXPECT_EQ(mixers(model_of(small_config("qwen2", "\"sliding_window\": 32"))), "FFFF");
  EXPECT_EQ(mixers(model_of(small_config("qwen2", "\"sliding_window\": 32, \"use_sliding_window\": false"))), "FFFF");
  EXPECT_EQ(mixers(model_of(small_config("qwen2", "\"sliding_window\": 32, \"use_sliding_window\": true, \"max_window_layers\": 3"))), "FFFS");
}

TEST(Qwen2, HasBiasesOnQueriesKeysAndValuesAlone) {
  const Block& block = layer(model_of(small_config("qwen2")), 0);
  EXPECT_TRUE(block.attention->qkv_bias);
  EXPECT_FALSE(block.attention->o_bias);
}

TEST(Qwen3, NormsEachHeadAndHasItsOwnHeadSize) {
  const Block& block = layer(model_of(small_config("qwen3")), 0);
  EXPECT_EQ(block.attention->qk_norm, QkNorm::kHead);
  EXPECT_EQ(block.attention->head_dim, 128) << "not hidden / heads";
}

TEST(QwenMoe, PutsExpertsWhereTheStepSaysAndNotWhereTheListSays) {
  const Model model = model_of(small_config("qwen3_moe", R"("moe_intermediate_size": 32, "decoder_sparse_step": 2, "mlp_only_layers": [3])"));
  std::string kinds;
  for (std::size_t i = 0; i < 4; ++i) kinds += layer(model, i).mlp.kind == Mlp::Kind::kMoe ? 'E' : 'd';
  EXPECT_EQ(kinds, "dEdd");
  EXPECT_EQ(layer(model, 1).mlp.experts, 128) << "Qwen3MoeConfig's own";
  EXPECT_EQ(layer(model, 1).mlp.top_k, 8);
}

TEST(Qwen2Moe, HasAGatedSharedExpert) {
  const Block& block = layer(model_of(small_config("qwen2_moe", R"("moe_intermediate_size": 32, "num_experts": 4, "num_experts_per_tok": 2)")), 0);
  EXPECT_TRUE(block.mlp.shared_gate);
  EXPECT_EQ(block.mlp.shared_intermediate, 5632);
}

TEST(Gemma2, SlidesInEverySecondLayerFromTheFirst) {
  const Model model = model_of(small_config("gemma2"));
  EXPECT_EQ(mixers(model), "SFSF");
  EXPECT_EQ(layer(model, 0).norms, 4);
  EXPECT_EQ(layer(model, 0).attention->head_dim, 256);
  EXPECT_TRUE(model.tied_embeddings);
  EXPECT_EQ(find_tensor(model.text.tensors, "lm_head.weight"), nullptr);
}

TEST(Gemma3, AttendsInFullInEverySixthLayer) {
  EXPECT_EQ(mixers(model_of(small_config("gemma3_text", "\"num_hidden_layers\": 13"))), "SSSSSFSSSSSFS");
  EXPECT_EQ(mixers(model_of(small_config("gemma3_text", "\"sliding_window_pattern\": 2"))), "SFSF");
}

TEST(Gemma3, FillsWhatItsSmallConfigsLeaveOut) {
  const Model model =
      model_of(R"({"model_type": "gemma3_text", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4, "torch_dtype": "bfloat16"})");
  EXPECT_EQ(model.heads, 8);
  EXPECT_EQ(model.kv_heads, 4);
  EXPECT_EQ(model.head_dim, 256);
  EXPECT_EQ(model.vocabulary, 262208);
}

TEST(Olmo3, SlidesInThreeOfFourLayersAndNormsAllHeadsTogether) {
  const Model model = model_of(small_config("olmo3", "\"num_hidden_layers\": 8"));
  EXPECT_EQ(mixers(model), "SSSFSSSF");
  const Block& block = layer(model, 0);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.q_norm.weight")->rows, 64);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.k_norm.weight")->rows, 16);
}

TEST(Olmo, HasNormsWithoutWeights) {
  EXPECT_EQ(parameters(model_of(small_config("olmo")))->norms, 0);
  EXPECT_GT(parameters(model_of(small_config("olmo2")))->norms, 0);
}

TEST(GptOss, AlternatesAndKeepsSinksAndBiases) {
  const Model model = model_of(small_config("gpt_oss", "\"num_local_experts\": 4, \"num_experts_per_tok\": 2"));
  EXPECT_EQ(mixers(model), "SFSF");
  EXPECT_EQ(layer(model, 0).attention->window, 128);
  const Block& block = layer(model, 0);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.sinks")->rows, 8);
  EXPECT_EQ(find_tensor(block.tensors, "mlp.router.bias")->rows, 4);
  const auto gate = find_tensor(block.tensors, "mlp.experts.gate_up_proj");
  ASSERT_NE(gate, nullptr);
  EXPECT_EQ(gate->copies, 4);
  EXPECT_EQ(gate->active_copies, 2);
  EXPECT_NE(find_tensor(block.tensors, "mlp.experts.down_proj_bias"), nullptr);
}

TEST(Llama4, ChunksThreeOfFourLayersAndInterleavesExperts) {
  const Model model = model_of(R"({"model_type": "llama4_text", "num_hidden_layers": 8, "hidden_size": 64, "num_attention_heads": 8, "intermediate_size": 32,
    "intermediate_size_mlp": 128, "vocab_size": 100, "interleave_moe_layer_step": 2, "num_local_experts": 4, "torch_dtype": "bfloat16"})");
  EXPECT_EQ(mixers(model), "CCCFCCCF");
  EXPECT_EQ(layer(model, 0).attention->window, 8192);
  EXPECT_EQ(layer(model, 0).mlp.intermediate, 128);
  EXPECT_EQ(layer(model, 1).mlp.kind, Mlp::Kind::kMoe);
  EXPECT_EQ(layer(model, 1).mlp.shared_intermediate, 32);
  EXPECT_EQ(layer(model, 1).mlp.top_k, 1);
}

constexpr const char* kLatent = R"("kv_lora_rank": 16, "qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 8, "n_routed_experts": 4,
  "num_experts_per_tok": 2, "moe_intermediate_size": 32, "n_shared_experts": 2, "first_k_dense_replace": 1)";

TEST(DeepSeekV2, ProjectsQueriesAtOnceWhereTheRankIsNull) {
  const Model model = model_of(small_config("deepseek_v2", std::string(kLatent) + ", \"q_lora_rank\": null"));
  const Block& block = layer(model, 0);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.q_proj.weight")->rows, 8 * 12);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.q_a_proj.weight"), nullptr);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.kv_a_proj_with_mqa.weight")->rows, 20);
  EXPECT_EQ(find_tensor(block.tensors, "self_attn.kv_b_proj.weight")->rows, 8 * 16);
}

TEST(DeepSeekV2, BeginsDenseAndSharesItsExpertsAsOneMlp) {
  const Model model = model_of(small_config("deepseek_v2", std::string(kLatent) + ", \"q_lora_rank\": null"));
  EXPECT_EQ(layer(model, 0).mlp.kind, Mlp::Kind::kDense);
  EXPECT_EQ(layer(model, 1).mlp.kind, Mlp::Kind::kMoe);
  EXPECT_EQ(find_tensor(layer(model, 1).tensors, "mlp.shared_experts.up_proj.weight")->rows, 64);
  EXPECT_FALSE(layer(model, 1).mlp.correction_bias);
}

TEST(DeepSeekV3, BalancesByABiasAndHasAModuleThatPredictsAhead) {
  const Model model = model_of(small_config("deepseek_v3", std::string(kLatent) + ", \"q_lora_rank\": 24, \"num_nextn_predict_layers\": 1"));
  EXPECT_TRUE(layer(model, 1).mlp.correction_bias);
  ASSERT_TRUE(model.mtp);
  EXPECT_EQ(model.mtp->layers(), 1);
  EXPECT_EQ(model.mtp->first_layer, 4);
  EXPECT_EQ(find_tensor(model.mtp->blocks[0].tensors, "eh_proj.weight")->columns, 128);
  const Parameters p = *parameters(model);
  EXPECT_GT(p.mtp, 0);
  EXPECT_EQ(p.total, parameters(model_of(small_config("deepseek_v3", std::string(kLatent) + ", \"q_lora_rank\": 24")))->total) << "modules are kept apart";
}

TEST(DeepSeekV32, ScoresTokensWithAnIndexer) {
  const Model model =
      model_of(small_config("deepseek_v32", std::string(kLatent) + R"(, "q_lora_rank": 24, "index_n_heads": 4, "index_head_dim": 16, "index_topk": 32)"));
  ASSERT_TRUE(layer(model, 0).attention->indexer);
  EXPECT_EQ(layer(model, 0).attention->indexer->top_k, 32);
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "self_attn.indexer.wq_b.weight")->columns, 24);
}

TEST(DeepSeekV4, CompressesByLayerAndHashesTheFirstExperts) {
  const Model model =
      model_of(small_config("deepseek_v4", R"("moe_intermediate_size": 8, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_shared_experts": 1,
    "q_lora_rank": 8, "o_lora_rank": 8, "o_groups": 2, "qk_rope_head_dim": 4, "sliding_window": 8, "head_dim": 8, "compress_ratios": [0, 4, 128, 4, 0],
    "num_nextn_predict_layers": 1, "num_hash_layers": 1, "hc_mult": 4, "index_n_heads": 2, "index_head_dim": 4, "index_topk": 16)"));
  EXPECT_EQ(mixers(model), "PPPP");
  EXPECT_EQ(layer(model, 2).attention->compress_ratio, 128);
  EXPECT_FALSE(layer(model, 2).attention->indexer);
  EXPECT_TRUE(layer(model, 1).attention->indexer);
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "ffn.gate.tid2eid")->rows, 100);
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "ffn.gate.bias"), nullptr);
  EXPECT_EQ(find_tensor(layer(model, 1).tensors, "ffn.gate.bias")->rows, 4);
  EXPECT_EQ(find_tensor(layer(model, 1).tensors, "attn.compressor.wkv.weight")->rows, 16) << "at the fine ratio groups overlap";
  EXPECT_EQ(find_tensor(layer(model, 2).tensors, "attn.compressor.wkv.weight")->rows, 8);
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "hc_attn_fn")->rows, 24);
  EXPECT_EQ(model.mtp->blocks[0].attention->compress_ratio, 0);
}

TEST(QwenNext, AttendsInFullInEveryFourthLayerWithAGate) {
  const Model model = model_of(small_config("qwen3_next", R"("num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16)"));
  EXPECT_EQ(mixers(model), "DDDF");
  EXPECT_EQ(find_tensor(layer(model, 3).tensors, "self_attn.q_proj.weight")->rows, 2 * 8 * 256) << "queries and their gate";
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "linear_attn.in_proj_qkvz.weight")->rows, 2 * 16 * 128 + 2 * 32 * 128);
  ASSERT_TRUE(model.mtp) << "its checkpoints hold one module whether or not the config says so";
}

TEST(Qwen35, SplitsTheInputsOfTheDeltaRule) {
  const Model model = model_of(small_config("qwen3_5_text", R"("layer_types": ["linear_attention", "full_attention", "linear_attention", "full_attention"])"));
  EXPECT_EQ(mixers(model), "DFDF");
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "linear_attn.in_proj_qkvz.weight"), nullptr);
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "linear_attn.in_proj_z.weight")->rows, 32 * 128);
}

TEST(NemotronH, IsOneThingPerLayer) {
  const Model model = model_of(small_config("nemotron_h", R"("num_hidden_layers": 5, "hybrid_override_pattern": "M*-EM", "n_routed_experts": 4,
    "num_experts_per_tok": 2, "moe_intermediate_size": 16, "moe_latent_size": 32, "moe_shared_expert_intermediate_size": 48)"));
  EXPECT_EQ(mixers(model), "DF--D");
  EXPECT_EQ(layer(model, 0).mlp.kind, Mlp::Kind::kNone);
  EXPECT_EQ(layer(model, 0).norms, 1);
  EXPECT_EQ(layer(model, 2).mlp.kind, Mlp::Kind::kDense);
  EXPECT_FALSE(layer(model, 2).mlp.gated);
  EXPECT_EQ(layer(model, 3).mlp.latent, 32);
  EXPECT_EQ(find_tensor(layer(model, 3).tensors, "mixer.experts.*.up_proj.weight")->columns, 32) << "experts work in the latent";
  EXPECT_EQ(find_tensor(layer(model, 3).tensors, "mixer.shared_experts.up_proj.weight")->columns, 64);
  EXPECT_EQ(model.text.blocks.size(), 4u) << "equal layers are described once";
}

TEST(NemotronH, TakesItsLayersFromTheListWhereTheirNumberIsNotGiven) {
  const Model model = model_of(small_config("nemotron_h", R"("num_hidden_layers": null, "layers_block_type": ["mamba", "attention", "mlp"])"));
  EXPECT_EQ(model.layers, 3);
}

TEST(NemotronNas, GivesEveryLayerItsOwn) {
  const Model model = model_of(small_config("nemotron-nas", R"("hidden_size": 768, "intermediate_size": null, "num_key_value_heads": null, "block_configs": [
    {"attention": {"n_heads_in_group": 4, "no_op": false}, "ffn": {"ffn_mult": 2.625}},
    {"attention": {"no_op": true}, "ffn": {"ffn_mult": 0.5}},
    {"attention": {"replace_with_linear": true}, "ffn": {"no_op": true}},
    {"attention": {"n_heads_in_group": 8}, "ffn": {"replace_with_linear": true}}])"));
  EXPECT_EQ(mixers(model), "F-DF");
  EXPECT_EQ(layer(model, 0).attention->kv_heads, 2);
  EXPECT_EQ(layer(model, 0).mlp.intermediate, 1536) << "2 · 2.625 · 768 / 3 = 1344, rounded up to a multiple of 256";
  EXPECT_EQ(layer(model, 1).norms, 1) << "no attention, no norm before it";
  EXPECT_EQ(layer(model, 2).mlp.kind, Mlp::Kind::kNone);
  EXPECT_EQ(find_tensor(layer(model, 3).tensors, "mlp.linear_mlp.weight")->rows, 768);
}

TEST(Jamba, PlacesAttentionAndExpertsByPeriodAndOffset) {
  const Model model = model_of(small_config("jamba", R"("num_experts": 4, "num_experts_per_tok": 2, "attn_layer_period": 4, "attn_layer_offset": 2,
    "expert_layer_period": 2, "expert_layer_offset": 1)"));
  EXPECT_EQ(mixers(model), "DDFD");
  EXPECT_EQ(layer(model, 1).mlp.kind, Mlp::Kind::kMoe);
  EXPECT_EQ(layer(model, 2).mlp.kind, Mlp::Kind::kDense);
  EXPECT_EQ(layer(model, 0).linear->dt_rank, 4) << "hidden / 16 where the config says auto or nothing";
}

TEST(MiniMaxText, AttendsWhereTheListSaysOne) {
  const Model model = model_of(small_config("minimax_text_01", R"("num_local_experts": 4, "num_experts_per_tok": 2, "attn_type_list": [0, 0, 1, 0])"));
  EXPECT_EQ(mixers(model), "DDFD");
  EXPECT_EQ(layer(model, 0).linear->kind, LinearKind::kLightning);
}

TEST(MiniMaxM2, KeepsItsRouterInFp32AndShipsNoModules) {
  const Model model = model_of(small_config("minimax_m2", R"("num_local_experts": 4, "num_experts_per_tok": 2, "use_qk_norm": true, "use_routing_bias": true,
    "num_nextn_predict_layers": 3)"));
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "block_sparse_moe.gate.weight")->storage.format, Precision::kFp32);
  EXPECT_FALSE(model.mtp);
  EXPECT_EQ(model.notes.back(), "the config names multi-token-prediction modules; the published checkpoints hold none, so they are not counted");
}

TEST(Falcon, HasOneKeyValueHeadOrTheNewDecodersGroups) {
  const std::string old = R"({"model_type": "falcon", "hidden_size": 64, "n_layer": 2, "n_head": 8, "vocab_size": 100, "torch_dtype": "bfloat16")";
  EXPECT_EQ(layer(model_of(old + "}"), 0).attention->kv_heads, 1);
  EXPECT_EQ(layer(model_of(old + "}"), 0).norms, 1);
  EXPECT_EQ(layer(model_of(old + R"(, "multi_query": false, "parallel_attn": false})"), 0).attention->kv_heads, 8);
  EXPECT_EQ(layer(model_of(old + R"(, "multi_query": false, "parallel_attn": false})"), 0).norms, 2);
  const Model renewed = model_of(old + R"(, "new_decoder_architecture": true, "num_kv_heads": 2})");
  EXPECT_EQ(layer(renewed, 0).attention->kv_heads, 2);
  EXPECT_EQ(layer(renewed, 0).norms, 2);
  EXPECT_NE(find_tensor(renewed.text.tensors, "lm_head.weight"), nullptr) << "its checkpoints store the tied head as a copy";
}

TEST(GptBigCode, SharesOneKeyValueHeadUnlessToldOtherwise) {
  const std::string config =
      R"({"model_type": "gpt_bigcode", "n_embd": 64, "n_layer": 2, "n_head": 8, "n_positions": 16, "vocab_size": 100, "torch_dtype": "float32")";
  EXPECT_EQ(model_of(config + "}").kv_heads, 1);
  EXPECT_EQ(model_of(config + ", \"multi_query\": false}").kv_heads, 8);
  EXPECT_EQ(layer(model_of(config + "}"), 0).mlp.intermediate, 256) << "four times the hidden size";
}

TEST(Gpt2, KeepsFp32WhereTheConfigSaysNothing) {
  const Model model = model_of(R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 8, "n_positions": 16, "vocab_size": 100})");
  EXPECT_EQ(model.native, Precision::kFp32);
  EXPECT_TRUE(model.notes.empty());
  EXPECT_EQ(find_tensor(model.text.tensors, "transformer.wpe.weight")->rows, 16);
}

TEST(Dtype, IsAssumedWithANote) {
  const Model model = model_of(small_config("llama", "\"torch_dtype\": null"));
  EXPECT_EQ(model.native, Precision::kBf16);
  EXPECT_EQ(model.notes, std::vector<std::string>{"the config does not say in which format the weights are stored: bf16 is assumed"});
}

TEST(Opt, ProjectsNarrowEmbeddings) {
  const std::string config =
      R"({"model_type": "opt", "hidden_size": 64, "ffn_dim": 256, "num_hidden_layers": 2, "num_attention_heads": 8, "vocab_size": 100,
    "max_position_embeddings": 16, "torch_dtype": "float16")";
  const Model wide = model_of(config + "}");
  EXPECT_EQ(find_tensor(wide.text.tensors, "model.decoder.embed_positions.weight")->rows, 18) << "two positions more than it has";
  EXPECT_EQ(find_tensor(wide.text.tensors, "model.decoder.project_in.weight"), nullptr);
  EXPECT_NE(find_tensor(wide.text.tensors, "model.decoder.final_layer_norm.weight"), nullptr);
  const Model narrow = model_of(config + R"(, "word_embed_proj_dim": 32, "do_layer_norm_before": false})");
  EXPECT_EQ(find_tensor(narrow.text.tensors, "model.decoder.embed_tokens.weight")->columns, 32);
  EXPECT_EQ(find_tensor(narrow.text.tensors, "model.decoder.project_in.weight")->rows, 64);
  EXPECT_EQ(find_tensor(narrow.text.tensors, "model.decoder.final_layer_norm.weight"), nullptr);
}

TEST(Mpt, HasNoBiasNorPositionsByDefault) {
  const std::string config =
      R"({"model_type": "mpt", "d_model": 64, "n_layers": 2, "n_heads": 8, "vocab_size": 100, "max_seq_len": 16, "torch_dtype": "bfloat16")";
  EXPECT_EQ(parameters(model_of(config + "}"))->total, 100 * 64 + 2 * (4 * 64 * 64 + 8 * 64 * 64 + 2 * 64) + 64);
  EXPECT_EQ(model_of(config + R"(, "attn_config": {"attn_type": "multiquery_attention"}})").kv_heads, 1);
  EXPECT_NE(find_tensor(model_of(config + R"(, "attn_config": {"alibi": false}})").text.tensors, "transformer.wpe.weight"), nullptr);
}

TEST(ChatGlm, CountsGroupsOnlyWithMultiQueryAttention) {
  const std::string config = R"({"model_type": "chatglm", "hidden_size": 64, "ffn_hidden_size": 128, "num_layers": 2, "num_attention_heads": 8,
    "multi_query_group_num": 2, "padded_vocab_size": 100, "add_qkv_bias": true, "torch_dtype": "float16")";
  EXPECT_EQ(model_of(config + ", \"multi_query_attention\": true}").kv_heads, 2);
  EXPECT_EQ(model_of(config + ", \"multi_query_attention\": false}").kv_heads, 8);
}

TEST(Qwen1, CountsGateAndUpTogether) {
  EXPECT_EQ(layer(model_of(small_config("qwen", "\"num_key_value_heads\": null")), 0).mlp.intermediate, 64);
  EXPECT_EQ(error_of(small_config("qwen", "\"intermediate_size\": 127")), "config.json: intermediate_size: 127 is not even: it counts gate and up together");
}

TEST(Yuan, FiltersPairsOfTokens) {
  const Model model = model_of(small_config("yuan", "\"num_key_value_heads\": null"));
  EXPECT_EQ(find_tensor(layer(model, 0).tensors, "self_attn.lf_gate.conv1.weight")->elements(), 32 * 64 * 2);
  EXPECT_TRUE(model.tied_embeddings);
}

TEST(StableLm, SharesOneNormInParallelLayers) {
  EXPECT_EQ(layer(model_of(small_config("stablelm")), 0).norms, 2);
  EXPECT_EQ(layer(model_of(small_config("stablelm", "\"use_parallel_residual\": true")), 0).norms, 1);
}

TEST(Wrappers, KeepTheTowerApartFromTheText) {
  const Model model = model_of(R"({"model_type": "qwen3_vl", "text_config": )" + small_config("qwen3_vl_text") +
                               R"(, "vision_config": {"depth": 3, "hidden_size": 32, "intermediate_size": 64, "num_heads": 4, "patch_size": 4, "in_channels": 3,
    "temporal_patch_size": 2, "spatial_merge_size": 2, "out_hidden_size": 64, "num_position_embeddings": 9, "deepstack_visual_indexes": [0, 1]}})");
  ASSERT_TRUE(model.vision);
  EXPECT_EQ(model.vision->layers(), 3);
  const Parameters p = *parameters(model);
  const std::int64_t layer_elements = 4 * 32 * 32 + 4 * 32 + 2 * 32 * 64 + 64 + 32 + 4 * 32;
  const std::int64_t merger = 128 * 128 + 128 + 64 * 128 + 64;
  EXPECT_EQ(p.vision, 3 * layer_elements + 32 * 96 + 32 + 9 * 32 + 3 * merger + 2 * 32 + 2 * 2 * 128);
  EXPECT_EQ(p.total - p.vision, parameters(model_of(small_config("qwen3_vl_text")))->total);
  EXPECT_EQ(model.text.layer_prefix, "model.language_model.layers.");
}

TEST(Wrappers, SayThatATowerIsDescribedElsewhere) {
  const Model model = model_of(small_config("llava", R"("mm_hidden_size": 32, "mm_projector_type": "mlp2x_gelu", "mm_vision_tower": "openai/clip")"));
  EXPECT_EQ(parameters(model)->vision, 64 * 32 + 64 + 64 * 64 + 64);
  EXPECT_EQ(model.notes.back(), "the vision tower openai/clip is described elsewhere: only the projector is counted");
}

TEST(Mllama, CrossesToTheImageInTheLayersListed) {
  const Model model = model_of(R"({"model_type": "mllama", "text_config": )" + small_config("mllama_text_model", "\"cross_attention_layers\": [1, 3]") + "}");
  EXPECT_EQ(mixers(model), "FXFX");
  EXPECT_EQ(find_tensor(layer(model, 1).tensors, "encoder_attn.q_norm.weight")->rows, 8);
}

TEST(EncoderDecoders, KeepTheEncoderApart) {
  const Model model = model_of(R"({"model_type": "t5", "d_model": 64, "d_kv": 8, "d_ff": 128, "num_layers": 2, "num_decoder_layers": 3, "num_heads": 4,
    "vocab_size": 100, "torch_dtype": "float32"})");
  EXPECT_EQ(model.encoder->layers(), 2);
  EXPECT_EQ(model.text.layers(), 3);
  EXPECT_EQ(layer(model, 0).cross->kind, AttentionKind::kCross);
  const std::int64_t attention = 4 * 64 * 32;
  EXPECT_EQ(parameters(model)->encoder, 2 * (attention + 2 * 64 * 128 + 2 * 64) + 32 * 4 + 64);
}

}  // namespace
}  // namespace ridge::model
