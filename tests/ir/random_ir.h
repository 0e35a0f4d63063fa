/* random_ir.h - legal functions made through the builder from a seed; every kind of op, object and name. */
#ifndef RANDOM_IR_H
#define RANDOM_IR_H
#include "analysis/ir/ir.h"
typedef struct random_source {
    uint64_t state;
} random_source;
uint32_t random_below(random_source *r, uint32_t limit);
/* A session with a few functions and derivatives of them. The caller frees it. */
gw_session *random_session(uint64_t seed);
#endif
