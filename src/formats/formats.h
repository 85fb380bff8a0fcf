// formats/: bytes → plain values. Readers trust nothing: bounded memory and depth, checked arithmetic, errors that name the
// file and the place. They know no model and no GPU. Binary input goes through cursor.h, documents come out as tree.h
// nodes, tables through csv.h; file_system.h is the only way to a disk. safetensors.h and gguf.h read what a checkpoint holds
// from its headers.
#pragma once

#include "formats/csv.h"
#include "formats/cursor.h"
#include "formats/file_system.h"
#include "formats/gguf.h"
#include "formats/safetensors.h"
#include "formats/tree.h"
