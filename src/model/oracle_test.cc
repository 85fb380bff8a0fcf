// Published counts and sizes against sums of shapes: tests/oracles/parameters.csv, for the catalogue's models everywhere
// and for the facts folder's configs where it is.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "formats/csv.h"
#include "model/model.h"
#include "quantity/text.h"

namespace ridge::model {
namespace {

const formats::DiskFileSystem kDisk;

struct OracleRow {
  std::string model, config, total, active, bytes, elements;
};

std::vector<OracleRow> oracle() {
  const std::string path = std::string(RIDGE_SOURCE_DIR) + "/tests/oracles/parameters.csv";
  const auto text = kDisk.read_all(path, 1 << 20);
  EXPECT_TRUE(text);
  const auto table = formats::read_csv(*text, path);
  EXPECT_TRUE(table) << to_string(table.error());
  std::vector<OracleRow> rows;
  for (const auto& r : table->rows) rows.push_back({r[0], r[1], r[2], r[3], r[4], r[5]});
  return rows;
}

// One unit of the last digit that is printed; zeros before the suffix count from the second digit on ("400B" is 40 × 10).
// Exact numbers have none.
double printed_unit(std::string_view printed) {
  const std::size_t suffix = printed.find_first_of("kMBT");
  if (suffix == std::string_view::npos) return 0;
  const std::string_view digits = printed.substr(0, suffix);
  const double unit = *parse_count("1" + std::string(printed.substr(suffix)));
  if (const std::size_t point = digits.find('.'); point != std::string_view::npos)
    return unit * std::pow(10.0, -static_cast<double>(digits.size() - point - 1));
  if (digits.size() == 1) return 0.1 * unit;
  std::size_t zeros = 0;
  while (zeros + 2 < digits.size() && digits[digits.size() - 1 - zeros] == '0') ++zeros;
  return unit * std::pow(10.0, static_cast<double>(zeros));
}

// Cards round to the last digit, and some cut off behind it (Llama 3.2 1B: 1.2358e9 is printed as 1.23B).
void expect_printed(const std::string& printed, std::int64_t value, const char* what) {
  if (printed.empty()) return;
  const double number = *parse_count(printed);
  const double unit = printed_unit(printed);
  EXPECT_GE(static_cast<double>(value), number - unit / 2) << what << " " << printed;
  EXPECT_LE(static_cast<double>(value), number + unit) << what << " " << printed;
}

std::int64_t pieces(std::int64_t extent, std::int64_t tile) { return tile <= 0 ? 1 : (extent + tile - 1) / tile; }

// Numbers that the checkpoint stores: elements and scales.
std::int64_t stored_elements(const Model& model) {
  std::int64_t sum = 0;
  const auto add = [&](const Tensor& t, std::int64_t times) {
    sum += t.elements() * times;
    if (t.storage.scale_bits > 0) sum += pieces(t.rows, t.storage.tile_rows) * pieces(t.columns, t.storage.tile_columns) * t.copies * times;
  };
  const auto add_stack = [&](const Stack& stack) {
    for (std::size_t i = 0; i < stack.blocks.size(); ++i)
      for (const Tensor& t : stack.blocks[i].tensors) add(t, stack.count_of(i));
    for (const Tensor& t : stack.tensors) add(t, 1);
  };
  add_stack(model.text);
  for (const std::optional<Stack>* stack : {&model.encoder, &model.vision, &model.mtp})
    if (*stack) add_stack(**stack);
  return sum;
}

void check_row(const OracleRow& row, const std::string& from) {
  SCOPED_TRACE(from);
  const auto model = load(from, kDisk);
  ASSERT_TRUE(model) << to_string(model.error());
  const auto p = parameters(*model);
  ASSERT_TRUE(p) << to_string(p.error());
  expect_printed(row.total, p->total, "total");
  expect_printed(row.active, p->active, "active");
  if (!row.bytes.empty()) {
    EXPECT_EQ(checkpoint_bytes(*model)->count, std::stoll(row.bytes));
  }
  if (!row.elements.empty()) {
    EXPECT_EQ(stored_elements(*model), std::stoll(row.elements));
  }
  EXPECT_EQ(p->total, p->embedding + p->head + p->attention + p->dense_mlp + p->routed_experts + p->shared_experts + p->router + p->norms +
                          p->linear_attention + p->encoder + p->vision + p->other)
      << "the parts add up to the total";
}

TEST(ParameterOracle, HoldsForTheModelsOfTheCatalogue) {
  int seen = 0;
  for (const OracleRow& row : oracle()) {
    check_row(row, row.model);
    ++seen;
  }
  EXPECT_GT(seen, 40);
}

TEST(ParameterOracle, HoldsForTheConfigsOfTheFactsFolder) {
  const std::string folder = std::string(RIDGE_SHARED_DIR) + "/facts/models/";
  if (std::string(RIDGE_SHARED_DIR).empty() || !std::filesystem::exists(folder)) GTEST_SKIP() << "the folder of facts is not there (RIDGE_SHARED)";
  for (const OracleRow& row : oracle())
    if (!row.config.empty()) check_row(row, folder + row.config);
}

// A row of the catalogue carries the fields that matter, and no others: it must say the same as the config it was taken from.
TEST(Catalogue, AgreesWithTheConfigsOfTheFactsFolder) {
  const std::string folder = std::string(RIDGE_SHARED_DIR) + "/facts/models/";
  if (std::string(RIDGE_SHARED_DIR).empty() || !std::filesystem::exists(folder)) GTEST_SKIP() << "the folder of facts is not there (RIDGE_SHARED)";
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string id = entry.path().stem().string();
    const std::size_t split = id.find("__");
    if (entry.path().extension() != ".json" || split == std::string::npos) continue;
    id.replace(split, 2, "/");
    const auto row = load(id, kDisk);
    if (!row) continue;
    SCOPED_TRACE(id);
    const auto config = load(entry.path().string(), kDisk);
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_EQ(parameters(*row)->total, parameters(*config)->total);
    EXPECT_EQ(parameters(*row)->active, parameters(*config)->active);
    EXPECT_EQ(parameters(*row)->mtp, parameters(*config)->mtp);
    EXPECT_EQ(checkpoint_bytes(*row)->count, checkpoint_bytes(*config)->count);
    if (config->max_context) {
      EXPECT_EQ(row->max_context, config->max_context);
    }
    EXPECT_EQ(row->kv_cache, config->kv_cache);
    EXPECT_EQ(row->text.sequence, config->text.sequence);
    for (std::size_t i = 0; i < row->text.blocks.size(); ++i) EXPECT_EQ(row->text.blocks[i].attention, config->text.blocks[i].attention) << "block " << i;
    ++compared;
  }
  EXPECT_GE(compared, 60);
}

TEST(FactsFolder, LoadsWholeOrSaysWhyNot) {
  const std::string folder = std::string(RIDGE_SHARED_DIR) + "/facts/models";
  if (std::string(RIDGE_SHARED_DIR).empty() || !std::filesystem::exists(folder)) GTEST_SKIP() << "the folder of facts is not there (RIDGE_SHARED)";
  int loaded = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string();
    SCOPED_TRACE(path);
    const auto model = load(path, kDisk);
    if (path.find("albert") != std::string::npos) {
      ASSERT_FALSE(model);
      EXPECT_EQ(model.error().what, "model_type \"albert\" is an encoder: it reads text and generates none, so it has no decoding to size");
      continue;
    }
    ASSERT_TRUE(model) << to_string(model.error());
    EXPECT_TRUE(model->shapes_known());
    EXPECT_GT(parameters(*model)->total, 0);
    EXPECT_GT(checkpoint_bytes(*model)->count, 0);
    EXPECT_EQ(model->text.layers(), *model->layers);
    for (const std::string& note : model->notes)
      EXPECT_EQ(note.find("not known: read as"), std::string::npos) << "a family of the facts has no reader of its own";
    ++loaded;
  }
  EXPECT_GE(loaded, 100);
}

}  // namespace
}  // namespace ridge::model
