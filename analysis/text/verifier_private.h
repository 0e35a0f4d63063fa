/* verifier_private.h - gw_verify that also tells the op (0: none) whose rule is broken. */
#ifndef GW_VERIFIER_PRIVATE_H
#define GW_VERIFIER_PRIVATE_H
#include "analysis/ir/ir.h"
bool gw_verify_at(const gw_func *f, char **why, gw_op *op);

/* What the verifier's files share: the first broken rule, which ends the search. */
typedef struct gw_rules {
    const gw_func *f;
    bool links_hold; /* so that ops can be printed */
    char *why;
    gw_op op;
} gw_rules;
/* Records the rule that `op` (0: the function) breaks; always false. */
bool gw_rule_broken(gw_rules *r, gw_op op, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool gw_verify_links(gw_rules *r);   /* verifier_links.c: handles, regions, order of definition and use */
bool gw_verify_objects(gw_rules *r); /* verifier_objects.c: objects, parameters, assumptions */
bool gw_verify_tape(gw_rules *r);    /* verifier_tape.c: pushes and pops */
#endif
