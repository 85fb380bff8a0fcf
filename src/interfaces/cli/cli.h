// interfaces/cli: the command line of `ridge`. arguments.h sorts what was typed, help.h and complete.h are made from the
// descriptions of the commands. It knows how an answer is asked for and shown, and nothing of any subject.
#pragma once

#include "interfaces/cli/arguments.h"
#include "interfaces/cli/complete.h"
#include "interfaces/cli/help.h"
