/*
 * frontend/call/argument.c - calls that stay calls: what they pass.
 *
 * A number is a value. A pointer or reference to numbers is the address of an element of an object; that of a
 * variable which is no memory - a local number - is the address of a cell that holds its value during the call.
 * Values and cells are made first, then the addresses, right in front of the call.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

typedef struct passed {
    gw_value value;
    gw_place place; /* of an address; of a local number: its slot, and `cell` */
    gw_place cell;
    uint16_t flags;
} passed;
typedef GW_VEC(passed) passed_list;

static const char *const way_out =
    "pass pointers to numbers: into an array that is known where the call stands";

/* The number that a pointer or reference leads to; GW_T_VOID if that is no number. */
gw_shape gw_front_passed_number(gw_unit *u, CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    bool reference = gw_front_is_reference(canonical);
    if ((!reference && canonical.kind != CXType_Pointer) || gw_front_decays(type)) return GW_T_VOID;
    CXType pointee = clang_getPointeeType(canonical);
    gw_shape shape = gw_front_shape(u, pointee);
    bool number = shape < GW_T_SCALARS && !clang_isVolatileQualifiedType(pointee);
    return number ? shape : GW_T_VOID;
}

/* A cell that holds the slot's value. */
static gw_place cell_of(gw_lowering *L, const gw_place *slot) {
    gw_place p = {
        .kind = GW_PLACE_MEMORY, .shape = slot->shape, .path = gw_intern(L->session, "[]"), .count = 1};
    gw_str name = L->slots.at[slot->slot].name;
    p.object = gw_front_local(L, name, gw_type_array(L->session, slot->shape, 1));
    p.index[0] = gw_int(&L->b, GW_T_I32, 0);
    gw_op declare = gw_emit(&L->b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0);
    gw_op_at(L->f, declare)->object = p.object;
    if (L->slots.at[slot->slot].value) gw_front_store(L, p, gw_front_slot_value(L, slot->slot));
    return p;
}

static const char *unfit(gw_lowering *L, const gw_place *p, gw_shape number) {
    if (p->detached && gw_type_is_float(number))
        return "a pointer to what is GW_NONDIFFERENTIABLE, passed to a function which stays a call,";
    if (p->kind == GW_PLACE_NULL) return "a null pointer that is passed to a function which stays a call";
    if (p->kind == GW_PLACE_CHOICE || p->kind == GW_PLACE_TORN)
        return "a pointer to one of several arrays that is passed to a function which stays a call";
    if (p->kind != GW_PLACE_MEMORY || p->shape != number || p->bits || p->view || p->cell ||
        p->numbers_of)
        return "this pointer, passed to a function which stays a call,";
    const char *path = GW_FRONT_TEXT(L, p->path);
    size_t n = strlen(path);
    const gw_object_data *o = gw_object_at(L->f, p->object);
    bool element = n >= 2 && strcmp(path + n - 2, "[]") == 0;
    if (!element || o->kind == GW_OBJECT_STRUCT || gw_cell_behind_pointer(L->f, p->object, p->path))
        return "a pointer to a member that is passed to a function which stays a call";
    return NULL;
}

static void pass_place(gw_lowering *L, CXCursor argument, CXType type, passed *out) {
    gw_shape number = gw_front_passed_number(L->u, type);
    CXType pointee = clang_getPointeeType(clang_getCanonicalType(type));
    out->flags = clang_isConstQualifiedType(pointee) ? GW_OP_READS : GW_OP_READS | GW_OP_WRITES;
    out->place = gw_front_is_reference(type) ? gw_front_place(L, argument) : gw_front_pointer(L, argument);
    if (L->failed) return;
    if (out->place.kind == GW_PLACE_SLOTS && out->place.shape == number &&
        !(out->place.detached && gw_type_is_float(number)))
        return;
    if (gw_front_is_device(L, &out->place)) {
        gw_front_refuse(L, argument, "memory that kernels see, passed to a function that names no stream,",
                        "give the function a parameter of type cudaStream_t, and a pullback");
        return;
    }
    const char *why = unfit(L, &out->place, number);
    if (why) gw_front_refuse(L, argument, why, way_out);
}

static void pass(gw_lowering *L, CXCursor argument, CXType type, passed_list *list) {
    passed p = {0};
    if (gw_front_is_default_argument(argument)) {
        gw_front_refuse(L, argument, "a default argument of a function which stays a call",
                        "write the argument");
        return;
    }
    if (gw_front_passed_number(L->u, type) != GW_T_VOID) {
        pass_place(L, argument, type, &p);
    } else {
        gw_value v = gw_front_scalar(L, argument);
        if (!L->failed) p.value = gw_cast(&L->b, gw_front_shape(L->u, type), v);
    }
    gw_push(list, p);
}

/* One cell for each variable: two pointers to it would be two cells. */
static void make_cells(gw_lowering *L, CXCursor call, passed_list *list) {
    for (uint32_t i = 0; i < list->count && !L->failed; i++) {
        passed *p = &list->at[i];
        if (p->place.kind == GW_PLACE_MEMORY) p->place = gw_front_row_settle(L, p->place);
        if (p->place.kind != GW_PLACE_SLOTS) continue;
        for (uint32_t k = 0; k < i; k++)
            if (list->at[k].place.kind == GW_PLACE_SLOTS && list->at[k].place.slot == p->place.slot)
                gw_front_refuse(L, call, "a variable that is passed by two pointers", "pass a copy of it");
        if (!L->failed) p->cell = cell_of(L, &p->place);
    }
}

static gw_value operand_of(gw_lowering *L, const passed *p) {
    const gw_place *at = p->cell.kind ? &p->cell : &p->place;
    if (p->value) return p->value;
    if (p->flags & GW_OP_WRITES) gw_push(&L->stores, at->object);
    return gw_address(&L->b, at->object, at->path, at->index, at->count, p->flags);
}

/* Text spells a number of any other type as one of these: where a function is overloaded, that may be another
 * function's. */
static bool is_spelled_as_it_is(CXType type) {
    const enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Int || kind == CXType_UInt || kind == CXType_LongLong || kind == CXType_ULongLong ||
           kind >= CXType_Float || kind == CXType_Void;
}

static void refuse_overload(gw_lowering *L, CXCursor call, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    bool is_plain = true;
    for (int i = 0; i < clang_getNumArgTypes(type) && is_plain; i++) {
        const CXType t = clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
        is_plain = is_spelled_as_it_is(t) && t.kind != CXType_Enum;
    }
    if (is_plain || L->session->is_c || L->is_program || gw_front_is_library(L->u, callee)) return;
    if (gw_front_overloads(callee) > 1)
        gw_front_refuse(L, call, "a call of an overloaded function with numbers of such types",
                        "give it a name of its own, or parameters of int, unsigned int, long long or double");
}

gw_value gw_front_emit_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments) {
    refuse_overload(L, call, callee);
    CXType type = clang_getCursorType(callee);
    gw_shape result = gw_front_shape(L->u, clang_getResultType(type));
    passed_list list = {0};
    GW_VEC(gw_value) operands = {0};
    gw_value value = 0;
    for (uint32_t i = 0; i < arguments->count && !L->failed; i++)
        pass(L, arguments->at[i], clang_getArgType(type, i), &list);
    make_cells(L, call, &list);
    for (uint32_t i = 0; i < list.count && !L->failed; i++) gw_push(&operands, operand_of(L, &list.at[i]));
    if (!L->failed) {
        bool returns = result != GW_T_VOID;
        gw_op op =
            gw_emit(&L->b, GW_OP_CALL, returns ? result : GW_T_VOID, returns, operands.at, operands.count);
        gw_op_at(L->f, op)->callee = gw_front_symbol(L->u, callee);
        gw_op_at(L->f, op)->flags = gw_front_ways_out(L, call, callee);
        if (returns) value = gw_result(L->f, op, 0);
        for (uint32_t i = 0; i < list.count; i++)
            if (list.at[i].cell.kind && list.at[i].flags & GW_OP_WRITES)
                gw_front_slot_set(L, list.at[i].place.slot, gw_front_load(L, list.at[i].cell));
    }
    gw_vec_free(&operands);
    gw_vec_free(&list);
    return value;
}
