#pragma once
#include <isa-l/igzip_lib.h>

// What the library recommends for a level from 1 to 3; the macros are too deep to be imported.
static inline uint32_t aviary_isal_level_buffer_size(uint32_t level) {
    switch (level) {
    case 1: return ISAL_DEF_LVL1_DEFAULT;
    case 2: return ISAL_DEF_LVL2_DEFAULT;
    default: return ISAL_DEF_LVL3_DEFAULT;
    }
}
