// ridge.report/1. A writer of its own rather than a document tree: the layout (one figure, row or finding on a line) makes
// reports that `diff` and people can read, and numbers and text are written under our own rules.
#include <charconv>
#include <cmath>
#include <set>

#include "report/render.h"
#include "report/text_layout.h"
#include "report/words.h"

namespace ridge::report {
namespace {

void append_text(std::string& out, std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += static_cast<char>(byte);
      text.remove_prefix(1);
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      text.remove_prefix(1);
    } else if (byte < 0x80) {
      out += static_cast<char>(byte);
      text.remove_prefix(1);
    } else {
      append_code_point(out, take_code_point(text));
    }
  }
  out += '"';
}

// The shortest text that reads back as the same double. Whole numbers that a double holds exactly are written as such; all
// others have a point or an exponent, so that readers which tell integers apart do not refuse a large one.
void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char buffer[40];
  std::to_chars_result end{};
  if (value == std::floor(value) && std::abs(value) <= 9007199254740992.0)
    end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(value));
  else if (value == std::floor(value))
    end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  else
    end = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end.ptr);
}

void append_interval(std::string& out, Interval value) {
  if (value.is_point()) return append_number(out, value.low);
  if (!std::isfinite(value.low) || !std::isfinite(value.high)) {
    out += "null";
    return;
  }
  out += '[';
  append_number(out, value.low);
  out += ',';
  append_number(out, value.high);
  out += ']';
}

void append_cell(std::string& out, const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell))
    append_number(out, *number);
  else if (const Interval* range = std::get_if<Interval>(&cell))
    append_interval(out, *range);
  else if (const std::string* text = std::get_if<std::string>(&cell))
    append_text(out, *text);
  else
    out += "null";
}

// One object on one line: {"a":1,"b":"x"}.
class Fields {
 public:
  explicit Fields(std::string& out) : out_(out) { out_ += '{'; }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  ~Fields() { out_ += '}'; }

  Fields& key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    append_text(out_, name);
    out_ += ':';
    return *this;
  }
  Fields& text(std::string_view name, std::string_view value) {
    key(name);
    append_text(out_, value);
    return *this;
  }
  // Left out where there is nothing to say.
  Fields& optional_text(std::string_view name, std::string_view value) { return value.empty() ? *this : text(name, value); }
  Fields& texts(std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return *this;
    key(name);
    out_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_ += ',';
      append_text(out_, values[i]);
    }
    out_ += ']';
    return *this;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

// A list or object whose members stand on lines of their own.
template <class Items, class Write>
void append_lines(std::string& out, const Items& items, char open, char close, int indent, const Write& write) {
  out += open;
  bool first = true;
  for (const auto& item : items) {
    const std::size_t before = out.size();
    out += first ? "\n" : ",\n";
    out.append(static_cast<std::size_t>(indent), ' ');
    if (!write(item)) {
      out.resize(before);
      continue;
    }
    first = false;
  }
  if (!first) {
    out += '\n';
    out.append(static_cast<std::size_t>(indent) - 2, ' ');
  }
  out += close;
}

bool write_figure(std::string& out, const Figure& figure) {
  const double* number = std::get_if<double>(&figure.value);
  if (std::holds_alternative<std::monostate>(figure.value) || (number != nullptr && !std::isfinite(*number))) return false;
  append_text(out, figure.name);
  out += ": ";
  Fields fields(out);
  fields.key("value");
  append_cell(out, figure.value);
  fields.text("unit", figure.unit).optional_text("label", figure.label).optional_text("basis", figure.basis).texts("sources", figure.sources);
  if (figure.provenance) fields.text("provenance", name_of(*figure.provenance));
  fields.optional_text("notation", word_of(figure.notation));
  return true;
}

void write_table(std::string& out, const Table& table) {
  Fields fields(out);
  fields.text("name", table.name).optional_text("title", table.title).key("columns");
  append_lines(out, table.columns, '[', ']', 6, [&out](const Column& column) {
    Fields(out).text("name", column.name).text("unit", column.unit).optional_text("notation", word_of(column.notation));
    return true;
  });
  fields.key("rows");
  append_lines(out, table.rows, '[', ']', 6, [&](const std::vector<Cell>& row) {
    out += '[';
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) out += ',';
      append_cell(out, c < row.size() ? row[c] : Cell{});
    }
    out += ']';
    return true;
  });
  fields.texts("row_units", table.row_units).optional_text("note", table.note);
}

void write_axis(std::string& out, const Axis& axis) {
  Fields(out).text("label", axis.label).text("unit", axis.unit).text("scale", axis.logarithmic ? "log" : "linear");
}

void write_series(std::string& out, const Series& series) {
  Fields fields(out);
  fields.text("name", series.name).text("style", word_of(series.style)).key("points");
  // A point that is no point is left out, with its label.
  std::vector<std::string> labels;
  out += '[';
  bool first = true;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto [x, y] = series.points[i];
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    out += first ? "[" : ",[";
    append_number(out, x);
    out += ',';
    append_number(out, y);
    out += ']';
    first = false;
    if (!series.labels.empty()) labels.push_back(i < series.labels.size() ? series.labels[i] : "");
  }
  out += ']';
  fields.texts("labels", labels);
}

void write_plot(std::string& out, const Plot& plot) {
  Fields fields(out);
  fields.text("name", plot.name).optional_text("title", plot.title).key("x");
  write_axis(out, plot.x);
  fields.key("y");
  write_axis(out, plot.y);
  fields.key("series");
  append_lines(out, plot.series, '[', ']', 6, [&out](const Series& series) {
    write_series(out, series);
    return true;
  });
  fields.optional_text("note", plot.note);
}

void write_step(std::string& out, const DerivationStep& step) {
  Fields fields(out);
  fields.text("name", step.name).text("formula", step.formula).key("inputs");
  append_lines(out, step.inputs, '[', ']', 6, [&out](const DerivationStep::Input& input) {
    Fields inner(out);
    inner.text("name", input.name).key("value");
    append_number(out, input.value);
    inner.text("unit", input.unit).text("source", input.source);
    return true;
  });
  fields.key("value");
  append_interval(out, step.value);
  fields.text("unit", step.unit).text("source", step.source);
}

}  // namespace

std::string render_json(const Report& report, std::string_view version) {
  std::string out = "{\n  \"schema\": \"ridge.report/1\",\n  \"command\": ";
  append_text(out, report.command);
  out += ",\n  \"version\": ";
  append_text(out, version);
  // No key twice, whatever the report holds: what reads it back would refuse it. The first stands, as in Report::figure().
  std::set<std::string> seen;
  const auto fresh = [&seen](const std::string& name) {
    std::string written;
    append_text(written, name);
    return seen.insert(std::move(written)).second;
  };
  out += ",\n  \"request\": ";
  append_lines(out, report.request, '{', '}', 4, [&](const std::pair<std::string, Cell>& field) {
    if (!fresh(field.first)) return false;
    append_text(out, field.first);
    out += ": ";
    append_cell(out, field.second);
    return true;
  });
  out += ",\n  \"verdict\": {\"text\":";
  append_text(out, report.verdict.text);
  out += report.verdict.ok ? (*report.verdict.ok ? ",\"ok\":true}" : ",\"ok\":false}") : ",\"ok\":null}";
  seen.clear();
  out += ",\n  \"figures\": ";
  append_lines(out, report.figures, '{', '}', 4, [&](const Figure& figure) { return write_figure(out, figure) && fresh(figure.name); });
  const auto list = [&out](std::string_view key, const auto& items, auto write) {
    out += ",\n  \"";
    out += key;
    out += "\": ";
    append_lines(out, items, '[', ']', 4, [&](const auto& item) {
      write(out, item);
      return true;
    });
  };
  list("tables", report.tables, write_table);
  list("plots", report.plots, write_plot);
  list("findings", report.findings, [](std::string& text, const Finding& finding) {
    Fields(text)
        .text("severity", word_of(finding.severity))
        .text("kind", finding.kind)
        .text("text", finding.text)
        .text("evidence", finding.evidence)
        .text("advice", finding.advice);
  });
  list("derivation", report.derivation, write_step);
  out += "\n}\n";
  return out;
}

}  // namespace ridge::report
