// The habits of the families, a function each: what their code does where the config says nothing included. They are those of
// the configuration and modelling classes of the transformers library, or of the code beside the published weights.
#pragma once

#include <string_view>

#include "model/config_reading.h"

namespace ridge::model::families {

inline constexpr Switch kYes{"", true};
inline constexpr Switch kNo{"", false};
inline constexpr Switch kAttentionBias{"attention_bias", false};

// A decoder shaped like Llama; every other family begins from one.
Traits dense(std::string_view type);
Traits wrapper(std::string_view type);
Traits encoder(std::string_view type);

// config_families.cc: Llama and what is shaped like it, Gemma
Traits mistral();
Traits qwen2(std::string_view type);
Traits qwen3(std::string_view type);
Traits mimo();
Traits phi3(std::string_view type);
Traits stablelm();
Traits baichuan();
Traits internlm2();
Traits glm4(std::string_view type, int norms);
Traits olmo(std::string_view type, bool post_norm);
Traits cohere();
Traits granite();
Traits nemotron();
Traits yuan();
Traits gemma(std::string_view type);

// config_families_moe.cc: mixtures of experts, layers of several kinds
Traits mixtral();
Traits qwen2_moe();
Traits qwen3_moe(std::string_view type);
Traits qwen_hybrid(std::string_view type, bool moe);
Traits deepseek(std::string_view type, bool balanced_by_bias);
Traits glm_moe_dsa();
Traits glm4_moe();
Traits deepseek_v4(std::string_view type);
Traits gpt_oss();
Traits llama4();
Traits minimax_m2();
Traits minimax_text(std::string_view type);
Traits olmoe();
Traits phimoe();
Traits nemotron_h();
Traits nemotron_nas(std::string_view type);
Traits jamba();
Traits mllama_text();

// config_families_gpt.cc: the GPT line, encoder-decoders
Traits gpt2();
Traits gpt_bigcode();
Traits gptj();
Traits codegen();
Traits gpt_neox();
Traits bloom();
Traits falcon(std::string_view type);
Traits mpt();
Traits opt();
Traits phi();
Traits starcoder2();
Traits chatglm();
Traits qwen1();
Traits git_text();
Traits t5(std::string_view type);
Traits whisper();

}  // namespace ridge::model::families
