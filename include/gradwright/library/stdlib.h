/* Read in front of the C library's header: qsort and bsearch of a pointer to the elements, with their size as
 * it stands. The order is found in integers, by merging runs that double in length, which is stable; the
 * elements go by it, and their adjoints back. A source that does not read so is read without this header. */
#include_next <stdlib.h>
#if !defined(GRADWRIGHT_LIBRARY_STDLIB) && !defined(__need_malloc_and_calloc)
#define GRADWRIGHT_LIBRARY_STDLIB
#define qsort(base, count, size, compare)                                                                      \
    do {                                                                                                       \
        __typeof__(&*(base)) gw_base = (base);                                                                 \
        const long gw_count = (long)(count);                                                                   \
        _Static_assert((size) == sizeof *gw_base, "the elements' size");                                       \
        long gw_order[gw_count], gw_merged[gw_count];                                                          \
        __typeof__(*gw_base) gw_values[gw_count];                                                              \
        for (long gw_i = 0; gw_i < gw_count; gw_i++) gw_order[gw_i] = gw_i;                                    \
        for (long gw_i = 0; gw_i < gw_count; gw_i++) gw_values[gw_i] = gw_base[gw_i];                          \
        for (long gw_run = 1; gw_run < gw_count; gw_run *= 2) {                                                \
            for (long gw_begin = 0; gw_begin < gw_count; gw_begin += 2 * gw_run) {                             \
                const long gw_middle = gw_begin + gw_run < gw_count ? gw_begin + gw_run : gw_count;            \
                const long gw_end = gw_begin + 2 * gw_run < gw_count ? gw_begin + 2 * gw_run : gw_count;       \
                long gw_a = gw_begin, gw_b = gw_middle;                                                        \
                for (long gw_k = gw_begin; gw_k < gw_end; gw_k++) {                                            \
                    _Bool gw_right = gw_a >= gw_middle;                                                        \
                    if (!gw_right && gw_b < gw_end)                                                            \
                        gw_right = (compare)(&gw_base[gw_order[gw_b]], &gw_base[gw_order[gw_a]]) < 0;          \
                    gw_merged[gw_k] = gw_right ? gw_order[gw_b] : gw_order[gw_a];                              \
                    gw_b += gw_right;                                                                          \
                    gw_a += !gw_right;                                                                         \
                }                                                                                              \
            }                                                                                                  \
            for (long gw_k = 0; gw_k < gw_count; gw_k++) gw_order[gw_k] = gw_merged[gw_k];                     \
        }                                                                                                      \
        for (long gw_k = 0; gw_k < gw_count; gw_k++) gw_merged[gw_order[gw_k]] = gw_k;                         \
        for (long gw_i = 0; gw_i < gw_count; gw_i++) gw_base[gw_merged[gw_i]] = gw_values[gw_i];               \
    } while (0)
#define bsearch(key, base, count, size, compare)                                                               \
    ({                                                                                                         \
        __typeof__(&*(base)) gw_base = (base), gw_found = NULL;                                                \
        _Static_assert((size) == sizeof *gw_base, "the elements' size");                                       \
        long gw_low = 0, gw_high = (long)(count);                                                              \
        while (gw_low < gw_high) {                                                                             \
            const long gw_middle = (gw_low + gw_high) / 2;                                                     \
            const int gw_order = (compare)((key), gw_base + gw_middle);                                        \
            if (gw_order == 0) {                                                                               \
                gw_found = gw_base + gw_middle;                                                                \
                break;                                                                                         \
            }                                                                                                  \
            if (gw_order < 0) gw_high = gw_middle;                                                             \
            else gw_low = gw_middle + 1;                                                                       \
        }                                                                                                      \
        gw_found;                                                                                              \
    })
#endif
