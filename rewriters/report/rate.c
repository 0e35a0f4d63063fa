/*
 * report/rate.c - how often a thread comes to an access, who may meet there, and what a thread's tape takes:
 * estimates for people, read off loop headers and bounds. No decision depends on them.
 */
#include "rewriters/report/findings_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/restructure.h"
#include "analysis/ownership/ownership.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>
#include <string.h>

/* The text of a value; NULL where it cannot be spelled. */
static char *spell(const gw_func *f, gw_value v) {
    gw_text text = {0};
    gw_op op = gw_value_at(f, v)->op;
    if (op && gw_is_loop(f, op)) return NULL; /* a count that the derivative itself keeps */
    if (gw_index_text(f, v, &text) && text.at) return text.at;
    gw_text_free(&text);
    return NULL;
}

/* v = base + *plus */
static gw_value without_constant(const gw_func *f, gw_value v, int64_t *plus) {
    gw_op op = gw_value_at(f, v)->op;
    uint16_t code = op ? gw_op_at(f, op)->code : GW_OP_NONE;
    *plus = 0;
    if (code == GW_OP_CAST) return without_constant(f, gw_operand(f, op, 0), plus);
    if ((code != GW_OP_ADD && code != GW_OP_SUB) || !gw_const_int(f, gw_operand(f, op, 1), plus)) return v;
    if (code == GW_OP_SUB) *plus = -*plus;
    return gw_operand(f, op, 0);
}

/* How often the counted loop runs, "k", "8" or "(n - first) / 4"; NULL where its header does not tell. *once:
 * "1". */
static char *trips_text(const gw_func *f, gw_op loop, bool *once) {
    int64_t step = gw_loop_step(f, loop), low, high, low_plus, high_plus;
    if (!step) return NULL;
    uint16_t code = gw_op_at(f, loop)->attr;
    if (code == GW_OP_NE || code == GW_OP_EQ) return NULL;
    bool down = step < 0;
    gw_value from = gw_operand(f, loop, down), to = gw_operand(f, loop, !down);
    if (down) step = -step;
    int64_t more = code == GW_OP_LE || code == GW_OP_GE;
    gw_value a = without_constant(f, from, &low_plus), b = without_constant(f, to, &high_plus);
    bool low_known = gw_const_int(f, a, &low), high_known = gw_const_int(f, b, &high);
    if (low_known && high_known) {
        int64_t n = high + high_plus + more - low - low_plus;
        int64_t trips = n > 0 ? (n + step - 1) / step : 0;
        *once = trips == 1;
        return gw_format("%lld", (long long)trips);
    }
    int64_t plus = high_plus + more - low_plus - (low_known ? low : 0);
    char *up = spell(f, b), *start = low_known ? gw_strdup("") : spell(f, a), *text = NULL;
    if (up && start) {
        char *tail = NULL;
        if (plus) tail = gw_format(" %c %lld", plus < 0 ? '-' : '+', (long long)(plus < 0 ? -plus : plus));
        char *range = gw_format("%s%s%s%s", up, *start ? " - " : "", start, tail ? tail : "");
        bool single = strcspn(range, " ") == strlen(range);
        text = step == 1 ? gw_strdup(range)
                         : gw_format(single ? "%s / %lld" : "(%s) / %lld", range, (long long)step);
        free(tail);
        free(range);
    }
    free(up);
    free(start);
    return text;
}

/* "8 × k", outermost last to first; *each: the innermost loop whose header tells nothing, *guarded: under a
 * condition. */
static void factors(const gw_func *f, gw_region r, gw_text *out, gw_op *each, bool *guarded) {
    for (gw_op op; (op = gw_region_at(f, r)->parent) != 0; r = gw_op_at(f, op)->parent) {
        if (!gw_is_loop(f, op)) {
            *guarded = true;
            continue;
        }
        bool once = false;
        char *trips = gw_op_at(f, op)->code == GW_OP_FOR ? trips_text(f, op, &once) : NULL;
        if (!trips && !*each) *each = op;
        bool bracket = trips && strchr(trips, ' ') && trips[0] != '(';
        if (trips && !once)
            gw_text_addf(out, bracket ? "%s(%s)" : "%s%s", out->count ? " \xC3\x97 " : "", trips);
        *guarded |= gw_op_at(f, op)->flags & GW_OP_EXIT;
        free(trips);
    }
}

void gw_facts_rate(const gw_func *f, gw_op op, gw_text *out) {
    gw_text product = {0};
    gw_op each = 0;
    bool guarded = false;
    factors(f, gw_op_at(f, op)->parent, &product, &each, &guarded);
    const char *thread = f->kind == GW_FUNC_HOST ? "call" : "thread";
    gw_text_add(out, guarded ? "at most " : "");
    if (product.at) gw_text_addf(out, "%s times", product.at);
    else gw_text_add(out, "once");
    if (each) gw_text_addf(out, " in each iteration of the loop at line %u", gw_op_at(f, each)->loc.line);
    else gw_text_addf(out, " a %s", thread);
    gw_text_free(&product);
}

const char *gw_facts_company(const gw_func *f, const gw_access_fact *a) {
    static const char *const texts[] = {
        [GW_EXCLUSIVE_GRID] = "any two threads of the grid may meet",
        [GW_EXCLUSIVE_BLOCK] = "only threads of one block may meet",
        [GW_EXCLUSIVE_WARP] = "only lanes of one warp may meet",
        [GW_EXCLUSIVE_THREAD] = "no other thread comes to the cell",
    };
    if (f->kind == GW_FUNC_HOST) return "one thread";
    return a->decision->code == GW_DIAG_ONE_CELL ? "all threads meet" : texts[gw_exclusive_to(f, a->op)];
}

/* Bytes of the slots that the bound function gives, 4 for one of 32 bits. */
static void bound_text(const gw_func *bound, gw_text *out) {
    gw_op end = gw_region_end(bound, bound->entry);
    int64_t slots[2];
    bool known = true;
    for (uint32_t i = 0; i < 2; i++) known &= gw_const_int(bound, gw_operand(bound, end, i), &slots[i]);
    if (known) {
        gw_text_addf(out, "at most %lld bytes a thread", (long long)(4 * slots[0] + 8 * slots[1]));
        return;
    }
    gw_text_add(out, "at most ");
    for (uint32_t i = 0, shown = 0; i < 2; i++) {
        if (gw_const_int(bound, gw_operand(bound, end, i), &slots[i]) && !slots[i]) continue;
        char *text = spell(bound, gw_operand(bound, end, i));
        bool bracket = text && strpbrk(text, "+-*/");
        gw_text_addf(out, bracket ? "%s%u \xC3\x97 (%s)" : "%s%u \xC3\x97 %s", shown++ ? " + " : "",
                     i ? 8u : 4u, text ? text : "as many as the launch says");
        free(text);
    }
    gw_text_add(out, " bytes a thread");
}

void gw_facts_tape_bytes(const gw_facts *facts, gw_text *out) {
    const gw_func *f = facts->f;
    uint32_t elsewhere = 0;
    for (uint32_t i = 0; i < facts->slots.count; i++) elsewhere += !facts->slots.at[i].in_array;
    uint64_t local = 4 * f->tape_local_slots[0] + 8 * f->tape_local_slots[1];
    const gw_func *bound = gw_companion(f, GW_FORM_BOUND);
    if (!facts->slots.count) gw_text_add(out, "none");
    else if (f->tape_local || !elsewhere)
        gw_text_addf(out, "%llu bytes a thread, in local arrays", (unsigned long long)local);
    else if (gw_companion(f, GW_FORM_MEASURE)) gw_text_add(out, "as much as each launch measures");
    else if (bound) bound_text(bound, out);
    else gw_text_add(out, "as much as the call needs; it grows");
    if (elsewhere && !f->tape_local && local)
        gw_text_addf(out, ", and %llu in local arrays", (unsigned long long)local);
}
