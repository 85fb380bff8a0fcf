// Quantities as people write and read them. Parsing never guesses: a number without its unit, or with the unit of
// another dimension, is an error that lists the units which would do. GB is 10^9 B and GiB is 2^30 B, always.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quantity/result.h"
#include "quantity/units.h"

namespace ridge {

Result<Bytes> parse_bytes(std::string_view text);                      // 80GiB, 80GB, 512MiB, 1.5TB, 4096B
Result<Seconds> parse_seconds(std::string_view text);                  // 500ms, 2s, 10us, 3min, 2h, 30d
Result<PerSecond> parse_per_second(std::string_view text);             // 5/s, 300/min, 1000/h
Result<BytesPerSecond> parse_bytes_per_second(std::string_view text);  // 3.35TB/s, 900GB/s, 400Gb/s (bits), 800GiB/s
Result<FlopPerSecond> parse_flop_per_second(std::string_view text);    // 500TFLOP/s, 1PFLOP/s, 624TOP/s
Result<Watts> parse_watts(std::string_view text);                      // 700W, 14.3kW
Result<Metres> parse_length(std::string_view text);                    // 26mm, 80um, 30cm, 0.3m
Result<SquareMetres> parse_area(std::string_view text);                // 814mm2, 1cm2, 0.0008m2
Result<PerSquareMetre> parse_per_area(std::string_view text);          // 0.1/cm2, 0.001/mm2
Result<UsdPerHour> parse_usd_per_hour(std::string_view text);          // 2.5, $2.50, 2.5USD/h
Result<double> parse_usd(std::string_view text);                       // 16000, $16000, 16000USD
Result<double> parse_fraction(std::string_view text);                  // 12%, 0.12 → 0.12
Result<double> parse_count(std::string_view text);                     // 7e9, 7b, 7B, 70M, 4k, 1,000,000 → decimal count ≥ 0
Result<double> parse_real(std::string_view text);                      // finite decimal number
Result<std::int64_t> parse_integer(std::string_view text);             // whole, in the range of int64; 4096, 4k, 1e6

// Four significant digits and a prefix chosen for the reader. Binary sizes print both: "13.04 GiB" (format_bytes) or
// "14.00 GB" (format_bytes_decimal). Missing values are the caller's business ("—").
std::string format_bytes(Bytes bytes);          // 13.04 GiB, 512.0 MiB, 96 B
std::string format_bytes_decimal(Bytes bytes);  // 14.00 GB
std::string format_seconds(Seconds seconds);    // 4.177 ms, 14.15 µs, 2.300 s, 3.2 h
// Any base-SI unit of a report ("B", "s", "FLOP", "FLOP/s", "B/s", "FLOP/B", "token/s", "W", "J", "USD", "m2", "1").
// ascii writes "us" for "µs" and "x" for "×".
std::string format_value(double value, std::string_view unit, bool ascii = false);
// The unit in which a person reads values of this size: divide by `factor`, write `symbol` behind ("GiB", "ms", "TFLOP/s"; "" for
// "1"). format_value uses it for one value; a table's column or a plot's axis asks once, so that its numbers can be compared.
struct DisplayUnit {
  double factor = 1;
  std::string symbol;
};
DisplayUnit display_unit(double magnitude, std::string_view unit, bool ascii = false);
std::string format_number(double value, int significant = 4);  // 1234, 0.9487, 1.2e-05; never "-0"
std::string format_integer(std::int64_t value);                // 1,234,567

// Names in `known` that a person may have meant by `name` (edit distance, prefix, and word overlap), best first, at most `most`.
// The text after "did you mean".
std::string nearest_names(std::string_view name, const std::vector<std::string>& known, std::size_t most = 3);

}  // namespace ridge
