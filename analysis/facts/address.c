/*
 * address.c - when two memory ops of one function reach the same cell.
 *
 * Distinct objects never overlap (ir.h). Within one object: equal paths and equal index values are one
 * cell; different fields at the first place where the paths differ, or indices that differ by a constant
 * other than zero, are different cells, also as sums; anything else may be either. Index arithmetic is taken
 * not to wrap between i and i + c: a wrapped index would be outside of any object of that size.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>
#include <string.h>

/* An index as a sum; `extended`: of an unsigned number whose own arithmetic wraps earlier than the sum does. */
typedef struct sum {
    gw_value base;
    int64_t constant;
    bool extended;
} sum;

/* u32 wraps where 64 bits do not. */
static bool keeps_sums(gw_type of) { return of == GW_T_I32 || of == GW_T_I64 || of == GW_T_U64; }

/* A conversion to 64 bits. */
static bool is_wider(const gw_func *f, gw_value v) {
    const gw_op op = gw_value_at(f, v)->op;
    const bool wide = gw_typeof(f, v) == GW_T_I64 || gw_typeof(f, v) == GW_T_U64;
    return wide && op && gw_op_at(f, op)->code == GW_OP_CAST;
}

/* Through additions of constants, and conversions to 64 bits: signed numbers do not wrap before. */
static sum split_constant(const gw_func *f, gw_value v) {
    sum found = {0};
    int64_t c;
    for (;;) {
        gw_op op = gw_value_at(f, v)->op;
        if (gw_const_int(f, v, &c)) {
            found.base = 0;
            found.constant += c;
            return found;
        }
        uint16_t code = op ? gw_op_at(f, op)->code : GW_OP_NONE;
        if (code == GW_OP_ADD && gw_const_int(f, gw_operand(f, op, 1), &c)) {
            found.constant += c;
            v = gw_operand(f, op, 0);
        } else if (code == GW_OP_ADD && gw_const_int(f, gw_operand(f, op, 0), &c)) {
            found.constant += c;
            v = gw_operand(f, op, 1);
        } else if (code == GW_OP_SUB && gw_const_int(f, gw_operand(f, op, 1), &c)) {
            found.constant -= c;
            v = gw_operand(f, op, 0);
        } else if (is_wider(f, v) && keeps_sums(gw_typeof(f, gw_operand(f, op, 0)))) {
            v = gw_operand(f, op, 0);
        } else {
            found.extended = is_wider(f, v) && gw_typeof(f, gw_operand(f, op, 0)) == GW_T_U32;
            found.base = found.extended ? gw_operand(f, op, 0) : v;
            return found;
        }
    }
}

/* One value, made in two places by the same ops. */
static bool made_alike(const gw_func *f, gw_value x, gw_value y, uint32_t depth) {
    if (x == y) return true;
    const gw_op p = x ? gw_value_at(f, x)->op : 0, q = y ? gw_value_at(f, y)->op : 0;
    if (!p || !q || depth == 0) return false;
    const gw_op_data *a = gw_op_at(f, p), *b = gw_op_at(f, q);
    if (a->code != b->code || a->operands != b->operands || a->attr != b->attr || a->flags != b->flags ||
        gw_typeof(f, x) != gw_typeof(f, y))
        return false;
    if (gw_op_rows[a->code].effect != GW_EFFECT_PURE || a->operands == 0 || a->regions || a->results != 1)
        return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (!made_alike(f, gw_operand(f, p, i), gw_operand(f, q, i), depth - 1)) return false;
    return true;
}

/* The difference of two indices: (x + row)[i] and x[row + i] are one cell however the sum is written. Signed
 * numbers and those of 64 bits, whose sums are what they are where they do not wrap; all else is a term. */
enum { MOST_TERMS = 8, MOST_FACTOR = 1 << 20 };
typedef struct difference {
    gw_value of[MOST_TERMS];
    int64_t times[MOST_TERMS], constant;
    uint32_t count;
    bool low;     /* of the low 32 bits alone, which sums and conversions of any such integers keep */
    bool is_long; /* more terms than are kept */
} difference;

static bool has_low_bits(gw_type of) { return gw_type_is_integer(of) && gw_type_bits(of) >= 32; }

static void add_term(const gw_func *f, difference *d, gw_value v, int64_t times) {
    for (uint32_t i = 0; i < d->count; i++)
        if (made_alike(f, d->of[i], v, 4)) {
            d->times[i] += times;
            return;
        }
    d->is_long |= d->count == MOST_TERMS;
    if (d->is_long) return;
    d->of[d->count] = v;
    d->times[d->count++] = times;
}

static void add_sum(const gw_func *f, difference *d, gw_value v, int64_t times, uint32_t depth) {
    const gw_op op = gw_value_at(f, v)->op;
    const bool opens = op && depth && (d->low ? has_low_bits(gw_typeof(f, v)) : keeps_sums(gw_typeof(f, v)));
    const gw_opcode code = opens ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
    const uint32_t operands = code ? gw_op_at(f, op)->operands : 0;
    const gw_value a = operands ? gw_operand(f, op, 0) : 0, b = operands > 1 ? gw_operand(f, op, 1) : 0;
    int64_t c;
    if (gw_const_int(f, v, &c) && c > -MOST_FACTOR && c < MOST_FACTOR) {
        d->constant += times * c;
    } else if (code == GW_OP_ADD || code == GW_OP_SUB) {
        add_sum(f, d, a, times, depth - 1);
        add_sum(f, d, b, code == GW_OP_ADD ? times : -times, depth - 1);
    } else if (code == GW_OP_MUL && gw_const_int(f, b, &c) && llabs(c) < MOST_FACTOR &&
               llabs(times) < MOST_FACTOR) {
        add_sum(f, d, a, times * c, depth - 1);
    } else if (code == GW_OP_CAST && (d->low ? has_low_bits(gw_typeof(f, a))
                                             : is_wider(f, v) && keeps_sums(gw_typeof(f, a)))) {
        add_sum(f, d, a, times, depth - 1);
    } else {
        add_term(f, d, v, times);
    }
}

static gw_alias compare_sums(const gw_func *f, gw_value x, gw_value y, bool low) {
    difference d = {.low = low};
    add_sum(f, &d, x, 1, 8);
    add_sum(f, &d, y, -1, 8);
    for (uint32_t i = 0; i < d.count; i++)
        if (d.times[i]) return GW_ALIAS_MAY;
    if (d.is_long) return GW_ALIAS_MAY;
    return d.constant ? GW_ALIAS_NO : GW_ALIAS_MUST;
}

static gw_alias compare_index(const gw_func *f, gw_value x, gw_value y) {
    if (x == y) return GW_ALIAS_MUST;
    const sum p = split_constant(f, x), q = split_constant(f, y);
    if (!made_alike(f, p.base, q.base, 4)) return compare_sums(f, x, y, false);
    if (p.extended != q.extended && (p.extended ? q : p).constant) return GW_ALIAS_MAY;
    uint32_t bits = gw_type_bits(gw_typeof(f, x)); /* k - 1u is k + 4294967295u */
    uint64_t apart = (uint64_t)p.constant - (uint64_t)q.constant;
    if (p.base && gw_typeof(f, x) == gw_typeof(f, y) && bits < 64) apart &= ((uint64_t)1 << bits) - 1;
    return apart ? GW_ALIAS_NO : GW_ALIAS_MUST;
}

/* A call reaches any element from an address on, and before it too. */
static bool is_area(const gw_func *f, gw_op op) { return gw_op_at(f, op)->code == GW_OP_ADDRESS; }

/* Path text alone decides where indices are unknown. */
bool gw_paths_meet(const gw_session *s, gw_str x, gw_str y) {
    const char *p = x ? gw_cstr(s, x) : "", *q = y ? gw_cstr(s, y) : "";
    if (gw_path_asks(p) != gw_path_asks(q)) return false;
    while (*p && *p == *q)
        p++, q++;
    return *p == *q || *p == '[' || *q == '[' || !*p || !*q;
}

static bool fields_differ(const gw_func *f, gw_op x, gw_op y) {
    return !gw_paths_meet(f->session, gw_op_at(f, x)->path, gw_op_at(f, y)->path);
}

/* Walks both paths in step; `index` says how an index pair compares. */
static gw_alias compare_paths(const gw_func *f, gw_op x, gw_op y) {
    if (is_area(f, x) || is_area(f, y)) return fields_differ(f, x, y) ? GW_ALIAS_NO : GW_ALIAS_MAY;
    const char *p = gw_cstr(f->session, gw_op_at(f, x)->path), *q = gw_cstr(f->session, gw_op_at(f, y)->path);
    gw_alias answer = GW_ALIAS_MUST;
    uint32_t i = 0;
    while (*p && *q) {
        if (*p != *q) return GW_ALIAS_NO; /* whether a pointer is null, and a cell behind it */
        size_t n = *p == '.' ? 1 + strcspn(p + 1, ".[") : 2, m = *q == '.' ? 1 + strcspn(q + 1, ".[") : 2;
        if (*p == '.' && (n != m || memcmp(p, q, n) != 0)) return GW_ALIAS_NO;
        if (*p == '[') {
            gw_alias here = compare_index(f, gw_operand(f, x, i), gw_operand(f, y, i));
            if (here == GW_ALIAS_NO) return GW_ALIAS_NO;
            if (here == GW_ALIAS_MAY) answer = GW_ALIAS_MAY;
            i++;
        }
        p += n;
        q += m;
    }
    return answer;
}

gw_alias gw_alias_ops(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (a->object != b->object) return GW_ALIAS_NO;
    gw_alias answer = compare_paths(f, x, y);
    bool apart = a->flags & b->flags & GW_OP_APART && a->parent == b->parent;
    return answer == GW_ALIAS_MAY && apart ? GW_ALIAS_NO : answer;
}

bool gw_address_visible(const gw_func *f, gw_op op, gw_region r) {
    for (uint32_t i = 0; i < gw_index_count(f, op); i++)
        if (!gw_value_visible(f, gw_operand(f, op, i), r)) return false;
    return true;
}

bool gw_paths_may_meet(const gw_func *f, gw_op x, gw_op y) {
    return gw_op_at(f, x)->object == gw_op_at(f, y)->object && !fields_differ(f, x, y);
}

gw_alias gw_alias_across(const gw_func *f, gw_op x, gw_op y, gw_region outer) {
    if (gw_op_at(f, x)->object != gw_op_at(f, y)->object) return GW_ALIAS_NO;
    if (gw_address_visible(f, x, outer) && gw_address_visible(f, y, outer)) return compare_paths(f, x, y);
    return fields_differ(f, x, y) ? GW_ALIAS_NO : GW_ALIAS_MAY;
}

bool gw_same_address(const gw_func *f, gw_op x, gw_op y) {
    return gw_op_at(f, x)->path == gw_op_at(f, y)->path && gw_alias_ops(f, x, y) == GW_ALIAS_MUST;
}

/* `left`: values that may still be looked at, since what is shared is looked at again for each use. */
static bool is_invariant(const gw_func *f, gw_value v, gw_region outside, uint32_t *left) {
    if (gw_value_visible(f, v, outside)) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE || *left == 0) return false;
    --*left;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!is_invariant(f, gw_operand(f, op, i), outside, left)) return false;
    return true;
}

bool gw_value_invariant(const gw_func *f, gw_value v, gw_region outside) {
    uint32_t left = 256;
    return is_invariant(f, v, outside, &left);
}

bool gw_tells_iteration(const gw_func *p, gw_op loop, gw_value v) {
    if (gw_op_at(p, loop)->code != GW_OP_FOR) return false;
    gw_region outside = gw_op_at(p, loop)->parent;
    if (v == gw_arg(p, gw_loop_body(p, loop), 0)) return true;
    gw_op op = gw_value_at(p, v)->op;
    if (!op || gw_op_at(p, op)->operands == 0 || !gw_type_is_integer(gw_typeof(p, v))) return false;
    gw_value x = gw_operand(p, op, 0), y = gw_op_at(p, op)->operands > 1 ? gw_operand(p, op, 1) : 0;
    int64_t c;
    switch (gw_op_at(p, op)->code) {
    case GW_OP_CAST: /* of integers: two floats may be rounded to one */
        return gw_type_bits(gw_typeof(p, v)) >= gw_type_bits(gw_typeof(p, x)) && gw_tells_iteration(p, loop, x);
    case GW_OP_ADD:
        if (gw_value_invariant(p, x, outside)) return gw_tells_iteration(p, loop, y);
        return gw_value_invariant(p, y, outside) && gw_tells_iteration(p, loop, x);
    case GW_OP_SUB:
        if (gw_value_invariant(p, x, outside)) return gw_tells_iteration(p, loop, y);
        return gw_value_invariant(p, y, outside) && gw_tells_iteration(p, loop, x);
    case GW_OP_MUL:
        if (!gw_type_is_signed(gw_typeof(p, v))) return false; /* a product that wraps may repeat */
        if (gw_const_int(p, y, &c)) return c != 0 && gw_tells_iteration(p, loop, x);
        return gw_const_int(p, x, &c) && c != 0 && gw_tells_iteration(p, loop, y);
    default:
        return false;
    }
}

/* The same by the low 32 bits of the value: a loop's counter of 32 bits has others in each iteration. */
static bool tells_by_low_bits(const gw_func *f, gw_op loop, gw_value v) {
    if (gw_op_at(f, loop)->code != GW_OP_FOR || !has_low_bits(gw_typeof(f, v))) return false;
    if (v == gw_arg(f, gw_loop_body(f, loop), 0)) return gw_type_bits(gw_typeof(f, v)) == 32;
    const gw_op op = gw_value_at(f, v)->op;
    const gw_opcode code = op ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
    if (code == GW_OP_CAST) return tells_by_low_bits(f, loop, gw_operand(f, op, 0));
    if (code != GW_OP_ADD && code != GW_OP_SUB) return false;
    const gw_value x = gw_operand(f, op, 0), y = gw_operand(f, op, 1);
    const gw_region outside = gw_op_at(f, loop)->parent;
    if (gw_value_invariant(f, x, outside)) return tells_by_low_bits(f, loop, y);
    return gw_value_invariant(f, y, outside) && tells_by_low_bits(f, loop, x);
}

/* An index that wraps at 32 bits and one that does not, x[row + i] and (x + row)[i], reach one cell or two that
 * no other iteration reaches: what differs in the low 32 bits differs. */
bool gw_moves_on(const gw_func *f, gw_op loop, gw_op store, gw_op load) {
    const gw_op_data *a = gw_op_at(f, store), *b = gw_op_at(f, load);
    if (a->code != GW_OP_STORE || is_area(f, load)) return false;
    if (a->object != b->object || a->path != b->path) return false;
    const bool same = gw_same_address(f, store, load);
    bool tells = false, alike = true;
    for (uint32_t i = 0; i < gw_index_count(f, load); i++) {
        const gw_value x = gw_operand(f, store, i), y = gw_operand(f, load, i);
        tells |= same ? gw_tells_iteration(f, loop, y) : tells_by_low_bits(f, loop, y);
        alike &= same || compare_sums(f, x, y, true) == GW_ALIAS_MUST;
    }
    return tells && alike;
}

/* ---- in the order of loops ---- */
/* The counted loop of which v is the index; 0: it is none. An unsigned one may wrap where it counts down. */
static gw_op loop_of_index(const gw_func *f, gw_value v) {
    const gw_op loop = !v || gw_value_at(f, v)->op ? 0 : gw_region_at(f, gw_value_region(f, v))->parent;
    const bool counts =
        loop && gw_op_at(f, loop)->code == GW_OP_FOR && v == gw_arg(f, gw_loop_body(f, loop), 0);
    return counts && (gw_type_is_signed(gw_typeof(f, v)) || gw_loop_step(f, loop) > 0) ? loop : 0;
}

/* The index of a loop that goes up to a limit: one more is at most the limit. */
static bool is_less(const gw_func *f, gw_value v) {
    const gw_op loop = loop_of_index(f, v);
    return loop && gw_op_at(f, loop)->attr == GW_OP_LT;
}

/* The place where a loop begins or ends: a number, or a value and a number that is added to it. Unlike those of
 * an index, its sums may not wrap. */
static sum end_at(const gw_func *f, gw_value v) {
    const sum all = {v, 0, false};
    sum at = all;
    int64_t c;
    for (;;) {
        const gw_op op = gw_value_at(f, at.base)->op;
        const gw_opcode code = op ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
        const bool is_signed = gw_type_is_signed(gw_typeof(f, at.base));
        if (llabs(at.constant) >= MOST_FACTOR) return all;
        if (gw_const_int(f, at.base, &c)) {
            return c > -MOST_FACTOR && c < MOST_FACTOR ? (sum){0, at.constant + c, false} : at;
        } else if ((code == GW_OP_ADD || code == GW_OP_SUB) && gw_const_int(f, gw_operand(f, op, 1), &c) &&
                   c > -MOST_FACTOR && c < MOST_FACTOR &&
                   (is_signed || (code == GW_OP_ADD && c == 1 && is_less(f, gw_operand(f, op, 0))))) {
            at.constant += code == GW_OP_ADD ? c : -c;
        } else if (!is_wider(f, at.base) ||
                   is_signed != gw_type_is_signed(gw_typeof(f, gw_operand(f, op, 0)))) {
            return at;
        }
        at.base = gw_operand(f, op, 0);
    }
}

enum { MOST_LOOPS = 4 };

/* The least number that an index of the loop can be, side -1, or the greatest, 1; false: none is known. */
static bool end_of(const gw_func *f, gw_op loop, int side, sum *end) {
    const int64_t step = gw_loop_step(f, loop);
    const uint16_t compare = gw_op_at(f, loop)->attr;
    const bool begins = step * side < 0; /* on that side lies the loop's beginning, on the other its limit */
    const bool is_limit = compare == (step > 0 ? GW_OP_LT : GW_OP_GT); /* the index is never it */
    if (!step || (!begins && !is_limit && compare != (step > 0 ? GW_OP_LE : GW_OP_GE))) return false;
    *end = end_at(f, gw_operand(f, loop, begins ? 0 : 1));
    if (!begins && is_limit) end->constant -= side;
    return true;
}

/* Whether v is on the side of w, -1: at most w, 1: at least w, and by how much at least: by the loops of which
 * v is the index, which may end at indices of other loops. w is one value for whoever asks. */
static bool is_beside(const gw_func *f, sum v, sum w, int side, int64_t *by) {
    for (uint32_t i = 0; i < MOST_LOOPS; i++) {
        *by = side * (v.constant - w.constant);
        if (v.base == w.base) return true;
        const gw_op loop = loop_of_index(f, v.base);
        sum end;
        if (!loop || !end_of(f, loop, -side, &end)) return false;
        end.constant += v.constant;
        v = end;
    }
    return false;
}

/* The values that the place may be compared with: its own, and those at which its loops begin and end. */
static uint32_t collect_ends(const gw_func *f, sum of, sum *ends, uint32_t count, uint32_t most) {
    if (count < most) ends[count++] = (sum){of.base, of.base ? 0 : of.constant, false};
    const gw_op loop = loop_of_index(f, of.base);
    sum end;
    for (int side = -1; loop && side <= 1; side += 2)
        if (count < most && end_of(f, loop, side, &end)) count = collect_ends(f, end, ends, count, most);
    return count;
}

/* Store and load are on two sides of a value that is the same for both: of one that is known in the region, or
 * of the loop's index, which has moved on since the store. */
static bool are_in_order(const gw_func *f, gw_op loop, gw_region outer, sum store, sum load) {
    if (llabs(store.constant) >= MOST_FACTOR || llabs(load.constant) >= MOST_FACTOR) return false;
    sum between[16];
    const uint32_t half = collect_ends(f, store, between, 0, 8);
    const uint32_t count = collect_ends(f, load, between, half, 16);
    for (uint32_t i = 0; i < count; i++) {
        const sum w = between[i];
        const bool moves = w.base && loop && loop_of_index(f, w.base) == loop;
        const int way = moves ? (gw_loop_step(f, loop) > 0) - (gw_loop_step(f, loop) < 0) : 0;
        if (w.base && !moves && !gw_value_visible(f, w.base, outer)) continue;
        for (int side = -1; side <= 1; side += 2) { /* the store's */
            int64_t by[2];
            if ((moves && side != -way) || !is_beside(f, store, w, side, &by[0]) ||
                !is_beside(f, load, w, -side, &by[1]))
                continue;
            if (by[0] + by[1] >= (moves ? 0 : 1)) return true;
        }
    }
    return false;
}

/* ---- rows in one array: row * length + column ---- */
typedef struct row {
    gw_value of, length;
    sum column;
} row;

static gw_value narrow(const gw_func *f, gw_value v) {
    const gw_op op = gw_made_by(f, v, GW_OP_CAST);
    const gw_value from = op ? gw_operand(f, op, 0) : v;
    return op && is_wider(f, v) && gw_type_is_signed(gw_typeof(f, from)) ? from : v;
}

/* The column is one of the row's: at least 0 and less than the length. */
static bool is_column(const gw_func *f, const row *r) {
    int64_t from, to;
    return is_beside(f, r->column, (sum){0}, 1, &from) && from >= 0 &&
           is_beside(f, r->column, end_at(f, r->length), -1, &to) && to > 0;
}

static bool is_row(const gw_func *f, gw_value v, row *r) {
    difference d = {0};
    add_sum(f, &d, v, 1, 8);
    if (d.is_long || d.count != 2 || llabs(d.constant) >= MOST_FACTOR) return false;
    for (uint32_t i = 0; i < 4; i++) {
        const gw_op times = gw_made_by(f, d.of[i / 2], GW_OP_MUL);
        if (!times || d.times[0] != 1 || d.times[1] != 1) continue;
        r->of = narrow(f, gw_operand(f, times, i % 2));
        r->length = narrow(f, gw_operand(f, times, 1 - i % 2));
        r->column = end_at(f, d.of[1 - i / 2]);
        r->column.constant += d.constant;
        if (is_column(f, r)) return true;
    }
    return false;
}

/* What the store reached, in an earlier iteration of the loop if there is one, is not what the load reaches. */
static bool differ(const gw_func *f, gw_op loop, gw_region outer, sum store, sum load) {
    if (are_in_order(f, loop, outer, store, load)) return true;
    return loop && store.base && store.constant == load.constant && made_alike(f, store.base, load.base, 4) &&
           gw_tells_iteration(f, loop, load.base);
}

static bool indices_differ(const gw_func *f, gw_op loop, gw_region outer, gw_value store, gw_value load) {
    if (are_in_order(f, loop, outer, split_constant(f, store), split_constant(f, load))) return true;
    if (loop && (compare_index(f, store, load) == GW_ALIAS_MUST
                     ? gw_tells_iteration(f, loop, load)
                     : tells_by_low_bits(f, loop, load) && compare_sums(f, store, load, true) == GW_ALIAS_MUST))
        return true;
    row x, y;
    return is_row(f, store, &x) && is_row(f, load, &y) && made_alike(f, x.length, y.length, 4) &&
           gw_value_visible(f, x.length, outer) &&
           (indices_differ(f, loop, outer, x.of, y.of) || differ(f, loop, outer, x.column, y.column));
}

static bool cells_differ(const gw_func *f, gw_op loop, gw_region outer, gw_op store, gw_op load) {
    for (uint32_t i = 0; i < gw_index_count(f, load); i++)
        if (indices_differ(f, loop, outer, gw_operand(f, store, i), gw_operand(f, load, i))) return true;
    return false;
}

/* One index tells, for where two cells differ in one index they are two cells, whatever the others are. An
 * index that wraps at 32 bits and one that does not, x[row + i] and (x + row)[i], are the same in the low 32
 * bits, and what differs there differs. */
bool gw_stored_elsewhere(const gw_func *f, gw_op loop, gw_op store, gw_op load) {
    const gw_op_data *a = gw_op_at(f, store), *b = gw_op_at(f, load);
    if (a->code != GW_OP_STORE || is_area(f, load)) return false;
    if (a->object != b->object || a->path != b->path) return false;
    const gw_region outer = loop ? gw_op_at(f, loop)->parent : gw_common_region(f, store, load);
    return cells_differ(f, loop, outer, store, load);
}

bool gw_always_apart(const gw_func *f, gw_region outer, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (a->object != b->object || !gw_paths_meet(f->session, a->path, b->path)) return true;
    return a->path == b->path && !is_area(f, x) && !is_area(f, y) && cells_differ(f, 0, outer, x, y);
}
