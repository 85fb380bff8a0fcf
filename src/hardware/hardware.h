// hardware/: what the machines are. Start with catalog.h (the catalogue and the GPU syntax) and device.h (one accelerator
// as the analyses see it). Assumes nothing about models or workloads.
//
// Behind them: *_rows.h, the rows of data/*.yaml as stored; accelerators.h, questions to them with a basis, and choose.h, which
// figure answers; caveats.h, what must be known before a part's figures are used; identify.h, what drivers and labels call a
// part; lint.h, claimed specs against the catalogue.
#pragma once

#include "hardware/catalog.h"
#include "hardware/device.h"
