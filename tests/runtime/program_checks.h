/* program_checks.h - what tests of the runtime of programs share: a check, memory, how a run ends. */
#ifndef GW_TESTS_PROGRAM_CHECKS_H
#define GW_TESTS_PROGRAM_CHECKS_H

#include "fake_cuda.h"
#include "gradwright/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            printf("%s:%d: failed: %s (%s)\n", __FILE__, __LINE__, #condition, gw_last_error());               \
            exit(1);                                                                                           \
        }                                                                                                      \
    } while (0)

static inline char *device(size_t bytes) {
    void *at = NULL;
    CHECK(cudaMalloc(&at, bytes) == cudaSuccess);
    memset(at, 1, bytes);
    return at;
}

static inline void ends_with(gw_program *run, gw_status status, const char *text) {
    CHECK(gw_program_end(run) == status);
    CHECK(strstr(gw_last_error(), text));
}

#endif
