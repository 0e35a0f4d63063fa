/*
 * smt_cache_private.h - answers of the solver, kept in a folder for other runs (--smt-cache); without one
 * (NULL) the last few are kept for this thread.
 *
 * An answer is kept under the whole text of its question, and compared with it when it is read: it is one to
 * this very question, by this very solver, with the same steps left. A folder that cannot be read or written
 * keeps nothing.
 */
#ifndef GW_SMT_CACHE_PRIVATE_H
#define GW_SMT_CACHE_PRIVATE_H
#include "analysis/prove/prove.h"

typedef struct gw_smt_kept {
    gw_smt_answer found;
    uint64_t assumed;
    uint64_t taken; /* steps */
} gw_smt_kept;

/* The witness is added to the text. */
bool gw_smt_cache_read(const char *folder, const char *question, gw_smt_kept *kept, gw_text *witness);
void gw_smt_cache_write(const char *folder, const char *question, const gw_smt_kept *kept, const char *witness);
#endif
