#include "formats/gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "formats/cursor.h"
#include "formats/safetensors.h"
#include "formats/utf8.h"

namespace ridge::formats {
namespace {

using Type = GgufValue::Type;
constexpr std::uint32_t kTypeCount = 13;

// Bytes of a value of fixed size; of texts and arrays the least they take.
std::uint64_t least_bytes(Type type) {
  switch (type) {
    case Type::kU8:
    case Type::kI8:
    case Type::kBool:
      return 1;
    case Type::kU16:
    case Type::kI16:
      return 2;
    case Type::kU32:
    case Type::kI32:
    case Type::kF32:
      return 4;
    case Type::kU64:
    case Type::kI64:
    case Type::kF64:
    case Type::kText:
      return 8;
    case Type::kArray:
      return 12;
  }
  return 1;
}
bool is_fixed(Type type) { return type != Type::kText && type != Type::kArray; }

class Parser {
 public:
  Parser(std::string_view prefix, std::optional<std::uint64_t> file_bytes, const std::string& path) : cursor_(prefix, path), end_(file_bytes) {
    file_.path = path;
  }

  Result<GgufFile> parse() {
    RIDGE_TRY_VOID(parse_start());
    RIDGE_TRY(const std::uint64_t tensors, parse_count("tensors", 25));  // a name of one byte, no sizes
    RIDGE_TRY(const std::uint64_t keys, parse_count("keys", 14));        // a key of one byte, a value of one
    for (std::uint64_t i = 0; i < keys; ++i) RIDGE_TRY_VOID(parse_key());
    RIDGE_TRY_VOID(parse_alignment());
    for (std::uint64_t i = 0; i < tensors; ++i) RIDGE_TRY_VOID(parse_tensor());
    const std::uint64_t at = cursor_.offset();
    file_.data_offset = at + (file_.alignment - at % file_.alignment) % file_.alignment;
    RIDGE_TRY_VOID(check_places());
    return std::move(file_);
  }
  bool ran_out() const { return cursor_.ran_out(); }

 private:
  // Magic and version.
  Result<void> parse_start() {
    RIDGE_TRY_VOID(cursor_.expect("GGUF", "a GGUF file"));
    const std::uint64_t before = cursor_.offset();
    RIDGE_TRY(file_.version, cursor_.u32_le());
    if (file_.version == 2 || file_.version == 3) return {};
    if (file_.version == 1) return error_at(before, "GGUF version 1 is not read, versions 2 and 3 are", "Convert it with a llama.cpp of today.");
    if ((file_.version & 0xFFFF) == 0 && file_.version != 0)
      return error_at(before, "this GGUF file is big-endian, little-endian ones are read", "Convert it: gguf_convert_endian.py FILE little.");
    return error_at(before, fmt::format("GGUF version {} is not known, versions 2 and 3 are", file_.version));
  }

  // No more than the file can hold, each of them taking `least` bytes.
  Result<std::uint64_t> parse_count(std::string_view what, std::uint64_t least) {
    const std::uint64_t before = cursor_.offset();
    RIDGE_TRY(const std::uint64_t count, cursor_.u64_le());
    if (count > left() / least) return error_at(before, fmt::format("{} {} are said to follow, but only {} bytes do", count, what, left()));
    return count;
  }

  tl::unexpected<Error> error_at(std::uint64_t offset, std::string what, std::string advice = {}) const {
    return fail(fmt::format("{}: byte {}", file_.path, offset), std::move(what), std::move(advice));
  }

  std::uint64_t left() const { return end_ ? *end_ - cursor_.offset() : std::numeric_limits<std::int64_t>::max(); }

  Result<std::string_view> parse_text(std::string_view what, std::string_view key = {}) {
    const std::uint64_t before = cursor_.offset();
    RIDGE_TRY(const std::uint64_t length, cursor_.u64_le());
    if (length > left()) return error_at(before, fmt::format("{}{} is said to take {} bytes, but only {} follow", what, key, length, left()));
    return cursor_.bytes(length);
  }

  Result<std::string> parse_name(std::string_view what, std::uint64_t limit) {
    const std::uint64_t before = cursor_.offset();
    RIDGE_TRY(const std::string_view text, parse_text(what));
    if (text.empty()) return error_at(before, fmt::format("{} is empty", what));
    if (text.size() > limit) return error_at(before, fmt::format("{} of {} bytes is over the format's limit of {}", what, text.size(), limit));
    if (!is_utf8(text) || text.find('\0') != std::string_view::npos) return error_at(before, fmt::format("{} is no UTF-8 text", what));
    return std::string(text);
  }

  Result<void> parse_key() {
    const std::uint64_t before = cursor_.offset();
    RIDGE_TRY(std::string key, parse_name("a key", kMaxGgufKey));
    if (!keys_.insert(key).second) return error_at(before, fmt::format("the key {} stands twice", key));
    RIDGE_TRY(const Type type, parse_type(key));
    RIDGE_TRY(GgufValue value, parse_value(type, key, 0));
    file_.metadata.emplace_back(std::move(key), std::move(value));
    return {};
  }

  Result<Type> parse_type(const std::string& key) {
    const std::uint64_t before = cursor_.offset();
    RIDGE_TRY(const std::uint32_t number, cursor_.u32_le());
    if (number >= kTypeCount) return error_at(before, fmt::format("key {}: {} is no type of a value", key, number));
    return static_cast<Type>(number);
  }

  Result<GgufValue> parse_value(Type type, const std::string& key, int depth) {
    const std::uint64_t before = cursor_.offset();
    if (++values_ > kMaxNodes) return error_at(before, fmt::format("key {}: more than {} values", key, kMaxNodes));
    GgufValue value;
    value.type = type;
    switch (type) {
      case Type::kText: {
        RIDGE_TRY(const std::string_view text, parse_text("the text of ", key));
        if (!is_utf8(text)) return error_at(before, fmt::format("the text of {} is no UTF-8", key));
        value.text = std::string(text);
        return value;
      }
      case Type::kArray:
        RIDGE_TRY_VOID(parse_array(value, key, depth));
        return value;
      default:
        RIDGE_TRY_VOID(parse_scalar(value, key));
        return value;
    }
  }

  Result<void> parse_scalar(GgufValue& value, const std::string& key) {
    const std::uint64_t before = cursor_.offset();
    const auto set_signed = [&value](std::int64_t number) {
      value.integer = number;
      value.natural = static_cast<std::uint64_t>(number);
      value.real = static_cast<double>(number);
    };
    const std::uint64_t size = least_bytes(value.type);
    RIDGE_TRY(const std::string_view raw, cursor_.bytes(size));
    Cursor number(raw, std::string());
    switch (value.type) {
      case Type::kF32: {
        value.real = static_cast<double>(*number.f32_le());
        return {};
      }
      case Type::kF64: {
        value.real = *number.f64_le();
        return {};
      }
      case Type::kBool: {
        const std::uint8_t byte = *number.u8();
        if (byte > 1) return error_at(before, fmt::format("key {}: {} is neither false (0) nor true (1)", key, byte));
        value.boolean = byte == 1;
        return {};
      }
      case Type::kU8:
        set_signed(*number.u8());
        return {};
      case Type::kI8:
        set_signed(static_cast<std::int8_t>(*number.u8()));
        return {};
      case Type::kU16:
        set_signed(*number.u16_le());
        return {};
      case Type::kI16:
        set_signed(static_cast<std::int16_t>(*number.u16_le()));
        return {};
      case Type::kU32:
        set_signed(*number.u32_le());
        return {};
      case Type::kI32:
        set_signed(static_cast<std::int32_t>(*number.u32_le()));
        return {};
      case Type::kU64:
      case Type::kI64:
        set_signed(*number.i64_le());
        if (value.type == Type::kU64) value.real = static_cast<double>(value.natural);
        return {};
      default:
        return {};
    }
  }

  Result<void> parse_array(GgufValue& value, const std::string& key, int depth) {
    const std::uint64_t before = cursor_.offset();
    if (depth >= kMaxDepth) return error_at(before, fmt::format("key {}: arrays nested deeper than {} levels", key, kMaxDepth));
    RIDGE_TRY(value.element, parse_type(key));
    RIDGE_TRY(value.count, parse_count("elements", least_bytes(value.element)));
    const bool keep = value.count <= kMaxGgufKept;
    if (!keep && is_fixed(value.element)) return cursor_.skip(value.count * least_bytes(value.element));  // within left(), so no overflow
    if (keep && value.element != Type::kText) value.elements.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(value.count, cursor_.left())));
    for (std::uint64_t i = 0; i < value.count; ++i) {
      if (!keep && value.element == Type::kText) {
        RIDGE_TRY_VOID(parse_text("an element of ", key));
        continue;
      }
      RIDGE_TRY(GgufValue element, parse_value(value.element, key, depth + 1));
      if (keep) value.elements.push_back(std::move(element));
    }
    return {};
  }

  Result<void> parse_alignment() {
    const GgufValue* value = file_.find("general.alignment");
    if (value == nullptr) return {};
    if (!value->is_whole() || value->integer < 8 || value->integer % 8 != 0 || value->integer > (1 << 30))
      return file_.error("general.alignment", fmt::format("a multiple of 8 up to {} is expected", 1 << 30));
    file_.alignment = static_cast<std::uint64_t>(value->integer);
    return {};
  }

  Result<void> parse_tensor() {
    const std::uint64_t before = cursor_.offset();
    GgufTensor tensor;
    RIDGE_TRY(tensor.name, parse_name("a tensor's name", kMaxGgufName));
    if (!tensors_.insert(tensor.name).second) return error_at(before, fmt::format("the tensor {} stands twice", tensor.name));
    const std::uint64_t at_sizes = cursor_.offset();
    RIDGE_TRY(const std::uint32_t dimensions, cursor_.u32_le());
    if (dimensions > kMaxGgufDimensions)
      return error_at(at_sizes, fmt::format("tensor {}: {} dimensions are over the format's limit of {}", tensor.name, dimensions, kMaxGgufDimensions));
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      const std::uint64_t at_size = cursor_.offset();
      RIDGE_TRY(const std::uint64_t size, cursor_.u64_le());
      if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return error_at(at_size, fmt::format("tensor {}: a size of {} is beyond any file", tensor.name, size));
      tensor.sizes.push_back(static_cast<std::int64_t>(size));
    }
    const std::uint64_t at_type = cursor_.offset();
    RIDGE_TRY(const std::uint32_t type, cursor_.u32_le());
    tensor.type = find_ggml_type(type);
    if (tensor.type == nullptr)
      return error_at(at_type, fmt::format("tensor {}: {} is no tensor type of ggml known here", tensor.name, type),
                      "Types 4, 5, 31 to 33 and 36 to 38 were removed from the format; others are newer, or of a fork.");
    RIDGE_TRY(tensor.offset, cursor_.u64_le());
    if (Result<void> sized = set_bytes(tensor); !sized) return error_at(at_sizes, fmt::format("tensor {}: {}", tensor.name, sized.error().what));
    file_.tensors.push_back(std::move(tensor));
    return {};
  }

  // Rows are whole blocks.
  static Result<void> set_bytes(GgufTensor& tensor) {
    const std::uint64_t row = tensor.sizes.empty() ? 1 : static_cast<std::uint64_t>(tensor.sizes.front());
    std::uint64_t rows = 1;
    for (std::size_t i = 1; i < tensor.sizes.size(); ++i) {
      RIDGE_TRY(rows, checked_multiply(rows, static_cast<std::uint64_t>(tensor.sizes[i]), "rows"));
    }
    if (row % tensor.type->block_elements != 0)
      return fail("", fmt::format("rows of {} elements are no whole blocks of {} ({})", row, tensor.type->block_elements, tensor.type->name));
    RIDGE_TRY(tensor.elements, checked_multiply(row, rows, "elements"));
    RIDGE_TRY(const std::uint64_t row_bytes, checked_multiply(row / tensor.type->block_elements, tensor.type->block_bytes, "bytes of a row"));
    RIDGE_TRY(tensor.bytes, checked_multiply(row_bytes, rows, "bytes of the tensor"));
    return {};
  }

  // Offsets are aligned, tensors do not overlap, and the last one ends within the file.
  Result<void> check_places() const {
    std::vector<const GgufTensor*> order;
    order.reserve(file_.tensors.size());
    for (const GgufTensor& tensor : file_.tensors) order.push_back(&tensor);
    std::ranges::stable_sort(order, {}, [](const GgufTensor* tensor) { return std::pair(tensor->offset, tensor->bytes); });
    std::uint64_t at = 0;
    const auto place = [this](const GgufTensor& tensor) { return fmt::format("{}: tensor {}", file_.path, tensor.name); };
    for (const GgufTensor* tensor : order) {
      if (tensor->offset % file_.alignment != 0)
        return fail(place(*tensor), fmt::format("the offset {} is no multiple of the alignment {}", tensor->offset, file_.alignment));
      if (tensor->offset < at)
        return fail(place(*tensor), fmt::format("the tensor begins at byte {} of the data, where another still lies (until byte {})", tensor->offset, at));
      const Result<std::uint64_t> end = checked_add(tensor->offset, tensor->bytes, "the tensor's end");
      if (!end) return fail(place(*tensor), end.error().what);
      at = *end;
      if (end_ && (*end > *end_ || file_.data_offset > *end_ - *end) && tensor->bytes > 0)
        return fail(place(*tensor),
                    fmt::format("the tensor ends {} bytes into the data, which begin at byte {} of a file of {} bytes", *end, file_.data_offset, *end_),
                    "The file is cut short; fetch it again.");
    }
    return {};
  }

  Cursor cursor_;
  std::optional<std::uint64_t> end_;
  GgufFile file_;
  std::set<std::string> keys_;
  std::set<std::string> tensors_;
  std::uint64_t values_ = 0;
};

}  // namespace

bool GgufValue::is_whole() const {
  switch (type) {
    case Type::kF32:
    case Type::kF64:
    case Type::kBool:
    case Type::kText:
    case Type::kArray:
      return false;
    case Type::kU64:
      return natural <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    default:
      return true;
  }
}

const GgufValue* GgufFile::find(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, [](const auto& entry) { return std::string_view(entry.first); });
  return found == metadata.end() ? nullptr : &found->second;
}

std::uint64_t GgufFile::tensor_bytes() const {
  std::uint64_t sum = 0;  // no overflow: tensors do not overlap and end below 2^64
  for (const GgufTensor& tensor : tensors) sum += tensor.bytes;
  return sum;
}

tl::unexpected<Error> GgufFile::error(std::string_view key, std::string what, std::string advice) const {
  return fail(fmt::format("{}: key {}", path, key), std::move(what), std::move(advice));
}

Result<GgufFile> parse_gguf(std::string_view prefix, std::optional<std::uint64_t> file_bytes, const std::string& path, bool* ran_out) {
  if (file_bytes) prefix = prefix.substr(0, *file_bytes);
  if (is_lfs_pointer(prefix)) return fail(path, "a Git LFS pointer stands in place of the file", "Fetch the file itself: git lfs pull.");
  if (prefix.empty()) return fail(path, "the file is empty", "A GGUF file is expected.");
  Parser parser(prefix, file_bytes, path);
  Result<GgufFile> file = parser.parse();
  if (ran_out != nullptr) *ran_out = parser.ran_out();
  return file;
}

Result<GgufFile> read_gguf(const FileSystem& files, const std::string& path) {
  if (path == "-") {
    RIDGE_TRY(const std::string all, files.read(path, 0, kMaxGgufHeader));
    return parse_gguf(all, all.size() < kMaxGgufHeader ? std::optional<std::uint64_t>(all.size()) : std::nullopt, "standard input");
  }
  if (files.kind(path) == FileSystem::Kind::kFolder) return fail(path, "this is a folder, a file is expected");
  RIDGE_TRY(const std::uint64_t file_bytes, files.size(path));
  // The table's end is only known once it is reached: longer prefixes until one holds it. Together they cost a quarter more than the last.
  for (std::uint64_t length = 1ull << 20;; length *= 4) {
    RIDGE_TRY(const std::string prefix, files.read(path, 0, std::min(length, kMaxGgufHeader)));
    bool ran_out = false;
    Result<GgufFile> file = parse_gguf(prefix, file_bytes, path, &ran_out);
    if (file || !ran_out || prefix.size() >= file_bytes) return file;
    if (length >= kMaxGgufHeader) return fail(path, fmt::format("metadata and tensor table take more than the limit of {} bytes", kMaxGgufHeader));
  }
}

}  // namespace ridge::formats
