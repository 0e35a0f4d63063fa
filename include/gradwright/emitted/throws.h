/*
 * throws.h - what derivatives in C++ free where they end by an exception.
 */
#ifndef GRADWRIGHT_THROWS_H
#define GRADWRIGHT_THROWS_H

#include <gradwright/tape.h>

#include <stdexcept>
#include <stdlib.h>

struct gw_host_tape_end {
    gw_host_tape *tape;
    ~gw_host_tape_end() { gw_host_tape_free(tape); }
};

struct gw_space_end {
    void *space;
    ~gw_space_end() { free(space); }
};

#endif
