/*
 * decision.c - decisions on adjoint accesses: the records, and all words that are made of them (contract:
 * decision.h).
 */
#include "analysis/ir/decision.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/words.h"

#include <string.h>

enum { LANES = 32 };

typedef struct reason_row {
    const char *name, *words;
    gw_diag_code code;
} reason_row;
static const reason_row rows[GW_REASON_COUNT] = {
    {"NONE", "", GW_DIAG_COUNT},
#define GW_REASON(NAME, CODE, words) {#NAME, words, GW_DIAG_##CODE},
#include "analysis/ir/reasons.def"
#undef GW_REASON
};

/* ---- names ---- */
void gw_reason_name(gw_reason reason, gw_text *out) { gw_text_add_name(out, rows[reason].name); }

gw_reason gw_reason_by_name(const char *name) {
    unsigned reason = 0;
    while (reason < GW_REASON_COUNT && !gw_text_is_name(name, rows[reason].name)) reason++;
    return (gw_reason)reason;
}

gw_diag_code gw_reason_code(gw_reason reason) { return rows[reason].code; }

/* ---- records ---- */
void gw_why_add(gw_session *s, gw_why *w, const char *text, uint32_t number) {
    if (w->count < GW_MOST_ARGUMENTS) {
        w->argument[w->count++] = (gw_argument){text ? gw_intern(s, text) : 0, number};
        return;
    }
    /* An index of so many parts: the last argument has the rest. */
    gw_argument *last = &w->argument[GW_MOST_ARGUMENTS - 1];
    char *both = gw_format("%s, and %s", gw_cstr(s, last->text), text);
    last->text = gw_intern(s, both);
    free(both);
}

uint32_t gw_decision_add(gw_session *s, gw_decision d) {
    if (!d.code) d.code = rows[d.why.reason].code;
    gw_push(&s->decisions, d);
    return s->decisions.count - 1;
}

uint32_t gw_decision_made(gw_session *s, gw_why why) {
    return gw_decision_add(s, (gw_decision){.why = why, .code = GW_DIAG_COUNT});
}

uint32_t gw_rung_choice_add(gw_session *s, gw_rung_choice c) {
    if (!c.how && !c.refused) c.how = (uint16_t)gw_rung_rows[c.rung].how;
    gw_push(&s->choices, c);
    return s->choices.count - 1;
}

bool gw_decision_by_premise(const gw_decision *d) {
    return d->why.reason == GW_REASON_PRIMAL_WRITES || d->why.reason == GW_REASON_PRIMAL_WRITES_CELL ||
           d->why.reason == GW_REASON_PRIMAL_WRITES_BY_LIST;
}

gw_str gw_decision_copied(const gw_session *s, uint32_t decision) {
    const gw_why *made = &s->decisions.at[s->decisions.at[decision].made].why;
    return made->reason == GW_REASON_HOLDS_COPIES ? made->argument[0].text : 0;
}

bool gw_why_same(const gw_why *a, const gw_why *b) {
    bool same = a->reason == b->reason && a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++)
        same = a->argument[i].text == b->argument[i].text && a->argument[i].number == b->argument[i].number;
    return same;
}

bool gw_decision_alike(const gw_session *s, uint32_t a, uint32_t b, bool but_copied) {
    const gw_decision *x = &s->decisions.at[a], *y = &s->decisions.at[b];
    bool copied = but_copied && gw_decision_copied(s, a) && gw_decision_copied(s, b);
    return x->company == y->company && gw_why_same(&x->why, &y->why) &&
           (copied || gw_why_same(&s->decisions.at[x->made].why, &s->decisions.at[y->made].why));
}

/* ---- words of a reason ---- */
static void list_coordinates(uint32_t which, gw_text *out) {
    static const char *const names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z",
                                        "blockIdx.x",  "blockIdx.y",  "blockIdx.z"};
    for (uint32_t c = 0, shown = 0; c < GW_COUNT_OF(names); c++)
        if (which >> c & 1) gw_text_addf(out, "%s%s", shown++ ? ", " : "", names[c]);
}

static void add_share(uint32_t lanes, gw_text *out) {
    if (lanes == 1) gw_text_add(out, "1");
    else gw_text_add(out, lanes == LANES ? "all" : "some");
}

/* What %iX stands for. */
static void add_argument(const gw_session *s, const gw_why *w, uint32_t i, char kind, gw_text *out) {
    const gw_argument a = i < w->count ? w->argument[i] : (gw_argument){0, 0};
    switch (kind) {
    case 't':
        gw_text_add(out, gw_cstr(s, a.text));
        break;
    case 'n':
        gw_text_addf(out, "%u", a.number);
        break;
    case 'p':
        gw_text_add(out, gw_cstr(s, a.text));
        if (a.number) gw_text_addf(out, " at line %u", a.number);
        break;
    case 'c':
        list_coordinates(a.number, out);
        break;
    case 'i':
        gw_text_add(out, a.number & (a.number - 1) ? "them" : "it");
        break;
    case 'a':
        add_share(a.number, out);
        break;
    default: /* 'l' */
        for (uint32_t k = i; k < w->count; k++)
            gw_text_addf(out, "%s%s", k == i ? ", " : ", and ", gw_cstr(s, w->argument[k].text));
    }
}

void gw_why_text(const gw_session *s, const gw_why *w, gw_text *out) {
    gw_text_add(out, "");
    for (const char *c = rows[w->reason].words; *c; c++) {
        if (*c != '%') {
            gw_text_add_char(out, *c);
            continue;
        }
        add_argument(s, w, (uint32_t)(c[1] - '0'), c[2], out);
        c += 2;
    }
}

/* ---- words of a decision ---- */
const char *gw_accumulate_word(unsigned how) {
    return how && how < GW_ACCUMULATE_COUNT ? gw_way(how)->word : "undecided";
}

static void add_all_but_made(const gw_session *s, const gw_decision *d, gw_text *out) {
    static const char *const company[] = {"", "; no other block comes there", "; no other warp comes there"};
    gw_why_text(s, &d->why, out);
    gw_text_add(out, company[d->company]);
}

void gw_decision_reason(const gw_session *s, uint32_t decision, gw_text *out) {
    const gw_decision *d = &s->decisions.at[decision];
    add_all_but_made(s, d, out);
    if (!d->made) return;
    gw_text_add(out, "; ");
    gw_decision_reason(s, d->made, out);
}

/* The arrays that hold copies, each once; how many there are. */
static uint32_t list_copied(const gw_session *s, const uint32_t *decisions, uint32_t count, gw_text *out) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < count; i++) {
        gw_str name = gw_decision_copied(s, decisions[i]);
        bool known = !name;
        for (uint32_t k = 0; k < i; k++) known |= gw_decision_copied(s, decisions[k]) == name;
        if (!known) gw_text_addf(out, "%s'%s'", shown++ ? ", " : "", gw_cstr(s, name));
    }
    return shown;
}

void gw_decision_note(const gw_session *s, unsigned how, const uint32_t *decisions, uint32_t count,
                      gw_text *out) {
    gw_text names = {0};
    if (*gw_way(how)->claim) gw_text_addf(out, "%s: ", gw_way(how)->claim);
    if (list_copied(s, decisions, count, &names) > 1) {
        add_all_but_made(s, &s->decisions.at[decisions[0]], out);
        gw_text_addf(out, "; %s hold copies of these cells", names.at);
    } else {
        gw_decision_reason(s, decisions[0], out);
    }
    gw_text_free(&names);
}

void gw_decision_message(const gw_session *s, uint32_t decision, gw_text *out) {
    const gw_decision *d = &s->decisions.at[decision];
    gw_text_addf(out, "%s: %s (", gw_cstr(s, d->reference), gw_accumulate_word(d->how));
    gw_decision_reason(s, decision, out);
    gw_text_add(out, ")");
}

/* Lanes that stand at one iteration have one cell: entries of a list that are all different part none. */
static bool is_summed_over_lanes(unsigned how) {
    return gw_is_collected(how) && gw_way(how)->scope != GW_SUM_OF_THREAD;
}

void gw_decision_way_out(const gw_session *s, const gw_decision *d, gw_text *out) {
    const bool of_list = d->code == GW_DIAG_INDEX_FROM_MEMORY,
               lanes_meet = of_list || d->code == GW_DIAG_MISSING_COORDINATE;
    if (d->code == GW_DIAG_COUNT || (lanes_meet && is_summed_over_lanes(d->how))) return;
    if (of_list && d->why.reason == GW_REASON_INDEX_FROM_MEMORY && d->why.count < 2) return;
    if (of_list)
        gw_text_addf(out, gw_diag_rows[d->code].way_out,
                     d->why.count < 2 ? "list" : gw_cstr(s, d->why.argument[1].text));
    else if (d->code != GW_DIAG_NOT_PROVED || !d->witness)
        gw_text_add(out, gw_diag_rows[d->code].way_out);
    else
        gw_text_add(out, "these two threads do meet: let the cells of threads differ, or have them summed "
                         "first (docs/guide/faster.md)");
}

void gw_assumption_text(const gw_session *s, const gw_assumption *a, gw_text *out) {
    gw_text_add(out, gw_cstr(s, a->condition));
    if (a->why) gw_text_addf(out, " (%s)", gw_cstr(s, a->why));
}

/* ---- words of a choice ---- */
void gw_rung_choice_text(const gw_session *s, uint32_t choice, gw_text *out) {
    const gw_rung_choice *c = &s->choices.at[choice];
    const char *rung =
        c->refused && c->rung == GW_RUNG_WARP ? "sum over the warp" : gw_rung_rows[c->rung].spelling;
    gw_text_addf(out, "%s%s (", c->refused ? "no " : "", rung);
    gw_why_text(s, &c->why, out);
    gw_text_add(out, ")");
}

void gw_rung_choice_message(const gw_session *s, uint32_t choice, gw_text *out) {
    const gw_rung_choice *c = &s->choices.at[choice];
    gw_text_addf(out, "%s: ", gw_cstr(s, c->reference));
    if (c->refused || c->how == (uint16_t)gw_rung_rows[c->rung].how) {
        gw_rung_choice_text(s, choice, out);
        return;
    }
    gw_text_addf(out, "%s (", gw_accumulate_word(c->how));
    gw_why_text(s, &c->why, out);
    gw_text_add(out, ")");
}
