/*
 * builder.c - making, reading and changing functions (contract: ir/ir.h). Folding is in fold.c.
 */
#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "analysis/ir/ir.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/texture.h"
#include "analysis/ir/warp.h"

#include <stdlib.h>
#include <string.h>

#define SAME GW_TYPING_SAME
#define FREE GW_TYPING_FREE
#define SHIFT GW_TYPING_SHIFT
#define NONE GW_TYPING_NONE
const gw_promise_row gw_promise_rows[GW_PROMISE_COUNT] = {
#define GW_PROMISE(KIND, word, macro, says) {word, macro, says},
#include "analysis/ir/promises.def"
#undef GW_PROMISE
};

const gw_op_row gw_op_rows[GW_OP_COUNT] = {
    {"none", 0, GW_TYPING_NONE, GW_DOMAIN_NONE, GW_EFFECT_PURE, GW_ADJOINT_NONE, GW_SPELLED_OWN, ""},
#define GW_OP(NAME, text, operands, typing, domain, effect, adjoint, spelling, c)                              \
    {text,                                                                                                     \
     operands,                                                                                                 \
     GW_TYPING_##typing,                                                                                       \
     GW_DOMAIN_##domain,                                                                                       \
     GW_EFFECT_##effect,                                                                                       \
     GW_ADJOINT_##adjoint,                                                                                     \
     GW_SPELLED_##spelling,                                                                                    \
     c},
#include "analysis/ir/ops.def"
#undef GW_OP
};
#undef SAME
#undef FREE
#undef SHIFT
#undef NONE

const gw_atomic_row gw_atomic_rows[GW_ATOMIC_COUNT] = {
    {"none", "", 1, '-'},
#define GW_ATOMIC(NAME, text, values, floats, spelling) {text, spelling, values, floats},
#include "analysis/ir/atomic.def"
#undef GW_ATOMIC
};

const gw_way_row gw_way_rows[GW_ACCUMULATE_COUNT] = {
    {"", "", GW_AS_STATEMENT, GW_SUM_OF_THREAD, GW_INTO_CELL, GW_ROW_NONE, true, "", ""},
#define GW_WAY(NAME, word, claim, AS, SCOPE, INTO, ROW, ordered, call, colours)                                \
    {word, claim, GW_AS_##AS, GW_SUM_OF_##SCOPE, GW_INTO_##INTO, GW_ROW_##ROW, ordered, call, colours},
#include "analysis/ir/rungs.def"
#undef GW_WAY
};

const gw_rung_row gw_rung_rows[GW_RUNG_COUNT] = {
    {"auto", "what the cost model chooses", GW_ACCUMULATE_UNDECIDED},
#define GW_RUNG(NAME, spelling, HOW, refused, says) {spelling, says, GW_ACCUMULATE_##HOW},
#include "analysis/ir/rungs.def"
#undef GW_RUNG
};

const char *gw_bits_spelling(gw_type from, gw_type to) {
    static const struct {
        const char *spelling;
        gw_type from, to;
    } rows[] = {
#define GW_INTRIN_BITS(spelling, from, to) {spelling, GW_T_##from, GW_T_##to},
#include "analysis/ir/intrin.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].from == from && rows[i].to == to) return rows[i].spelling;
    return NULL;
}

gw_rung gw_rung_by_spelling(const char *text) {
    unsigned i = 0;
    while (i < GW_RUNG_COUNT && strcmp(gw_rung_rows[i].spelling, text) != 0) i++;
    return (gw_rung)i;
}

const gw_warp_row gw_warp_rows[GW_WARP_COUNT] = {
    {"none", "", '-', GW_WARP_NONE, GW_WARP_NONE, "", ""},
#define GW_WARP(NAME, text, operands, result, transpose, apart, spelling, emitted)                             \
    {text, operands, result, GW_WARP_##transpose, GW_WARP_##apart, spelling, emitted},
#include "analysis/ir/warp.def"
#undef GW_WARP
};

const gw_device_row gw_device_rows[GW_DEVICE_COUNT] = {
#define GW_DEVICE(NAME, text, operands, results, reverses)                                                     \
    {text, operands, results, (reverses) == 1, (reverses) == 2, GW_DEVICE_##NAME},
#define GW_DEVICE_QUEUED(NAME, text, operands, results, reverses, waited)                                      \
    {text, operands, results, (reverses) == 1, (reverses) == 2, GW_DEVICE_##waited},
#include "analysis/ir/device.def"
#undef GW_DEVICE
};

const gw_texture_row gw_texture_rows[GW_TEXTURE_COUNT] = {
    {"none", "", "", 0, false, 0},
#define GW_TEXTURE(NAME, text, spelling, suffix, coordinates, layered, corners)                                \
    {text, spelling, suffix, coordinates, layered, corners},
#include "analysis/ir/texture.def"
#undef GW_TEXTURE
};

gw_type gw_warp_result(gw_warp warp, gw_type given) {
    char result = gw_warp_rows[warp].result;
    if (result == 'v') return given;
    return result == 'i' ? GW_T_I32 : GW_T_U32;
}

const gw_request_row gw_request_rows[GW_REQUEST_COUNT] = {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse) {word, macro, made, suffix, is_reverse},
#include "analysis/ir/requests.def"
#undef GW_REQUEST
};

gw_value gw_texture_op(gw_builder *b, gw_opcode code, gw_type type, gw_fetch fetch, const gw_value *operands,
                       uint32_t count) {
    gw_op op = gw_emit(b, code, type, 1, operands, count);
    gw_op_at(b->f, op)->attr = gw_fetch_attr(fetch);
    return gw_result(b->f, op, 0);
}

gw_opcode gw_opcode_by_text(const char *text) {
    for (int i = 1; i < GW_OP_COUNT; i++)
        if (strcmp(gw_op_rows[i].text, text) == 0) return (gw_opcode)i;
    return GW_OP_NONE;
}

gw_func *gw_func_new(gw_session *s, const char *name, gw_func_kind kind) {
    gw_func *f = gw_alloc(sizeof *f);
    f->session = s;
    f->name = f->qualified = f->symbol = gw_intern(s, name);
    f->kind = kind;
    f->return_text = gw_intern(s, "void");
    gw_push(&f->objects, (gw_object_data){0});
    gw_push(&f->ops, (gw_op_data){0});
    gw_push(&f->values, (gw_value_data){0});
    gw_push(&f->regions, (gw_region_data){0});
    f->entry = gw_region_new(f, 0);
    gw_push(&s->funcs, f);
    return f;
}

const gw_rule *gw_rule_find(const gw_session *s, gw_str function) {
    for (uint32_t i = 0; i < s->rules.count; i++)
        if (s->rules.at[i].function == function) return &s->rules.at[i];
    return NULL;
}

gw_func *gw_func_find(const gw_session *s, gw_str symbol) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->symbol == symbol) return s->funcs.at[i];
    return NULL;
}

gw_func *gw_companion(const gw_func *derivative, gw_form form) {
    const gw_session *s = derivative->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form == form && f->primal == derivative->primal && f->request == derivative->request) return f;
    }
    return NULL;
}

gw_object gw_object_new(gw_func *f, gw_object_kind kind, gw_str name, gw_type type) {
    gw_object_data o = {.kind = kind, .name = name, .type = type};
    o.type_text = f->session->types.at[type].name;
    gw_push(&f->objects, o);
    return f->objects.count - 1;
}

gw_region gw_region_new(gw_func *f, gw_op parent) {
    gw_push(&f->regions, ((gw_region_data){.parent = parent}));
    gw_region r = f->regions.count - 1;
    if (parent) {
        gw_op_data *o = gw_op_at(f, parent);
        o->region[o->regions++] = r;
    }
    return r;
}

gw_value gw_region_arg(gw_func *f, gw_region r, gw_type type, gw_str name) {
    gw_region_data *d = gw_region_at(f, r);
    gw_push(&f->values,
            ((gw_value_data){.type = gw_type_of_value(type), .region = r, .index = d->args, .name = name}));
    if (!d->args++) d->first_arg = f->values.count - 1;
    return f->values.count - 1;
}

static void link_op(gw_func *f, gw_op op, gw_region r, gw_op before) {
    gw_op_data *o = gw_op_at(f, op);
    gw_region_data *d = gw_region_at(f, r);
    o->parent = r;
    o->next = before;
    o->prev = before ? gw_op_at(f, before)->prev : d->last;
    if (o->prev) gw_op_at(f, o->prev)->next = op;
    else d->first = op;
    if (before) gw_op_at(f, before)->prev = op;
    else d->last = op;
}

static void unlink_op(gw_func *f, gw_op op) {
    gw_op_data *o = gw_op_at(f, op);
    gw_region_data *d = gw_region_at(f, o->parent);
    if (o->prev) gw_op_at(f, o->prev)->next = o->next;
    else d->first = o->next;
    if (o->next) gw_op_at(f, o->next)->prev = o->prev;
    else d->last = o->prev;
    o->prev = o->next = 0;
}

void gw_op_set_operands(gw_func *f, gw_op op, const gw_value *operands, uint32_t count) {
    gw_op_data *o = gw_op_at(f, op);
    uint32_t first = f->operands.count;
    for (uint32_t i = 0; i < count; i++) gw_push(&f->operands, operands[i]);
    o->first_operand = first;
    o->operands = count;
}

gw_op gw_emit(gw_builder *b, gw_opcode code, gw_type type, uint32_t results, const gw_value *operands,
              uint32_t count) {
    gw_func *f = b->f;
    gw_push(&f->ops, ((gw_op_data){.code = (uint16_t)code, .loc = b->loc}));
    gw_op op = f->ops.count - 1;
    gw_op_set_operands(f, op, operands, count);
    for (uint32_t i = 0; i < results; i++) gw_op_add_result(f, op, type, 0);
    link_op(f, op, b->region, b->before);
    return op;
}

gw_value gw_op_add_result(gw_func *f, gw_op op, gw_type type, gw_str name) {
    gw_op_data *o = gw_op_at(f, op);
    gw_push(&f->values,
            ((gw_value_data){.type = gw_type_of_value(type), .op = op, .index = o->results, .name = name}));
    if (!o->results++) o->first_result = f->values.count - 1;
    return f->values.count - 1;
}

static gw_op memory_op(gw_builder *b, gw_opcode code, gw_object o, gw_str path, const gw_value *idx, uint32_t n,
                       gw_value value) {
    GW_VEC(gw_value) list = {0};
    for (uint32_t i = 0; i < n; i++) gw_push(&list, idx[i]);
    if (value) gw_push(&list, value);
    bool load = code == GW_OP_LOAD;
    gw_op op = gw_emit(b, code, load ? gw_cell_type(b->f, o, path) : GW_T_VOID, load, list.at, list.count);
    gw_op_at(b->f, op)->object = o;
    gw_op_at(b->f, op)->path = path;
    gw_vec_free(&list);
    return op;
}

gw_value gw_load(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n) {
    return gw_result(b->f, memory_op(b, GW_OP_LOAD, o, path, idx, n, 0), 0);
}
gw_op gw_store(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n, gw_value value) {
    return memory_op(b, GW_OP_STORE, o, path, idx, n, value);
}
gw_op gw_accum(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n, gw_value value) {
    return memory_op(b, GW_OP_ACCUM, o, path, idx, n, value);
}
gw_value gw_address(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n, uint16_t flags) {
    gw_op op = memory_op(b, GW_OP_ADDRESS, o, path, idx, n, 0);
    gw_op_at(b->f, op)->flags = flags;
    return gw_op_add_result(b->f, op, GW_T_U64, 0);
}
void gw_yield(gw_builder *b, const gw_value *values, uint32_t n) {
    gw_emit(b, GW_OP_YIELD, GW_T_VOID, 0, values, n);
}

/* ---- reading ---- */
uint32_t gw_index_count(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    uint32_t values = o->code == GW_OP_ATOMIC && o->attr < GW_ATOMIC_COUNT ? gw_atomic_rows[o->attr].values : 1;
    const bool none = o->code == GW_OP_LOAD || o->code == GW_OP_ADDRESS || o->code == GW_OP_SETTLE;
    return none ? o->operands : o->operands - values;
}

gw_op gw_operand_address(const gw_func *f, gw_op op, uint32_t i) {
    gw_op def = gw_value_at(f, gw_operand(f, op, i))->op;
    return def && gw_op_at(f, def)->code == GW_OP_ADDRESS ? def : 0;
}

gw_op gw_region_end(const gw_func *f, gw_region r) {
    gw_op last = gw_last(f, r);
    if (!last) return 0;
    uint16_t code = gw_op_at(f, last)->code;
    return code == GW_OP_YIELD || code == GW_OP_RET ? last : 0;
}

bool gw_const_int(const gw_func *f, gw_value v, int64_t *out) {
    gw_op op = gw_value_at(f, v)->op;
    const gw_type type = gw_typeof(f, v);
    if (!op || gw_op_at(f, op)->code != GW_OP_CONST || gw_type_is_float(type) || gw_type_is_four(type))
        return false;
    *out = gw_op_at(f, op)->imm.i;
    return true;
}

bool gw_const_real(const gw_func *f, gw_value v, double *out) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_op_at(f, op)->code != GW_OP_CONST || !gw_type_is_float(gw_typeof(f, v))) return false;
    *out = gw_op_at(f, op)->imm.f;
    return true;
}

gw_region gw_value_region(const gw_func *f, gw_value v) {
    const gw_value_data *d = gw_value_at(f, v);
    return d->op ? gw_op_at(f, d->op)->parent : d->region;
}

bool gw_region_inside(const gw_func *f, gw_region r, gw_region outer) {
    while (r && r != outer) {
        gw_op parent = gw_region_at(f, r)->parent;
        r = parent ? gw_op_at(f, parent)->parent : 0;
    }
    return r == outer;
}

/* ---- changing ---- */
static void mark_dead(gw_func *f, gw_op op) {
    gw_op_data *o = gw_op_at(f, op);
    o->dead = true;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_region_at(f, o->region[i])->first; in; in = gw_op_at(f, in)->next) mark_dead(f, in);
}

void gw_op_remove(gw_func *f, gw_op op) {
    unlink_op(f, op);
    mark_dead(f, op);
}

void gw_op_move(gw_func *f, gw_op op, gw_region r, gw_op before) {
    unlink_op(f, op);
    link_op(f, op, r, before);
}

void gw_replace_uses(gw_func *f, gw_value old, gw_value now) {
    for (uint32_t i = 0; i < f->operands.count; i++)
        if (f->operands.at[i] == old) f->operands.at[i] = now;
}

void gw_map_set(gw_value_map *m, gw_value from, gw_value to) {
    if (from >= m->count) {
        uint32_t count = from + 64 > m->count * 2 ? from + 64 : m->count * 2;
        m->at = gw_realloc(m->at, count * sizeof *m->at);
        memset(m->at + m->count, 0, (count - m->count) * sizeof *m->at);
        m->count = count;
    }
    m->at[from] = to;
}

void gw_map_free(gw_value_map *m) {
    free(m->at);
    *m = (gw_value_map){0};
}

/* ---- functions by what they derive ---- */
bool gw_is_reverse(const gw_func *f) { return f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK; }
bool gw_is_gradient_kernel(const gw_func *f) { return f->form == GW_FORM_GRAD && f->kind == GW_FUNC_KERNEL; }
bool gw_has_host_tape(const gw_func *f) { return gw_is_reverse(f) && f->tape_host; }
