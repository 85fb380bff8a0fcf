#include "formats/rows.h"

#include <gtest/gtest.h>

#include "formats/sources.h"

namespace ridge::formats {
namespace {

enum class Colour : std::uint8_t { kRed, kGreen };
constexpr Named<Colour> kColours[] = {{"red", Colour::kRed}, {"green", Colour::kGreen}};
constexpr std::span<const Named<Colour>> names_of(Colour) { return kColours; }

struct Wheel {
  std::optional<double> radius;
  std::span<const int> spokes;
};
template <class V>
void describe(V& v, Wheel& wheel) {
  v.optional("radius", wheel.radius);
  v.optional("spokes", wheel.spokes);
}
Result<void> check(const Wheel& wheel, const NodeRef& at) {
  if (wheel.radius && *wheel.radius < 0) return at.error("a wheel has a negative radius");
  return {};
}

struct Car {
  std::string_view id;
  Colour colour = Colour::kGreen;
  std::optional<Precision> dtype;
  bool fast = false;
  std::span<const Wheel> wheels;
  std::span<const std::string_view> source;
};
template <class V>
void describe(V& v, Car& car) {
  v.key("id", car.id, "cars");
  v.required("colour", car.colour);
  v.optional("dtype", car.dtype);
  v.optional("fast", car.fast);
  v.optional("wheels", car.wheels);
  v.reference("source", car.source, "sources");
}

struct Garage {
  std::span<const SourceRow> sources;
  std::span<const Car> cars;
};
template <class V>
void describe(V& v, Garage& garage) {
  v.optional("sources", garage.sources);
  v.optional("cars", garage.cars);
}

struct Reading {
  Arena arena;
  Result<Garage> garage;
};

Reading read(std::string_view yaml) {
  Reading reading;
  auto node = read_yaml(yaml, "cars.yaml");
  if (!node) {
    reading.garage = tl::unexpected<Error>(node.error());
    return reading;
  }
  RowContext context(reading.arena);
  reading.garage = read_row<Garage>(NodeRef(*node, "cars.yaml"), context);
  if (reading.garage)
    if (auto resolved = context.resolve(); !resolved) reading.garage = tl::unexpected<Error>(resolved.error());
  return reading;
}

std::string error_of(std::string_view yaml) {
  const Reading reading = read(yaml);
  return reading.garage ? "no error" : to_string(reading.garage.error());
}

const std::string kSources = "sources:\n- {id: maker, title: The maker, tier: official}\n";

TEST(Rows, AreFilledFromAMapWithNestedRowsAndEnums) {
  const Reading reading =
      read(kSources + "cars:\n- {id: mini, colour: red, dtype: bf16, fast: true, wheels: [{radius: 0.3}, {spokes: [3, 4]}], source: maker}\n");
  ASSERT_TRUE(reading.garage) << to_string(reading.garage.error());
  const Car& car = reading.garage->cars[0];
  EXPECT_EQ(car.id, "mini");
  EXPECT_EQ(car.colour, Colour::kRed);
  EXPECT_EQ(car.dtype, Precision::kBf16);
  EXPECT_TRUE(car.fast);
  ASSERT_EQ(car.wheels.size(), 2u);
  EXPECT_EQ(car.wheels[0].radius, 0.3);
  EXPECT_EQ(car.wheels[1].radius, std::nullopt);
  EXPECT_EQ(car.wheels[1].spokes[1], 4);
  ASSERT_EQ(car.source.size(), 1u) << "a lone text is a list of one";
  EXPECT_EQ(reading.garage->sources[0].tier, Tier::kOfficial);
}

TEST(Rows, NameTheRecordAndTheLineOfAnUnknownKey) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, color: red, source: maker}\n"),
            "cars.yaml:4: cars[0].color: in \"mini\": the key \"color\" is unknown\n  Did you mean colour?");
}
TEST(Rows, NameTheRecordOfAMissingKey) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, source: maker}\n"), "cars.yaml:4: cars[0]: in \"mini\": the key \"colour\" is missing");
}
TEST(Rows, ListTheValuesOfAnEnum) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, colour: blue, source: maker}\n"),
            "cars.yaml:4: cars[0].colour: in \"mini\": \"blue\" is not one of its values\n  Known: red, green.");
}
TEST(Rows, RefuseASourceThatDoesNotExist) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, colour: red, source: makr}\n"),
            "cars.yaml:4: cars[0].source: in \"mini\": \"makr\" is not in \"sources\"\n  Did you mean maker?");
}
TEST(Rows, RefuseAnIdThatStandsTwice) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, colour: red, source: maker}\n- {id: mini, colour: red, source: maker}\n"),
            "cars.yaml:5: cars[1].id: in \"mini\": \"mini\" is defined twice in \"cars\"\n  First at cars.yaml:4: cars[0].id.");
}
TEST(Rows, PassOnWhatTheCheckOfARowFinds) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, colour: red, wheels: [{radius: -1}], source: maker}\n"),
            "cars.yaml:4: cars[0].wheels[0]: in \"mini\": a wheel has a negative radius");
}
TEST(Rows, RefuseTheWrongType) {
  EXPECT_EQ(error_of(kSources + "cars:\n- {id: mini, colour: red, fast: 1, source: maker}\n"),
            "cars.yaml:4: cars[0].fast: in \"mini\": true or false is expected, found a whole number");
  EXPECT_EQ(error_of("cars: 4\n"), "cars.yaml:1: cars: a list is expected, found a whole number");
  EXPECT_EQ(error_of("- a\n"), "cars.yaml:1: a map is expected, found a list");
}

}  // namespace
}  // namespace ridge::formats
