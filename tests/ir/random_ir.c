/*
 * random_ir.c - random legal IR (contract: random_ir.h). Values are drawn from those that are visible, so
 * what comes out obeys the rules by construction; the tests check that the verifier agrees.
 */
#include "random_ir.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
    random_source *r;
    gw_builder b;
    GW_VEC(gw_value) visible;
    unsigned depth;
    gw_object array, record, local, slot;
} maker;

/* splitmix64 */
static uint64_t random_bits(random_source *r) {
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint32_t random_below(random_source *r, uint32_t limit) {
    return limit ? (uint32_t)(random_bits(r) % limit) : 0;
}

static gw_str random_name(maker *m) {
    static const char *const names[] = {"",    "x",       "p.x", "i",         "3",   "a b",         "x.7",
                                        "d_x", "quo\"te", "a\\", "operator+", "ret", "line\nbreak", "%",
                                        "f32", "\xc3\xa4"};
    return gw_intern(m->b.f->session, names[random_below(m->r, sizeof names / sizeof *names)]);
}

static gw_loc random_loc(maker *m) {
    static const char *const files[] = {"a.cu", "a.cu", "b \"c\".h", ""};
    if (random_below(m->r, 3) == 0) return (gw_loc){0};
    gw_session *s = m->b.f->session;
    return (gw_loc){gw_intern(s, files[random_below(m->r, 4)]), 1 + random_below(m->r, 99),
                    random_below(m->r, 99)};
}

static gw_value keep(maker *m, gw_value v) {
    gw_value_at(m->b.f, v)->name = random_name(m);
    gw_push(&m->visible, v);
    return v;
}

static double random_real(maker *m) {
    static const double odd[] = {0.0, -0.0, 1.0, 0.1, 1e300, 5e-324, -2.5};
    double x;
    uint64_t bits = random_bits(m->r);
    memcpy(&x, &bits, sizeof x);
    uint32_t i = random_below(m->r, 12);
    return i < 7 ? odd[i] : i == 7 ? HUGE_VAL : i == 8 ? -HUGE_VAL : x; /* any bits: NaNs too */
}

static gw_value random_const(maker *m, gw_type t) {
    gw_value v = gw_result(m->b.f, gw_emit(&m->b, GW_OP_CONST, t, 1, NULL, 0), 0);
    gw_op_data *o = gw_op_at(m->b.f, gw_value_at(m->b.f, v)->op);
    int64_t bits = (int64_t)random_bits(m->r);
    uint32_t unused = 64 - gw_type_bits(t);
    if (gw_type_is_four(t))
        o->imm.i = 0;
    else if (t == GW_T_BOOL)
        o->imm.i = bits & 1;
    else if (gw_type_is_float(t))
        o->imm.f = random_real(m);
    else if (gw_type_is_signed(t))
        o->imm.i = bits >> unused;
    else
        o->imm.i = (int64_t)((uint64_t)bits >> unused);
    return keep(m, v);
}

/* A visible value of the type, or a new constant. */
static gw_value pick(maker *m, gw_type t) {
    uint32_t n = m->visible.count, from = n ? random_below(m->r, n) : 0;
    for (uint32_t i = 0; i < n; i++) {
        gw_value v = m->visible.at[(from + i) % n];
        if (gw_typeof(m->b.f, v) == t) return v;
    }
    return random_const(m, t);
}

static gw_type random_type(maker *m) { return gw_type_of_value(1 + random_below(m->r, GW_T_SCALARS - 1)); }

static gw_type type_for(maker *m, unsigned code) {
    if (code == GW_OP_REM || code == GW_OP_SHL || code == GW_OP_SHR || code >= GW_OP_BINOMIAL)
        return GW_T_I8 + random_below(m->r, 8);
    if (code >= GW_OP_AND && code <= GW_OP_NOT) return GW_T_BOOL + random_below(m->r, 9);
    if (code >= GW_OP_ADD && code <= GW_OP_NEG) {
        gw_type t = gw_type_of_value(GW_T_I8 + random_below(m->r, GW_T_SCALARS - GW_T_I8));
        return t == GW_T_ADDRESS ? GW_T_F32 : t;
    }
    if (code >= GW_OP_EQ && code <= GW_OP_GE) return random_type(m);
    return GW_T_F32 + random_below(m->r, 3);
}

static void add_pure(maker *m) {
    unsigned code = GW_OP_ADD + random_below(m->r, GW_OP_IABS - GW_OP_ADD + 1);
    gw_type t = code == GW_OP_SELECT || code == GW_OP_CAST ? random_type(m) : type_for(m, code);
    if (code == GW_OP_BITS && t == GW_T_F80) t = GW_T_F64;
    gw_typing typing = gw_op_rows[code].typing;
    gw_type result = typing == GW_TYPING_SAME || typing == GW_TYPING_SHIFT || code == GW_OP_SELECT ? t
                     : typing == GW_TYPING_INT                                                     ? GW_T_I32
                                                                                                   : GW_T_BOOL;
    gw_value v[4];
    for (int i = 0; i < gw_op_rows[code].operands; i++)
        v[i] = pick(m, t);
    if (code == GW_OP_SELECT) v[0] = pick(m, GW_T_BOOL);
    if (gw_type_is_four(t) && (code == GW_OP_MUL || code == GW_OP_DIV)) v[1] = pick(m, gw_type_one_of_four(t));
    if (typing == GW_TYPING_SHIFT) v[1] = pick(m, GW_T_I8 + random_below(m->r, 8));
    if (code == GW_OP_CAST)
        do result = random_type(m);
        while (gw_type_is_four(result) != gw_type_is_four(t));
    if (code == GW_OP_BITS) result = t == GW_T_F32 ? GW_T_I32 : GW_T_I64;
    uint16_t flags = random_below(m->r, 4) ? 0 : GW_OP_FAST;
    keep(m, gw_pure(&m->b, (gw_opcode)code, result, flags, v, (uint32_t)gw_op_rows[code].operands));
}

static void add_fetch(maker *m) {
    const gw_texture kind = (gw_texture)(1 + random_below(m->r, GW_TEXTURE_COUNT - 1));
    const gw_texture_row *row = &gw_texture_rows[kind];
    const uint32_t channels = 1u << random_below(m->r, 3), count = 1 + row->coordinates + row->is_layered;
    gw_value v[GW_MOST_COORDINATES] = {pick(m, GW_T_U64)};
    for (uint32_t i = 1; i < count; i++)
        v[i] = pick(m, i > row->coordinates || kind == GW_TEXTURE_ELEMENT ? GW_T_I32 : GW_T_F32);
    const gw_fetch fetch = {kind, channels, random_below(m->r, channels), 0};
    keep(m, gw_texture_op(&m->b, GW_OP_TEXTURE, GW_T_F32, fetch, v, count));
}

static gw_why random_why(maker *m) {
    static const char *const texts[] = {"list[i]", "\"quoted\"", "a\nb"};
    gw_why why = gw_because((gw_reason)(1 + random_below(m->r, GW_REASON_COUNT - 1)));
    for (uint32_t n = random_below(m->r, 4); n > 0; n--)
        gw_why_add(m->b.f->session, &why, random_below(m->r, 2) ? texts[random_below(m->r, 3)] : NULL,
                   random_below(m->r, 3));
    return why;
}

static uint32_t random_choice(maker *m, uint32_t decision) {
    gw_session *s = m->b.f->session;
    gw_rung_choice c = {.rung = (uint16_t)(1 + random_below(m->r, GW_RUNG_COUNT - 1)),
                        .decision = decision,
                        .why = random_why(m)};
    c.refused = random_below(m->r, 2);
    if (!c.refused && random_below(m->r, 2)) c.how = GW_ACCUMULATE_VECTOR;
    if (random_below(m->r, 2)) c.reference = gw_intern(s, "d_x[0]");
    return gw_rung_choice_add(s, c);
}

static uint32_t random_decision(maker *m, uint16_t how) {
    gw_session *s = m->b.f->session;
    gw_decision d = {.why = random_why(m), .how = how, .company = (gw_company)random_below(m->r, 3)};
    if (random_below(m->r, 2)) d.reference = gw_intern(s, "d_x[i + 1]");
    if (random_below(m->r, 2)) d.code = GW_DIAG_ONE_CELL;
    if (random_below(m->r, 2)) d.made = gw_decision_made(s, random_why(m));
    if (random_below(m->r, 2))
        d.other = gw_intern(s, "x[i]"), d.other_loc = (gw_loc){gw_intern(s, "other.cu"), 3, 4};
    if (random_below(m->r, 2)) d.witness = gw_intern(s, "two threads");
    if (random_below(m->r, 2)) d.choice = random_choice(m, s->decisions.count);
    return gw_decision_add(s, d);
}

static void decorate(maker *m, gw_op op) {
    static const char *const notes[] = {"", "index is owned", "\"quoted\"\t\x01", "a\nb"};
    gw_op_data *o = gw_op_at(m->b.f, op);
    if (random_below(m->r, 2)) o->attr = (uint16_t)random_below(m->r, 4);
    if (o->code == GW_OP_LOAD && random_below(m->r, 2))
        o->flags = random_below(m->r, 2) ? GW_OP_STALE : GW_OP_EARLY;
    if (o->code == GW_OP_STORE && random_below(m->r, 2)) o->flags = GW_OP_UNSURE;
    o->note = gw_intern(m->b.f->session, notes[random_below(m->r, 4)]);
    if (random_below(m->r, 2)) o->decision = random_decision(m, o->attr);
    uint32_t ops = m->b.f->primal ? m->b.f->primal->ops.count : 0;
    if (ops > 1 && random_below(m->r, 2)) {
        gw_op origin = 1 + random_below(m->r, ops - 1);
        if (!gw_op_at(m->b.f->primal, origin)->dead) o->origin = origin;
    }
}

static void add_access(maker *m) {
    static const struct {
        const char *path;
        uint32_t indices;
        gw_type type;
    } paths[] = {
        {"[]", 1, GW_T_F32}, {"[].pos[]", 2, GW_T_F64}, {"[].odd name", 1, GW_T_I32}, {"[][]", 2, GW_T_F32}};
    uint32_t i = random_below(m->r, 4);
    gw_object object = i == 0 ? m->array : i == 3 ? m->local : m->record;
    gw_value index[2] = {pick(m, GW_T_I32), pick(m, GW_T_I8 + random_below(m->r, 8))};
    gw_str path = gw_intern(m->b.f->session, paths[i].path);
    uint32_t what = random_below(m->r, 3);
    if (what == 0) {
        gw_value v = gw_load(&m->b, object, path, index, paths[i].indices);
        decorate(m, gw_value_at(m->b.f, v)->op);
        keep(m, v);
    } else if (what == 1 || !gw_type_is_float(paths[i].type)) {
        decorate(m, gw_store(&m->b, object, path, index, paths[i].indices, pick(m, paths[i].type)));
    } else {
        decorate(m, gw_accum(&m->b, object, path, index, paths[i].indices, pick(m, paths[i].type)));
    }
}

static void fill(maker *m, uint32_t ops);

/* Makes the region's arguments and ops; yields `lead` bools and values of the types. */
static void fill_region(maker *m, gw_op op, const gw_type *args, uint32_t arg_count, const gw_type *yields,
                        uint32_t yield_count, bool pure) {
    gw_region before = m->b.region, r = gw_region_new(m->b.f, op);
    uint32_t mark = m->visible.count;
    m->b.region = r;
    for (uint32_t i = 0; i < arg_count; i++)
        gw_push(&m->visible, gw_region_arg(m->b.f, r, args[i], random_name(m)));
    m->depth++;
    if (pure)
        for (uint32_t i = random_below(m->r, 4); i; i--)
            add_pure(m);
    else
        fill(m, random_below(m->r, 6));
    m->depth--;
    gw_value list[8];
    for (uint32_t i = 0; i < yield_count; i++)
        list[i] = pick(m, yields[i]);
    gw_yield(&m->b, list, yield_count);
    m->visible.count = mark;
    m->b.region = before;
}

static void add_control(maker *m, unsigned code) {
    gw_type args[6], yields[6];
    gw_value operands[6];
    uint32_t carried = random_below(m->r, 3), first = code == GW_OP_FOR ? 3 : code == GW_OP_IF;
    bool leaves = code != GW_OP_IF && random_below(m->r, 2);
    gw_type counter = GW_T_I8 + random_below(m->r, 8);
    for (uint32_t i = 0; i < first; i++)
        operands[i] = pick(m, code == GW_OP_IF ? GW_T_BOOL : counter);
    yields[0] = GW_T_BOOL;
    args[0] = counter;
    for (uint32_t i = 0; i < carried; i++) {
        gw_type t = random_type(m);
        args[i + (code == GW_OP_FOR)] = yields[i + leaves] = t;
        if (code != GW_OP_IF) operands[first + i] = pick(m, t);
    }
    gw_op op =
        gw_emit(&m->b, (gw_opcode)code, GW_T_VOID, 0, operands, first + (code == GW_OP_IF ? 0 : carried));
    if (code == GW_OP_FOR) gw_op_at(m->b.f, op)->attr = (uint16_t)(GW_OP_NE + random_below(m->r, 5));
    if (leaves) gw_op_at(m->b.f, op)->flags = GW_OP_EXIT;
    for (uint32_t i = 0; i < carried; i++)
        gw_op_add_result(m->b.f, op, yields[i + leaves], random_name(m));
    const gw_type condition = GW_T_BOOL;
    uint32_t arg_count = code == GW_OP_IF ? 0 : carried + (code == GW_OP_FOR);
    if (code == GW_OP_WHILE) fill_region(m, op, args, arg_count, &condition, 1, true);
    fill_region(m, op, args, arg_count, yields, carried + leaves, false);
    if (code == GW_OP_IF) fill_region(m, op, args, arg_count, yields, carried + leaves, false);
    for (uint32_t i = 0; i < carried; i++)
        gw_push(&m->visible, gw_result(m->b.f, op, i));
}

/* push in one loop, pop in another. */
static void add_tape(maker *m) {
    gw_func *f = m->b.f;
    for (int back = 0; back < 2; back++) {
        gw_value bounds[3] = {pick(m, GW_T_I32), pick(m, GW_T_I32), pick(m, GW_T_I32)};
        gw_op loop = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, bounds, 3);
        gw_op_at(f, loop)->attr = GW_OP_LT;
        gw_builder b = {f, gw_region_new(f, loop), 0, m->b.loc};
        gw_region_arg(f, b.region, GW_T_I32, 0);
        gw_value kept = back ? 0 : gw_real(&b, GW_T_F32, 3);
        gw_op op = gw_emit(&b, back ? GW_OP_POP : GW_OP_PUSH, GW_T_F32, back ? 1 : 0, &kept, back ? 0 : 1);
        gw_op_at(f, op)->object = m->slot;
        gw_yield(&b, NULL, 0);
    }
}

static void add_other(maker *m) {
    gw_func *f = m->b.f;
    uint32_t what = random_below(m->r, 3);
    if (what == 0) {
        keep(m, gw_special_value(&m->b, (gw_special)random_below(m->r, 4), random_below(m->r, 3)));
    } else if (what == 1) {
        gw_op op = gw_emit(&m->b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0);
        gw_op_at(f, op)->object = m->local;
    } else {
        gw_value v[2] = {pick(m, random_type(m)), pick(m, GW_T_F32)};
        gw_op op = gw_emit(&m->b, GW_OP_CALL, random_type(m), random_below(m->r, 2), v, random_below(m->r, 3));
        gw_op_at(f, op)->callee = gw_intern(f->session, random_below(m->r, 2) ? "elsewhere" : "ns::f<3>");
        if (gw_op_at(f, op)->results) keep(m, gw_result(f, op, 0));
    }
}

static void fill(maker *m, uint32_t ops) {
    for (uint32_t i = 0; i < ops; i++) {
        m->b.loc = random_loc(m);
        switch (random_below(m->r, m->depth < 4 ? 10 : 7)) {
        case 0:
            random_const(m, random_type(m));
            break;
        case 1:
            if (random_below(m->r, 4) == 0) add_fetch(m);
            else add_other(m);
            break;
        case 2:
        case 3:
            add_access(m);
            break;
        case 7:
            add_control(m, GW_OP_IF);
            break;
        case 8:
            add_control(m, GW_OP_FOR);
            break;
        case 9:
            add_control(m, GW_OP_WHILE);
            break;
        default:
            add_pure(m);
        }
    }
}

static void add_param(maker *m, gw_value value, gw_object object, const char *text) {
    gw_param p = {.name = random_name(m),
                  .type_text = gw_intern(m->b.f->session, text),
                  .value = value,
                  .object = object};
    p.loc = random_loc(m);
    p.is_texture = value && gw_typeof(m->b.f, value) == GW_T_U64 && random_below(m->r, 2);
    if (m->b.f->primal && random_below(m->r, 2)) {
        p.is_adjoint = true;
        p.primal_index = random_below(m->r, 2) ? UINT32_MAX : random_below(m->r, m->b.f->primal->params.count);
    }
    gw_push(&m->b.f->params, p);
}

static void make_objects(maker *m, gw_type record) {
    gw_func *f = m->b.f;
    gw_session *s = f->session;
    m->array = gw_object_new(f, GW_OBJECT_POINTER, random_name(m), GW_T_F32);
    m->record = gw_object_new(f, GW_OBJECT_POINTER, random_name(m), record);
    m->local =
        gw_object_new(f, GW_OBJECT_LOCAL, random_name(m), gw_type_array(s, gw_type_array(s, GW_T_F32, 4), 3));
    m->slot = gw_object_new(f, GW_OBJECT_TAPE, random_name(m), GW_T_F32);
    gw_object global = gw_object_new(f, GW_OBJECT_GLOBAL, random_name(m), gw_type_array(s, record, 5));
    for (gw_object o = 1; o < f->objects.count; o++) {
        gw_object_data *d = gw_object_at(f, o);
        d->loc = random_loc(m);
        d->is_restrict = random_below(m->r, 2);
        d->is_reference = random_below(m->r, 2);
        d->is_container = random_below(m->r, 2);
        d->is_enumerated = random_below(m->r, 2);
        d->shadow_of = random_below(m->r, o);
        if (random_below(m->r, 2)) d->type_text = random_name(m);
    }
    gw_object_at(f, m->local)->zeroed = random_below(m->r, 2);
    gw_object_at(f, global)->is_const = gw_object_at(f, global)->is_constant_memory = true;
    add_param(m, 0, m->array, "float *");
    add_param(m, 0, m->record, "record *__restrict__");
}

static gw_func *make_func(random_source *r, gw_session *s, gw_type record, gw_func *primal) {
    static const char *const names[] = {"f", "f", "g", "f<3>", "operator()"};
    gw_func *f = gw_func_new(s, names[random_below(r, 5)], (gw_func_kind)random_below(r, 4));
    maker m = {.r = r, .b = {.f = f, .region = f->entry}};
    f->primal = primal;
    f->form = primal ? (random_below(r, 2) ? GW_FORM_GRAD : GW_FORM_PULLBACK) : GW_FORM_PRIMAL;
    f->request = primal ? random_below(r, s->requests.count) : 0;
    f->loc = random_loc(&m);
    f->tape_local = primal && random_below(r, 2);
    f->tape_local_slots[0] = f->tape_local ? random_below(r, 100) : 0;
    f->tape_host = primal && !f->tape_local && random_below(r, 2);
    if (random_below(r, 2)) f->qualified = gw_intern(s, "ns::f");
    if (random_below(r, 2)) f->return_type = random_type(&m);
    f->return_text = gw_intern(s, random_below(r, 2) ? "void" : "const int");
    make_objects(&m, record);
    for (uint32_t i = random_below(r, 4); i; i--) {
        gw_value v = gw_region_arg(f, f->entry, random_type(&m), random_name(&m));
        gw_push(&m.visible, v);
    }
    for (uint32_t i = 0; i < m.visible.count; i++)
        add_param(&m, m.visible.at[i], 0, "int");
    fill(&m, random_below(r, 30));
    if (primal) add_tape(&m);
    gw_value out = f->return_type ? pick(&m, f->return_type) : 0;
    gw_emit(&m.b, GW_OP_RET, GW_T_VOID, 0, &out, f->return_type ? 1 : 0);
    gw_vec_free(&m.visible);
    return f;
}

static void remove_some(random_source *r, gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_STORE && random_below(r, 3) == 0)
            gw_op_remove(f, op);
}

gw_session *random_session(uint64_t seed) {
    random_source r = {seed};
    gw_session *s = gw_session_new();
    gw_field fields[] = {{gw_intern(s, "pos"), gw_type_array(s, GW_T_F64, 3), 0, 0, 0, false},
                         {gw_intern(s, "odd name"), GW_T_I32, 0, gw_intern(s, "ns::odd name"), 0, false}};
    gw_layout layout = {0};
    if (random_below(&r, 2))
        layout = (gw_layout){64, 8u << random_below(&r, 3)}, fields[1].offset = 24 + 4 * random_below(&r, 3);
    gw_type record =
        gw_type_struct(s, gw_intern(s, random_below(&r, 2) ? "record" : "ns::rec<int, 3>"), fields, 2, layout);
    if (random_below(&r, 2))
        record = gw_type_struct(s, s->types.at[record].name, fields, 2 - random_below(&r, 1), layout);
    s->stage = gw_intern(s, "adjoint");
    s->source_file = gw_intern(s, "dir/\"a\".cu");
    s->is_cuda = random_below(&r, 2);
    uint32_t primals = 1 + random_below(&r, 3);
    for (uint32_t i = 0; i < primals; i++) {
        gw_func *f = make_func(&r, s, record, NULL);
        remove_some(&r, f);
        gw_request q = {.kind = (gw_request_kind)(i % GW_REQUEST_COUNT),
                        .function = f->qualified,
                        .text = gw_intern(s, "x wrt y"),
                        .func = f,
                        .from_source = i & 1};
        if (i & 1) q.digest = gw_intern(s, "0123456789abcdef");
        gw_push(&q.dependents, gw_intern(s, "x"));
        gw_push(&q.independents, gw_intern(s, "y.z"));
        if (i) q.loc = (gw_loc){gw_intern(s, "a.cu"), 3, i};
        gw_push(&s->requests, q);
    }
    for (uint32_t i = random_below(&r, 4); i; i--) {
        gw_rule rule = {.function = gw_intern(s, i & 1 ? "a::b" : "c"), .is_nondifferentiable = i == 3};
        if (i & 1) rule.pullback = gw_intern(s, "a::back");
        if (i & 2) rule.jvp = gw_intern(s, "along");
        gw_push(&s->rules, rule);
        gw_capture_struct captures = {.name = gw_intern(s, i & 1 ? "body_captures" : "f"), .line = i};
        if (i & 2) gw_push(&captures.members, gw_intern(s, "float *x[2]"));
        gw_push(&s->captures, captures);
    }
    for (uint32_t i = random_below(&r, 3); i; i--)
        remove_some(&r, make_func(&r, s, record, s->funcs.at[random_below(&r, primals)]));
    return s;
}
