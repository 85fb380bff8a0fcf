#include "report/terminal_table.h"

#include <algorithm>
#include <numeric>

#include "report/text_layout.h"

namespace ridge::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kHeaderLines = 3;
constexpr std::size_t kCellLines = 4;
constexpr std::size_t kLongestHeader = 60;
constexpr std::size_t kLongestNumber = 28;
constexpr std::size_t kLeastText = 14;  // narrower, elided names no longer tell rows apart

struct Slot {
  std::size_t index = 0;
  std::size_t header = 0;        // on one line
  std::size_t header_least = 0;  // broken into at most kHeaderLines
  std::size_t cells = 0;
  std::size_t width = 0;
  bool numeric = false;

  std::size_t least() const { return std::max(header_least, numeric ? cells : std::min(cells, kLeastText)); }
};

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

std::size_t narrowest_header(const std::string& header, std::size_t most) {
  for (std::size_t columns = longest_word(header); columns < most; ++columns)
    if (wrap(header, columns).size() <= kHeaderLines) return columns;
  return most;
}

std::string header_of(const Grid& grid, std::size_t column, bool ascii) {
  return elide_middle(grid.columns[column].header(), kLongestHeader, ascii ? "..." : "…");
}

std::vector<Slot> measure(const Grid& grid, bool ascii) {
  std::vector<Slot> slots(grid.columns.size());
  for (std::size_t c = 0; c < slots.size(); ++c) {
    Slot& slot = slots[c];
    slot.index = c;
    const std::string header = header_of(grid, c, ascii);
    slot.header = width(header);
    slot.header_least = narrowest_header(header, slot.header);
    for (const auto& row : grid.cells) slot.cells = std::max(slot.cells, width(row[c]));
    slot.numeric = grid.columns[c].numeric && slot.cells <= kLongestNumber;  // else there is prose among the numbers
  }
  return slots;
}

std::size_t total(const std::vector<Slot>& slots) {
  return std::accumulate(slots.begin(), slots.end(), slots.empty() ? 0 : (slots.size() - 1) * kGap,
                         [](std::size_t sum, const Slot& slot) { return sum + slot.width; });
}

// Narrows text, the widest column first and never below its least, until the slots fit. False where they cannot.
bool shrink_text(std::vector<Slot>& slots, std::size_t available) {
  std::size_t have = total(slots);
  while (have > available) {
    Slot* widest = nullptr;
    for (Slot& slot : slots)
      if (!slot.numeric && slot.width > slot.least() && (widest == nullptr || slot.width > widest->width)) widest = &slot;
    if (widest == nullptr) return false;
    // Down to the next widest at a time would even them out; a tenth at a time is close and takes few rounds.
    const std::size_t step = std::min({std::max<std::size_t>(1, widest->width / 10), widest->width - widest->least(), have - available});
    widest->width -= step;
    have -= step;
  }
  return true;
}

bool fit(std::vector<Slot>& slots, std::size_t available) {
  for (Slot& slot : slots) slot.width = std::max(slot.header, slot.cells);
  if (total(slots) <= available) return true;
  for (Slot& slot : slots) slot.width = std::max(slot.header_least, slot.cells);
  if (total(slots) > available && !shrink_text(slots, available)) return false;
  // What is left over gives headers back their one line.
  std::size_t spare = available - total(slots);
  for (Slot& slot : slots) {
    const std::size_t wish = slot.header > slot.width ? slot.header - slot.width : 0;
    if (wish > spare) continue;
    slot.width += wish;
    spare -= wish;
  }
  return true;
}

std::string set_cell(const std::string& text, const Slot& slot, bool last) {
  if (slot.numeric) return pad_left(text, slot.width);
  return last ? text : pad_right(text, slot.width);
}

// Prose that is too long for its column continues below; a name is elided, since its ends tell it apart.
std::vector<std::string> cell_lines(const std::string& text, const Slot& slot, std::string_view mark) {
  if (slot.numeric || width(text) <= slot.width) return {text};
  if (longest_word(text) > slot.width) return {elide_middle(text, slot.width, mark)};
  std::vector<std::string> lines = wrap(text, slot.width);
  if (lines.size() <= kCellLines) return lines;
  std::string rest = lines[kCellLines - 1];
  for (std::size_t i = kCellLines; i < lines.size(); ++i) rest += " " + lines[i];
  lines.resize(kCellLines);
  lines.back() = elide_middle(rest, slot.width, mark);
  return lines;
}

using Lines = std::vector<std::string>;  // of one cell

// One line of text for each line of the tallest cell. Headers stand on the rule, so their empty lines are above.
void add_lines(const std::vector<Lines>& cells, const std::vector<Slot>& slots, TableLine::Kind kind, std::vector<TableLine>& lines) {
  std::size_t height = 1;
  for (const Lines& cell : cells) height = std::max(height, cell.size());
  for (std::size_t h = 0; h < height; ++h) {
    std::string line;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::size_t above = kind == TableLine::Kind::kHeader ? height - cells[i].size() : 0;
      const bool empty = h < above || h - above >= cells[i].size();
      if (i > 0) line.append(kGap, ' ');
      line += set_cell(empty ? "" : cells[i][h - above], slots[i], i + 1 == slots.size());
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back({kind, std::move(line)});
  }
}

void add_block(const Grid& grid, const std::vector<Slot>& slots, bool ascii, std::vector<TableLine>& lines) {
  std::vector<Lines> cells;
  for (const Slot& slot : slots) cells.push_back(wrap(header_of(grid, slot.index, ascii), slot.width));
  add_lines(cells, slots, TableLine::Kind::kHeader, lines);
  cells.clear();
  for (const Slot& slot : slots) cells.push_back({repeat(ascii ? "-" : "─", slot.width)});
  add_lines(cells, slots, TableLine::Kind::kRule, lines);
  for (const auto& row : grid.cells) {
    cells.clear();
    for (const Slot& slot : slots) cells.push_back(cell_lines(row[slot.index], slot, ascii ? "..." : "…"));
    add_lines(cells, slots, TableLine::Kind::kRow, lines);
  }
}

}  // namespace

std::vector<TableLine> lay_out_table(const Grid& grid, std::size_t available, bool ascii) {
  std::vector<TableLine> lines;
  std::vector<Slot> slots = measure(grid, ascii);
  if (slots.empty()) return lines;
  for (Slot& slot : slots)
    if (!slot.numeric) slot.cells = std::min(slot.cells, available);
  if (fit(slots, available)) {
    add_block(grid, slots, ascii, lines);
    return lines;
  }
  Slot first = slots.front();
  first.width = std::max(first.header_least, first.numeric ? first.cells : std::min(first.cells, std::max(available / 3, kLeastText)));
  for (std::size_t next = 1; next < slots.size() || lines.empty();) {
    std::vector<Slot> block{first};
    std::size_t used = first.width;
    while (next < slots.size()) {
      Slot slot = slots[next];
      slot.width = std::max(slot.header_least, slot.cells);
      if (!slot.numeric) {
        // Text takes what the line has left, if that is enough to read it.
        const std::size_t left = available > used + kGap ? available - used - kGap : 0;
        slot.width = std::max(slot.least(), std::min(slot.width, left));
      }
      if (block.size() > 1 && used + kGap + slot.width > available) break;
      used += kGap + slot.width;
      block.push_back(slot);
      ++next;
    }
    if (!lines.empty()) lines.push_back({TableLine::Kind::kGap, ""});
    add_block(grid, block, ascii, lines);
  }
  return lines;
}

}  // namespace ridge::report
