// Host program: data/*.yaml of this room → C++ tables (formats/embed.h).
#include "formats/embed.h"

#include "hardware/data_rows.h"

int main(int argc, char** argv) { return ridge::formats::embed<ridge::hardware::Data>(argc, argv, "hardware/data.h", "ridge::hardware::data"); }
