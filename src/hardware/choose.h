// Which of several printed figures answers a question, and whether the answer is one number or a range. One rule for rates,
// memory, links and power. The caller has already kept only figures of one basis (same unit counted, sparsity, direction …).
//
// 1. Final figures answer. Where there is none, preliminary ones do, and the basis says so. Measured and disputed figures and press
//    estimates never do.
// 2. A figure marked as rounded answers only where no other does; so does an upper bound ("up to").
// 3. Of what is left, the figures nearest to the maker answer: what the vendor's own page says, then copies, quotes and code of the
//    vendor and his documents as others cite them, then declarations of submitters, then third parties (authority()). A lower
//    class does not contradict a higher one that has the figure; it is passed over, and shown.
// 4. Figures of that class which are the same number printed to fewer digits are one figure, the one with most digits, and a
//    printed one before a derived one: 3.7 and 3.675 TB/s, 756 and 1513 / 2 TFLOP/s. The finer number must lie within half a unit of the last digit of the
//    coarser and within 1 % of it, so that 14 never stands for 13.5.
// 5. If more than one number is left, the sources disagree: the answer is the range, with all of their sources.
#pragma once

#include <string>
#include <vector>

#include "formats/sources.h"
#include "hardware/accelerators_rows.h"
#include "quantity/figure.h"

namespace ridge::hardware {

// 0 nearest to the maker, 3 third parties; see rule 3. `cites`: the row names the vendor's document.
int authority(formats::Tier tier, bool cites);

// Why a figure did not answer.
enum class PassedOver : std::uint8_t { kNo, kSame, kRounded, kUpTo, kLessAuthority, kPreliminary, kNotFinal, kOtherConfiguration, kOtherBasis };
std::string_view reason_of(PassedOver reason);

struct Candidate {
  double value = 0;    // in the base unit
  double printed = 0;  // as the source prints it
  std::string shown;   // "3.35 TB/s"
  std::string basis;   // what only this figure says: "fp32 accumulate", "derived: 72 PF / 8"
  Status status = Status::kFinal;
  bool rounded = false;
  bool up_to = false;
  bool derived = false;
  int authority = 3;
  std::vector<std::string> sources;
  PassedOver passed_over = PassedOver::kNo;
};

struct Choice {
  Interval value;
  Status status = Status::kFinal;
  bool rounded = false;
  bool up_to = false;
  bool derived = false;                // every figure that answers was
  std::vector<Candidate> used;         // one, or several that disagree, by rising value
  std::vector<Candidate> passed_over;  // in the order given
};

// nullopt where nothing may answer.
std::optional<Choice> choose(std::vector<Candidate> candidates);

// Rule 4, for the two printed numbers in one base unit.
bool same_figure(const Candidate& a, const Candidate& b);
int significant_digits(double printed);  // 3.35 → 3, 756.5 → 4, 14000 → 5: zeros of a whole number are taken as meant

}  // namespace ridge::hardware
