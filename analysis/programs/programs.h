/*
 * programs.h - what other rooms see of analysis/programs: the buffers of a program, and which of them its
 * pointers may lead into (leads.c). The pass `launched` (launched.c) is named in passes.def.
 */
#ifndef GW_PROGRAMS_H
#define GW_PROGRAMS_H
#include "analysis/ir/query.h"

enum { GW_MOST_BUFFERS = 255 };

/* A set of buffers, by number. */
typedef struct gw_buffer_set {
    uint64_t bits[GW_MOST_BUFFERS / 64 + 1];
} gw_buffer_set;
static inline bool gw_buffers_have(const gw_buffer_set *s, uint32_t i) {
    return s->bits[i / 64] >> (i % 64) & 1;
}
static inline void gw_buffers_put(gw_buffer_set *s, uint32_t i) { s->bits[i / 64] |= UINT64_C(1) << (i % 64); }
static inline void gw_buffers_drop(gw_buffer_set *s, uint32_t i) {
    s->bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
bool gw_buffers_add(gw_buffer_set *to, const gw_buffer_set *more); /* whether that is more than it was */
bool gw_buffers_meet(const gw_buffer_set *a, const gw_buffer_set *b);

typedef struct gw_lead_buffer {
    gw_op alloc;    /* that makes it; 0: it is given */
    gw_value given; /* the parameter that leads to it */
    gw_str symbol;  /* the variable of the device's that it is */
    bool is_many;   /* of several iterations at once */
} gw_lead_buffer;

typedef struct gw_leads {
    const gw_func *f;
    GW_VEC(gw_lead_buffer) buffers;
    gw_buffer_set *of, all; /* by value */
    bool *moved;            /* by value: it may lead into the middle */
    bool *texture, *keeps;  /* by value: a texture object that is made here; by object: it may hold one */
    gw_buffer_set *kept;    /* by object: what pointers in it lead to */
} gw_leads;

/* False: there are more buffers than can be told apart. */
bool gw_leads_find(gw_leads *l, const gw_func *f);
void gw_leads_free(gw_leads *l);
/* Two pointers that are never the same: they come from different buffers, or change places at most. */
bool gw_leads_differ(const gw_leads *l, gw_value a, gw_value b);
#endif
