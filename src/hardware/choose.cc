#include "hardware/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridge::hardware {
namespace {

// Half a unit of the last digit of a printed number, in units of the printed number.
double half_digit(double printed) {
  const std::string text = fmt::format("{}", printed);
  const std::size_t point = text.find('.');
  if (text.find('e') != std::string::npos) return 0;
  const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(decimals));
}

void pass_over(std::vector<Candidate>& from, std::vector<Candidate>& to, PassedOver reason, auto&& which) {
  for (Candidate& candidate : from) {
    if (!which(candidate)) continue;
    candidate.passed_over = reason;
    to.push_back(candidate);
  }
  std::erase_if(from, [](const Candidate& candidate) { return candidate.passed_over != PassedOver::kNo; });
}

// The figures of one class: those which are one number leave their finest print. Finer ones come first, plain before derived.
std::vector<Candidate> distinct(std::vector<Candidate>& candidates, std::vector<Candidate>& passed_over) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.derived != b.derived) return !a.derived;
    return significant_digits(a.printed) > significant_digits(b.printed);
  });
  std::vector<Candidate> kept;
  for (Candidate& candidate : candidates) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&candidate](const Candidate& other) { return same_figure(candidate, other); });
    if (same == kept.end()) {
      kept.push_back(candidate);
      continue;
    }
    if (same->value == candidate.value) {  // two readings of one number: both are its sources
      for (const std::string& source : candidate.sources)
        if (std::find(same->sources.begin(), same->sources.end(), source) == same->sources.end()) same->sources.push_back(source);
    }
    candidate.passed_over = PassedOver::kSame;
    passed_over.push_back(candidate);
  }
  std::stable_sort(kept.begin(), kept.end(), [](const Candidate& a, const Candidate& b) { return a.value < b.value; });
  return kept;
}

}  // namespace

int authority(formats::Tier tier, bool cites) {
  using formats::Tier;
  switch (tier) {
    case Tier::kUser:
    case Tier::kOfficial:
      return 0;
    case Tier::kOfficialCode:
    case Tier::kOfficialQuote:
    case Tier::kOfficialCopy:
    case Tier::kCited:
      return 1;
    case Tier::kSubmitter:
      return cites ? 1 : 2;
    case Tier::kMeasured:
    case Tier::kSecondary:
      return cites ? 1 : 3;
    case Tier::kNone:
      return 4;
  }
  return 4;
}

std::string_view reason_of(PassedOver reason) {
  switch (reason) {
    case PassedOver::kNo:
      return "used";
    case PassedOver::kSame:
      return "the same figure";
    case PassedOver::kRounded:
      return "rounded";
    case PassedOver::kUpTo:
      return "an upper bound";
    case PassedOver::kLessAuthority:
      return "a source nearer to the maker says otherwise";
    case PassedOver::kPreliminary:
      return "preliminary";
    case PassedOver::kNotFinal:
      return "not final";
    case PassedOver::kOtherConfiguration:
      return "another configuration";
    case PassedOver::kOtherBasis:
      return "another basis";
  }
  return "";
}

int significant_digits(double printed) {
  int digits = 0;
  bool leading = true;
  for (char c : fmt::format("{}", std::abs(printed))) {
    if (c == 'e') break;
    if (c == '.') continue;
    if (leading && c == '0') continue;
    leading = false;
    ++digits;
  }
  return digits;
}

bool same_figure(const Candidate& a, const Candidate& b) {
  if (a.value == b.value) return true;
  const double difference = std::abs(a.value - b.value);
  if (difference <= 1e-9 * std::max(a.value, b.value)) return true;
  const auto within = [difference](const Candidate& coarse) {
    return difference <= half_digit(coarse.printed) * (coarse.value / coarse.printed) * (1 + 1e-9) && difference <= 0.01 * coarse.value;
  };
  const int digits_a = significant_digits(a.printed), digits_b = significant_digits(b.printed);
  // A derived number shows digits that its source did not print, so only a plain one may be the coarse print.
  return (digits_a <= digits_b && !a.derived && within(a)) || (digits_b <= digits_a && !b.derived && within(b));
}

std::optional<Choice> choose(std::vector<Candidate> candidates) {
  Choice choice;
  std::vector<Candidate>& over = choice.passed_over;
  pass_over(candidates, over, PassedOver::kNotFinal, [](const Candidate& c) { return c.status != Status::kFinal && c.status != Status::kPreliminary; });
  const auto exists = [&candidates](auto&& which) { return std::any_of(candidates.begin(), candidates.end(), which); };
  if (exists([](const Candidate& c) { return c.status == Status::kFinal; }))
    pass_over(candidates, over, PassedOver::kPreliminary, [](const Candidate& c) { return c.status == Status::kPreliminary; });
  if (candidates.empty()) return std::nullopt;
  if (exists([](const Candidate& c) { return !c.rounded; })) pass_over(candidates, over, PassedOver::kRounded, [](const Candidate& c) { return c.rounded; });
  if (exists([](const Candidate& c) { return !c.up_to; })) pass_over(candidates, over, PassedOver::kUpTo, [](const Candidate& c) { return c.up_to; });
  const int best = std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.authority < b.authority; })->authority;
  pass_over(candidates, over, PassedOver::kLessAuthority, [best](const Candidate& c) { return c.authority > best; });

  choice.used = distinct(candidates, over);
  choice.value = {choice.used.front().value, choice.used.back().value};
  choice.status = choice.used.front().status;
  choice.rounded = choice.used.front().rounded;
  choice.up_to = choice.used.front().up_to;
  choice.derived = std::all_of(choice.used.begin(), choice.used.end(), [](const Candidate& c) { return c.derived; });
  return choice;
}

}  // namespace ridge::hardware
