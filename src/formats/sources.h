// Where a fact comes from. Every figure of a data table names a row of "sources"; the tier says how near to the maker
// the reading was, and so which figures may contradict which (hardware/accelerators.h).
#pragma once

#include "formats/rows.h"

namespace ridge::formats {

enum class Tier : std::uint8_t {
  kOfficial,       // the vendor's page or document, read
  kOfficialCode,   // the vendor's own repository or header
  kOfficialQuote,  // the vendor's text, quoted word for word by another document
  kOfficialCopy,   // a whole copy of the vendor's page
  kCited,          // the figure as another text gives it with the vendor's document named; that document was not read
  kSubmitter,      // declared by who ran a benchmark
  kMeasured,       // output of a tool
  kSecondary,      // third party
  kUser,           // from the user's own catalogue
  kNone,           // no source was found
};
inline constexpr Named<Tier> kTiers[] = {{"official", Tier::kOfficial},
                                         {"official-code", Tier::kOfficialCode},
                                         {"official-quote", Tier::kOfficialQuote},
                                         {"official-copy", Tier::kOfficialCopy},
                                         {"cited", Tier::kCited},
                                         {"submitter-declared", Tier::kSubmitter},
                                         {"measured", Tier::kMeasured},
                                         {"secondary", Tier::kSecondary},
                                         {"user", Tier::kUser},
                                         {"none", Tier::kNone}};
constexpr std::span<const Named<Tier>> names_of(Tier) { return kTiers; }

struct SourceRow {
  static constexpr std::string_view kTypeName = "ridge::formats::SourceRow";
  std::string_view id;
  std::string_view title;
  std::string_view publisher;
  std::string_view version;  // version, commit or date of what was read
  std::string_view url;
  Tier tier = Tier::kNone;
};
template <class V>
void describe(V& v, SourceRow& row) {
  v.key("id", row.id, "sources");
  v.required("title", row.title);
  v.optional("publisher", row.publisher);
  v.optional("version", row.version);
  v.optional("url", row.url);
  v.required("tier", row.tier);
}

}  // namespace ridge::formats
