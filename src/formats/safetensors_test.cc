#include "formats/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/safetensors_fixture.h"

namespace ridge::formats {
namespace {

using safetensors_fixture::SafetensorsBuilder;
using safetensors_fixture::u64_le;

Result<SafetensorsFile> parse(const std::string& bytes) { return parse_safetensors(bytes, bytes.size(), "m.safetensors"); }
std::string error_of(const std::string& bytes) {
  const Result<SafetensorsFile> file = parse(bytes);
  return file ? "no error" : to_string(file.error());
}
std::string error_of(const SafetensorsBuilder& builder) { return error_of(builder.file()); }

TEST(Safetensors, GivesTensorsInTheOrderOfTheirBytesAndTheMetadata) {
  const SafetensorsBuilder builder = SafetensorsBuilder()
                                         .raw("__metadata__", R"({"format":"pt"})")
                                         .tensor("b", "F32", "[]", 12, 16)
                                         .tensor("a", "BF16", "[2,3]", 0, 12)
                                         .tensor("none", "F16", "[0,4]", 12, 12);
  const Result<SafetensorsFile> file = parse(builder.file());
  ASSERT_TRUE(file) << to_string(file.error());
  ASSERT_EQ(file->tensors.size(), 3u);
  EXPECT_EQ(file->tensors[0].name, "a");
  EXPECT_EQ(file->tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(file->tensors[0].type, SafetensorsType::kBf16);
  EXPECT_EQ(file->tensors[1].name, "none");
  EXPECT_EQ(file->tensors[2].bytes(), 4u);
  EXPECT_EQ(file->metadata, (std::vector<std::pair<std::string, std::string>>{{"format", "pt"}}));
  EXPECT_EQ(file->header_bytes, 8 + builder.header().size());
  EXPECT_EQ(file->data_bytes(), 16u);
}

TEST(Safetensors, KnowsEveryTypeOfTheFormat) {
  // Eight elements of each, bytes as the reference implementation's bitsize() gives them.
  const std::vector<std::pair<std::string, int>> types{{"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
                                                       {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
                                                       {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
                                                       {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64}};
  SafetensorsBuilder builder;
  std::uint64_t at = 0;
  for (const auto& [type, bits] : types) {
    builder.tensor("t." + type, type, "[2,4]", at, at + static_cast<std::uint64_t>(bits));
    at += static_cast<std::uint64_t>(bits);
  }
  const Result<SafetensorsFile> file = parse(builder.file());
  ASSERT_TRUE(file) << to_string(file.error());
  ASSERT_EQ(file->tensors.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(name_of(file->tensors[i].type), types[i].first);
    EXPECT_EQ(bits_of(file->tensors[i].type), types[i].second);
  }
}

TEST(Safetensors, AcceptsAHeaderPaddedWithSpaces) {
  const std::string header = SafetensorsBuilder().tensor("a", "U8", "[1]", 0, 1).header() + "   ";
  EXPECT_EQ(error_of(u64_le(header.size()) + header + "x"), "no error");
}

TEST(Safetensors, RefusesFilesThatAreCutShortOrTooLong) {
  const std::string whole = SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).file();
  EXPECT_EQ(error_of(""), "m.safetensors: the file is empty\n  A safetensors file is expected.");
  EXPECT_EQ(error_of("1234567"),
            "m.safetensors: byte 0: the file ends here: 8 bytes wanted, 7 left\n  The file is cut short or its counts are damaged; fetch it again.");
  EXPECT_EQ(error_of(whole.substr(0, 20)), "m.safetensors: byte 0: the header is said to take 53 bytes, 12 are left\n  The file is cut short; fetch it again.");
  EXPECT_EQ(error_of(whole.substr(0, whole.size() - 1)),
            "m.safetensors: the file is cut short: its tensors end at byte 65, the file at byte 64\n  Fetch it again.");
  EXPECT_EQ(error_of(whole + "yz"), "m.safetensors: 2 bytes follow the last tensor, which ends at byte 65 of 67");
  for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_NE(error_of(whole.substr(0, length)), "no error") << length;
}

TEST(Safetensors, RefusesAHeaderLengthBeyondTheLimitWithoutReadingIt) {
  for (const std::uint64_t length : {std::uint64_t{100'000'001}, std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{0}})
    EXPECT_EQ(error_of(u64_le(length) + "{}"), fmt::format("m.safetensors: byte 0: a header of {} bytes is over the format's limit of 100000000\n"
                                                           "  This is no safetensors file, or it is damaged.",
                                                           length));
}

TEST(Safetensors, RefusesAHeaderThatIsNoObject) {
  EXPECT_EQ(error_of(u64_le(2) + "[]"), "m.safetensors: byte 8: the header does not begin with {\n  This is no safetensors file, or it is damaged.");
  EXPECT_EQ(error_of(u64_le(3) + " {}").substr(0, 36), "m.safetensors: byte 8: the header do");
  EXPECT_NE(error_of(u64_le(2) + "{\"").find("not valid JSON"), std::string::npos);
  EXPECT_NE(error_of(SafetensorsBuilder().tensor("a\xff", "U8", "[1]", 0, 1)).find("UTF-8"), std::string::npos);
  EXPECT_NE(error_of(SafetensorsBuilder().raw("a", std::string(200, '['))).find("nested deeper than 64 levels"), std::string::npos);
}

TEST(Safetensors, RefusesATensorThatStandsTwice) {
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "U8", "[1]", 0, 1).tensor("a", "U8", "[1]", 1, 2)),
            "m.safetensors: a: the key \"a\" stands twice in one object");
}

TEST(Safetensors, RefusesHolesAndOverlaps) {
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).tensor("b", "U8", "[4]", 8, 12)),
            "m.safetensors: b: bytes 4 to 8 of the data belong to no tensor");
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).tensor("b", "U8", "[4]", 2, 6)),
            "m.safetensors: b: the tensor begins at byte 2 of the data, where another still lies (until byte 4)");
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "U8", "[4]", 4, 8)), "m.safetensors: a: bytes 0 to 4 of the data belong to no tensor");
}

TEST(Safetensors, RefusesATensorWhoseShapeAndOffsetsDisagree) {
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "BF16", "[3]", 0, 5)), "m.safetensors: a: the shape in BF16 takes 6 bytes, the offsets span 5");
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "F4", "[3]", 0, 1)), "m.safetensors: a: 3 elements of F4 do not fill whole bytes");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":[1],"data_offsets":[4,3]})")),
            "m.safetensors: a.data_offsets: the tensor ends at byte 3, before it begins at 4");
}

TEST(Safetensors, RefusesShapesWhoseProductOverflows) {
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "U8", "[4294967296,4294967296]", 0, 0)),
            "m.safetensors: a: elements of the shape: 4294967296 × 4294967296 is more than 64 bits hold");
  EXPECT_EQ(error_of(SafetensorsBuilder().tensor("a", "F64", "[4611686018427387904]", 0, 0)),
            "m.safetensors: a: bits of the tensor: 4611686018427387904 × 64 is more than 64 bits hold");
}

TEST(Safetensors, RefusesFieldsOfTheWrongTypeWithTheirPlace) {
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", "7")), "m.safetensors: a: an object with dtype, shape and data_offsets is expected, found a whole number");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":[-1],"data_offsets":[0,0]})")).substr(0, 27), "m.safetensors: a.shape[0]: ");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":[1.5],"data_offsets":[0,0]})")),
            "m.safetensors: a.shape[0]: a whole number is expected, found 1.5");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":1,"data_offsets":[0,0]})")),
            "m.safetensors: a.shape: a list of sizes is expected, found a whole number");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":[1],"data_offsets":[0]})")),
            "m.safetensors: a.data_offsets: a list of two byte offsets, begin and end, is expected");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":[1]})")), "m.safetensors: a: the key \"data_offsets\" is missing");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"Q4","shape":[1],"data_offsets":[0,1]})")).substr(0, 57),
            "m.safetensors: a.dtype: \"Q4\" is no type of the format\n  T");
  EXPECT_EQ(error_of(SafetensorsBuilder().raw("__metadata__", R"({"a":1})")), "m.safetensors: __metadata__.a: text is expected, found a whole number");
  EXPECT_NE(error_of(SafetensorsBuilder().raw("a", R"({"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,1]})")), "no error");
}

TEST(Safetensors, ReadsOnlyTheHeaderOfAFile) {
  // A file system that refuses to hand out weights.
  class HeaderOnly final : public FileSystem {
   public:
    std::string header;
    std::uint64_t bytes = 0;
    Kind kind(const std::string&) const override { return Kind::kFile; }
    Result<std::uint64_t> size(const std::string&) const override { return bytes; }
    Result<std::string> read(const std::string& path, std::uint64_t offset, std::uint64_t length) const override {
      if (offset + length > header.size() && length != 64) return fail(path, "the weights were read");
      return header.substr(offset, length);
    }
    Result<std::vector<std::string>> list(const std::string&) const override { return std::vector<std::string>(); }
  } files;
  const std::string json = SafetensorsBuilder().tensor("a", "BF16", "[1000000,1000]", 0, 0).header();
  const std::string patched = json.substr(0, json.find("[0,0]")) + "[0,2000000000]}}";
  files.header = u64_le(patched.size()) + patched;
  files.bytes = files.header.size() + 2'000'000'000;
  const Result<SafetensorsFile> file = read_safetensors(files, "m.safetensors");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->data_bytes(), 2'000'000'000u);
}

TEST(Safetensors, SaysThatAGitLfsPointerIsNotTheFile) {
  MemoryFileSystem files;
  files.files["m.safetensors"] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4976698672\n";
  EXPECT_EQ(to_string(read_safetensors(files, "m.safetensors").error()),
            "m.safetensors: a Git LFS pointer stands in place of the file\n  Fetch the file itself: git lfs pull.");
}

TEST(Safetensors, SaysThatAFolderOrAMissingFileIsNone) {
  MemoryFileSystem files;
  files.files["d/x"] = "";
  EXPECT_EQ(to_string(read_safetensors(files, "d").error()), "d: this is a folder, a file is expected");
  EXPECT_EQ(to_string(read_safetensors(files, "absent").error()), "absent: there is no such file\n  Check the path.");
}

const char* const kIndex = R"({"metadata":{"total_size":6},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}})";

TEST(SafetensorsFolder, JoinsTheShardsOfAnIndex) {
  MemoryFileSystem files;
  files.files["m/model.safetensors.index.json"] = kIndex;
  files.files["m/model-00001-of-00002.safetensors"] = SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).file();
  files.files["m/model-00002-of-00002.safetensors"] = SafetensorsBuilder().tensor("b", "U8", "[2]", 0, 2).file();
  const auto found = find_safetensors(files, "m");
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_TRUE(found->has_value());
  EXPECT_TRUE((*found)->complete());
  EXPECT_EQ((*found)->data_bytes, 6u);
  EXPECT_EQ((*found)->index->total_size, 6u);
  EXPECT_TRUE((*found)->not_in_shards.empty());
  EXPECT_TRUE((*found)->not_in_index.empty());
}

TEST(SafetensorsFolder, SaysWhichShardIsAbsentAndWhatIndexAndShardsDisagreeOn) {
  MemoryFileSystem files;
  files.files["m/model.safetensors.index.json"] = kIndex;
  files.files["m/model-00001-of-00002.safetensors"] = SafetensorsBuilder().tensor("c", "U8", "[4]", 0, 4).file();
  const auto found = find_safetensors(files, "m");
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_FALSE((*found)->complete());
  EXPECT_EQ((*found)->shards[1].absence, "there is no such file");
  EXPECT_EQ((*found)->not_in_shards, std::vector<std::string>{"a"});
  EXPECT_EQ((*found)->not_in_index, std::vector<std::string>{"c"});
}

TEST(SafetensorsFolder, FindsNumberedShardsWithoutAnIndex) {
  MemoryFileSystem files;
  files.files["m/model-00001-of-00002.safetensors"] = SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).file();
  files.files["m/model-00002-of-00002.safetensors"] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4976698672\n";
  const auto found = find_safetensors(files, "m");
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_EQ((*found)->shards.size(), 2u);
  EXPECT_EQ((*found)->shards[1].absence, "a Git LFS pointer stands in its place");
}

TEST(SafetensorsFolder, TakesTheWholeFileBeforeTheIndexAndNothingWhereThereIsNone) {
  MemoryFileSystem files;
  files.files["m/model.safetensors.index.json"] = kIndex;
  files.files["m/model.safetensors"] = SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).file();
  const auto found = find_safetensors(files, "m");
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_FALSE((*found)->index);
  EXPECT_EQ((*found)->data_bytes, 4u);
  files.files = {{"n/config.json", "{}"}};
  EXPECT_FALSE(find_safetensors(files, "n")->has_value());
}

TEST(SafetensorsFolder, RefusesATensorInTwoShards) {
  MemoryFileSystem files;
  files.files["m/model-00001-of-00002.safetensors"] = SafetensorsBuilder().tensor("a", "U8", "[4]", 0, 4).file();
  files.files["m/model-00002-of-00002.safetensors"] = files.files["m/model-00001-of-00002.safetensors"];
  EXPECT_EQ(to_string(find_safetensors(files, "m").error()),
            "m/model-00002-of-00002.safetensors: a: the tensor stands in model-00001-of-00002.safetensors as well");
}

TEST(SafetensorsIndex, RefusesShardsOutsideItsFolder) {
  for (const char* shard : {"../secret", "/etc/passwd", "a/b", "..", ""}) {
    MemoryFileSystem files;
    files.files["i.json"] = fmt::format(R"({{"weight_map":{{"a":"{}"}}}})", shard);
    EXPECT_EQ(to_string(read_safetensors_index(files, "i.json").error()),
              fmt::format("i.json: weight_map.a: \"{}\" is no plain file name\n  The shards of an index lie in its own folder.", shard));
  }
}

TEST(SafetensorsIndex, RefusesWhatIsNoIndex) {
  MemoryFileSystem files;
  files.files = {{"a", "{}"}, {"b", R"({"weight_map":[]})"}, {"c", R"({"metadata":{"total_size":-1},"weight_map":{}})"}, {"d", ""}};
  EXPECT_EQ(to_string(read_safetensors_index(files, "a").error()), "a: the key \"weight_map\" is missing");
  EXPECT_EQ(to_string(read_safetensors_index(files, "b").error()), "b: weight_map: an object from tensor to file is expected, found a list");
  EXPECT_FALSE(read_safetensors_index(files, "c"));
  EXPECT_FALSE(read_safetensors_index(files, "d"));
}

}  // namespace
}  // namespace ridge::formats
