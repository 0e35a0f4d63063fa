/*
 * frontend/device/call.c - calls of CUDA's runtime in a program: the rows of device_calls.def.
 */
#include "plugin/frontend/lower_private.h"

#include <string.h>

static const gw_device_call rows[] = {
#define GW_DEVICE_CALL(spelling, row, arguments) {spelling, GW_DEVICE_##row, arguments},
#include "plugin/frontend/device/device_calls.def"
#undef GW_DEVICE_CALL
};

const gw_device_call *gw_front_device_call_row(gw_unit *u, CXCursor callee) {
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl) return NULL;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].spelling, name) == 0) return &rows[i];
    return NULL;
}

gw_op gw_front_device_op(gw_lowering *L, gw_device what, const gw_value *operands, uint32_t count) {
    gw_op op = gw_emit(&L->b, GW_OP_DEVICE, GW_T_VOID, 0, operands, count);
    gw_op_at(L->f, op)->attr = (uint16_t)what;
    for (const char *c = gw_device_rows[what].results; *c; c++)
        gw_op_add_result(L->f, op, *c == 'a' ? GW_T_ADDRESS : GW_T_I32, 0);
    return op;
}

static void name_result(gw_lowering *L, gw_op op, gw_str name) {
    gw_value_at(L->f, gw_result(L->f, op, 0))->name = name;
}

/* &p of (void **)&p, or an expression of that type. */
static gw_place pointer_behind(gw_lowering *L, CXCursor e) {
    for (;;) {
        e = gw_front_strip(e);
        CXCursor inner =
            gw_front_is_cast(clang_getCursorKind(e)) ? gw_front_operand(L, e) : clang_getNullCursor();
        if (clang_Cursor_isNull(inner)) break;
        e = inner;
    }
    return gw_front_pointer(L, e);
}

/* What the cells of a copy are: their adjoints are added as such numbers. */
static gw_element element_of(gw_lowering *L, const gw_place *p) {
    if (!gw_front_is_device(L, p)) return GW_ELEMENT_NONE;
    gw_shape s = p->shape;
    gw_shape_data d = *gw_front_shape_at(L->u, s);
    while (d.kind == GW_SHAPE_STRUCT && d.count)
        d = *gw_front_shape_at(L->u, L->u->fields.at[d.first].shape);
    if (d.kind != GW_SHAPE_SCALAR) return GW_ELEMENT_NONE;
    if (d.type == GW_T_F32) return GW_ELEMENT_FLOAT;
    return d.type == GW_T_F64 ? GW_ELEMENT_DOUBLE : GW_ELEMENT_NONE;
}

static gw_value argument(gw_lowering *L, char letter, CXCursor e, gw_element *element) {
    if (letter == 'a' || letter == 's') {
        gw_place p = gw_front_pointer(L, e);
        if (L->failed) return 0;
        if (letter == 'a' && !*element) *element = element_of(L, &p);
        return gw_front_address(L, p, e);
    }
    gw_value v = gw_front_scalar(L, e);
    return L->failed ? 0 : gw_cast(&L->b, letter == 'n' ? GW_T_U64 : GW_T_I32, v);
}

static gw_value missing(gw_lowering *L, char letter, gw_element element) {
    switch (letter) {
    case 'n':
        return gw_int(&L->b, GW_T_U64, 0);
    case 'i':
        return gw_int(&L->b, GW_T_I32, 0);
    case 'd':
        return gw_int(&L->b, GW_T_U32, element);
    default:
        return gw_int(&L->b, GW_T_ADDRESS, 0);
    }
}

bool gw_front_device_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r) {
    const gw_device_call *row = gw_front_device_call_row(L->u, callee);
    if (!row || !L->is_program) return false;
    enum { MOST = 8 };
    gw_value operands[MOST];
    gw_place given = {0};
    gw_element element = GW_ELEMENT_NONE;
    uint32_t count = 0;
    const char *wanted = gw_device_rows[row->what].operands;
    for (uint32_t i = 0; i < arguments->count && row->arguments[i] && !L->failed; i++) {
        const char letter = row->arguments[i];
        CXCursor e = arguments->at[i];
        if (letter == '-' || gw_front_is_default_argument(e)) continue;
        if (letter == 'P') {
            given = pointer_behind(L, e);
            continue;
        }
        operands[count++] = argument(L, letter, e, &element);
    }
    while (!L->failed && count < strlen(wanted))
        operands[count] = missing(L, wanted[count], element), count++;
    if (L->failed) return true;
    gw_front_locate(L, call);
    gw_op op = gw_front_device_op(L, row->what, operands, count);
    if (given.kind) {
        if (given.kind == GW_PLACE_SLOTS) name_result(L, op, L->slots.at[given.slot].name);
        gw_front_point(L, given,
                       gw_front_device_place(L, gw_front_pointee(L->u, given.shape), gw_result(L->f, op, 0)));
    }
    r->value = gw_result(L->f, op, gw_op_at(L->f, op)->results - 1);
    return true;
}
