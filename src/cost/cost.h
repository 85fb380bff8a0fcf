// cost/: what it takes. The one law (law.h), the price of a step (step.h), what a deployment or a training run holds in
// memory (footprint.h). Every prediction of time or memory in the program comes from here.
#pragma once

#include "cost/footprint.h"
#include "cost/law.h"
#include "cost/step.h"
