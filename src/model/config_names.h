// How the checkpoints of each family name their tensors.
#pragma once

#include "model/tensor_builder.h"

namespace ridge::model::names {

TensorNames mixtral();
TensorNames qwen_moe();
TensorNames qwen_next();
TensorNames qwen35();
TensorNames gpt_oss();
TensorNames llama4();
TensorNames minimax_m2();
TensorNames minimax_text();
TensorNames deepseek_v4();
TensorNames nemotron_h();
TensorNames jamba();
TensorNames phi3();
TensorNames phi();
TensorNames baichuan();
TensorNames internlm2();
TensorNames glm4();
TensorNames post_norm();  // OLMo 2 and 3
TensorNames qwen1();
TensorNames chatglm();
TensorNames gpt2();
TensorNames gptj();
TensorNames codegen();
TensorNames gpt_neox();
TensorNames bloom();
TensorNames falcon();
TensorNames mpt();
TensorNames opt();
TensorNames starcoder2();
TensorNames t5();
TensorNames whisper();
TensorNames git();

}  // namespace ridge::model::names
