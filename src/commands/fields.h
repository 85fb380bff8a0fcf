// Typed description of a request struct: Fields<R> binds a member to a name, a parser, a default and a help text.
//
//   struct FitRequest { std::string model; std::vector<Precision> dtype; std::optional<Bytes> headroom; };
//   void describe(Fields<FitRequest>& f) {
//     f.positional("model", &FitRequest::model, "MODEL", "…").required();
//     f.option("dtype", &FitRequest::dtype, "DTYPE", "…");
//   }
//   Command fit_command() { return make_command<FitRequest>({...}, describe, run_fit); }
//
// A member may be T, std::optional<T> or std::vector<T> for every T that has FieldType<T>; bool is a flag. The member's
// initialiser is the default, which help and the reference page show as it would be typed.
//
// A list option takes its values separated by commas or given several times; a list positional takes one value per
// argument. Text and file names are never split; nor is an inline description ("peak=500TFLOP/s,bandwidth=2TB/s").
#pragma once

#include <memory>
#include <type_traits>

#include "commands/command.h"

namespace ridge::commands {

// FieldType<T>: name, unit, parse(text) → Result<T>, echo(value) → Cell. Instances are in fields.cc's header part below.
template <class T>
struct FieldType;

#define RIDGE_FIELD_TYPE(T, type_name, unit_name, parse_expression, echo_expression)   \
  template <>                                                                          \
  struct FieldType<T> {                                                                \
    static constexpr const char* name = type_name;                                     \
    static constexpr const char* unit = unit_name;                                     \
    static Result<T> parse(std::string_view text) { return parse_expression; }         \
    static report::Cell echo(const T& value) { return report::Cell(echo_expression); } \
  }

RIDGE_FIELD_TYPE(std::string, "text", "", std::string(text), value);
RIDGE_FIELD_TYPE(std::int64_t, "integer", "1", parse_integer(text), static_cast<double>(value));
RIDGE_FIELD_TYPE(double, "number", "1", parse_real(text), value);
RIDGE_FIELD_TYPE(Bytes, "size", "B", parse_bytes(text), value.as_double());
RIDGE_FIELD_TYPE(Seconds, "time", "s", parse_seconds(text), value.value);
RIDGE_FIELD_TYPE(PerSecond, "rate", "1/s", parse_per_second(text), value.value);
RIDGE_FIELD_TYPE(BytesPerSecond, "bandwidth", "B/s", parse_bytes_per_second(text), value.value);
RIDGE_FIELD_TYPE(FlopPerSecond, "compute rate", "FLOP/s", parse_flop_per_second(text), value.value);
RIDGE_FIELD_TYPE(Watts, "power", "W", parse_watts(text), value.value);
RIDGE_FIELD_TYPE(SquareMetres, "area", "m2", parse_area(text), value.value);
RIDGE_FIELD_TYPE(UsdPerHour, "price", "USD/h", parse_usd_per_hour(text), value.value);
RIDGE_FIELD_TYPE(Precision, "precision", "", parse_precision(text), std::string(name_of(value)));

#undef RIDGE_FIELD_TYPE

// A share between 0 and 1 ("12%" or "0.12"): a type of its own so that it is not parsed as a bare number.
struct Fraction {
  double value = 0;
};
template <>
struct FieldType<Fraction> {
  static constexpr const char* name = "share";
  static constexpr const char* unit = "1";
  static Result<Fraction> parse(std::string_view text) {
    RIDGE_TRY(double v, parse_fraction(text));
    return Fraction{v};
  }
  static report::Cell echo(const Fraction& f) { return f.value; }
};

namespace detail {
template <class M>
struct MemberKind {
  using Element = M;
  static constexpr bool optional = false, list = false;
};
template <class T>
struct MemberKind<std::optional<T>> {
  using Element = T;
  static constexpr bool optional = true, list = false;
};
template <class T>
struct MemberKind<std::vector<T>> {
  using Element = T;
  static constexpr bool optional = false, list = true;
};

// The values of a list option: split at commas, where a run of KEY=VALUE parts stays together as one inline description.
std::vector<std::string> split_list(std::span<const std::string> texts);
Result<void> check_choice(const FieldSpec& spec, std::string_view text);
std::string echo_list(const std::vector<report::Cell>& cells);
// A value as one would type it, exactly: 16, 500ms, 80GiB, 5/s. "" for a missing one.
std::string typed_text(const report::Cell& cell, std::string_view unit);
Error field_error(const FieldSpec& spec, Error error);
}  // namespace detail

template <class R>
class Fields {
 public:
  // The fields added from here on are listed under this heading.
  void section(std::string title) { section_ = std::move(title); }

  // Fluent refinements of the field just added.
  class Handle {
   public:
    explicit Handle(FieldSpec& spec) : spec_(&spec) {}
    Handle& required() {
      spec_->required = true;
      return *this;
    }
    Handle& choices(std::vector<std::string> values) {
      spec_->choices = std::move(values);
      return *this;
    }
    Handle& default_text(std::string text) {
      spec_->default_text = std::move(text);
      return *this;
    }  // where the initialiser does not say it ("all of the catalogue")
    Handle& type(std::string text) {
      spec_->type = std::move(text);
      return *this;
    }  // "model", "gpu", "file": for completion

   private:
    FieldSpec* spec_;
  };

  template <class M>
  Handle positional(std::string name, M R::* member, std::string placeholder, std::string help) {
    return add(std::move(name), member, std::move(placeholder), std::move(help), true);
  }
  template <class M>
  Handle option(std::string name, M R::* member, std::string placeholder, std::string help) {
    return add(std::move(name), member, std::move(placeholder), std::move(help), false);
  }
  Handle flag(std::string name, bool R::* member, std::string help) {
    FieldSpec spec;
    spec.name = std::move(name);
    spec.type = "flag";
    spec.help = std::move(help);
    spec.section = section_;
    spec.flag = true;
    spec.assign = [member](void* request, std::span<const std::string>) -> Result<void> {
      static_cast<R*>(request)->*member = true;
      return {};
    };
    spec.echo = [member](const void* request) -> report::Cell {
      return static_cast<const R*>(request)->*member ? report::Cell(std::string("true")) : report::Cell{};
    };
    specs_->push_back(std::move(spec));
    return Handle(specs_->back());
  }

  std::vector<FieldSpec> take() { return std::move(*specs_); }

 private:
  template <class M>
  Handle add(std::string name, M R::* member, std::string placeholder, std::string help, bool positional) {
    using Kind = detail::MemberKind<M>;
    using Type = FieldType<typename Kind::Element>;
    FieldSpec spec;
    spec.name = std::move(name);
    spec.type = Type::name;
    spec.unit = Type::unit;
    spec.placeholder = std::move(placeholder);
    spec.help = std::move(help);
    spec.positional = positional;
    spec.section = section_;
    spec.list = Kind::list;
    spec.assign = [member](void* request, std::span<const std::string> texts) -> Result<void> {
      R& r = *static_cast<R*>(request);
      if constexpr (Kind::list) {
        (r.*member).clear();
        for (const std::string& text : texts) {
          RIDGE_TRY(auto value, Type::parse(text));
          (r.*member).push_back(std::move(value));
        }
      } else {
        RIDGE_TRY(auto value, Type::parse(texts.back()));
        r.*member = std::move(value);
      }
      return {};
    };
    spec.echo = [member](const void* request) -> report::Cell {
      const R& r = *static_cast<const R*>(request);
      if constexpr (Kind::list) {
        std::vector<report::Cell> cells;
        for (const auto& value : r.*member) cells.push_back(Type::echo(value));
        if (cells.empty()) return {};
        return detail::echo_list(cells);
      } else if constexpr (Kind::optional) {
        if (!(r.*member)) return {};
        return Type::echo(*(r.*member));
      } else if constexpr (std::is_same_v<typename Kind::Element, std::string>) {
        if ((r.*member).empty()) return {};
        return Type::echo(r.*member);
      } else {
        return Type::echo(r.*member);
      }
    };
    const R initial{};
    spec.default_text = detail::typed_text(spec.echo(&initial), spec.unit);
    specs_->push_back(std::move(spec));
    return Handle(specs_->back());
  }

  std::string section_;
  // Handles point into it, so it must not move.
  std::unique_ptr<std::vector<FieldSpec>> specs_ = [] {
    auto specs = std::make_unique<std::vector<FieldSpec>>();
    specs->reserve(96);
    return specs;
  }();
};

struct CommandInfo {
  std::string name, group, summary, description;
  std::vector<Example> examples;
};

// Checks `arguments` against `fields` (unknown, missing, given twice, choice) and fills `request`.
Result<void> fill(std::span<const FieldSpec> fields, const Arguments& arguments, void* request);
// The effective request for the report: every field that has a value.
std::vector<std::pair<std::string, report::Cell>> echo(std::span<const FieldSpec> fields, const void* request);

template <class R>
Command make_command(CommandInfo info, void (*describe)(Fields<R>&), Result<report::Report> (*run)(const R&, const Environment&)) {
  Fields<R> fields;
  describe(fields);
  Command command{
      std::move(info.name), std::move(info.group), std::move(info.summary), std::move(info.description), fields.take(), std::move(info.examples), {}};
  // The specs are copied into the closure: the command object may move.
  command.run = [specs = command.fields, name = command.name, run](const Arguments& arguments, const Environment& environment) -> Result<report::Report> {
    R request{};
    RIDGE_TRY_VOID(fill(specs, arguments, &request));
    RIDGE_TRY(report::Report answer, run(request, environment));
    answer.command = name;
    answer.request = echo(specs, &request);
    return answer;
  };
  return command;
}

}  // namespace ridge::commands
