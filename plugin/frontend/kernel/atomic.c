/*
 * frontend/kernel/atomic.c - atomic operations: the rows of atomic.def, with the result where it is used.
 *
 * What is no row frontend/call/intrinsic.c refuses. Whether a derivative can have the result is the
 * derivative's question.
 */
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/atomic.h"

#include <string.h>

typedef struct operation {
    gw_atomic kind;
    gw_value value[2]; /* as many as the row says */
    gw_value *result;  /* where it is used */
    CXCursor call;
} operation;

static gw_atomic kind_of(CXCursor callee) {
    CXString name = clang_getCursorSpelling(callee);
    gw_atomic kind = GW_ATOMIC_NONE;
    for (unsigned i = 1; i < GW_ATOMIC_COUNT; i++)
        if (gw_atomic_rows[i].floats != 't' && strcmp(clang_getCString(name), gw_atomic_rows[i].spelling) == 0)
            kind = (gw_atomic)i;
    clang_disposeString(name);
    return kind;
}

/* Does the same to signed and unsigned integers. */
static bool by_bits(gw_atomic kind, gw_place to) {
    if (!gw_type_is_integer(to.cell) || gw_type_bits(to.cell) != gw_type_bits(to.shape)) return false;
    switch (kind) {
    case GW_ATOMIC_ADD:
    case GW_ATOMIC_ADD_BLOCK:
    case GW_ATOMIC_SUB:
    case GW_ATOMIC_SUB_BLOCK:
    case GW_ATOMIC_AND:
    case GW_ATOMIC_AND_BLOCK:
    case GW_ATOMIC_OR:
    case GW_ATOMIC_OR_BLOCK:
    case GW_ATOMIC_XOR:
    case GW_ATOMIC_XOR_BLOCK:
    case GW_ATOMIC_EXCH:
    case GW_ATOMIC_EXCH_BLOCK:
    case GW_ATOMIC_CAS:
    case GW_ATOMIC_CAS_BLOCK: return true;
    default: return false;
    }
}

static void put(gw_lowering *L, gw_place to, void *data) {
    const operation *x = data;
    if (to.numbers_of && !to.cell) to = gw_front_number_cell(L, to);
    if (to.kind == GW_PLACE_CHOICE) {
        if (x->result)
            gw_front_refuse(L, x->call, "the result of an atomic operation on one of several objects",
                            "use an if, with one object in each branch");
        else
            gw_front_choice_each(L, to, put, data);
        return;
    }
    gw_object_kind kind = to.kind == GW_PLACE_MEMORY ? gw_object_at(L->f, to.object)->kind : GW_OBJECT_LOCAL;
    if (kind == GW_OBJECT_LOCAL)
        gw_front_refuse(L, x->call, "an atomic operation on a variable of one thread", "use a plain one");
    else if (gw_type_is_half(to.shape) && (x->result || gw_atomic_rows[x->kind].floats != '+'))
        gw_front_refuse(L, x->call, "an atomic operation on half precision but an addition without its result",
                        "add up in float");
    else if (to.cell && (to.numbers_of || !by_bits(x->kind, to)))
        gw_front_refuse(L, x->call, "an atomic operation on memory that is seen as another type",
                        "use the type of the memory; a maximum of floats by atomics is gw_atomic_max of "
                        "gradwright/atomic.cuh");
    if (L->failed) return;
    to = gw_front_row_settle(L, to);
    if (to.cell) to.shape = to.cell;
    gw_value operands[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < to.count; i++) operands[count++] = to.index[i];
    for (uint32_t i = 0; i < gw_atomic_rows[x->kind].values; i++)
        operands[count++] = gw_cast(&L->b, to.shape, x->value[i]);
    gw_op op =
        gw_emit(&L->b, GW_OP_ATOMIC, x->result ? to.shape : GW_T_VOID, x->result ? 1 : 0, operands, count);
    gw_op_at(L->f, op)->attr = (uint16_t)x->kind;
    gw_op_at(L->f, op)->object = to.object;
    gw_op_at(L->f, op)->path = to.path;
    if (x->result) *x->result = gw_result(L->f, op, 0);
    gw_push(&L->stores, to.object);
}

/* float2, float4 and pairs of half precision: each number by itself, as CUDA says. */
static void put_numbers(gw_lowering *L, gw_place to, operation *x, CXCursor e) {
    enum { MOST = 4 };
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    const bool adds = gw_atomic_rows[x->kind].floats == '+';
    bool numbers = adds && d.kind == GW_SHAPE_STRUCT && d.count && d.count <= MOST;
    for (uint32_t i = d.first; i < d.first + d.count && numbers; i++)
        numbers = L->u->fields.at[i].shape == GW_T_F32 || gw_type_is_half(L->u->fields.at[i].shape);
    if (!numbers || x->result) {
        gw_front_refuse(L, x->call, "an atomic operation on a vector", "add its members one by one");
        return;
    }
    const gw_place from = gw_front_place(L, e);
    gw_value number[MOST] = {0};
    for (uint32_t i = 0; i < d.count && !L->failed; i++)
        number[i] = gw_front_load(L, gw_front_member(L, from, i));
    gw_front_locate(L, x->call);
    for (uint32_t i = 0; i < d.count && !L->failed; i++) {
        x->value[0] = number[i];
        put(L, gw_front_member(L, to, i), x);
    }
}

bool gw_front_atomic(gw_lowering *L, CXCursor call, gw_value *result) {
    CXCursor callee = clang_getCursorReferenced(call);
    operation x = {.kind = kind_of(callee), .result = result, .call = call};
    uint32_t values = gw_atomic_rows[x.kind].values;
    if (!x.kind || clang_Cursor_getNumArguments(call) != (int)values + 1 || !gw_front_is_library(L->u, callee))
        return false;
    gw_place to = gw_front_pointer(L, clang_Cursor_getArgument(call, 0));
    if (L->failed) return true;
    if (gw_front_shape_kind(L->u, to.shape) != GW_SHAPE_SCALAR) {
        put_numbers(L, to, &x, clang_Cursor_getArgument(call, 1));
        return true;
    }
    for (uint32_t i = 0; i < values && !L->failed; i++)
        x.value[i] = gw_front_scalar(L, clang_Cursor_getArgument(call, i + 1));
    if (L->failed) return true;
    gw_front_locate(L, call);
    put(L, to, &x);
    return true;
}

void gw_front_atomic_put(gw_lowering *L, CXCursor call, gw_place to, uint32_t kind, gw_value value,
                         gw_value *result) {
    operation x = {.kind = (gw_atomic)kind, .value = {value}, .result = result, .call = call};
    put(L, to, &x);
}
