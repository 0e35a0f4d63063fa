/*
 * differences.h - memory of derivatives that are central differences (GW_NUMERIC): copies of what a function
 * reads and writes, for its calls at other points. C17 and C++14.
 */
#ifndef GRADWRIGHT_DIFFERENCES_H
#define GRADWRIGHT_DIFFERENCES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <gradwright/emitted/throws.h>
#endif

/* Null of null; ends the program where there is no memory, which its caller cannot be told. */
static inline void *gw_copied(const void *gw_from, size_t gw_bytes) {
    void *gw_copy = gw_from ? malloc(gw_bytes + 1) : NULL;
    if (gw_from && !gw_copy) {
        fprintf(stderr, "no memory for a derivative by differences: it ends here\n");
        abort();
    }
    if (gw_copy) memcpy(gw_copy, gw_from, gw_bytes);
    return gw_copy;
}

#endif
