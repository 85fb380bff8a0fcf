#include "formats/gguf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "formats/gguf_fixture.h"

namespace ridge::formats {
namespace {

using namespace gguf_fixture;  // NOLINT: the words of the format

Result<GgufFile> parse(const std::string& bytes) { return parse_gguf(bytes, bytes.size(), "m.gguf"); }
std::string error_of(const std::string& bytes) {
  const Result<GgufFile> file = parse(bytes);
  return file ? "no error" : to_string(file.error());
}
std::string error_of(const GgufBuilder& builder) { return error_of(builder.file()); }

TEST(Gguf, GivesMetadataAndTensors) {
  for (const std::uint32_t version : {2u, 3u}) {
    const Result<GgufFile> file = parse(GgufBuilder()
                                            .version(version)
                                            .key("general.architecture", kText, text("llama"))
                                            .number("llama.block_count", 32)
                                            .tensor("blk.0.attn_q.weight", {256, 4}, 12, 0, 4 * 144)
                                            .tensor("output_norm.weight", {3}, 0, 576, 12)
                                            .file());
    ASSERT_TRUE(file) << to_string(file.error());
    EXPECT_EQ(file->version, version);
    EXPECT_EQ(file->find("general.architecture")->text, "llama");
    EXPECT_EQ(file->find("llama.block_count")->integer, 32);
    EXPECT_EQ(file->find("absent"), nullptr);
    ASSERT_EQ(file->tensors.size(), 2u);
    EXPECT_EQ(file->tensors[0].sizes, (std::vector<std::int64_t>{256, 4}));
    EXPECT_EQ(file->tensors[0].type->name, "Q4_K");
    EXPECT_EQ(file->tensors[0].bytes, 576u);
    EXPECT_EQ(file->tensors[0].elements, 1024u);
    EXPECT_EQ(file->tensors[1].bytes, 12u);
    EXPECT_EQ(file->data_offset % 32, 0u);
    EXPECT_EQ(file->tensor_bytes(), 588u);
  }
}

TEST(Gguf, ReadsEveryTypeOfValue) {
  const Result<GgufFile> file = parse(GgufBuilder()
                                          .key("u8", kU8, le(200, 1))
                                          .key("i8", kI8, le(0xFE, 1))
                                          .key("u16", kU16, le(60'000, 2))
                                          .key("i16", kI16, le(0xFFFE, 2))
                                          .key("u32", kU32, u32(4'000'000'000))
                                          .key("i32", kI32, u32(0xFFFFFFFE))
                                          .key("f32", kF32, u32(std::bit_cast<std::uint32_t>(1.5f)))
                                          .key("yes", kBool, le(1, 1))
                                          .key("text", kText, text("h\xC3\xA9"))
                                          .key("u64", kU64, u64(~std::uint64_t{0}))
                                          .key("i64", kI64, u64(~std::uint64_t{1}))
                                          .key("f64", kF64, u64(std::bit_cast<std::uint64_t>(-2.25)))
                                          .key("heads", kArray, u32(kU32) + u64(2) + u32(32) + u32(8))
                                          .key("nested", kArray, u32(kArray) + u64(1) + u32(kText) + u64(2) + text("a") + text("b"))
                                          .file());
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->find("u8")->integer, 200);
  EXPECT_EQ(file->find("i8")->integer, -2);
  EXPECT_EQ(file->find("u16")->integer, 60'000);
  EXPECT_EQ(file->find("i16")->integer, -2);
  EXPECT_EQ(file->find("u32")->integer, 4'000'000'000);
  EXPECT_EQ(file->find("i32")->integer, -2);
  EXPECT_EQ(file->find("f32")->real, 1.5);
  EXPECT_TRUE(file->find("yes")->boolean);
  EXPECT_EQ(file->find("text")->text, "h\xC3\xA9");
  EXPECT_EQ(file->find("u64")->natural, ~std::uint64_t{0});
  EXPECT_FALSE(file->find("u64")->is_whole()) << "more than a signed number holds";
  EXPECT_EQ(file->find("i64")->integer, -2);
  EXPECT_EQ(file->find("f64")->real, -2.25);
  EXPECT_EQ(file->find("heads")->elements[1].integer, 8);
  EXPECT_EQ(file->find("nested")->elements[0].elements[1].text, "b");
}

TEST(Gguf, CountsLongArraysWithoutKeepingThem) {
  std::string tokens = u32(kText) + u64(kMaxGgufKept + 1), scores = u32(kF32) + u64(kMaxGgufKept + 1);
  for (std::uint64_t i = 0; i <= kMaxGgufKept; ++i) tokens += text(fmt::format("t{}", i));
  scores += std::string(4 * (kMaxGgufKept + 1), '\0');
  const Result<GgufFile> file =
      parse(GgufBuilder().key("tokenizer.ggml.tokens", kArray, tokens).key("tokenizer.ggml.scores", kArray, scores).number("after", 7).file());
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->find("tokenizer.ggml.tokens")->count, kMaxGgufKept + 1);
  EXPECT_TRUE(file->find("tokenizer.ggml.tokens")->elements.empty());
  EXPECT_EQ(file->find("after")->integer, 7);
}

TEST(GgmlTypes, HaveTheBitsThatTheirNamesPromise) {
  // Bits per weight as llama.cpp's quantize tool and README print them.
  const std::vector<std::pair<std::string_view, double>> published{
      {"Q4_0", 4.5},     {"Q4_1", 5.0},     {"Q5_0", 5.5},    {"Q5_1", 6.0},       {"Q8_0", 8.5},      {"Q2_K", 2.625},   {"Q3_K", 3.4375},
      {"Q4_K", 4.5},     {"Q5_K", 5.5},     {"Q6_K", 6.5625}, {"IQ2_XXS", 2.0625}, {"IQ2_XS", 2.3125}, {"IQ2_S", 2.5625}, {"IQ3_XXS", 3.0625},
      {"IQ3_S", 3.4375}, {"IQ1_S", 1.5625}, {"IQ1_M", 1.75},  {"IQ4_NL", 4.5},     {"IQ4_XS", 4.25},   {"TQ1_0", 1.6875}, {"TQ2_0", 2.0625},
      {"MXFP4", 4.25},   {"NVFP4", 4.5},    {"Q1_0", 1.125},  {"Q2_0", 2.25},      {"F32", 32},        {"BF16", 16}};
  for (const auto& [name, bits] : published) {
    const auto row = std::ranges::find(ggml_types(), name, &GgmlType::name);
    ASSERT_NE(row, ggml_types().end()) << name;
    EXPECT_EQ(row->bits(), bits) << name;
  }
}

TEST(GgmlTypes, AreSortedByTheirNumber) {
  EXPECT_TRUE(std::ranges::is_sorted(ggml_types(), {}, &GgmlType::id));
  for (const GgmlType& type : ggml_types()) EXPECT_EQ(find_ggml_type(type.id), &type);
  for (const std::uint32_t removed : {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u, 43u, 4'000'000'000u}) EXPECT_EQ(find_ggml_type(removed), nullptr);
}

TEST(Gguf, RefusesOtherVersionsAndByteOrders) {
  EXPECT_EQ(error_of(GgufBuilder().version(1)), "m.gguf: byte 4: GGUF version 1 is not read, versions 2 and 3 are\n  Convert it with a llama.cpp of today.");
  EXPECT_EQ(error_of(GgufBuilder().version(0x03000000)),
            "m.gguf: byte 4: this GGUF file is big-endian, little-endian ones are read\n  Convert it: gguf_convert_endian.py FILE little.");
  EXPECT_EQ(error_of(GgufBuilder().version(4)), "m.gguf: byte 4: GGUF version 4 is not known, versions 2 and 3 are");
  EXPECT_EQ(error_of("PK\x03\x04"), "m.gguf: byte 0: this is not a GGUF file");
  EXPECT_EQ(error_of(""), "m.gguf: the file is empty\n  A GGUF file is expected.");
}

TEST(Gguf, RefusesAFileThatIsCutShortAnywhere) {
  const std::string whole = GgufBuilder().key("general.name", kText, text("x")).tensor("a", {64}, 0, 0, 256).file();
  ASSERT_EQ(error_of(whole), "no error");
  for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_NE(error_of(whole.substr(0, length)), "no error") << length;
  EXPECT_EQ(
      error_of(whole.substr(0, whole.size() - 1)),
      "m.gguf: tensor a: the tensor ends 256 bytes into the data, which begin at byte 96 of a file of 351 bytes\n  The file is cut short; fetch it again.");
}

TEST(Gguf, RefusesCountsAndLengthsBeyondTheFile) {
  for (const std::uint64_t huge : {std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    EXPECT_EQ(error_of("GGUF" + u32(3) + u64(huge) + u64(0)), fmt::format("m.gguf: byte 8: {} tensors are said to follow, but only 8 bytes do", huge));
    EXPECT_EQ(error_of("GGUF" + u32(3) + u64(0) + u64(huge)), fmt::format("m.gguf: byte 16: {} keys are said to follow, but only 0 bytes do", huge));
    EXPECT_EQ(error_of("GGUF" + u32(3) + u64(0) + u64(1) + u64(huge) + std::string(20, 'k')),
              fmt::format("m.gguf: byte 24: a key is said to take {} bytes, but only 20 follow", huge));
    EXPECT_NE(error_of(GgufBuilder().key("a", kText, u64(huge))), "no error");
    EXPECT_NE(error_of(GgufBuilder().key("a", kArray, u32(kU64) + u64(huge))), "no error");
    EXPECT_NE(error_of(GgufBuilder().key("a", kArray, u32(kText) + u64(huge))), "no error");
  }
}

TEST(Gguf, RefusesSizesWhoseProductOverflows) {
  EXPECT_EQ(error_of(GgufBuilder().tensor("a", {1ull << 32, 1ull << 32}, 0, 0)),
            "m.gguf: byte 33: tensor a: elements: 4294967296 × 4294967296 is more than 64 bits hold");
  EXPECT_EQ(error_of(GgufBuilder().tensor("a", {1ull << 62}, 0, 0)),
            "m.gguf: byte 33: tensor a: bytes of a row: 4611686018427387904 × 4 is more than 64 bits hold");
  EXPECT_EQ(error_of(GgufBuilder().tensor("a", {1ull << 63}, 24, 0)), "m.gguf: byte 37: tensor a: a size of 9223372036854775808 is beyond any file");
  EXPECT_EQ(error_of(GgufBuilder().tensor("a", {32}, 24, ~std::uint64_t{31})),
            "m.gguf: tensor a: the tensor's end: 18446744073709551584 + 32 is more than 64 bits hold");
}

TEST(Gguf, RefusesNestingBeyondTheLimit) {
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += u32(kArray) + u64(1);
  EXPECT_NE(error_of(GgufBuilder().key("deep", kArray, nested)).find("key deep: arrays nested deeper than 64 levels"), std::string::npos);
}

TEST(Gguf, RefusesKeysAndTensorsThatStandTwice) {
  EXPECT_EQ(error_of(GgufBuilder().number("a", 1).number("a", 2)), "m.gguf: byte 41: the key a stands twice");
  EXPECT_EQ(error_of(GgufBuilder().tensor("t", {1}, 24, 0, 1).tensor("t", {1}, 24, 32, 1)), "m.gguf: byte 57: the tensor t stands twice");
}

TEST(Gguf, RefusesNamesOutsideTheSpecification) {
  EXPECT_EQ(error_of(GgufBuilder().tensor("a\xff", {1}, 24, 0, 1)), "m.gguf: byte 24: a tensor's name is no UTF-8 text");
  EXPECT_EQ(error_of(GgufBuilder().tensor("", {1}, 24, 0, 1)), "m.gguf: byte 24: a tensor's name is empty");
  EXPECT_EQ(error_of(GgufBuilder().tensor(std::string(65, 'n'), {1}, 24, 0, 1)),
            "m.gguf: byte 24: a tensor's name of 65 bytes is over the format's limit of 64");
  EXPECT_EQ(error_of(GgufBuilder().number("k\xc3(", 1)), "m.gguf: byte 24: a key is no UTF-8 text");
  EXPECT_NE(error_of(GgufBuilder().number(std::string(65'536, 'k'), 1)), "no error");
  EXPECT_EQ(error_of(GgufBuilder().key("k", kText, text("\xff"))), "m.gguf: byte 37: the text of k is no UTF-8");
}

TEST(Gguf, RefusesTypesItDoesNotKnow) {
  EXPECT_EQ(error_of(GgufBuilder().key("k", 13, u64(0))), "m.gguf: byte 33: key k: 13 is no type of a value");
  EXPECT_EQ(error_of(GgufBuilder().key("k", kBool, le(2, 1))), "m.gguf: byte 37: key k: 2 is neither false (0) nor true (1)");
  EXPECT_EQ(error_of(GgufBuilder().tensor("t", {32}, 31, 0, 18)),
            "m.gguf: byte 45: tensor t: 31 is no tensor type of ggml known here\n"
            "  Types 4, 5, 31 to 33 and 36 to 38 were removed from the format; others are newer, or of a fork.");
  EXPECT_EQ(error_of(GgufBuilder().tensor("t", {1, 1, 1, 1, 1}, 0, 0)), "m.gguf: byte 33: tensor t: 5 dimensions are over the format's limit of 4");
}

TEST(Gguf, RefusesRowsOfBrokenBlocks) {
  EXPECT_EQ(error_of(GgufBuilder().tensor("t", {100, 256}, 12, 0)), "m.gguf: byte 33: tensor t: rows of 100 elements are no whole blocks of 256 (Q4_K)");
}

TEST(Gguf, RefusesTensorsThatOverlapOrLieAskew) {
  EXPECT_EQ(error_of(GgufBuilder().tensor("a", {64}, 0, 0, 256).tensor("b", {64}, 0, 128, 256)),
            "m.gguf: tensor b: the tensor begins at byte 128 of the data, where another still lies (until byte 256)");
  EXPECT_EQ(error_of(GgufBuilder().tensor("a", {64}, 0, 8, 256)), "m.gguf: tensor a: the offset 8 is no multiple of the alignment 32");
  EXPECT_EQ(error_of(GgufBuilder().number("general.alignment", 64).tensor("a", {64}, 0, 32, 256)),
            "m.gguf: tensor a: the offset 32 is no multiple of the alignment 64");
}

TEST(Gguf, RefusesAlignmentsThatAreNone) {
  for (const std::uint32_t alignment : {0u, 1u, 12u, 2'000'000'000u})
    EXPECT_EQ(error_of(GgufBuilder().number("general.alignment", alignment)), "m.gguf: key general.alignment: a multiple of 8 up to 1073741824 is expected");
  EXPECT_NE(error_of(GgufBuilder().key("general.alignment", kText, text("32"))), "no error");
}

// Counts how far it was read and refuses to hand out the data.
class FrontOnly final : public FileSystem {
 public:
  std::string front;
  std::uint64_t bytes = 0;
  mutable std::uint64_t read_to = 0;
  Kind kind(const std::string&) const override { return Kind::kFile; }
  Result<std::uint64_t> size(const std::string&) const override { return bytes; }
  Result<std::string> read(const std::string&, std::uint64_t offset, std::uint64_t length) const override {
    read_to = std::max(read_to, offset + length);
    std::string part = front.substr(std::min<std::size_t>(offset, front.size()), length);
    part.resize(static_cast<std::size_t>(std::min(length, bytes - offset)));
    return part;
  }
  Result<std::vector<std::string>> list(const std::string&) const override { return std::vector<std::string>(); }
};

TEST(Gguf, ReadsNoFurtherThanTheTableGoes) {
  FrontOnly files;
  files.front = GgufBuilder().tensor("a", {1'000'000'000}, 1, 0).file();
  files.bytes = files.front.size() + 2'000'000'000;
  const Result<GgufFile> file = read_gguf(files, "m.gguf");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->tensor_bytes(), 2'000'000'000u);
  EXPECT_LE(files.read_to, 1u << 20);
}

TEST(Gguf, ReadsOnWhereAVocabularyIsLong) {
  std::string tokens = u32(kText) + u64(300'000);
  for (int i = 0; i < 300'000; ++i) tokens += text("token");
  FrontOnly files;
  files.front = GgufBuilder().key("tokenizer.ggml.tokens", kArray, tokens).tensor("a", {32}, 1, 0, 64).file();
  files.bytes = files.front.size() + 500'000'000;
  const Result<GgufFile> file = read_gguf(files, "m.gguf");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->find("tokenizer.ggml.tokens")->count, 300'000u);
  EXPECT_LE(files.read_to, 4u << 20);
}

TEST(Gguf, SaysThatAGitLfsPointerIsNotTheFile) {
  EXPECT_EQ(error_of("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4976698672\n"),
            "m.gguf: a Git LFS pointer stands in place of the file\n  Fetch the file itself: git lfs pull.");
}

TEST(GgufSplitName, IsRecognisedByItsNumbers) {
  const auto name = parse_gguf_split_name("m/Grok-100B-Q4_0-00003-of-00009.gguf");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->stem, "m/Grok-100B-Q4_0");
  EXPECT_EQ(name->number, 3);
  EXPECT_EQ(name->count, 9);
  EXPECT_EQ(name->path(1), "m/Grok-100B-Q4_0-00001-of-00009.gguf");
  for (const char* other : {"m.gguf", "-00001-of-00002.gguf", "m-00000-of-00002.gguf", "m-00003-of-00002.gguf", "m-0001-of-0002.gguf", "m-00001-of-00002.bin"})
    EXPECT_FALSE(parse_gguf_split_name(other)) << other;
}

TEST(GgufCheckpoint, JoinsTheParts) {
  MemoryFileSystem files;
  files.files["m-00001-of-00003.gguf"] = GgufBuilder().key("split.tensors.count", kI32, u32(2)).tensor("a", {4}, 24, 0, 4).file();
  files.files["m-00002-of-00003.gguf"] = GgufBuilder().tensor("b", {8}, 24, 0, 8).file();
  const auto some = read_gguf_checkpoint(files, "m-00002-of-00003.gguf");
  ASSERT_TRUE(some) << to_string(some.error());
  EXPECT_EQ(some->tensor_bytes(), 12u);
  EXPECT_EQ(some->absent, std::vector<std::string>{"m-00003-of-00003.gguf"});
  files.files["m-00003-of-00003.gguf"] = GgufBuilder().tensor("c", {8}, 24, 0, 8).file();
  EXPECT_EQ(to_string(read_gguf_checkpoint(files, "m-00001-of-00003.gguf").error()),
            "m-00001-of-00003.gguf: key split.tensors.count: 2 tensors are announced, the 3 parts hold 3");
  files.files["m-00003-of-00003.gguf"] = GgufBuilder().tensor("a", {8}, 24, 0, 8).file();
  EXPECT_EQ(to_string(read_gguf_checkpoint(files, "m-00001-of-00003.gguf").error()),
            "m-00003-of-00003.gguf: tensor a: the tensor stands in another part as well");
  files.files.erase("m-00001-of-00003.gguf");
  EXPECT_EQ(to_string(read_gguf_checkpoint(files, "m-00002-of-00003.gguf").error()),
            "m-00001-of-00003.gguf: there is no such file, and the first of 3 parts holds the model's description\n  Fetch all parts into one folder.");
}

}  // namespace
}  // namespace ridge::formats
