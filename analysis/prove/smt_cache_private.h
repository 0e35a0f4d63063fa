/*
 * smt_cache_private.h - answers of the solver, kept in a folder for other runs (--smt-cache); without one
 * (NULL) the last few are kept for this thread.
 *
 * An answer is kept under the whole text of its question, and compared with it when it is read: it is one to
 * this very question, by this very solver. What it took tells what would come of it with other steps left
 * (smt.c). A folder that cannot be read or written keeps nothing.
 */
#ifndef GW_SMT_CACHE_PRIVATE_H
#define GW_SMT_CACHE_PRIVATE_H
#include "analysis/prove/prove.h"

/* Z3 is asked once, or again without small launches. */
enum { GW_SMT_CHECKS = 2 };
typedef struct gw_smt_kept {
    gw_smt_answer found;
    uint64_t assumed;
    uint32_t checks;
    uint64_t steps[GW_SMT_CHECKS];
    bool cut; /* the last one had no more steps */
} gw_smt_kept;

/* The witness is added to the text. */
bool gw_smt_cache_read(const char *folder, const char *question, gw_smt_kept *kept, gw_text *witness);
void gw_smt_cache_write(const char *folder, const char *question, const gw_smt_kept *kept, const char *witness);
#endif
