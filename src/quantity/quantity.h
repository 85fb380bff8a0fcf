// quantity/: what every other room stands on. Strong units (units.h), how people write them (text.h), number formats
// (precision.h), figures with basis and source and the steps of an explanation (figure.h), and failures (result.h).
// It assumes nothing and includes no other room.
#pragma once

#include "quantity/date.h"
#include "quantity/figure.h"
#include "quantity/precision.h"
#include "quantity/result.h"
#include "quantity/text.h"
#include "quantity/units.h"
