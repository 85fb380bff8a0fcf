// Strong types for the quantities of this field. Invariant: the number inside is in the SI base unit of its type
// (B, s, FLOP, B/s, FLOP/s, W, J, USD); what a person reads is made by quantity/text.h.
//
// Bytes is an integer and saturates at the ends of int64 instead of wrapping: 8 EiB is more than any machine holds,
// so a saturated size answers "does it fit" as the true one would.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ridge {

template <class Tag>
struct Scalar {
  double value = 0;

  friend constexpr auto operator<=>(Scalar, Scalar) = default;
  friend constexpr Scalar operator+(Scalar a, Scalar b) { return {a.value + b.value}; }
  friend constexpr Scalar operator-(Scalar a, Scalar b) { return {a.value - b.value}; }
  friend constexpr Scalar operator*(Scalar a, double k) { return {a.value * k}; }
  friend constexpr Scalar operator*(double k, Scalar a) { return {a.value * k}; }
  friend constexpr Scalar operator/(Scalar a, double k) { return {a.value / k}; }
  friend constexpr double operator/(Scalar a, Scalar b) { return a.value / b.value; }
  constexpr Scalar& operator+=(Scalar b) {
    value += b.value;
    return *this;
  }
};

using Seconds = Scalar<struct SecondsTag>;
using Flop = Scalar<struct FlopTag>;
using FlopPerSecond = Scalar<struct FlopPerSecondTag>;
using BytesPerSecond = Scalar<struct BytesPerSecondTag>;
using FlopPerByte = Scalar<struct FlopPerByteTag>;
using PerSecond = Scalar<struct PerSecondTag>;  // a rate of events: requests/s, tokens/s
using Watts = Scalar<struct WattsTag>;
using Joules = Scalar<struct JoulesTag>;
using Metres = Scalar<struct MetresTag>;
using SquareMetres = Scalar<struct SquareMetresTag>;
using PerSquareMetre = Scalar<struct PerSquareMetreTag>;  // a density of points on a surface: defects
using UsdPerHour = Scalar<struct UsdPerHourTag>;

struct Bytes {
  std::int64_t count = 0;

  static constexpr Bytes max() { return {std::numeric_limits<std::int64_t>::max()}; }
  // Nearest integer; saturates, and NaN becomes max() so that it never passes for "small".
  static constexpr Bytes from_double(double v) {
    if (!(v < 9.2233720368547e18)) return max();
    if (v < -9.2233720368547e18) return {std::numeric_limits<std::int64_t>::min()};
    return {static_cast<std::int64_t>(v < 0 ? v - 0.5 : v + 0.5)};
  }
  constexpr double as_double() const { return static_cast<double>(count); }

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) {
    Bytes r;
    if (__builtin_add_overflow(a.count, b.count, &r.count)) return a.count > 0 ? max() : Bytes{std::numeric_limits<std::int64_t>::min()};
    return r;
  }
  friend constexpr Bytes operator-(Bytes a, Bytes b) {
    Bytes r;
    if (__builtin_sub_overflow(a.count, b.count, &r.count)) return a.count > 0 ? max() : Bytes{std::numeric_limits<std::int64_t>::min()};
    return r;
  }
  friend constexpr Bytes operator*(Bytes a, std::int64_t k) {
    Bytes r;
    if (__builtin_mul_overflow(a.count, k, &r.count)) return (a.count > 0) == (k > 0) ? max() : Bytes{std::numeric_limits<std::int64_t>::min()};
    return r;
  }
  friend constexpr Bytes operator*(std::int64_t k, Bytes a) { return a * k; }
  constexpr Bytes& operator+=(Bytes b) {
    *this = *this + b;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes b) {
    *this = *this - b;
    return *this;
  }
};

constexpr Seconds operator/(Flop f, FlopPerSecond r) { return {f.value / r.value}; }
constexpr Seconds operator/(Bytes b, BytesPerSecond r) { return {b.as_double() / r.value}; }
constexpr FlopPerByte operator/(FlopPerSecond f, BytesPerSecond b) { return {f.value / b.value}; }
constexpr FlopPerByte operator/(Flop f, Bytes b) { return {f.value / b.as_double()}; }
constexpr PerSecond operator/(double events, Seconds t) { return {events / t.value}; }
constexpr Joules operator*(Watts w, Seconds t) { return {w.value * t.value}; }
constexpr SquareMetres operator*(Metres a, Metres b) { return {a.value * b.value}; }

// A closed range. low == high is a point.
struct Interval {
  double low = 0;
  double high = 0;
  constexpr bool is_point() const { return low == high; }
  friend constexpr bool operator==(Interval, Interval) = default;
};

inline constexpr std::int64_t kKiB = std::int64_t{1} << 10;
inline constexpr std::int64_t kMiB = std::int64_t{1} << 20;
inline constexpr std::int64_t kGiB = std::int64_t{1} << 30;

}  // namespace ridge
