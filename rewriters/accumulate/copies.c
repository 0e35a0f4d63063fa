/*
 * accumulate/copies.c - the copies rung: cells to which every block adds, d_gain[k] for k = threadIdx.x, threadIdx.x + 256, ..., have copies in
 * the workspace, of which a block takes one.
 *
 *     float *const d_gain_copy = gw_copy_of_block(d_gain, d_gain_copies);
 *     ... gw_atomic_add(&d_gain_copy[k], v); ...                              // as many blocks as before, but at C places
 *
 * The L2 makes additions to one sector one after the other, so a few hot cells hold up the chip; C copies of them do so for a C-th
 * of the time. Copies are zeroed by the launch, and summed behind the kernel by one thread a cell (gradwright/copies.cuh).
 *
 * Sound because
 *   - the additions are the same and as atomic as they were, since several blocks may have one copy; only their order changes;
 *   - nothing but additions reaches the object in this kernel, so nobody sees that some of them come late; others may go to the
 *     object itself: the sum behind the kernel is made when these are over;
 *   - a copy has the cells 0 .. n - 1, where the host finds from the launch that no index is less than 0 or above n - 1 (bounds.c). If
 *     it finds another, or so many cells that copies would not pay, the kernel is given none, and adds to the object itself. What
 *     bounds.c takes for granted is asked for here: its 64-bit arithmetic cannot overflow, and no index wraps around.
 *
 * By itself the rung is taken where each block adds to the same cells, and the kernel has a workspace anyway (else f_grad<<<>>> would
 * be no more); how many copies a launch gets is in copies.cuh.
 */
#include "rewriters/accumulate/copies.h"

#include "analysis/facts/asked.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"
#include "rewriters/formula/split.h"

#include <stdlib.h>
#include <string.h>

static bool is_copied(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_COPIES;
}

static bool has_copies(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->object == object && is_copied(f, op)) return true;
    return false;
}

uint32_t gw_copied_number(const gw_func *f, gw_object object) {
    uint32_t count = 0;
    for (gw_object o = 1; o < object && o < f->objects.count; o++) count += has_copies(f, o);
    return count;
}

uint32_t gw_copied_objects(const gw_func *f) { return gw_copied_number(f, f->objects.count); }

gw_object gw_copied_object(const gw_func *f, uint32_t number) {
    gw_object o = 1;
    while (!has_copies(f, o) || number--) o++;
    return o;
}

bool gw_copies_are_asked(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->object == object && is_copied(f, op) && gw_asked_rung_at(f, op) == GW_RUNG_COPIES) return true;
    return false;
}

/* ---- indices ---- */
enum { WIDE = 63, TOO_WIDE = 64 }; /* a number is at most 2^bits, up or down; TOO_WIDE: the host's bounds may not fit, or it wraps around */

typedef struct walk {
    const gw_func *f;
    gw_bounds *b;
    uint8_t *bits;  /* by value: of the bounds' numbers; 0: not seen */
    bool per_block; /* blockIdx tells the cell */
} walk;

static uint8_t bits_of(walk *w, gw_value v);

static uint8_t bits_of_type(gw_type type) { return (uint8_t)(gw_type_bits(type) < 64 ? gw_type_bits(type) - gw_type_is_signed(type) : WIDE); }
static uint8_t computed(uint32_t bits) { return (uint8_t)(bits < WIDE ? bits : TOO_WIDE); }
static uint8_t greater(uint8_t a, uint8_t b) { return a > b ? a : b; }

static gw_value yielded(const gw_func *f, const gw_value_data *d, uint32_t side) {
    return gw_operand(f, gw_region_end(f, gw_op_at(f, d->op)->region[side]), d->index);
}

static uint8_t most_of(walk *w, gw_op op, uint32_t from, uint32_t to) {
    uint8_t most = 0;
    for (uint32_t i = from; i < to; i++) most = greater(most, bits_of(w, gw_operand(w->f, op, i)));
    return most;
}

/* The index of a loop stays between the loop's bounds: if one of signed type passed the end of its type, that would be undefined in the
 * source, and one of unsigned type comes in again at 0, where the first may have been. */
static uint8_t bits_of_index(walk *w, gw_op loop) {
    const gw_op_data *o = gw_op_at(w->f, loop);
    bool rises = o->attr == GW_OP_LT || o->attr == GW_OP_LE, falls = o->attr == GW_OP_GT || o->attr == GW_OP_GE;
    bool stays = gw_type_is_signed(gw_typeof(w->f, gw_operand(w->f, loop, 0)));
    int64_t c;
    if (!stays && rises) stays = gw_const_int(w->f, gw_operand(w->f, loop, 2), &c) && c == 1;
    if (!stays && rises) {
        gw_interval first = gw_bounds_of(w->b, gw_operand(w->f, loop, 0));
        stays = first.low && gw_const_int(w->b->to->f, first.low, &c) && c == 0;
    }
    return stays && (rises || falls) ? most_of(w, loop, 0, 2) : TOO_WIDE;
}

/* x % 64, x & 63: any block may have all of these cells. */
static uint8_t bits_of_cut(walk *w, gw_op op) {
    int64_t c;
    bool per_block = w->per_block, is_cut = gw_const_int(w->f, gw_operand(w->f, op, 1), &c) && c > 0;
    uint8_t bits = most_of(w, op, is_cut && gw_op_at(w->f, op)->code == GW_OP_AND, 2);
    if (is_cut) w->per_block = per_block;
    return bits;
}

static uint8_t bits_of_op(walk *w, gw_value v) {
    const gw_func *f = w->f;
    const gw_value_data *d = gw_value_at(f, v);
    if (!d->op) {
        gw_op loop = gw_region_at(f, d->region)->parent;
        if (!loop) return bits_of_type(d->type);
        return gw_op_at(f, loop)->code == GW_OP_FOR && d->index == 0 ? bits_of_index(w, loop) : TOO_WIDE;
    }
    const gw_op_data *o = gw_op_at(f, d->op);
    uint8_t sum;
    switch (o->code) {
    case GW_OP_SPECIAL: w->per_block |= o->attr / 4 == GW_BLOCK_IDX; return 31; /* longest grid */
    case GW_OP_CAST:
    case GW_OP_SELECT: return most_of(w, d->op, o->code == GW_OP_SELECT, o->operands);
    case GW_OP_ADD:
    case GW_OP_SUB: return computed(most_of(w, d->op, 0, 2) + 1u);
    case GW_OP_MUL: sum = bits_of(w, gw_operand(f, d->op, 0)); return computed((uint32_t)sum + bits_of(w, gw_operand(f, d->op, 1)));
    case GW_OP_DIV: return most_of(w, d->op, 0, 2);
    case GW_OP_IF: sum = bits_of(w, yielded(f, d, 0)); return greater(sum, bits_of(w, yielded(f, d, 1)));
    case GW_OP_REM:
    case GW_OP_AND: return bits_of_cut(w, d->op);
    case GW_OP_IMIN:
    case GW_OP_IMAX: return most_of(w, d->op, 0, 2);
    case GW_OP_LOAD: return bits_of_type(d->type); /* a member of a struct, or of no bound */
    default: return TOO_WIDE;
    }
}

static uint8_t bits_of(walk *w, gw_value v) {
    gw_type type = gw_typeof(w->f, v);
    int64_t c;
    if (w->bits[v]) return w->bits[v];
    w->bits[v] = TOO_WIDE; /* until it is known */
    if (gw_const_int(w->f, v, &c)) {
        uint8_t bits = 1;
        for (uint64_t left = (uint64_t)(c < 0 ? ~c : c); left; left >>= 1) bits++;
        return w->bits[v] = bits;
    }
    if (type == GW_T_BOOL) return w->bits[v] = 1;
    if (!gw_type_is_integer(type)) return TOO_WIDE;
    uint8_t bits = bits_of_op(w, v), own = bits_of_type(type);
    if (bits < WIDE && bits > own) bits = own; /* bounds.c gives all of the type where one leaves it */
    if (bits > WIDE && gw_bounds_exact(w->b, v)) bits = WIDE; /* one number, computed as in the kernel */
    return w->bits[v] = bits;
}

/* ---- the host ---- */
static gw_value number(gw_bounds *b, int64_t x) { return gw_int(b->to, GW_T_I64, x); }

/* The greatest index of the addition, -1 if one may be negative; 0: there is no bound. */
static gw_value greatest_index(walk *w, gw_op add) {
    gw_value index = gw_operand(w->f, add, 0);
    if (bits_of(w, index) > WIDE) return 0;
    gw_interval range = gw_bounds_of(w->b, index);
    if (!range.low || !range.high) return 0;
    return gw_select(w->b->to, gw_binary(w->b->to, GW_OP_LT, range.low, number(w->b, 0)), number(w->b, -1), range.high);
}

gw_value gw_copied_last(gw_bounds *b, gw_object object) {
    const gw_func *f = b->from;
    walk w = {.f = f, .b = b, .bits = gw_alloc(f->values.count)};
    gw_value last = 0, none = number(b, -1), fits = gw_int(b->to, GW_T_BOOL, 1);
    bool several = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->object != object || !is_copied(f, op)) continue;
        gw_value index = greatest_index(&w, op);
        if (!index) index = none;
        fits = gw_binary(b->to, GW_OP_AND, fits, gw_binary(b->to, GW_OP_GE, index, number(b, 0)));
        several |= last && last != index;
        last = several ? gw_binary(b->to, GW_OP_IMAX, last, index) : index;
    }
    free(w.bits);
    return several ? gw_select(b->to, fits, last, none) : last;
}

/* ---- what can be done ---- */

/* The type is made of numbers of the type alone. */
static bool is_made_of(const gw_session *s, gw_type whole, gw_type number) {
    const gw_type_data *d = &s->types.at[whole];
    bool all = d->kind == GW_TYPE_STRUCT;
    if (whole == number) return true;
    if (d->kind == GW_TYPE_ARRAY) return is_made_of(s, d->element, number);
    for (uint32_t i = 0; i < d->count && all; i++) all = is_made_of(s, s->fields.at[d->first + i].type, number);
    return all;
}

/* x[i], x[i].v, x[i].v[2], x[i][2]: of an array that is a parameter, one index varies. */
static bool has_one_index(const gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, add);
    const gw_object_data *d = gw_object_at(f, o->object);
    const char *path = gw_cstr(s, o->path);
    bool good = d->kind == GW_OBJECT_POINTER && !d->is_container && !d->is_reference && strncmp(path, "[]", 2) == 0;
    uint32_t next = 1;
    for (const char *at = good ? strstr(path + 2, "[]") : NULL; at && good; at = strstr(at + 2, "[]")) {
        char *before = gw_format("%.*s", (int)(at - path - 2), path + 2);
        const gw_type_data *t = &s->types.at[gw_type_at_path(s, d->type, before)];
        int64_t c;
        good = t->kind == GW_TYPE_ARRAY && gw_const_int(f, gw_operand(f, add, next++), &c) && c >= 0 && c < t->count;
        free(before);
    }
    return good;
}

static bool is_only_added_to(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->object == object && o->code != GW_OP_ACCUM) return false;
    }
    return true;
}

typedef struct verdict {
    const char *why; /* not */
    bool per_block;
} verdict;

static verdict look(gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, add);
    const gw_object_data *d = gw_object_at(f, o->object);
    gw_type type = gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
    if (s->options.deterministic) return (verdict){.why = "blocks add to a copy in no fixed order"};
    if (gw_is_split(f) && f->template_head) return (verdict){.why = "halves of a template have no copies"};
    if (d->kind == GW_OBJECT_SHARED) return (verdict){.why = "it lies in shared memory"};
    if (!has_one_index(f, add)) return (verdict){.why = "it lies in no array that is a parameter, or two of its indices vary"};
    if ((type != GW_T_F32 && type != GW_T_F64) || !is_made_of(s, d->type, type)) return (verdict){.why = "its elements are not made of floats alone, nor of doubles alone"};
    if (!is_only_added_to(f, o->object)) return (verdict){.why = "the kernel reads or overwrites its adjoint too"};
    gw_probe probe;
    gw_probe_open(&probe, f);
    walk w = {.f = f, .b = &probe.bounds, .bits = gw_alloc(f->values.count)};
    bool bounded = greatest_index(&w, add) != 0;
    gw_probe_close(&probe);
    free(w.bits);
    return (verdict){bounded ? NULL : "no bound of its index is known at the launch", w.per_block};
}

/* ---- doing it ---- */
static void say(gw_func *f, gw_op add, const char *why) {
    gw_text reference = {0};
    gw_session *s = f->session;
    uint32_t decision = gw_op_at(f, add)->decision, said = s->diagnostics.count;
    gw_ownership_reference(f, add, &reference);
    char *choice = why ? gw_format("no copies (%s)", why) : gw_strdup("copies (blocks take turns at copies, which are summed behind the kernel)");
    char *text = gw_format("%s: %s", reference.at, choice);
    s->decisions.at[decision].choice = gw_intern(s, choice);
    gw_diag(s, why ? GW_DIAG_NO_SUM : GW_DIAG_CHOSEN_RUNG, gw_op_at(f, add)->loc, text);
    if (s->diagnostics.count > said) s->diagnostics.at[said].decision = decision;
    free(text);
    free(choice);
    gw_text_free(&reference);
}

/* By nobody's wish: of plain numbers, since components of one element have the vector rung; the second half of a split gradient has no
 * workspace of its own then. */
static bool may_be_chosen(const gw_func *f, gw_op add) { return !gw_is_split(f) && strcmp(gw_cstr(f->session, gw_op_at(f, add)->path), "[]") == 0; }

void gw_rung_copies(gw_func *f) {
    int has_space = -1;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC) continue;
        gw_rung rung = gw_asked_rung_at(f, op);
        if (rung != GW_RUNG_COPIES && rung != GW_RUNG_AUTO) continue;
        if (rung == GW_RUNG_AUTO && !may_be_chosen(f, op)) continue;
        verdict v = look(f, op);
        if (rung == GW_RUNG_AUTO && (v.why || v.per_block)) continue;
        if (rung == GW_RUNG_AUTO && has_space < 0) has_space = gw_tape_takes_workspace(f);
        if (rung == GW_RUNG_AUTO && !has_space) continue;
        say(f, op, v.why);
        if (!v.why) gw_ownership_raise(f, op, GW_ACCUMULATE_COPIES);
    }
}
