// Rows: tables of plain structs, described once. One describe() per struct serves three readers: data/*.yaml at build
// time (embed.h writes it out as constant C++ tables), the user's overlay at run time, and the documentation of the keys.
// Invariant: both ways run the same checks, so what is compiled in could have been an overlay and the other way round.
//
//   enum class Tier { kOfficial, kSecondary };
//   inline constexpr Named<Tier> kTiers[] = {{"official", Tier::kOfficial}, {"secondary", Tier::kSecondary}};
//   constexpr std::span<const Named<Tier>> names_of(Tier) { return kTiers; }      // an enum is read by its names
//
//   struct Part {                                                                // an aggregate with initialisers
//     static constexpr std::string_view kTypeName = "ridge::hardware::Part";
//     std::string_view id, source;
//     std::optional<double> watts;
//     std::span<const Rate> rates;                                               // a list of rows
//   };
//   template <class V> void describe(V& v, Part& part) {                         // keys are the member names, in order
//     v.key("id", part.id, "parts");                                             // unique within "parts"
//     v.reference("source", part.source, "sources");                             // must be the key of a row of "sources"
//     v.optional("watts", part.watts);
//     v.optional("rates", part.rates);
//   }
//   Result<void> check(const Part& part, const NodeRef& at);                     // what types cannot say; may be left out
//
// Members may be std::string_view, bool, int, double, Precision, an enum with names, std::optional of these, and
// std::span<const T> of these or of rows (a lone text is a list of one). Rows are views: the texts and lists belong to
// static storage or to an Arena.
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "formats/tree.h"
#include "quantity/precision.h"

namespace ridge::formats {

template <class E>
struct Named {
  std::string_view name;
  E value;
};

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) { names_of(e); };

template <NamedEnum E>
constexpr std::string_view word_of(E value) {
  for (const auto& entry : names_of(value))
    if (entry.value == value) return entry.name;
  return {};
}

// Owns what rows read at run time point to. Addresses stay when the arena moves.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  std::string_view text(std::string text) { return texts_.emplace_back(std::move(text)); }
  template <class T>
  std::span<const T> list(std::vector<T> values) {
    auto held = std::make_shared<const std::vector<T>>(std::move(values));
    lists_.push_back(held);
    return *held;
  }

 private:
  std::deque<std::string> texts_;
  std::vector<std::shared_ptr<const void>> lists_;
};

// What one reading of one or several documents shares: the storage, and who names whom.
class RowContext {
 public:
  explicit RowContext(Arena& arena) : arena_(&arena) {}

  Arena& arena() { return *arena_; }
  // Rows that exist already (the compiled-in ones, under an overlay): they may be named, and may be defined anew.
  void know(std::string_view table, std::string_view id) { known_[std::string(table)].emplace(id, std::string()); }
  Result<void> define(std::string_view table, std::string_view id, const NodeRef& at);
  void use(std::string_view table, std::string_view id, const NodeRef& at, std::string record);
  // Every id that was used is known or defined, else an error with the nearest.
  Result<void> resolve() const;

 private:
  struct Use {
    std::string table, id, where, record;
  };
  Arena* arena_;
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> known_;  // id → place of its definition, "" where known before
  std::vector<Use> uses_;
};

class RowReader;
template <class Row>
Result<Row> read_row(const NodeRef& at, RowContext& context, std::string record = {});
template <class T>
struct ValueReader;

// The visitor that fills a row from a map. The first error is kept; later calls do nothing.
class RowReader {
 public:
  RowReader(const NodeRef& at, RowContext& context, std::string record) : at_(at), context_(&context), record_(std::move(record)) {}

  template <class T>
  void required(std::string_view name, T& member) {
    read(name, member, true);
  }
  template <class T>
  void optional(std::string_view name, T& member) {
    read(name, member, false);
  }
  // The row's own name; `table` is where others find it.
  void key(std::string_view name, std::string_view& member, std::string_view table);
  // The name (or names) of rows of `table`; an empty one is no reference.
  void reference(std::string_view name, std::string_view& member, std::string_view table, bool must = true);
  void reference(std::string_view name, std::span<const std::string_view>& member, std::string_view table, bool must = true);

  Result<void> finish();
  const std::string& record() const { return record_; }
  Error named(Error error) const;

 private:
  template <class T>
  void read(std::string_view name, T& member, bool must) {
    keys_.emplace_back(name);
    if (!outcome_) return;
    std::optional<NodeRef> child = at_.get(name);
    if (!child) {
      if (must) outcome_ = tl::unexpected<Error>(named(at_.require(name).error()));
      return;
    }
    auto value = ValueReader<T>::read(*child, *context_, record_);
    if (value)
      member = *std::move(value);
    else
      outcome_ = tl::unexpected<Error>(named(std::move(value).error()));
  }

  NodeRef at_;
  RowContext* context_;
  std::string record_;
  std::vector<std::string> keys_;
  Result<void> outcome_;
};

template <class Row>
concept RowType = requires(RowReader& v, Row& row) { describe(v, row); };

tl::unexpected<Error> unknown_word(const NodeRef& at, const std::string& text, const std::vector<std::string>& known);

template <>
struct ValueReader<std::string_view> {
  static Result<std::string_view> read(const NodeRef& at, RowContext& context, const std::string&) {
    RIDGE_TRY(std::string text, at.as_text());
    return context.arena().text(std::move(text));
  }
};
template <>
struct ValueReader<bool> {
  static Result<bool> read(const NodeRef& at, RowContext&, const std::string&) { return at.as_bool(); }
};
template <>
struct ValueReader<double> {
  static Result<double> read(const NodeRef& at, RowContext&, const std::string&) { return at.as_real(); }
};
template <std::integral T>
struct ValueReader<T> {
  static Result<T> read(const NodeRef& at, RowContext&, const std::string&) {
    RIDGE_TRY(std::int64_t value, at.as_integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    return static_cast<T>(value);
  }
};
template <>
struct ValueReader<Precision> {
  static Result<Precision> read(const NodeRef& at, RowContext&, const std::string&) {
    RIDGE_TRY(std::string text, at.as_text());
    auto value = parse_precision(text);
    if (!value) return at.error(value.error().what, value.error().advice);
    return *value;
  }
};
template <NamedEnum E>
struct ValueReader<E> {
  static Result<E> read(const NodeRef& at, RowContext&, const std::string&) {
    RIDGE_TRY(std::string text, at.as_text());
    std::vector<std::string> known;
    for (const auto& entry : names_of(E{})) {
      if (entry.name == text) return entry.value;
      known.emplace_back(entry.name);
    }
    return unknown_word(at, text, known);
  }
};
template <RowType Row>
struct ValueReader<Row> {
  static Result<Row> read(const NodeRef& at, RowContext& context, const std::string& record) { return read_row<Row>(at, context, record); }
};
template <class T>
struct ValueReader<std::optional<T>> {
  static Result<std::optional<T>> read(const NodeRef& at, RowContext& context, const std::string& record) {
    RIDGE_TRY(T value, ValueReader<T>::read(at, context, record));
    return std::optional<T>(value);
  }
};
template <class T>
struct ValueReader<std::span<const T>> {
  static Result<std::span<const T>> read(const NodeRef& at, RowContext& context, const std::string& record) {
    std::vector<T> values;
    if (at.kind() == Node::Kind::kText && !RowType<T>) {
      RIDGE_TRY(T value, ValueReader<T>::read(at, context, record));
      values.push_back(value);
      return context.arena().list(std::move(values));
    }
    if (at.kind() != Node::Kind::kList) return at.error("a list is expected, found " + std::string(name_of(at.kind())));
    values.reserve(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      RIDGE_TRY(T value, ValueReader<T>::read(at.at(i), context, record));
      values.push_back(value);
    }
    return context.arena().list(std::move(values));
  }
};

// One row. `record` names the row that holds this one, for errors.
template <class Row>
Result<Row> read_row(const NodeRef& at, RowContext& context, std::string record) {
  Row row{};
  RowReader reader(at, context, std::move(record));
  describe(reader, row);
  RIDGE_TRY_VOID(reader.finish());
  if constexpr (requires { check(row, at); }) {
    if (Result<void> checked = check(row, at); !checked) return tl::unexpected<Error>(reader.named(checked.error()));
  }
  return row;
}

}  // namespace ridge::formats
