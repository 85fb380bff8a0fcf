// The families by model_type, one row each.
#include <vector>

#include "model/config.h"
#include "model/config_families.h"

namespace ridge::model {
namespace {

const std::vector<Traits>& table() {
  static const std::vector<Traits> rows{families::dense("llama"),
                                        families::mistral(),
                                        families::qwen2("qwen2"),
                                        families::qwen2("qwen2_vl_text"),
                                        families::qwen2("qwen2_5_vl_text"),
                                        families::qwen3("qwen3"),
                                        families::qwen3("qwen3_vl_text"),
                                        families::mimo(),
                                        families::phi3("phi3"),
                                        families::stablelm(),
                                        families::baichuan(),
                                        families::internlm2(),
                                        families::glm4("glm", 2),
                                        families::glm4("glm4", 4),
                                        families::olmo("olmo", false),
                                        families::olmo("olmo2", true),
                                        families::olmo("olmo3", true),
                                        families::cohere(),
                                        families::granite(),
                                        families::nemotron(),
                                        families::yuan(),
                                        families::gemma("gemma"),
                                        families::gemma("gemma2"),
                                        families::gemma("gemma3_text"),
                                        families::mixtral(),
                                        families::qwen2_moe(),
                                        families::qwen3_moe("qwen3_moe"),
                                        families::qwen3_moe("qwen3_vl_moe_text"),
                                        families::qwen_hybrid("qwen3_next", true),
                                        families::qwen_hybrid("qwen3_5_text", false),
                                        families::qwen_hybrid("qwen3_5_moe_text", true),
                                        families::deepseek("deepseek_v2", false),
                                        families::deepseek("deepseek_v3", true),
                                        families::deepseek("deepseek_v32", true),
                                        families::deepseek("kimi_k2", true),
                                        families::glm_moe_dsa(),
                                        families::glm4_moe(),
                                        families::deepseek_v4("deepseek_v4"),
                                        families::deepseek_v4("deepseek_ref"),
                                        families::gpt_oss(),
                                        families::llama4(),
                                        families::minimax_m2(),
                                        families::minimax_text("minimax_text_01"),
                                        families::minimax_text("minimax"),
                                        families::olmoe(),
                                        families::phimoe(),
                                        families::nemotron_h(),
                                        families::nemotron_nas("nemotron-nas"),
                                        families::nemotron_nas("deci"),
                                        families::jamba(),
                                        families::mllama_text(),
                                        families::gpt2(),
                                        families::gpt_bigcode(),
                                        families::gptj(),
                                        families::codegen(),
                                        families::gpt_neox(),
                                        families::bloom(),
                                        families::falcon("falcon"),
                                        families::falcon("RefinedWebModel"),
                                        families::falcon("RefinedWeb"),
                                        families::mpt(),
                                        families::opt(),
                                        families::phi(),
                                        families::starcoder2(),
                                        families::chatglm(),
                                        families::qwen1(),
                                        families::git_text(),
                                        families::t5("t5"),
                                        families::t5("mt5"),
                                        families::whisper(),
                                        families::wrapper("qwen2_vl"),
                                        families::wrapper("qwen2_5_vl"),
                                        families::wrapper("qwen3_vl"),
                                        families::wrapper("qwen3_vl_moe"),
                                        families::wrapper("qwen3_5"),
                                        families::wrapper("qwen3_5_moe"),
                                        families::wrapper("gemma3"),
                                        families::wrapper("llama4"),
                                        families::wrapper("kimi_k25"),
                                        families::wrapper("mllama"),
                                        families::wrapper("llava"),
                                        families::wrapper("maira2"),
                                        families::wrapper("git"),
                                        families::wrapper("phi4mm"),
                                        families::encoder("albert"),
                                        families::encoder("bert"),
                                        families::encoder("roberta"),
                                        families::encoder("distilbert"),
                                        families::encoder("deberta-v2"),
                                        families::encoder("xlm-roberta")};
  return rows;
}

}  // namespace

const Traits* find_traits(std::string_view model_type) {
  for (const Traits& row : table())
    if (row.model_type == model_type) return &row;
  return nullptr;
}

std::vector<std::string> known_model_types() {
  std::vector<std::string> types;
  for (const Traits& row : table()) types.emplace_back(row.model_type);
  return types;
}

}  // namespace ridge::model
