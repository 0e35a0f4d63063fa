/* cases.h - kernels with known answers, for ownership_test.c. */
#ifndef CASES_H
#define CASES_H
#include "kernel.h"

typedef struct ownership_case {
    const char *name;
    void (*body)(kernel *k);
    /* a letter for each reference: p plain, a atomic; b, w: only a block's, a warp's threads */
    const char *decisions;
    const char *reason;    /* in the note of the last reference */
} ownership_case;
extern const ownership_case ownership_cases[];
extern const size_t ownership_case_count;

/* Used beyond the table. */
void case_stencil(kernel *k);
void case_map(kernel *k);
void case_grid_stride(kernel *k);
void case_one_of_two(kernel *k);
void case_rows(kernel *k);
void case_unsigned_rows(kernel *k);
void case_long_index(kernel *k);
void case_scalar(kernel *k);
void case_write_indirect(kernel *k);
void case_update_indirect(kernel *k);
#endif
