// Limits of what a description of a model may say. A value beyond one is refused with its place; together they keep every
// product of dimensions inside int64 and every walk over a model short.
#pragma once

#include <cstdint>

namespace ridge::model {

inline constexpr std::int64_t kMaxLayers = 10'000;
inline constexpr std::int64_t kMaxLayerKinds = 2'000;  // different layers in one stack
inline constexpr std::int64_t kMaxHidden = 1'000'000;
inline constexpr std::int64_t kMaxHeads = 100'000;
inline constexpr std::int64_t kMaxIntermediate = 10'000'000;
inline constexpr std::int64_t kMaxVocabulary = 100'000'000;
inline constexpr std::int64_t kMaxExperts = 100'000;
inline constexpr std::int64_t kMaxContext = 1'000'000'000'000;
inline constexpr std::int64_t kMaxKernel = 1'000;       // of a convolution
inline constexpr std::int64_t kMaxImageSide = 100'000;  // pixels
inline constexpr double kMaxParameters = 1e15;

}  // namespace ridge::model
