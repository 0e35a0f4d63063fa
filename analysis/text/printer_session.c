/*
 * printer_session.c - what a session has beside its functions as text: structs, captures, rules, requests.
 */
#include "analysis/text/printer_private.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/words.h"
#include "analysis/text/text.h"

static void print_struct(const gw_session *s, gw_type t, gw_text *out) {
    const gw_layout layout = s->types.at[t].layout;
    gw_text_add(out, "struct ");
    gw_print_type(s, t, out);
    for (uint32_t i = 0; i < s->types.at[t].count; i++) {
        const gw_field *f = &s->fields.at[s->types.at[t].first + i];
        gw_text_add(out, i ? ", " : " { ");
        gw_print_name(out, gw_cstr(s, f->name));
        gw_text_add(out, ": ");
        gw_print_type(s, f->type, out);
        if (layout.align) gw_text_addf(out, " at %u", f->offset);
        if (f->enumeration) gw_text_add(out, " enum "), gw_print_quoted(out, gw_cstr(s, f->enumeration));
    }
    gw_text_add(out, s->types.at[t].count ? " }" : " {}");
    if (layout.align) gw_text_addf(out, " size %u align %u", layout.size, layout.align);
    gw_text_add(out, "\n");
}

static void print_names(const gw_session *s, const char *word, const gw_str *names, uint32_t count,
                        gw_text *out) {
    if (count) gw_text_addf(out, " %s", word);
    for (uint32_t i = 0; i < count; i++) {
        gw_text_add(out, i ? ", " : " ");
        gw_print_quoted(out, gw_cstr(s, names[i]));
    }
}

static void print_request(const gw_session *s, const gw_request *r, gw_text *out) {
    gw_text_add(out, "request ");
    gw_print_quoted(out, gw_cstr(s, r->function));
    gw_text_add(out, " ");
    gw_print_quoted(out, gw_cstr(s, r->text));
    if (r->kind != GW_REQUEST_GRADIENT) gw_text_addf(out, " %s", gw_request_rows[r->kind].word);
    if (r->from_source) gw_text_add(out, " annotated");
    if (r->implied) gw_text_add(out, " implied");
    if (r->launched) gw_text_add(out, " launched");
    if (r->is_made) gw_text_add(out, " made");
    if (r->may_be_unused) gw_text_add(out, " unused");
    if (r->halves) gw_text_add(out, " halves");
    if (r->variant) {
        gw_text_add(out, " variant ");
        gw_print_quoted(out, gw_cstr(s, r->variant));
    }
    if (r->plain) gw_text_add(out, " plain");
    if (r->name) {
        gw_text_add(out, " named ");
        gw_print_quoted(out, gw_cstr(s, r->name));
    }
    if (r->coarsen) gw_text_addf(out, " coarsen %u", r->coarsen);
    if (r->coarsen && r->coarsen_loc.line) {
        gw_text_add(out, " by ");
        gw_print_place(s, r->coarsen_loc, out);
    }
    if (r->digest) gw_text_addf(out, " digest \"%s\"", gw_cstr(s, r->digest));
    if (r->in_place_of) gw_text_addf(out, " in place of %u", r->in_place_of - 1);
    if (r->any_launch) gw_text_add(out, " any_launch");
    if (r->directions) gw_text_addf(out, " directions %u", r->directions);
    if (r->is_sparse) gw_text_add(out, " sparse");
    if (r->is_pattern) gw_text_add(out, r->names_entries ? " pattern named" : " pattern");
    if (r->part_of) gw_text_addf(out, " part of %u", r->part_of - 1);
    print_names(s, "outputs", r->dependents.at, r->dependents.count, out);
    print_names(s, "inputs", r->independents.at, r->independents.count, out);
    print_names(s, "kept", r->kept.at, r->kept.count, out);
    print_names(s, "model", &r->model, r->model != 0, out);
    if (gw_request_is_matrix(r) || r->fresh.count) {
        print_names(s, "rows", r->dependent_extents.at, r->dependent_extents.count, out);
        print_names(s, "columns", r->independent_extents.at, r->independent_extents.count, out);
        print_names(s, "fresh", r->fresh.at, r->fresh.count, out);
    }
    if (r->func) {
        gw_text_add(out, " for ");
        gw_print_func_label(r->func, out);
    }
    if (r->loc.line || r->loc.file) {
        gw_text_add(out, " at ");
        gw_print_place(s, r->loc, out);
    }
    gw_text_add(out, "\n");
}

static void print_rule_param(const gw_session *s, const gw_rule_param *p, gw_text *out) {
    gw_text_add(out, " param ");
    gw_print_quoted(out, gw_cstr(s, p->name));
    gw_text_add(out, " ");
    gw_print_quoted(out, gw_cstr(s, p->type));
    gw_text_add(out, " ");
    gw_print_quoted(out, gw_cstr(s, p->cell));
    if (p->extent) gw_text_add(out, " extent "), gw_print_quoted(out, gw_cstr(s, p->extent));
    if (p->is_active) gw_text_add(out, " active");
    if (p->is_memory) gw_text_add(out, " memory");
    if (p->writes) gw_text_add(out, " writes");
    if (p->taken) gw_text_add(out, " taken");
    if (p->is_enumerated) gw_text_add(out, " enumerated");
    if (p->is_scratch) gw_text_add(out, " scratch");
    if (p->only_for) gw_text_addf(out, " for %u", p->only_for);
}

static void print_rule(const gw_session *s, const gw_rule *r, gw_text *out) {
    gw_text_add(out, "rule ");
    gw_print_quoted(out, gw_cstr(s, r->function));
    if (r->pullback) gw_text_add(out, " pullback ");
    if (r->pullback) gw_print_quoted(out, gw_cstr(s, r->pullback));
    if (r->jvp) gw_text_add(out, " jvp ");
    if (r->jvp) gw_print_quoted(out, gw_cstr(s, r->jvp));
    if (r->numeric) gw_text_add(out, " numeric "), gw_print_quoted(out, gw_cstr(s, r->numeric));
    if (r->step) gw_text_add(out, " step "), gw_print_quoted(out, gw_cstr(s, r->step));
    if (r->by_pullback) gw_text_add(out, " reverse");
    if (r->by_jvp) gw_text_add(out, " along");
    if (r->of_result) gw_text_add(out, " result");
    if (r->stream) gw_text_addf(out, r->stream_told ? " stream_of %u" : " stream %u", r->stream);
    if (r->status) gw_text_add(out, r->tells ? " tells " : " status ");
    if (r->status) gw_print_quoted(out, gw_cstr(s, r->status));
    for (uint32_t i = 0; i < r->params.count; i++)
        print_rule_param(s, &r->params.at[i], out);
    if (r->draws) gw_text_add(out, " draws");
    if (r->is_ordered) gw_text_add(out, " ordered");
    gw_text_add(out, r->is_nondifferentiable ? " nondifferentiable\n" : "\n");
}

static void print_captures(const gw_session *s, const gw_capture_struct *c, gw_text *out) {
    gw_text_add(out, "captures ");
    gw_print_quoted(out, gw_cstr(s, c->name));
    gw_text_addf(out, " line %u", c->line);
    print_names(s, "members", c->members.at, c->members.count, out);
    gw_text_add(out, "\n");
}

static void print_setting(const gw_session *s, const char *word, gw_str text, gw_text *out) {
    gw_text_addf(out, "%s ", word);
    gw_print_quoted(out, gw_cstr(s, text));
    gw_text_add(out, "\n");
}

void gw_print_session(const gw_session *s, gw_text *out) {
    gw_text_add(out, "gradwright_ir 1\n");
    print_setting(s, "stage", s->stage, out);
    print_setting(s, "source", s->source_file, out);
    print_setting(s, "include", s->include_mode_name, out);
    gw_text_addf(out, "language %s\n", s->is_cuda ? "cuda" : "cxx");
    for (gw_type t = GW_T_SCALARS; t < s->types.count; t++)
        if (s->types.at[t].kind == GW_TYPE_STRUCT) print_struct(s, t, out);
    if (s->algorithms) gw_text_add(out, "algorithms\n");
    if (s->primitives) gw_text_add(out, "primitives\n");
    if (s->messages) gw_text_add(out, "messages\n");
    for (uint32_t i = 0; i < s->captures.count; i++)
        print_captures(s, &s->captures.at[i], out);
    for (uint32_t i = 0; i < s->rules.count; i++)
        print_rule(s, &s->rules.at[i], out);
    for (uint32_t i = 0; i < s->requests.count; i++)
        print_request(s, &s->requests.at[i], out);
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_text_add(out, "\n");
        gw_print_func(s->funcs.at[i], out);
    }
}
