/*
 * report/access.c - adjoint accesses of a line, those together of which the same is to be said (members of a
 * struct): how it is made safe, the proof of that or what stood against a proof, what it costs, what may help
 * (contract: report_private.h).
 */
#include "rewriters/report/report_private.h"

#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"

#include <string.h>

static void term(const gw_report *r, const char *name, const char *text) {
    gw_report_add(r->out, "<dt>%s</dt><dd>%s</dd>\n", name, text);
}

/* The two references between which no proof was found. */
static void put_meeting(const gw_report *r, const gw_report_access *a) {
    const gw_decision *d = a->access->decision;
    if (!d->other) return;
    gw_loc own = a->access->loc;
    bool itself =
        own.line == d->other_loc.line && own.column == d->other_loc.column && own.file == d->other_loc.file;
    char *line = gw_format("line %u", d->other_loc.line);
    gw_report_add(r->out, "<dt>May meet</dt><dd>");
    if (itself) gw_text_add(r->out, "itself in another thread");
    else {
        gw_report_add(r->out, "<code>%s</code>, ", gw_cstr(r->s, d->other));
        gw_report_place(r, d->other_loc, line);
    }
    gw_text_add(r->out, "</dd>\n");
    free(line);
}

static void put_measures(const gw_report *r, const gw_report_access *a) {
    uint32_t shown = 0;
    gw_loc own = a->access->loc;
    for (uint32_t i = 0; i < r->measures.count; i++) {
        const gw_measure *m = &r->measures.at[i];
        if (!m->code || m->code != gw_op_at(a->facts->f, a->access->op)->code || m->loc.line != own.line ||
            m->loc.column != own.column ||
            strcmp(gw_cstr(r->s, m->loc.file), gw_report_base(gw_cstr(r->s, own.file))) != 0)
            continue;
        gw_report_add(r->out, shown++ ? ", %s %s" : "<dt>Measured</dt><dd>%s %s", gw_cstr(r->s, m->value),
                      gw_cstr(r->s, m->metric));
    }
    if (shown) gw_text_add(r->out, "</dd>\n");
}

/* Nothing more is to be said of what is owned than why, and how often. */
static void put_owned(const gw_report *r, const gw_report_access *a, bool counts) {
    gw_text rate = {0};
    gw_facts_rate(a->facts->f, a->access->op, &rate);
    gw_report_add(r->out, "<p><span class=\"why\">%s</span>", gw_cstr(r->s, a->access->reason));
    if (counts) gw_report_add(r->out, "; %s", rate.at);
    gw_text_add(r->out, "</p>\n");
    gw_text_free(&rate);
}

static void put_shared(const gw_report *r, const gw_report_access *a) {
    const gw_decision *d = a->access->decision;
    gw_report_add(r->out, "<dl>\n<dt>Not owned</dt><dd class=\"why\">%s</dd>\n",
                  gw_cstr(r->s, a->access->reason));
    put_meeting(r, a);
    if (d->witness) term(r, "Counterexample", gw_cstr(r->s, d->witness));
    gw_text rate = {0}, choice = {0};
    if (d->choice) {
        gw_rung_choice_text(r->s, d->choice, &choice);
        term(r, "Choice", choice.at);
        gw_text_free(&choice);
    }
    gw_facts_rate(a->facts->f, a->access->op, &rate);
    gw_text_addf(&rate, "; %s", gw_facts_company(a->facts->f, a->access));
    term(r, "Estimate", rate.at);
    gw_text_free(&rate);
    put_measures(r, a);
    gw_text way_out = {0};
    if (d->code) gw_decision_way_out(a->facts->f->session, d, &way_out);
    if (way_out.count) term(r, "May help", way_out.at);
    gw_text_free(&way_out);
    gw_text_add(r->out, "</dl>\n");
}

/* Whether the page has another derivative of the same function, so that one must be told from the other. */
static bool has_twin(const gw_report *r, const gw_facts *facts) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->facts.count; i++) n += r->facts.at[i].f->primal == facts->f->primal;
    return n > 1;
}

/* What stands below the accesses of an entry. */
static gw_str body_of(const gw_report *r, const gw_report_access *a) {
    gw_text text = {0};
    gw_report inner = *r;
    unsigned how = gw_report_how(a);
    inner.out = &text;
    if (gw_report_is_owned(how)) put_owned(&inner, a, how == GW_ACCUMULATE_PLAIN);
    else put_shared(&inner, a);
    gw_str body = gw_intern(a->facts->f->session, text.at);
    gw_text_free(&text);
    return body;
}

static void put_access(const gw_report *r, const gw_report_access *a) {
    gw_report_add(r->out, " <code class=\"up\" id=\"a%u\" data-function=\"%s\" data-how=\"%s\">%s</code>",
                  a->number, gw_cstr(r->s, a->facts->f->name), gw_cstr(r->s, a->access->how),
                  gw_cstr(r->s, a->access->update));
}

/* An entry of a line: accesses of one derivative, and the same accesses of other derivatives of the
 * function. */
typedef struct entry {
    const gw_report_access *const *list;
    uint32_t *of; /* by access: number of the entry that has it, from 1 */
    uint32_t count, number, first;
    gw_str body;
} entry;

static bool has_update(const entry *e, const gw_report_access *a) {
    for (uint32_t i = e->first; i < e->count; i++)
        if (e->of[i] == e->number && e->list[i]->facts == e->list[e->first]->facts &&
            e->list[i]->access->update == a->access->update)
            return true;
    return false;
}

static bool names_function(const entry *e, uint32_t before) {
    for (uint32_t i = e->first; i < before; i++)
        if (e->of[i] == e->number && e->list[i]->facts == e->list[before]->facts) return true;
    return false;
}

static bool says_the_same(const gw_report *r, const entry *e, const gw_report_access *a) {
    return gw_report_how(e->list[e->first]) == gw_report_how(a) && e->body == body_of(r, a);
}

static void put_own(const gw_report *r, const entry *e) {
    for (uint32_t i = e->first; i < e->count; i++) {
        if (e->of[i] || e->list[i]->facts != e->list[e->first]->facts || !says_the_same(r, e, e->list[i]))
            continue;
        e->of[i] = e->number;
        put_access(r, e->list[i]);
    }
}

static void put_twins(const gw_report *r, const entry *e) {
    const gw_facts *own = e->list[e->first]->facts;
    gw_report_add(r->out, " <span class=\"of\">in %s", gw_cstr(r->s, own->f->name));
    for (uint32_t i = e->first; i < e->count; i++) {
        const gw_report_access *a = e->list[i];
        if (e->of[i] || a->facts->f->primal != own->f->primal || !has_update(e, a) || !says_the_same(r, e, a))
            continue;
        const char *name = gw_cstr(r->s, a->facts->f->name);
        bool named = names_function(e, i);
        e->of[i] = e->number;
        gw_report_add(r->out, named ? "" : ", %s", name);
        gw_report_add(
            r->out,
            "<span class=\"twin\" id=\"a%u\" data-function=\"%s\" data-how=\"%s\" data-update=\"%s\"></span>",
            a->number, name, gw_cstr(r->s, a->access->how), gw_cstr(r->s, a->access->update));
    }
    gw_text_add(r->out, "</span>");
}

void gw_report_entries(const gw_report *r, const gw_report_access *const *list, uint32_t count) {
    entry e = {.list = list, .of = gw_alloc((count + 1) * sizeof *e.of), .count = count};
    for (; e.first < count; e.first++) {
        if (e.of[e.first]) continue;
        unsigned how = gw_report_how(list[e.first]);
        e.body = body_of(r, list[e.first]);
        e.number++;
        gw_report_add(r->out, "<article class=\"acc%s k k%u\">\n<header><span class=\"chip\">%s</span>",
                      gw_report_is_owned(how) ? " own" : "", how, gw_cstr(r->s, list[e.first]->access->how));
        put_own(r, &e);
        if (has_twin(r, list[e.first]->facts)) put_twins(r, &e);
        gw_text_addf(r->out, "</header>\n%s</article>\n", gw_cstr(r->s, e.body));
    }
    free(e.of);
}
