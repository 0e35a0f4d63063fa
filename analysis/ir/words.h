/*
 * words.h - the words of the IR's text, one table for each enumeration; printer.c and parser.c share them,
 * so that what is printed can be read.
 */
#ifndef GW_WORDS_H
#define GW_WORDS_H
#include "analysis/ir/ir.h"

#define GW_COUNT_OF(table) (sizeof(table) / sizeof *(table))

static const char *const gw_object_words[] = {"pointer", "struct", "global", "local", "tape", "shared"};
static const char *const gw_func_words[] = {"host", "device", "host_device", "kernel"};
static const char *const gw_form_words[] = {"primal", "grad", "pullback", "jvp",   "bound",
                                            "check",  "fwd",  "bwd",      "gather", "measure",
                                            "stored"};
static const char *const gw_company_words[] = {"", "block", "warp"}; /* of a gw_company */
static const char *const gw_flag_words[] = {"exit",    "fast",      "stale", "unsure", "early", "reads",
                                            "writes",  "any_order", "down",  "rest",   "apart", "of_block",
                                            "of_warp", "rounded",   "beyond", "back"}; /* bit 0 and up */
static const char *const gw_barrier_words[] = {"", "count", "and", "or"};
static const char *const gw_special_words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
/* of a gw_policy; "": none */
static const char *const gw_policy_words[] = {"",
#define GW_POLICY(id, word, shared_by, means) word,
#include "analysis/ir/policies.def"
#undef GW_POLICY
};
static const char gw_axis_letters[] = "xyz";

/* Ops whose operands are written as `object[%i].field`, and whose attr is a gw_accumulate, or a gw_atomic. */
static inline bool gw_is_access(unsigned code) {
    return code == GW_OP_LOAD || code == GW_OP_STORE || code == GW_OP_ACCUM || code == GW_OP_ADDRESS ||
           code == GW_OP_ATOMIC || code == GW_OP_SETTLE;
}
/* Ops that name an object without a path. */
static inline bool gw_is_slot(unsigned code) {
    return code == GW_OP_DECLARE || code == GW_OP_CLEAR || code == GW_OP_SETTLE_ALL || code == GW_OP_PUSH ||
           code == GW_OP_POP;
}
/* How many regions an op has, and the word before its second one. */
static inline unsigned gw_region_count(unsigned code) {
    if (code == GW_OP_FOR) return 1;
    return code == GW_OP_IF || code == GW_OP_WHILE ? 2 : 0;
}
static inline const char *gw_second_region_word(unsigned code) { return code == GW_OP_IF ? "else" : "do"; }
#endif
