// cost/: what it takes. The one law (law.h), the price of a step (step.h), what a deployment holds in memory (footprint.h) or
// a training run (training_state.h), queues and replicas under load (queueing.h, load.h). Every prediction of time or memory
// in the program comes from here.
#pragma once

#include "cost/footprint.h"
#include "cost/law.h"
#include "cost/load.h"
#include "cost/queueing.h"
#include "cost/step.h"
#include "cost/training_state.h"
