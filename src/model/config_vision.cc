// Wrappers: a config whose text model stands in a section of its own, beside a vision tower. The text model is read by its
// own reader; a tower whose fields do not suffice is left out, and the model's notes say so.
#include <fmt/format.h>

#include <array>

#include "model/config_reading.h"
#include "model/config_tower.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

struct Wrapper {
  std::string_view type;
  std::string_view text_type;  // where the text section names none, and where the text fields stand at the top
  const char* body;            // prefix of the text model's tensors, null: as the text family has it
  const char* head;
  TowerReader tower;  // null: unknown
};

constexpr const char* kQwenBody = "model.language_model.";
constexpr const char* kBody = "language_model.model.";
constexpr const char* kHead = "language_model.lm_head";

constexpr std::array kWrappers{
    Wrapper{"qwen2_vl", "qwen2", nullptr, nullptr, read_qwen2_tower},
    Wrapper{"qwen2_5_vl", "qwen2", nullptr, nullptr, read_qwen25_tower},
    Wrapper{"qwen3_vl", "qwen3", kQwenBody, "lm_head", read_qwen3_tower},
    Wrapper{"qwen3_vl_moe", "qwen3_moe", kQwenBody, "lm_head", read_qwen3_tower},
    Wrapper{"qwen3_5", "qwen3_5_text", kQwenBody, "lm_head", read_qwen3_tower},
    Wrapper{"qwen3_5_moe", "qwen3_5_moe_text", kQwenBody, "lm_head", read_qwen3_tower},
    Wrapper{"gemma3", "gemma3_text", kBody, kHead, read_gemma_tower},
    Wrapper{"llama4", "llama4_text", kBody, kHead, read_llama4_tower},
    Wrapper{"kimi_k25", "kimi_k2", kBody, kHead, read_moonvit_tower},
    Wrapper{"mllama", "mllama_text_model", kBody, kHead, read_mllama_tower},
    Wrapper{"llava", "llama", kBody, kHead, read_clip_tower},
    Wrapper{"maira2", "llama", kBody, kHead, read_dino_tower},
    Wrapper{"git", "git_text", nullptr, nullptr, read_git_tower},
    Wrapper{"phi4mm", "phi3", nullptr, nullptr, nullptr},
};

constexpr std::array<std::string_view, 4> kTextSections{"text_config", "language_config", "llm_config", "text_model_config"};

const Wrapper* find_wrapper(std::string_view type) {
  for (const Wrapper& wrapper : kWrappers)
    if (wrapper.type == type) return &wrapper;
  return nullptr;
}

// LLaVA's own configs name their tower and give only the projector: "linear", or "mlp2x_gelu" for two matrices.
Result<void> read_projector(Reading& reading, std::int64_t hidden) {
  RIDGE_TRY(const std::int64_t width, reading.top.size("mm_hidden_size", kMaxHidden));
  RIDGE_TRY(const std::string type, reading.top.text_or("mm_projector_type", "linear"));
  RIDGE_TRY(const std::string tower, reading.top.text_or("mm_vision_tower", "unnamed"));
  TensorList list(reading.model.native);
  list.linear("model.mm_projector.0", hidden, width, true, Part::kVision);
  if (type.starts_with("mlp2x")) list.linear("model.mm_projector.2", hidden, hidden, true, Part::kVision);
  Stack stack;
  stack.hidden = width;
  stack.tensors = list.take();
  reading.model.vision = std::move(stack);
  reading.model.notes.push_back(fmt::format("the vision tower {} is described elsewhere: only the projector is counted", tower));
  return {};
}

Result<void> read_tower(Reading& reading, const Wrapper* wrapper) {
  const std::optional<ConfigFields> vision = reading.top.section("vision_config");
  const std::int64_t hidden = reading.model.hidden.value_or(0);
  if (!vision && wrapper != nullptr && wrapper->type == "llama4") {
    // Both published models carry the same tower, and their text-only configs leave its section out.
    static const formats::Node kEmpty = [] {
      formats::Node node;
      node.kind = formats::Node::Kind::kMap;
      return node;
    }();
    RIDGE_TRY(reading.model.vision,
              read_llama4_tower(ConfigFields(formats::NodeRef(kEmpty, reading.top.node().file())), reading.top, hidden, reading.model.native));
    reading.model.notes.push_back("the config has no vision_config: the vision tower is that of the published Llama 4 models");
    return {};
  }
  if (!vision && reading.top.has("mm_hidden_size")) return read_projector(reading, hidden);
  if (!vision || wrapper == nullptr || wrapper->tower == nullptr) {
    reading.model.notes.push_back(vision ? "the vision tower's shapes are not known: it is not counted"
                                         : "the config does not describe the other towers of this model: they are not counted");
    return {};
  }
  RIDGE_TRY(reading.model.vision, wrapper->tower(*vision, reading.top, hidden, reading.model.native));
  return {};
}

}  // namespace

Result<void> read_wrapper(Reading& reading, const Traits& traits) {
  const Wrapper* wrapper = find_wrapper(traits.model_type);
  std::string type(wrapper != nullptr ? wrapper->text_type : "");
  for (std::string_view name : kTextSections) {
    const std::optional<ConfigFields> section = reading.top.section(name);
    if (!section) continue;
    reading.config = *section;
    RIDGE_TRY(type, section->text_or("model_type", type));
    if (wrapper != nullptr && wrapper->body != nullptr) {
      reading.body = wrapper->body;
      reading.head = wrapper->head;
    }
    break;
  }
  RIDGE_TRY_VOID(read_text(reading, type));
  return read_tower(reading, wrapper);
}

}  // namespace ridge::model
