// The words of the JSON for the closed sets of a report: written by render_json, read by read_report.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "report/report.h"

namespace ridge::report {

template <class T>
struct Words;  // kAll: every value with its word

template <>
struct Words<Severity> {
  static constexpr std::array kAll{std::pair{Severity::kInfo, std::string_view("info")}, std::pair{Severity::kWarning, std::string_view("warning")},
                                   std::pair{Severity::kError, std::string_view("error")}};
};
template <>
struct Words<Series::Style> {
  static constexpr std::array kAll{std::pair{Series::Style::kLine, std::string_view("line")}, std::pair{Series::Style::kPoints, std::string_view("points")},
                                   std::pair{Series::Style::kBars, std::string_view("bars")}};
};
// Plain is the absence of the key.
template <>
struct Words<Notation> {
  static constexpr std::array kAll{std::pair{Notation::kPlain, std::string_view("")}, std::pair{Notation::kPercent, std::string_view("percent")},
                                   std::pair{Notation::kChange, std::string_view("change")},
                                   std::pair{Notation::kPercentChange, std::string_view("percent_change")}};
};

template <class T>
constexpr std::string_view word_of(T value) {
  for (const auto& [known, word] : Words<T>::kAll)
    if (known == value) return word;
  return {};
}

template <class T>
constexpr std::optional<T> from_word(std::string_view text) {
  for (const auto& [known, word] : Words<T>::kAll)
    if (word == text) return known;
  return std::nullopt;
}

}  // namespace ridge::report
