// Encoder-decoders (T5, Whisper): the decoder is the text stack, its layers attend to the encoder's output as well.
// Encoders alone generate nothing and are refused.
#include <fmt/format.h>

#include "model/config_reading.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

Block transformer_layer(const Attention& attention, std::int64_t intermediate, bool gated, bool bias) {
  Block block;
  block.attention = attention;
  block.mlp.intermediate = intermediate;
  block.mlp.gated = gated;
  block.mlp.bias = bias;
  block.norm_bias = bias;
  return block;
}

void finish_encoder(Reading& reading, Stack encoder) {
  for (Block& block : encoder.blocks)
    for (Tensor& tensor : block.tensors) tensor.part = Part::kEncoder;
  for (Tensor& tensor : encoder.tensors) tensor.part = Part::kEncoder;
  reading.model.encoder = std::move(encoder);
}

// T5 (Raffel et al., 2020, section 2.1; shapes as in the transformers library): no biases, RMS norms, one table of
// relative positions per stack, in its first layer, an embedding shared by both stacks.
Result<void> read_t5(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention attention, read_attention(config, traits, d));
  RIDGE_TRY(const std::int64_t decoder_layers, config.size_or("num_decoder_layers", kMaxLayers, d.layers));
  RIDGE_TRY(const std::int64_t buckets, config.size_or("relative_attention_num_buckets", kMaxContext / 1'000'000, 32));
  RIDGE_TRY(const std::string activation, config.text_or("feed_forward_proj", "relu"));
  const bool gated = activation.starts_with("gated");

  Block encoder_layer = transformer_layer(attention, d.intermediate, gated, false);
  encoder_layer.tensors = layer_tensors(encoder_layer, d.hidden, reading.model.native, reading.names);
  Stack encoder;
  encoder.hidden = d.hidden;
  encoder.layer_prefix = "encoder.block.";
  encoder.blocks.push_back(std::move(encoder_layer));
  encoder.sequence.assign(static_cast<std::size_t>(d.layers), 0);
  TensorList outside(reading.model.native);
  outside.table("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", buckets, d.heads, Part::kEncoder);
  outside.norm("encoder.final_layer_norm", d.hidden, false, Part::kEncoder);
  encoder.tensors = outside.take();
  finish_encoder(reading, std::move(encoder));

  Block layer = transformer_layer(attention, d.intermediate, gated, false);
  layer.cross = attention;
  layer.cross->kind = AttentionKind::kCross;
  layer.norms = 3;
  for (std::int64_t i = 0; i < decoder_layers; ++i) RIDGE_TRY_VOID(add_layer(reading, layer));
  TensorList extra(reading.model.native);
  extra.table("decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", buckets, d.heads, Part::kAttention);
  reading.extra = extra.take();
  Dimensions decoder = d;
  decoder.layers = decoder_layers;
  set_summary(reading.model, decoder, attention);
  return {};
}

constexpr std::string_view kDecoderLayers[] = {"decoder_layers"};
constexpr std::string_view kDecoderHeads[] = {"decoder_attention_heads"};
constexpr std::string_view kDecoderFfn[] = {"decoder_ffn_dim"};

// Whisper (Radford et al., 2022): two convolutions over the spectrogram, learned or fixed positions stored for both
// stacks, biases everywhere but on keys.
Result<void> read_whisper(Reading& reading, const Traits&) {
  const ConfigFields& config = reading.config;
  const Aliases wanted[] = {key::kHidden, key::kVocabulary, kDecoderLayers, kDecoderHeads, kDecoderFfn};
  RIDGE_TRY_VOID(config.require(wanted));
  Dimensions d;
  RIDGE_TRY(d.hidden, config.size(key::kHidden, kMaxHidden));
  RIDGE_TRY(d.vocabulary, config.size(key::kVocabulary, kMaxVocabulary));
  RIDGE_TRY(d.layers, config.size(kDecoderLayers, kMaxLayers));
  RIDGE_TRY(d.heads, config.size(kDecoderHeads, kMaxHeads));
  if (d.hidden % d.heads != 0) return config.error_at(kDecoderHeads, fmt::format("d_model {} is not a multiple of {} heads", d.hidden, d.heads));
  RIDGE_TRY(d.intermediate, config.size(kDecoderFfn, kMaxIntermediate));
  RIDGE_TRY(const std::int64_t encoder_layers, config.size("encoder_layers", kMaxLayers));
  RIDGE_TRY(const std::int64_t encoder_ffn, config.size("encoder_ffn_dim", kMaxIntermediate));
  RIDGE_TRY(const std::int64_t mels, config.size_or("num_mel_bins", kMaxHidden, 80));
  RIDGE_TRY(const std::int64_t source, config.size_or("max_source_positions", kMaxVocabulary, 1500));
  RIDGE_TRY(const std::int64_t target, config.size_or("max_target_positions", kMaxVocabulary, 448));
  d.context = target;
  Attention attention;
  attention.heads = attention.kv_heads = d.heads;
  attention.head_dim = attention.v_head_dim = d.hidden / d.heads;
  attention.qkv_bias = attention.o_bias = true;
  attention.k_bias = false;

  Block encoder_layer = transformer_layer(attention, encoder_ffn, false, true);
  encoder_layer.tensors = layer_tensors(encoder_layer, d.hidden, reading.model.native, reading.names);
  Stack encoder;
  encoder.hidden = d.hidden;
  encoder.layer_prefix = "model.encoder.layers.";
  encoder.blocks.push_back(std::move(encoder_layer));
  encoder.sequence.assign(static_cast<std::size_t>(encoder_layers), 0);
  TensorList outside(reading.model.native);
  outside.table("model.encoder.conv1.weight", d.hidden, 3 * mels, Part::kEncoder);
  outside.vector("model.encoder.conv1.bias", d.hidden, Part::kEncoder);
  outside.table("model.encoder.conv2.weight", d.hidden, 3 * d.hidden, Part::kEncoder);
  outside.vector("model.encoder.conv2.bias", d.hidden, Part::kEncoder);
  outside.table("model.encoder.embed_positions.weight", source, d.hidden, Part::kEncoder).active_copies = 0;
  outside.norm("model.encoder.layer_norm", d.hidden, true, Part::kEncoder);
  encoder.tensors = outside.take();
  finish_encoder(reading, std::move(encoder));

  Block layer = transformer_layer(attention, d.intermediate, false, true);
  layer.cross = attention;
  layer.cross->kind = AttentionKind::kCross;
  layer.norms = 3;
  for (std::int64_t i = 0; i < d.layers; ++i) RIDGE_TRY_VOID(add_layer(reading, layer));
  TensorList extra(reading.model.native);
  extra.table("model.decoder.embed_positions.weight", target, d.hidden, Part::kEmbedding).active_copies = 0;
  reading.extra = extra.take();
  set_summary(reading.model, d, attention);
  return {};
}

}  // namespace

Result<void> read_encoder_decoder(Reading& reading, const Traits& traits) {
  return traits.model_type == "whisper" ? read_whisper(reading, traits) : read_t5(reading, traits);
}

Result<void> refuse_encoder(Reading& reading, const Traits& traits) {
  return reading.config.error(
      fmt::format("model_type \"{}\" is an encoder: it reads text and generates none, so it has no decoding to size", traits.model_type),
      "Give a model that generates text, or a parameter count such as 110m for the size of its weights.");
}

}  // namespace ridge::model
