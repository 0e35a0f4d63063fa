/*
 * cost.c - what ops and whole functions cost, in additions: on a host, and where a kernel is meant, on a
 * device.
 *
 * Good enough to compare two ways of writing one derivative: the same loops run equally often in both, so that
 * a guess of their trip counts weighs the depth of an op and nothing else.
 */
#include "rewriters/formula/formula.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

enum {
    TRIPS = 10,
    CALL = 100,
    MATH = 20,
    DIVISION = 8,
    MEMORY = 2,
    UPDATE = 4,
    RESULT = 3,
    RECORD = 3,
    RECORD_BYTES = 2,
    CORES = 4 /* of a loop with a policy */
};
enum { DEVICE_BYTE = 5 }; /* of a kernel, to or from memory: what a GPU adds in the time, in single precision */
/* a byte of a register that is held from the forward sweep to the reverse: fewer blocks run at a time */
enum { DEVICE_RESULT = 7 };

/* The tape is written and read, and its bytes go through the caches: 7 for a double. */
int gw_cost_of_record(const gw_func *f, gw_type type, bool is_result) {
    int bytes = gw_type_bits(type) <= 32 ? 4 : (int)gw_type_bits(type) / 8;
    if (f->kind == GW_FUNC_KERNEL) return (is_result ? DEVICE_RESULT : 2 * DEVICE_BYTE) * bytes;
    return is_result ? RESULT : RECORD + bytes / RECORD_BYTES;
}

static int cost_of_slot(const gw_func *f, gw_op op) {
    return gw_cost_of_record(f, gw_object_at(f, gw_op_at(f, op)->object)->type, false);
}

int gw_cost_of_op(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    switch (o->code) {
    case GW_OP_CONST:
    case GW_OP_SPECIAL:
    case GW_OP_YIELD:
    case GW_OP_RET:
    case GW_OP_ROUNDING:
    case GW_OP_DECLARE: return 0;
    case GW_OP_DIV:
    case GW_OP_REM:
    case GW_OP_FDIVIDE:
    case GW_OP_OVER: return DIVISION;
    case GW_OP_LOAD:
        if (f->kind == GW_FUNC_KERNEL) return DEVICE_BYTE * (int)gw_type_bytes(gw_typeof(f, o->first_result));
        return MEMORY;
    case GW_OP_TEXTURE:
    case GW_OP_TEXTURE_SLOPE:
    case GW_OP_TEXTURE_READ: return DEVICE_BYTE * (int)sizeof(float);
    case GW_OP_STORE: return MEMORY;
    case GW_OP_ACCUM: return UPDATE;
    case GW_OP_PUSH: return cost_of_slot(f, op) / 2;
    case GW_OP_POP: return cost_of_slot(f, op) - cost_of_slot(f, op) / 2;
    case GW_OP_FMOD: return MATH;
    case GW_OP_CALL: return CALL;
    default: return o->code >= GW_OP_SQRT && o->code <= GW_OP_HYPOT ? MATH : 1;
    }
}

double gw_cost_trips(const gw_func *f, gw_op loop) {
    int64_t lo, hi, step = gw_loop_step(f, loop);
    if (!step || !gw_loop_ends(f, loop, &lo, &hi)) return TRIPS;
    double trips = ((double)hi - (double)lo) / (double)step;
    return trips > 0 ? trips : 1;
}

/* What keeps the loop in order costs as much as that. */
static bool runs_in_parallel(const gw_func *f, gw_op op) {
    uint32_t bytes;
    return gw_op_at(f, op)->policy && f->kind == GW_FUNC_HOST &&
           gw_policy_tape_of(f, op, &bytes) != GW_POLICY_TAPE_ORDERED;
}

static double cost_of_region(const gw_func *f, gw_region r) {
    double sum = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        double inside = 0;
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            inside += cost_of_region(f, gw_op_at(f, op)->region[i]);
        inside /= runs_in_parallel(f, op) ? CORES : 1;
        sum += gw_cost_of_op(f, op) + (gw_is_loop(f, op) ? gw_cost_trips(f, op) * inside : inside);
    }
    return sum;
}

double gw_cost_of_func(const gw_func *f) { return cost_of_region(f, f->entry); }
