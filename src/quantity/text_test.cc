#include "quantity/text.h"

#include <gtest/gtest.h>

#include "quantity/precision.h"

namespace ridge {
namespace {

TEST(ParseBytes, TellsDecimalFromBinary) {
  EXPECT_EQ(parse_bytes("80GB")->count, 80'000'000'000);
  EXPECT_EQ(parse_bytes("80GiB")->count, 80 * kGiB);
  EXPECT_EQ(parse_bytes("1.5 TB")->count, 1'500'000'000'000);
}

TEST(ParseBytes, RefusesWhatItWouldHaveToGuess) {
  EXPECT_EQ(parse_bytes("80").error().what, "\"80\" has no unit");
  EXPECT_EQ(parse_bytes("80ms").error().what, "\"ms\" is not a unit of a size");
  EXPECT_EQ(parse_bytes("-1GB").error().what, "\"-1GB\" is negative");
  EXPECT_EQ(parse_bytes("GB").error().what, "\"GB\" is not a size");
  EXPECT_FALSE(parse_bytes("nanGB"));
  EXPECT_FALSE(parse_bytes("infGB"));
  EXPECT_FALSE(parse_bytes("1e300GB"));
  EXPECT_FALSE(parse_bytes(""));
}

TEST(ParseSeconds, KnowsTheUsualUnits) {
  EXPECT_DOUBLE_EQ(parse_seconds("500ms")->value, 0.5);
  EXPECT_DOUBLE_EQ(parse_seconds("10us")->value, 1e-5);
  EXPECT_DOUBLE_EQ(parse_seconds("2h")->value, 7200);
  EXPECT_FALSE(parse_seconds("5/s"));
}

TEST(ParseLength, KnowsTheUnitsOfDiesAndWafers) {
  EXPECT_DOUBLE_EQ(parse_length("26mm")->value, 0.026);
  EXPECT_DOUBLE_EQ(parse_length("80um")->value, 80e-6);
  EXPECT_DOUBLE_EQ(parse_length("30 cm")->value, 0.3);
  EXPECT_EQ(parse_length("26").error().advice, "Add one of: mm, um, µm, cm, m; as in 26mm.");
  EXPECT_FALSE(parse_length("26mm2"));
}

TEST(ParsePerArea, IsADensity) {
  EXPECT_DOUBLE_EQ(parse_per_area("0.1/cm2")->value, 1000);
  EXPECT_DOUBLE_EQ(parse_per_area("0.001 /mm2")->value, 1000);
  EXPECT_FALSE(parse_per_area("0.1"));
  EXPECT_FALSE(parse_per_area("0.1cm2"));
}

TEST(ParseRates, AreDimensional) {
  EXPECT_DOUBLE_EQ(parse_per_second("300/min")->value, 5);
  EXPECT_DOUBLE_EQ(parse_bytes_per_second("3.35TB/s")->value, 3.35e12);
  EXPECT_DOUBLE_EQ(parse_bytes_per_second("400Gb/s")->value, 5e10);
  EXPECT_DOUBLE_EQ(parse_flop_per_second("500TFLOP/s")->value, 5e14);
  EXPECT_FALSE(parse_bytes_per_second("80GB"));
}

TEST(ParseCount, ReadsModelSizes) {
  EXPECT_DOUBLE_EQ(*parse_count("7e9"), 7e9);
  EXPECT_DOUBLE_EQ(*parse_count("7b"), 7e9);
  EXPECT_DOUBLE_EQ(*parse_count("1,234,567"), 1234567);
  EXPECT_FALSE(parse_count("-7b"));
}

TEST(ParseInteger, IsExactAndWhole) {
  EXPECT_EQ(*parse_integer("9007199254740993"), 9007199254740993);
  EXPECT_EQ(*parse_integer("4k"), 4000);
  EXPECT_EQ(*parse_integer("-1"), -1);
  EXPECT_FALSE(parse_integer("1.5"));
  EXPECT_FALSE(parse_integer("9223372036854775808"));
}

TEST(ParseFraction, IsAShare) {
  EXPECT_DOUBLE_EQ(*parse_fraction("12%"), 0.12);
  EXPECT_DOUBLE_EQ(*parse_fraction("0.12"), 0.12);
  EXPECT_FALSE(parse_fraction("120%"));
}

TEST(FormatValue, ChoosesThePrefixForAReader) {
  EXPECT_EQ(format_bytes(Bytes{14'000'000'000}), "13.04 GiB");
  EXPECT_EQ(format_value(989.4e12, "FLOP/s"), "989.4 TFLOP/s");
  EXPECT_EQ(format_value(0.0041766, "s"), "4.177 ms");
  EXPECT_EQ(format_value(1.415e-5, "s", true), "14.15 us");
  EXPECT_EQ(format_value(0.000814, "m2", true), "814.0 mm2");
  EXPECT_EQ(format_value(2.5, "USD"), "$2.50");
  EXPECT_EQ(format_value(0.1565, "USD"), "$0.157");
  EXPECT_EQ(format_value(0.05, "USD"), "$0.05");
  EXPECT_EQ(format_value(295.17, "FLOP/B"), "295.2 FLOP/B");
  EXPECT_EQ(format_bytes(Bytes{96}), "96 B");
  EXPECT_EQ(format_number(9.99996), "10.00");
  EXPECT_EQ(format_number(0), "0");
}

TEST(DisplayUnit, IsTheUnitThatFormatValueWrites) {
  for (const char* unit : {"B", "s", "FLOP", "FLOP/s", "B/s", "W", "J", "m2", "token/s", "1"})
    for (double value = 1e-10; value < 1e20; value *= 3.7) {
      const DisplayUnit shown = display_unit(value, unit);
      EXPECT_EQ(format_value(value, unit), format_number(value / shown.factor) + (shown.symbol.empty() ? "" : " " + shown.symbol));
    }
  EXPECT_EQ(display_unit(82719476736, "B").symbol, "GiB");
  EXPECT_EQ(display_unit(-3e-3, "s").symbol, "ms");
  EXPECT_EQ(display_unit(1e-5, "s", true).symbol, "us");
}

TEST(NearestNames, FindsWhatWasMeant) {
  const std::vector<std::string> names{"h100-sxm5", "h100-pcie", "a100-sxm4-80gb", "l40s"};
  EXPECT_EQ(nearest_names("h100-sxm", names), "h100-sxm5");
  EXPECT_EQ(nearest_names("zzz", names), "");
}

TEST(Bytes, SaturatesInsteadOfWrapping) {
  EXPECT_EQ(Bytes::max() + Bytes{1}, Bytes::max());
  EXPECT_EQ(Bytes{std::int64_t{1} << 62} * 4, Bytes::max());
  EXPECT_EQ(Bytes::from_double(1e300), Bytes::max());
}

TEST(ParsePrecision, AcceptsTheNamesOfTheField) {
  EXPECT_EQ(*parse_precision("torch.bfloat16"), Precision::kBf16);
  EXPECT_EQ(*parse_precision("FP8"), Precision::kFp8);
  EXPECT_DOUBLE_EQ(bits_with_scales(Precision::kNvFp4), 4.5);
  EXPECT_FALSE(parse_precision("bf17"));
  for (Precision precision : all_precisions()) EXPECT_EQ(*parse_precision(name_of(precision)), precision);
}

}  // namespace
}  // namespace ridge
