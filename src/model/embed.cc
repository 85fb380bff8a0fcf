// Host program: data/models.yaml → C++ tables (formats/embed.h).
#include "formats/embed.h"

#include "model/data_rows.h"

int main(int argc, char** argv) { return ridge::formats::embed<ridge::model::Data>(argc, argv, "model/data.h", "ridge::model::data"); }
