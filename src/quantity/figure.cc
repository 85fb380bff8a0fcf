#include "quantity/figure.h"

namespace ridge {

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::kPublished:
      return "published";
    case Provenance::kMeasured:
      return "measured";
    case Provenance::kDerived:
      return "derived";
    case Provenance::kAssumed:
      return "assumed";
    case Provenance::kUser:
      return "user";
  }
  return "";
}

}  // namespace ridge
