#include "interfaces/cli/process.h"

int main(int argc, char** argv) { return ridge::cli::run_process(argc, argv); }
