// commands/: one file per command: a request, its description, and the function from request to Report. table.cc lists
// them; command.h says how one is described, fields.h how a request struct is bound to its options.
#pragma once

#include "commands/command.h"
