/*
 * frontend/kernel/random.c - cuRAND's functions for device code, which advance a state.
 *
 * Their bodies are arithmetic on the state, inlined as the user's own would be; numbers that are drawn carry
 * no derivative, since they are made of integers. Drawn again from the same state they are the same, so a state
 * has to be what it was: one that a kernel loads and stores back is another when its gradient runs behind it,
 * and is asked for in two halves (frontend/request). The start of a state of XORWOW or MRG32k3a reads tables of
 * the library's, which have one name for the host and one for the device: it may stand where no text is made of
 * it, in a kernel that has no derivative.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/kernel/kernel.h"

#include <string.h>

static const char *name_of(gw_lowering *L, CXCursor decl) {
    return GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(decl)));
}

/* The state that a parameter points to, as its type is called; NULL: the function has none. */
static const char *state_of(gw_lowering *L, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        const CXType to = clang_getPointeeType(clang_getCanonicalType(clang_getArgType(type, (unsigned)i)));
        const char *name = name_of(L, clang_getTypeDeclaration(to));
        if (strncmp(name, "curandState", strlen("curandState")) == 0) return name;
    }
    return NULL;
}

typedef enum call_kind { OTHER, START, DRAW } call_kind;

static call_kind kind_of(const char *name) {
    static const char draw[] = "curand", jump[] = "skipahead";
    if (strncmp(name, jump, sizeof jump - 1) == 0 || strcmp(name, "curand_init") == 0) return START;
    return strncmp(name, draw, sizeof draw - 1) == 0 ? DRAW : OTHER;
}

bool gw_front_random(gw_lowering *L, CXCursor call, CXCursor callee, const char *name) {
    const call_kind kind = kind_of(name);
    const char *state = kind == OTHER ? NULL : state_of(L, callee);
    if (!state) return false;
    const bool is_philox = strcmp(state, "curandStatePhilox4_32_10") == 0;
    const CXCursor definition = clang_getCursorDefinition(callee);
    const bool seen = !clang_Cursor_isNull(definition) && !clang_Cursor_isNull(gw_front_body(definition));
    if (!seen || (!is_philox && strcmp(state, "curandStateXORWOW") != 0))
        gw_front_refuse(L, call, "a random number of such a state",
                        "draw it from a curandState or curandStatePhilox4_32_10_t, with <curand_kernel.h>");
    else if (kind == START && !is_philox)
        gw_push(&L->u->starting, ((gw_unit_start){L->f->symbol, gw_front_users_place(L, call)}));
    else
        gw_push(&L->u->drawing, L->f->symbol);
    return true;
}

/* Whether no derivative can come of it: it is given no floating-point number, and stores constants alone. */
static bool has_no_derivative(const gw_func *f) {
    bool has_none = true;
    for (uint32_t i = 0; i < f->params.count; i++)
        has_none &= !f->params.at[i].value || !gw_type_is_float(gw_typeof(f, f->params.at[i].value));
    for (gw_op op = 1; op < f->ops.count && has_none; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_CALL) has_none = false;
        if (o->code == GW_OP_LOAD) has_none = !gw_type_is_float(gw_typeof(f, gw_result(f, op, 0)));
        if (o->code != GW_OP_STORE || !gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0)))) continue;
        double constant;
        has_none = gw_const_real(f, gw_operand(f, op, 0), &constant);
    }
    return has_none;
}

bool gw_front_check_starts(gw_unit *u, const gw_func *f) {
    for (uint32_t i = 0; i < u->starting.count; i++) {
        if (u->starting.at[i].function != f->symbol || has_no_derivative(f)) continue;
        gw_diag(u->session, GW_DIAG_UNSUPPORTED, u->starting.at[i].loc, "the start of such a random state",
                "use a curandStatePhilox4_32_10_t, or start states in a kernel that does nothing else");
        return false;
    }
    return true;
}

static bool draws(const gw_unit *u, const gw_func *f) {
    for (uint32_t i = 0; i < u->drawing.count; i++) {
        if (u->drawing.at[i] == f->symbol) return true;
        for (gw_op op = 1; op < f->ops.count; op++) {
            const gw_op_data *o = gw_op_at(f, op);
            if (!o->dead && o->code == GW_OP_CALL && o->callee == u->drawing.at[i]) return true;
        }
    }
    return false;
}

/* Whether it reads memory, and writes integers there. */
static bool writes_back(const gw_func *f, gw_object object) {
    bool reads = false, writes = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != object) continue;
        reads |= o->code == GW_OP_LOAD || (o->code == GW_OP_ADDRESS && o->flags & GW_OP_READS);
        writes |= o->code == GW_OP_STORE && gw_type_is_integer(gw_typeof(f, gw_operand(f, op, 0)));
        writes |= o->code == GW_OP_ADDRESS && o->flags & GW_OP_WRITES;
    }
    return reads && writes;
}

bool gw_front_moves_states(const gw_unit *u, const gw_func *f) {
    bool any = false;
    for (gw_object o = 1; o < f->objects.count && !any; o++) {
        const gw_object_kind kind = gw_object_at(f, o)->kind;
        any = (kind == GW_OBJECT_POINTER || kind == GW_OBJECT_GLOBAL) && writes_back(f, o);
    }
    return any && draws(u, f);
}
