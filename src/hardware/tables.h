// What a Catalog holds: the compiled-in rows, or those with the user's on top. The tables' own headers ask it.
#pragma once

#include "hardware/catalog.h"
#include "hardware/data_rows.h"

namespace ridge::hardware {

struct Catalog::Tables {
  Data data;
  std::vector<std::string_view> user_ids;  // of accelerators that the overlay brought
  formats::Arena arena;                    // owns what the overlay brought
};

const formats::SourceRow* find_source(const Catalog& catalog, std::string_view id);

}  // namespace ridge::hardware
