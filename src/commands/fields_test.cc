#include "commands/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::commands {
namespace {

using ::testing::ElementsAre;

struct Sample {
  std::string model;
  std::vector<std::string> gpus;
  std::vector<std::int64_t> batch{1, 8};
  std::optional<Seconds> ttft;
  Seconds window{0.05};
  Bytes reserve{2 * kGiB};
  PerSecond rate{5};
  Fraction utilization{0.9};
  std::int64_t top = 10;
  Precision dtype = Precision::kBf16;
  std::string phase = "decode";
  bool ideal = false;
};

std::vector<FieldSpec> sample_fields() {
  Fields<Sample> f;
  f.positional("model", &Sample::model, "MODEL", "the network").required().type("model");
  f.section("Hardware");
  f.option("gpu", &Sample::gpus, "GPU", "the part").type("gpu");
  f.option("batch", &Sample::batch, "N", "requests in a step");
  f.section("Latency");
  f.option("ttft", &Sample::ttft, "TIME", "promise");
  f.option("window", &Sample::window, "TIME", "window");
  f.option("reserve", &Sample::reserve, "SIZE", "kept free");
  f.option("rate", &Sample::rate, "RATE", "requests");
  f.option("utilization", &Sample::utilization, "SHARE", "of memory");
  f.option("top", &Sample::top, "N", "rows").default_text("all");
  f.option("dtype", &Sample::dtype, "DTYPE", "format");
  f.option("phase", &Sample::phase, "PHASE", "which").choices({"decode", "prefill"});
  f.flag("ideal", &Sample::ideal, "the bound");
  return f.take();
}

const FieldSpec& named(const std::vector<FieldSpec>& fields, std::string_view name) {
  return *std::find_if(fields.begin(), fields.end(), [name](const FieldSpec& field) { return field.name == name; });
}

std::string error_of(const Arguments& arguments) {
  Sample sample;
  const Result<void> filled = commands::fill(sample_fields(), arguments, &sample);
  return filled ? "no error" : to_string(filled.error());
}

TEST(Fields, FillTheRequest) {
  Sample sample;
  ASSERT_TRUE(
      commands::fill(sample_fields(), {{"model", {"7e9"}}, {"batch", {"1,8", "64"}}, {"ttft", {"500ms"}}, {"ideal", {}}, {"phase", {"prefill"}}}, &sample));
  EXPECT_EQ(sample.model, "7e9");
  EXPECT_THAT(sample.batch, ElementsAre(1, 8, 64));
  EXPECT_EQ(sample.ttft, Seconds{0.5});
  EXPECT_TRUE(sample.ideal);
  EXPECT_EQ(sample.phase, "prefill");
}

TEST(Fields, KeepAnInlineDescriptionWhole) {
  Sample sample;
  ASSERT_TRUE(commands::fill(sample_fields(), {{"model", {"params=7e9,layers=32"}}, {"gpu", {"l4,peak=500TFLOP/s,bandwidth=2TB/s,a10g"}}}, &sample));
  EXPECT_EQ(sample.model, "params=7e9,layers=32");
  EXPECT_THAT(sample.gpus, ElementsAre("l4", "peak=500TFLOP/s,bandwidth=2TB/s", "a10g"));
}

TEST(Fields, ShowTheirDefaultAsItWouldBeTyped) {
  const std::vector<FieldSpec> fields = sample_fields();
  const auto text = [&fields](std::string_view name) { return named(fields, name).default_text; };
  EXPECT_EQ(text("model"), "");
  EXPECT_EQ(text("batch"), "1,8");
  EXPECT_EQ(text("ttft"), "");
  EXPECT_EQ(text("window"), "50ms");
  EXPECT_EQ(text("reserve"), "2GiB");
  EXPECT_EQ(text("rate"), "5/s");
  EXPECT_EQ(text("utilization"), "0.9");
  EXPECT_EQ(text("top"), "all");
  EXPECT_EQ(text("dtype"), "bf16");
  EXPECT_EQ(text("phase"), "decode");
  EXPECT_EQ(text("ideal"), "");
}

TEST(Fields, ReadTheirOwnDefaultBack) {
  for (const FieldSpec& field : sample_fields()) {
    if (field.default_text.empty() || field.name == "top") continue;
    Sample sample;
    const report::Cell before = field.echo(&sample);
    ASSERT_TRUE(commands::fill(sample_fields(), {{"model", {"7e9"}}, {field.name, {field.default_text}}}, &sample)) << field.name;
    EXPECT_EQ(field.echo(&sample), before) << field.name << " reads " << field.default_text << " as another value";
  }
}

TEST(Fields, KnowTheirSection) {
  const std::vector<FieldSpec> fields = sample_fields();
  EXPECT_EQ(named(fields, "model").section, "");
  EXPECT_EQ(named(fields, "gpu").section, "Hardware");
  EXPECT_EQ(named(fields, "ideal").section, "Latency");
}

TEST(Fields, WriteExactValues) {
  using detail::typed_text;
  EXPECT_EQ(typed_text(0.0, "B"), "0B");
  EXPECT_EQ(typed_text(80e9, "B"), "80GB");
  EXPECT_EQ(typed_text(3600.0, "s"), "1h");
  EXPECT_EQ(typed_text(1.5, "s"), "1500ms");
  EXPECT_EQ(typed_text(3.35e12, "B/s"), "3350GB/s");
  EXPECT_EQ(typed_text(0.000814, "m2"), "814mm2");
  EXPECT_EQ(typed_text(1e6, "1"), "1000000");
  EXPECT_EQ(typed_text(report::Cell{}, "s"), "");
}

TEST(Fields, RefuseWhatIsNotDescribed) {
  EXPECT_EQ(error_of({}), "MODEL is missing: the network\n  See --help for examples.");
  EXPECT_EQ(error_of({{"model", {"a"}}, {"bacth", {"1"}}}), "--bacth: there is no such option\n  Did you mean --batch?");
  EXPECT_EQ(error_of({{"model", {"a"}}, {"top", {"1", "2"}}}), "--top: given twice\n  Give it once.");
  EXPECT_EQ(error_of({{"model", {"a"}}, {"batch", {"1"}}, {"batch", {"2"}}}), "--batch: given twice\n  Give it once.");
  EXPECT_EQ(error_of({{"model", {"a"}}, {"phase", {"train"}}}), "--phase: \"train\" is not one of its values\n  Use one of: decode, prefill.");
  EXPECT_EQ(error_of({{"model", {"a"}}, {"top", {}}}), "--top: a value is missing\n  See --help.");
}

TEST(Fields, EchoTheEffectiveRequest) {
  Sample sample;
  const std::vector<FieldSpec> fields = sample_fields();
  ASSERT_TRUE(commands::fill(fields, {{"model", {"7e9"}}}, &sample));
  std::vector<std::string> names;
  for (const auto& [name, value] : echo(fields, &sample)) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("model", "batch", "window", "reserve", "rate", "utilization", "top", "dtype", "phase"));
}

}  // namespace
}  // namespace ridge::commands
