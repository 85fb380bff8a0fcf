// hardware/: what the machines are. Start with catalog.h (the catalogue and the GPU syntax) and device.h (one accelerator
// as the analyses see it). Assumes nothing about models or workloads.
#pragma once

#include "hardware/catalog.h"
#include "hardware/device.h"
