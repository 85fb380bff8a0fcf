// Host program: data/*.yaml of this room → C++ tables (formats/embed.h).
#include "formats/embed.h"

#include "cost/data_rows.h"

int main(int argc, char** argv) { return ridge::formats::embed<ridge::cost::Data>(argc, argv, "cost/data.h", "ridge::cost::data"); }
