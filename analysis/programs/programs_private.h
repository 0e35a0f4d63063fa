/*
 * programs_private.h - launches by their parts, and which memory of a program has a derivative for one request.
 */
#ifndef GW_PROGRAMS_PRIVATE_H
#define GW_PROGRAMS_PRIVATE_H
#include "analysis/facts/facts.h"
#include "analysis/facts/parts.h"
#include "analysis/ir/device.h"
#include "analysis/programs/programs.h"

/* ---- flow.c ---- */
typedef struct gw_launch_flow {
    gw_launch_parts parts; /* empty: nothing has come here yet */
    bool *varied, *wanted; /* by part: what comes in depends on an input; what it leads to is useful */
    bool *useful;          /* and the kernel makes of it what is wanted */
    bool *used;            /* by value of the kernel (facts/used.c); NULL: not asked yet */
} gw_launch_flow;

typedef struct gw_program_flow {
    const gw_func *f;
    gw_leads leads;
    /* By buffer: it depends on an input; an output depends on it; a call reads or writes numbers there. */
    bool *varied, *useful, *used;
    gw_launch_flow *launches; /* by op */
    gw_roles roles;
    gw_activity activity;
} gw_program_flow;

/* False: it is not known, so that all may have a derivative. */
bool gw_program_flow_find(gw_program_flow *p, const gw_func *f, const gw_request *q);
/* Says what kernels lose of derivatives where that leaves them without a gradient of it; false after an
 * error. */
bool gw_program_flow_check(const gw_program_flow *p);
bool gw_program_flow_check_textures(const gw_program_flow *p);
/* The launch leaves numbers that others use behind guards alone. */
bool gw_program_flow_leaves_unused(const gw_program_flow *p, gw_op launch);
void gw_program_flow_free(gw_program_flow *p);
const gw_buffer_set *gw_program_flow_leads(const gw_program_flow *p, gw_value address); /* into which buffers */
gw_value gw_program_flow_source(const gw_program_flow *p, gw_op op); /* of a copy; 0: it is none */
void gw_launch_flow_roles(const gw_func *kernel, const gw_launch_flow *l, gw_roles *r);
/* Some buffer that the address may lead into has a derivative. */
bool gw_program_flow_is_active(const gw_program_flow *p, gw_value address);
bool gw_program_flow_uses(const gw_program_flow *p, gw_value address);
/* Inputs reach its memory; outputs need it. */
bool gw_program_flow_varies(const gw_program_flow *p, gw_value address);
bool gw_program_flow_wants(const gw_program_flow *p, gw_value address);

/* ---- integers.c ---- */
/* Warns of integers made of numbers, from which a kernel or the host makes an output again; false after an
 * error: they were the numbers' bits. */
bool gw_program_flow_check_integers(const gw_program_flow *p);

#endif
