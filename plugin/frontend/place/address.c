/*
 * frontend/place/address.c - pointers of a program: addresses of memory that kernels see and the host does not
 * look into.
 *
 * In a function that launches kernels a pointer is a number, whatever it leads to: it may be swapped, kept in a
 * struct, and be null. As a place it is a cell of an object that stands for all such memory of its type, whose
 * index is the address. So pointers that meet behind a branch or in a loop are joined as others are
 * (place/choice.c). Only launches and copies take them.
 */
#include "analysis/ir/device.h"
#include "analysis/ir/query.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

static gw_object device_object(gw_lowering *L, gw_shape pointee) {
    for (uint32_t i = 0; i < L->devices.count; i++)
        if (L->devices.at[i].shape == pointee) return L->devices.at[i].object;
    gw_type cell = gw_front_shape_at(L->u, pointee)->type;
    gw_object o = gw_object_new(L->f, GW_OBJECT_GLOBAL, gw_intern(L->session, "memory"),
                                cell == GW_T_VOID ? GW_T_U8 : cell);
    gw_push(&L->devices, ((gw_device_memory){pointee, o}));
    return o;
}

bool gw_front_is_device(const gw_lowering *L, const gw_place *p) {
    for (uint32_t i = 0; p->kind == GW_PLACE_MEMORY && i < L->devices.count; i++)
        if (L->devices.at[i].object == p->object) return true;
    return false;
}

gw_place gw_front_device_place(gw_lowering *L, gw_shape pointee, gw_value address) {
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = pointee, .count = 1};
    p.object = device_object(L, pointee);
    p.path = gw_intern(L->session, "[]");
    p.index[0] = address;
    return p;
}

void gw_front_note_handles(gw_lowering *L, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    if (!L->is_program || !d.has_pointer) return;
    if (d.kind == GW_SHAPE_POINTER) {
        const gw_shape to = gw_front_pointee(L->u, shape);
        const gw_shape_data *behind = gw_front_shape_at(L->u, to);
        if (behind->kind == GW_SHAPE_OPAQUE || (behind->kind == GW_SHAPE_STRUCT && !behind->count))
            device_object(L, to);
    }
    if (d.kind == GW_SHAPE_ARRAY) gw_front_note_handles(L, d.element);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
        gw_front_note_handles(L, L->u->fields.at[d.first + i].shape);
}

uint32_t gw_front_size_of(const gw_lowering *L, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(L->u, s);
    if (d->kind == GW_SHAPE_SCALAR) return gw_type_bytes(d->type);
    if (d->kind == GW_SHAPE_ARRAY) return d->count * gw_front_size_of(L, d->element);
    if (d->kind != GW_SHAPE_STRUCT) return 0;
    const long long bytes = clang_Type_getSizeOf(d->clang);
    return bytes > 0 && bytes <= INT32_MAX ? (uint32_t)bytes : 0;
}

bool gw_front_device_advance(gw_lowering *L, gw_place *p, gw_value by, bool back) {
    if (!gw_front_is_device(L, p)) return true;
    const uint32_t size = gw_front_size_of(L, p->shape);
    int64_t n;
    if (gw_const_int(L->f, by, &n) && n == 0) return true;
    if (!size) return false;
    by = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, by), gw_int(&L->b, GW_T_I64, size));
    if (back) by = gw_unary(&L->b, GW_OP_NEG, by);
    gw_value operands[2] = {gw_cast(&L->b, GW_T_ADDRESS, p->index[0]), by};
    p->index[0] = gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, operands, 2);
    return true;
}

/* ---- where a place lies ---- */

/* The number that a path names behind "[]" lies `bytes` and `by` times an index behind the cell's beginning. */
typedef struct spot {
    gw_type type;
    int64_t bytes;
    gw_value by; /* 0: nothing */
    uint32_t index;
} spot;

/* ".member"; the rest of the path, or NULL. */
static const char *enter_member(const gw_session *s, const char *path, spot *at) {
    const gw_type_data *d = &s->types.at[at->type];
    const size_t n = strcspn(path + 1, ".[");
    for (uint32_t i = d->first; d->kind == GW_TYPE_STRUCT && i < d->first + d->count; i++) {
        const char *name = gw_cstr(s, s->fields.at[i].name);
        if (strncmp(name, path + 1, n) != 0 || name[n]) continue;
        at->bytes += s->fields.at[i].offset;
        at->type = s->fields.at[i].type;
        return path + 1 + n;
    }
    return NULL;
}

/* "[]" */
static const char *enter_element(gw_lowering *L, const gw_place *p, const char *path, spot *at) {
    const gw_type_data d = L->session->types.at[at->type];
    if (d.kind != GW_TYPE_ARRAY || path[1] != ']' || at->index == p->count) return NULL;
    gw_value index = gw_cast(&L->b, GW_T_I64, p->index[at->index++]);
    const int64_t size = gw_type_layout(L->session, d.element).size;
    gw_value by = gw_binary(&L->b, GW_OP_MUL, index, gw_int(&L->b, GW_T_I64, size));
    at->by = at->by ? gw_binary(&L->b, GW_OP_ADD, at->by, by) : by;
    at->type = d.element;
    return path + 2;
}

gw_value gw_front_spot(gw_lowering *L, const gw_place *p) {
    const char *path = GW_FRONT_TEXT(L, p->path);
    spot at = {.type = gw_object_at(L->f, p->object)->type, .index = 1};
    if (p->count < 1 || strncmp(path, "[]", 2) != 0) return 0;
    for (path += 2; path && *path;)
        path = *path == '.' ? enter_member(L->session, path, &at) : enter_element(L, p, path, &at);
    if (!path || at.index != p->count) return 0;
    gw_value address = gw_cast(&L->b, GW_T_ADDRESS, p->index[0]), by = gw_int(&L->b, GW_T_I64, at.bytes);
    if (at.by) by = at.bytes ? gw_binary(&L->b, GW_OP_ADD, at.by, by) : at.by;
    int64_t n;
    if (gw_const_int(L->f, by, &n) && !n) return address;
    gw_value parts[2] = {address, by};
    return gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, parts, 2);
}

static gw_value address_of(gw_lowering *L, const gw_place *p) {
    return p->kind == GW_PLACE_NULL ? gw_int(&L->b, GW_T_ADDRESS, 0) : gw_front_spot(L, p);
}

/* What an address of the device's is asked for that has none. */
static void refuse_own(gw_lowering *L, const gw_place *p, CXCursor at) {
    const gw_object_data *o = p->kind == GW_PLACE_MEMORY ? gw_object_at(L->f, p->object) : NULL;
    gw_str own = o ? o->name : 0;
    if (p->kind == GW_PLACE_SLOTS) own = L->slots.at[p->slot].name;
    const char *name = own ? GW_FRONT_TEXT(L, own) : NULL;
    const bool grows = o && o->sized;
    char *what;
    if (name)
        what = gw_format("the address of '%s', %s, where memory of a program is meant,", name,
                         grows ? "which grows" : "a variable of the function's");
    else
        what = gw_strdup("a pointer to a variable of the function's, where memory of a program is meant,");
    gw_front_refuse(L, at, what,
                    grows ? "give it its size when it is made: 'std::vector<float> v(n)'"
                          : "take memory that a parameter, cudaMalloc or cudaMallocHost leads to");
    free(what);
}

gw_value gw_front_address(gw_lowering *L, gw_place p, CXCursor at) {
    gw_value chosen = 0;
    const bool several = p.kind == GW_PLACE_CHOICE;
    for (uint32_t i = 0; i < (several ? p.count : 1) && !L->failed; i++) {
        const gw_place one = several ? L->candidates.at[p.slot + i] : p;
        if (one.kind != GW_PLACE_NULL && !gw_front_is_device(L, &one)) {
            if (gw_front_stage_later(L, &one)) return gw_int(&L->b, GW_T_ADDRESS, 0);
            refuse_own(L, &one, at);
            return gw_int(&L->b, GW_T_ADDRESS, 0);
        }
        gw_value v = address_of(L, &one);
        if (!v) {
            gw_front_refuse(L, at, "this pointer expression", "pass a pointer to all of it");
            return gw_int(&L->b, GW_T_ADDRESS, 0);
        }
        if (chosen) {
            gw_value is = gw_binary(&L->b, GW_OP_EQ, p.index[0], gw_int(&L->b, GW_T_I32, i));
            v = gw_select(&L->b, is, v, chosen);
        }
        chosen = v;
    }
    return chosen;
}

/* The address from which this one was made, so many bytes behind it; 0: it is the one. */
static gw_value base_of(const gw_lowering *L, gw_value address, gw_value *bytes) {
    gw_op op = gw_made_by(L->f, address, GW_OP_OFFSET);
    *bytes = op ? gw_operand(L->f, op, 1) : 0;
    return op ? gw_operand(L->f, op, 0) : address;
}

/* Last minus first as most algorithms are told it: of bytes that are a product with the element's size, the
 * other factor. */
static gw_value elements_of(gw_lowering *L, gw_value bytes, uint32_t size) {
    if (!bytes) return gw_int(&L->b, GW_T_I64, 0);
    gw_op op = gw_made_by(L->f, bytes, GW_OP_MUL);
    int64_t factor;
    if (op && gw_const_int(L->f, gw_operand(L->f, op, 1), &factor) && factor == (int64_t)size)
        return gw_operand(L->f, op, 0);
    return gw_binary(&L->b, GW_OP_DIV, bytes, gw_int(&L->b, GW_T_I64, size));
}

bool gw_front_leads_to_device(const gw_lowering *L, const gw_place *p) {
    if (p->kind != GW_PLACE_CHOICE) return gw_front_is_device(L, p);
    bool leads = false, only = true;
    for (uint32_t i = 0; i < p->count; i++) {
        const gw_place *one = &L->candidates.at[p->slot + i];
        const bool is = gw_front_is_device(L, one);
        leads |= is, only &= is || one->kind == GW_PLACE_NULL;
    }
    return leads && only;
}

static gw_shape device_shape(const gw_lowering *L, const gw_place *p) {
    gw_shape shape = p->shape;
    for (uint32_t i = 0; p->kind == GW_PLACE_CHOICE && i < p->count; i++)
        if (gw_front_is_device(L, &L->candidates.at[p->slot + i])) shape = L->candidates.at[p->slot + i].shape;
    return shape;
}

gw_value gw_front_device_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op) {
    gw_value a = gw_front_address(L, *x, clang_getNullCursor());
    gw_value b = gw_front_address(L, *y, clang_getNullCursor());
    if (op != GW_OP_SUB) return gw_binary(&L->b, op, a, b);
    const uint32_t size = gw_front_size_of(L, device_shape(L, x));
    if (!size) return 0;
    gw_value to, from;
    if (base_of(L, a, &to) == base_of(L, b, &from)) {
        const gw_value n = elements_of(L, to, size);
        return from ? gw_binary(&L->b, GW_OP_SUB, n, elements_of(L, from, size)) : n;
    }
    return elements_of(L, gw_binary(&L->b, GW_OP_SUB, gw_cast(&L->b, GW_T_I64, a), gw_cast(&L->b, GW_T_I64, b)),
                       size);
}

/* Bytes, and what has no size: numbers may be in it, or not. */
static bool is_raw(const gw_lowering *L, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(L->u, s);
    return d->kind == GW_SHAPE_OPAQUE || s == GW_T_VOID || s == GW_T_I8 || s == GW_T_U8;
}

bool gw_front_hides_numbers(const gw_lowering *L, gw_shape of, gw_shape as) {
    if (is_raw(L, of) || is_raw(L, as)) return false;
    return gw_front_has_numbers(L, of) != gw_front_has_numbers(L, as);
}

/* A choice of places in a program's memory, or of none. */
static bool is_one_of_devices(const gw_lowering *L, const gw_place *p) {
    uint32_t devices = 0;
    if (p->kind != GW_PLACE_CHOICE) return false;
    for (uint32_t i = 0; i < p->count; i++) {
        const gw_place *one = &L->candidates.at[p->slot + i];
        devices += gw_front_is_device(L, one);
        if (!gw_front_is_device(L, one) && one->kind != GW_PLACE_NULL) return false;
    }
    return devices > 0;
}

/* Cells that floats are in for one call and integers for another would lose their adjoints. */
bool gw_front_device_cast(gw_lowering *L, gw_place *p, gw_shape wanted, CXCursor at) {
    if (is_one_of_devices(L, p) && wanted != GW_T_VOID && wanted != p->shape) /* one address */
        *p = gw_front_device_place(L, p->shape, gw_front_address(L, *p, at));
    if (!gw_front_is_device(L, p)) return false;
    if (gw_front_hides_numbers(L, p->shape, wanted)) {
        gw_front_refuse(L, at, "a cast between pointers to floating-point numbers and to others",
                        "pass the pointer as what it is allocated as; copies and fills take it so");
        return true;
    }
    if (wanted == GW_T_VOID || wanted == p->shape) return true;
    gw_value address = address_of(L, p);
    if (!address)
        gw_front_refuse(L, at, "this pointer expression", "pass a pointer to all of it");
    else
        *p = gw_front_device_place(L, wanted, address);
    return true;
}

gw_value gw_front_address_number(gw_lowering *L, gw_place p, CXCursor at) {
    L->numbers_addresses = true;
    return gw_cast(&L->b, GW_T_U64, gw_front_address(L, p, at));
}

gw_place gw_front_numbered_place(gw_lowering *L, gw_shape pointee, gw_value number) {
    return gw_front_device_place(L, pointee, gw_cast(&L->b, GW_T_ADDRESS, gw_cast(&L->b, GW_T_U64, number)));
}

static gw_type type_of_result(char letter) {
    switch (letter) {
    case 'a':
        return GW_T_ADDRESS;
    case 'n':
        return GW_T_U64;
    case 'f':
        return GW_T_F32;
    default:
        return GW_T_I32;
    }
}

gw_op gw_front_device_op(gw_lowering *L, uint32_t what, const gw_value *operands, uint32_t count) {
    gw_op op = gw_emit(&L->b, GW_OP_DEVICE, GW_T_VOID, 0, operands, count);
    gw_op_at(L->f, op)->attr = (uint16_t)what;
    for (const char *c = gw_device_rows[what].results; *c && *c != '*'; c++) {
        gw_op_add_result(L->f, op, type_of_result(*c), 0);
    }
    return op;
}

/* ---- ends ---- */
void gw_front_stop(gw_lowering *L) {
    gw_front_device_op(L, GW_DEVICE_STOP, NULL, 0);
    gw_front_exit_function(L);
}
