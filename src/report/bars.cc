#include "report/bars.h"

#include <cmath>
#include <map>

#include "report/number_format.h"
#include "report/text_layout.h"

namespace ridge::report {

std::optional<BarChart> as_bar_chart(const Plot& plot) {
  bool named = false;
  for (const Series& series : plot.series) {
    if (series.style != Series::Style::kBars) return std::nullopt;
    named = named || !series.labels.empty();
  }
  if (!named) return std::nullopt;

  BarChart chart;
  std::map<double, std::size_t> category_of;  // by x: bars of several series at one x belong together
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const auto [x, y] = series.points[i];
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      const auto [found, fresh] = category_of.emplace(x, chart.categories.size());
      if (fresh) {
        chart.categories.emplace_back();
        chart.values.emplace_back(plot.series.size());
      }
      if (chart.categories[found->second].empty() && i < series.labels.size()) chart.categories[found->second] = clean(series.labels[i]);
      chart.values[found->second][s] = y;
    }
  }
  for (const auto& [x, index] : category_of)
    if (chart.categories[index].empty()) chart.categories[index] = show_cell(x, plot.x.unit);
  return chart;
}

}  // namespace ridge::report
