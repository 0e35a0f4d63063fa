/*
 * printer.c - the IR as text (grammar and examples: docs/internals/ir.md). The text is complete: parser.c makes
 * the same session from it, and printing that gives the same text again.
 *
 * Values and ops are numbered anew in the order of the text, so the text depends on what a function is and
 * not on how it came about. The printer works on any function whose links are sound (verifier.c, part 1):
 * a broken operand, type or path is printed as it is, so that messages can show it.
 */
#include "analysis/text/printer_private.h"

#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/policies.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/texture.h"
#include "analysis/ir/warp.h"
#include "analysis/ir/words.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct printer {
    const gw_func *f;
    const gw_session *s;
    gw_text *out;
    uint32_t *value_number, *op_number; /* by handle; 0 = not in the text */
    uint32_t values, ops;
    bool *is_origin;          /* ops that a derivative names */
    uint32_t *primal_number;  /* op numbers of f->primal */
    uint32_t *object_ordinal; /* 1: first of its name */
} printer;

/* ---- references ---- */
static void print_loc(const printer *p, gw_loc loc) {
    if (!loc.line) return;
    gw_text_add(p->out, " !");
    if (loc.file != p->f->loc.file) {
        gw_print_quoted(p->out, gw_cstr(p->s, loc.file));
        gw_text_add(p->out, ":");
    }
    gw_text_addf(p->out, "%u:%u", loc.line, loc.column);
}

static void print_object(const printer *p, gw_object o) {
    if (!o || o >= p->f->objects.count) {
        gw_text_add(p->out, "?");
        return;
    }
    gw_print_name(p->out, gw_cstr(p->s, gw_object_at(p->f, o)->name));
    gw_print_ordinal(p->out, p->object_ordinal[o]);
}

static void print_value(const printer *p, gw_value v) {
    if (!v || v >= p->f->values.count) {
        gw_text_add(p->out, "%?");
        return;
    }
    const char *name = gw_cstr(p->s, gw_value_at(p->f, v)->name);
    gw_text_add(p->out, "%");
    if (!*name) {
        gw_text_addf(p->out, "%u", p->value_number[v]);
        return;
    }
    if (gw_print_is_plain(name, "."))
        gw_text_add(p->out, name);
    else
        gw_print_quoted(p->out, name);
    gw_text_addf(p->out, ".%u", p->value_number[v]);
}

static void print_typed_value(const printer *p, gw_value v) {
    print_value(p, v);
    gw_text_add(p->out, ": ");
    gw_print_type(p->s, gw_typeof(p->f, v), p->out);
}

/* ---- constants ---- */
static void print_constant(const printer *p, const gw_op_data *o) {
    gw_type type = o->results ? gw_typeof(p->f, o->first_result) : GW_T_VOID;
    if (gw_type_is_float(type))
        gw_print_real(p->out, type, o->imm.f);
    else if (type == GW_T_BOOL && (o->imm.i == 0 || o->imm.i == 1))
        gw_text_add(p->out, o->imm.i ? "true" : "false");
    else if (type == GW_T_U64)
        gw_text_addf(p->out, "%llu", (unsigned long long)o->imm.i);
    else
        gw_text_addf(p->out, "%lld", (long long)o->imm.i);
}

/* ---- ops ---- */
static void print_operands(const printer *p, gw_op op, uint32_t from, const char *before) {
    for (uint32_t i = from; i < gw_op_at(p->f, op)->operands; i++) {
        gw_text_add(p->out, i == from ? before : ", ");
        print_value(p, gw_operand(p->f, op, i));
    }
}

static void print_access(const printer *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    uint32_t index = 0;
    print_object(p, o->object);
    for (const char *c = gw_cstr(p->s, o->path); *c;) {
        if (c[0] == '[' && c[1] == ']') {
            gw_text_add(p->out, "[");
            if (index < o->operands) print_value(p, gw_operand(p->f, op, index++));
            gw_text_add(p->out, "]");
            c += 2;
            continue;
        }
        size_t n = strcspn(c + 1, ".[") + 1;
        char *field = gw_strdup(c + (*c == '.'));
        field[n - (*c == '.')] = 0;
        gw_text_add(p->out, ".");
        gw_print_name(p->out, field);
        free(field);
        c += n;
    }
    print_operands(p, op, index, ", ");
}

static void print_texture(const printer *p, const gw_op_data *o) {
    const gw_fetch t = gw_fetch_of(o->attr);
    const char *kind = t.kind < GW_TEXTURE_COUNT ? gw_texture_rows[t.kind].text : "none";
    gw_text_addf(p->out, "%s %u %u ", kind, t.channels, t.channel);
    if (o->code == GW_OP_TEXTURE_SLOPE) gw_text_addf(p->out, "%u ", t.axis);
}

static void print_body_of_op(const printer *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    gw_text_add(p->out, " ");
    if (o->code == GW_OP_CONST) {
        print_constant(p, o);
    } else if (o->code == GW_OP_SPECIAL && o->attr / 4 < GW_COUNT_OF(gw_special_words) && o->attr % 4 < 3) {
        gw_text_addf(p->out, "%s.%c", gw_special_words[o->attr / 4], gw_axis_letters[o->attr % 4]);
    } else if (gw_is_access(o->code)) {
        print_access(p, op);
    } else if (gw_is_slot(o->code)) {
        print_object(p, o->object);
        print_operands(p, op, 0, ", ");
    } else if (o->code == GW_OP_CALL) {
        gw_print_name(p->out, gw_cstr(p->s, o->callee));
        gw_text_add(p->out, "(");
        print_operands(p, op, 0, "");
        gw_text_add(p->out, ")");
    } else {
        if (o->code == GW_OP_BARRIER && o->attr && o->attr < GW_COUNT_OF(gw_barrier_words))
            gw_text_addf(p->out, "%s ", gw_barrier_words[o->attr]);
        if (o->code == GW_OP_COLLECT && o->attr < GW_ACCUMULATE_COUNT)
            gw_text_addf(p->out, "%s ", gw_way(o->attr)->word);
        if (o->code == GW_OP_WARP && o->attr < GW_WARP_COUNT)
            gw_text_addf(p->out, "%s ", gw_warp_rows[o->attr].text);
        if (gw_op_is_texture((gw_opcode)o->code)) print_texture(p, o);
        if (o->code == GW_OP_DEVICE && o->attr < GW_DEVICE_COUNT)
            gw_text_addf(p->out, "%s ", gw_device_rows[o->attr].text);
        if (o->code == GW_OP_FOR && o->attr < GW_OP_COUNT)
            gw_text_addf(p->out, "%s ", gw_op_rows[o->attr].text);
        print_operands(p, op, 0, "");
    }
    while (p->out->at[p->out->count - 1] == ' ')
        p->out->at[--p->out->count] = 0;
}

static void print_why(const printer *p, const gw_why *w) {
    gw_text_add(p->out, " \"");
    gw_reason_name(w->reason, p->out);
    gw_text_add(p->out, w->count ? "\" (" : "\"");
    for (uint32_t i = 0; i < w->count; i++) {
        const gw_argument *a = &w->argument[i];
        if (i) gw_text_add(p->out, ", ");
        if (a->text) gw_print_quoted(p->out, gw_cstr(p->s, a->text));
        if (a->number || !a->text) gw_text_addf(p->out, a->text ? " %u" : "%u", a->number);
    }
    if (w->count) gw_text_add(p->out, ")");
}

static void print_string(const printer *p, const char *word, gw_str text) {
    if (!text) return;
    gw_text_addf(p->out, " %s ", word);
    gw_print_quoted(p->out, gw_cstr(p->s, text));
}

static void print_choice(const printer *p, const gw_rung_choice *c) {
    gw_text_addf(p->out, " %s \"%s\"", c->refused ? "refused" : "chosen", gw_rung_rows[c->rung].spelling);
    if (!c->refused && c->how != (uint16_t)gw_rung_rows[c->rung].how)
        gw_text_addf(p->out, " now %s", gw_way(c->how)->word);
    print_why(p, &c->why);
    print_string(p, "of", c->reference);
}

static void print_decision(const printer *p, const gw_decision *d) {
    gw_text_add(p->out, " because");
    print_why(p, &d->why);
    print_string(p, "of", d->reference);
    if (d->code != gw_reason_code(d->why.reason)) {
        gw_text_add(p->out, " as \"");
        gw_diag_name(d->code, p->out);
        gw_text_add(p->out, "\"");
    }
    if (d->company) gw_text_addf(p->out, " alone %s", gw_company_words[d->company]);
    if (d->made) {
        gw_text_add(p->out, " made");
        print_why(p, &p->s->decisions.at[d->made].why);
    }
    print_string(p, "meets", d->other);
    if (d->other) print_loc(p, d->other_loc);
    print_string(p, "witness", d->witness);
    if (d->choice) print_choice(p, &p->s->choices.at[d->choice]);
}

/* Everything after the operands: what is not at its default. */
static void print_trailer(const printer *p, const gw_op_data *o) {
    unsigned flags = o->flags;
    for (unsigned bit = 0; bit < GW_COUNT_OF(gw_flag_words); bit++)
        if (flags & (1u << bit)) gw_text_addf(p->out, " %s", gw_flag_words[bit]);
    flags >>= GW_COUNT_OF(gw_flag_words);
    if (flags) gw_text_addf(p->out, " flags %u", flags << GW_COUNT_OF(gw_flag_words));
    bool attr_shown = o->code == GW_OP_SPECIAL || o->code == GW_OP_FOR ||
                      gw_op_is_texture((gw_opcode)o->code) ||
                      (o->code == GW_OP_DEVICE && o->attr < GW_DEVICE_COUNT) ||
                      (o->code == GW_OP_WARP && o->attr < GW_WARP_COUNT) ||
                      (o->code == GW_OP_COLLECT && o->attr < GW_ACCUMULATE_COUNT) ||
                      (o->code == GW_OP_BARRIER && o->attr < GW_COUNT_OF(gw_barrier_words));
    if (o->code == GW_OP_ATOMIC && o->attr && o->attr < GW_ATOMIC_COUNT)
        gw_text_addf(p->out, " %s", gw_atomic_rows[o->attr].text);
    else if (o->code != GW_OP_ATOMIC && gw_is_access(o->code) && o->attr && o->attr < GW_ACCUMULATE_COUNT)
        gw_text_addf(p->out, " %s", gw_way(o->attr)->word);
    else if (o->attr && !attr_shown)
        gw_text_addf(p->out, " attr %u", o->attr);
    if (o->policy && o->policy < GW_POLICY_COUNT)
        gw_text_addf(p->out, " policy %s", gw_policy_words[o->policy]);
    if (o->code == GW_OP_FOR || o->code == GW_OP_WHILE)
        if (o->imm.i)
            gw_text_addf(p->out, o->imm.i < 0 ? " snapshots %lld" : " checkpoint %lld",
                         llabs((long long)o->imm.i));
    if (o->code == GW_OP_DEVICE && o->imm.i > 0)
        gw_text_addf(p->out, " request %lld", (long long)o->imm.i - 1);
    if (o->code == GW_OP_DEVICE && o->imm.i < 0) gw_text_add(p->out, " passive");
    if (o->callee && o->code != GW_OP_CALL) {
        gw_text_add(p->out, " callee ");
        gw_print_quoted(p->out, gw_cstr(p->s, o->callee));
    }
    if (o->object && !gw_is_access(o->code) && !gw_is_slot(o->code)) {
        gw_text_add(p->out, " object ");
        print_object(p, o->object);
    }
    if (o->path && !gw_is_access(o->code)) {
        gw_text_add(p->out, " path ");
        gw_print_quoted(p->out, gw_cstr(p->s, o->path));
    }
    if (o->note) {
        gw_text_add(p->out, " note ");
        gw_print_quoted(p->out, gw_cstr(p->s, o->note));
    }
    if (o->decision) print_decision(p, &p->s->decisions.at[o->decision]);
    if (o->origin && p->primal_number && o->origin < p->f->primal->ops.count && p->primal_number[o->origin])
        gw_text_addf(p->out, " origin #%u", p->primal_number[o->origin]);
    print_loc(p, o->loc);
}

static void print_op_line(const printer *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    if (p->is_origin && p->is_origin[op]) gw_text_addf(p->out, "#%u: ", p->op_number[op]);
    for (uint32_t i = 0; i < o->results; i++) {
        if (i) gw_text_add(p->out, ", ");
        print_typed_value(p, gw_result(p->f, op, i));
    }
    gw_text_addf(p->out, "%s%s", o->results ? " = " : "", gw_op_rows[o->code].text);
    print_body_of_op(p, op);
    print_trailer(p, o);
}

static void print_indent(const printer *p, unsigned depth) {
    while (depth--)
        gw_text_add(p->out, "  ");
}

static void print_region(const printer *p, gw_region r, unsigned depth) {
    const gw_region_data *d = gw_region_at(p->f, r);
    for (uint32_t i = 0; i < d->args; i++) {
        gw_text_add(p->out, i ? ", " : " (");
        print_typed_value(p, gw_arg(p->f, r, i));
    }
    gw_text_add(p->out, d->args ? ") {\n" : " {\n");
    for (gw_op op = gw_first(p->f, r); op; op = gw_next(p->f, op)) {
        const gw_op_data *o = gw_op_at(p->f, op);
        print_indent(p, depth + 1);
        print_op_line(p, op);
        for (uint32_t i = 0; i < o->regions; i++) {
            if (i) gw_text_addf(p->out, " %s", gw_second_region_word(o->code));
            print_region(p, o->region[i], depth + 1);
        }
        gw_text_add(p->out, "\n");
    }
    print_indent(p, depth);
    gw_text_add(p->out, "}");
}

/* ---- numbering ---- */
static void number_region(printer *p, gw_region r) {
    for (uint32_t i = 0; i < gw_region_at(p->f, r)->args; i++)
        p->value_number[gw_arg(p->f, r, i)] = ++p->values;
    for (gw_op op = gw_first(p->f, r); op; op = gw_next(p->f, op)) {
        const gw_op_data *o = gw_op_at(p->f, op);
        p->op_number[op] = ++p->ops;
        for (uint32_t i = 0; i < o->results; i++)
            p->value_number[gw_result(p->f, op, i)] = ++p->values;
        for (uint32_t i = 0; i < o->regions; i++)
            number_region(p, o->region[i]);
    }
}

static void number_func(printer *p, const gw_func *f) {
    p->f = f;
    p->value_number = gw_alloc(f->values.count * sizeof *p->value_number);
    p->op_number = gw_alloc(f->ops.count * sizeof *p->op_number);
    number_region(p, f->entry);
}

static void mark_origins(printer *p) {
    p->is_origin = gw_alloc(p->f->ops.count);
    for (uint32_t i = 0; i < p->s->funcs.count; i++) {
        const gw_func *g = p->s->funcs.at[i];
        if (g->primal != p->f) continue;
        for (gw_op op = 1; op < g->ops.count; op++)
            if (!g->ops.at[op].dead && g->ops.at[op].origin < p->f->ops.count)
                p->is_origin[g->ops.at[op].origin] = true;
    }
}

static void count_objects(printer *p) {
    gw_value_map seen = {0}; /* by name */
    p->object_ordinal = gw_alloc(p->f->objects.count * sizeof *p->object_ordinal);
    for (gw_object o = 1; o < p->f->objects.count; o++) {
        gw_str name = gw_object_at(p->f, o)->name;
        p->object_ordinal[o] = gw_map_get(&seen, name) + 1;
        gw_map_set(&seen, name, p->object_ordinal[o]);
    }
    gw_map_free(&seen);
}

static void number_primal(printer *p) {
    printer primal = {.s = p->s};
    number_func(&primal, p->f->primal);
    free(primal.value_number);
    p->primal_number = primal.op_number;
}

static printer printer_new(const gw_func *f, gw_text *out) {
    printer p = {.s = f->session, .out = out};
    number_func(&p, f);
    count_objects(&p);
    return p;
}

static void printer_free(printer *p) {
    free(p->value_number);
    free(p->op_number);
    free(p->primal_number);
    free(p->is_origin);
    free(p->object_ordinal);
}

void gw_print_op(const gw_func *f, gw_op op, gw_text *out) {
    printer p = printer_new(f, out);
    print_op_line(&p, op);
    printer_free(&p);
}

/* ---- functions ---- */
static void print_object_line(const printer *p, gw_object o) {
    const gw_object_data *d = gw_object_at(p->f, o);
    gw_text_add(p->out, "  object ");
    print_object(p, o);
    gw_text_addf(p->out, ": %s ", gw_object_words[d->kind]);
    gw_print_type(p->s, d->type, p->out);
    if (d->type_text != p->s->types.at[d->type].name) {
        gw_text_add(p->out, " ");
        gw_print_quoted(p->out, gw_cstr(p->s, d->type_text));
    }
    if (d->is_const) gw_text_add(p->out, " const");
    if (d->is_restrict) gw_text_add(p->out, " restrict");
    if (d->is_reference) gw_text_add(p->out, " reference");
    if (d->is_enumerated) gw_text_add(p->out, " enumerated");
    if (d->is_container) gw_text_add(p->out, " container");
    if (d->is_constant_memory) gw_text_add(p->out, " constant_memory");
    if (d->zeroed) gw_text_add(p->out, " zeroed");
    if (d->in_array) gw_text_add(p->out, " in_array");
    if (d->sized) gw_text_add(p->out, " sized");
    if (d->in_step) gw_text_add(p->out, " in_step");
    if (d->shadow_of) {
        gw_text_add(p->out, " shadow ");
        print_object(p, d->shadow_of);
    }
    print_loc(p, d->loc);
    gw_text_add(p->out, "\n");
}

static void print_launch(const printer *p, const gw_launch_fact *fact) {
    gw_text text = {0};
    gw_launch_text(p->f, fact, &text);
    gw_text_add(p->out, "  launch ");
    gw_print_quoted(p->out, text.at);
    if (fact->or_atomic) gw_text_add(p->out, " or_atomic");
    gw_text_add(p->out, fact->of_collective ? " of_collective\n" : "\n");
    gw_text_free(&text);
}

static void print_promise(const printer *p, const gw_promise *promise) {
    gw_text_addf(p->out, "  promise %s ", gw_promise_rows[promise->kind].word);
    gw_print_quoted(p->out, gw_cstr(p->s, promise->name));
    gw_text_add(p->out, "\n");
}

static void print_asked(const printer *p, const gw_asked_rung *asked) {
    gw_text_addf(p->out, "  asked ");
    gw_print_quoted(p->out, gw_rung_rows[asked->rung].spelling);
    gw_text_add(p->out, " ");
    gw_print_quoted(p->out, gw_cstr(p->s, asked->name));
    if (asked->request) {
        gw_text_add(p->out, " for ");
        gw_print_quoted(p->out, gw_cstr(p->s, asked->request));
    }
    print_loc(p, asked->loc);
    gw_text_add(p->out, "\n");
}

static void print_packed(const printer *p, const gw_packed *packed) {
    gw_text_addf(p->out, "  packed ");
    gw_print_quoted(p->out, gw_cstr(p->s, packed->name));
    if (packed->object) {
        gw_text_add(p->out, " as ");
        print_object(p, packed->object);
        gw_text_addf(p->out, " %u %u", packed->first, packed->floats);
    }
    print_loc(p, packed->loc);
    gw_text_add(p->out, "\n");
}

static void print_pack(const printer *p) {
    const gw_func *f = p->f;
    for (uint32_t i = 0; i < f->packed.count; i++) print_packed(p, &f->packed.at[i]);
    if (!f->pack) return;
    gw_text_add(p->out, "  pack ");
    print_object(p, f->pack);
    gw_text_addf(p->out, " %u\n", f->pack_stride);
}

static void print_param_line(const printer *p, const gw_param *param) {
    gw_text_add(p->out, "  param ");
    gw_print_name(p->out, gw_cstr(p->s, param->name));
    gw_text_add(p->out, " ");
    gw_print_quoted(p->out, gw_cstr(p->s, param->type_text));
    if (param->pattern) {
        gw_text_add(p->out, " pattern ");
        gw_print_quoted(p->out, gw_cstr(p->s, param->pattern));
    }
    gw_text_add(p->out, " = ");
    if (param->object)
        print_object(p, param->object);
    else
        print_value(p, param->value);
    if (param->size_of) {
        gw_text_add(p->out, " size_of ");
        print_object(p, param->size_of);
    }
    if (param->size_path) {
        gw_text_add(p->out, " at ");
        gw_print_quoted(p->out, gw_cstr(p->s, param->size_path));
    }
    if (param->count_of) gw_text_addf(p->out, " count_of %u", param->count_of - 1);
    if (param->part_of) {
        gw_text_add(p->out, " part_of ");
        print_object(p, param->part_of);
    }
    if (param->is_enumerated) gw_text_add(p->out, " enumerated");
    if (param->is_texture) gw_text_add(p->out, " texture");
    if (param->is_vector) gw_text_add(p->out, " vector");
    if (param->is_handle) gw_text_add(p->out, " handle");
    if (param->is_passive) gw_text_add(p->out, " passive");
    if (param->is_apart) gw_text_add(p->out, " apart");
    if (param->is_varied) gw_text_add(p->out, " varied");
    if (param->is_useful) gw_text_add(p->out, " useful");
    if (param->is_result) gw_text_add(p->out, " result");
    if (param->is_global) gw_text_add(p->out, " global");
    if (param->is_adjoint && param->primal_index == UINT32_MAX)
        gw_text_add(p->out, " adjoint return");
    else if (param->is_adjoint)
        gw_text_addf(p->out, " adjoint %u", param->primal_index);
    if (param->tangent_of) gw_text_addf(p->out, " tangent %u", param->tangent_of - 1);
    print_loc(p, param->loc);
    gw_text_add(p->out, "\n");
}

/* What tells the function from others of its name. */
static void print_identity(const gw_func *f, gw_text *out) {
    const gw_session *s = f->session;
    if (f->symbol != f->name) {
        gw_text_add(out, "  symbol ");
        gw_print_quoted(out, gw_cstr(s, f->symbol));
        gw_text_add(out, "\n");
    }
    if (f->qualified != f->name) {
        gw_text_add(out, "  qualified ");
        gw_print_quoted(out, gw_cstr(s, f->qualified));
        gw_text_add(out, "\n");
    }
    if (f->template_head) {
        gw_text_add(out, "  template ");
        gw_print_quoted(out, gw_cstr(s, f->template_head));
        gw_text_add(out, " ");
        gw_print_quoted(out, gw_cstr(s, f->template_arguments));
        gw_text_add(out, " ");
        gw_print_quoted(out, gw_cstr(s, f->return_pattern));
        gw_text_add(out, "\n");
    }
    if (f->tag) {
        gw_text_add(out, "  tag ");
        gw_print_quoted(out, gw_cstr(s, f->tag));
        gw_text_add(out, "\n");
    }
    if (f->is_internal) gw_text_add(out, "  internal\n");
    if (f->is_unspoken) gw_text_add(out, "  unspoken\n");
}

static void print_header(const gw_func *f, gw_text *out) {
    const gw_session *s = f->session;
    gw_text_add(out, "func ");
    gw_print_func_label(f, out);
    gw_text_addf(out, " %s %s", gw_func_words[f->kind], gw_form_words[f->form]);
    if (f->primal) {
        gw_text_add(out, " of ");
        gw_print_func_label(f->primal, out);
    }
    if (f->form != GW_FORM_PRIMAL) gw_text_addf(out, " request %u", f->request);
    gw_text_add(out, " {\n");
    print_identity(f, out);
    if (f->loc.line || f->loc.file) {
        gw_text_add(out, "  at ");
        gw_print_place(s, f->loc, out);
        gw_text_add(out, "\n");
    }
    if (f->return_type || strcmp(gw_cstr(s, f->return_text), "void") != 0) {
        gw_text_add(out, "  returns ");
        gw_print_type(s, f->return_type, out);
        gw_text_add(out, " ");
        gw_print_quoted(out, gw_cstr(s, f->return_text));
        gw_text_add(out, "\n");
    }
    if (f->block_most[0] || f->block_most[1] || f->block_most[2])
        gw_text_addf(out, "  block %u %u %u to %u %u %u\n", f->block_least[0], f->block_least[1],
                     f->block_least[2], f->block_most[0], f->block_most[1], f->block_most[2]);
    if (f->bound && f->bound_blocks) gw_text_addf(out, "  bound %u by %u\n", f->bound, f->bound_blocks);
    else if (f->bound) gw_text_addf(out, "  bound %u\n", f->bound);
    if (f->coarse) gw_text_addf(out, "  coarse %u %c\n", f->coarse, "xyz-b"[f->coarse_axis]);
    if (f->has_gathers) gw_text_add(out, "  gathers\n");
    if (f->has_behind || f->is_behind) gw_text_addf(out, "  behind %s\n", f->is_behind ? "it" : "me");
    if (f->natural) gw_text_addf(out, "  natural %u\n", f->natural);
    if (f->tape_host) gw_text_add(out, "  tape host\n");
    if (f->tape_caller) gw_text_add(out, "  tape caller\n");
    if (f->tape_local || f->tape_local_slots[0] || f->tape_local_slots[1])
        gw_text_addf(out, "  tape %s %llu %llu\n", f->tape_local ? "local" : "workspace",
                     (unsigned long long)f->tape_local_slots[0], (unsigned long long)f->tape_local_slots[1]);
}

void gw_print_func(const gw_func *f, gw_text *out) {
    printer p = printer_new(f, out);
    if (f->primal) number_primal(&p);
    mark_origins(&p);
    print_header(f, out);
    for (gw_object o = 1; o < f->objects.count; o++)
        print_object_line(&p, o);
    for (uint32_t i = 0; i < f->params.count; i++)
        print_param_line(&p, &f->params.at[i]);
    for (uint32_t i = 0; i < f->promises.count; i++)
        print_promise(&p, &f->promises.at[i]);
    for (uint32_t i = 0; i < f->launch.count; i++)
        print_launch(&p, &f->launch.at[i]);
    for (uint32_t i = 0; i < f->asked.count; i++)
        print_asked(&p, &f->asked.at[i]);
    print_pack(&p);
    for (uint32_t i = 0; i < f->assumptions.count; i++) {
        gw_text_addf(out, "  assume %u ", f->assumptions.at[i].index);
        gw_print_quoted(out, gw_cstr(f->session, f->assumptions.at[i].condition));
        print_string(&p, "because", f->assumptions.at[i].why);
        gw_text_add(out, f->assumptions.at[i].coarse ? " coarse\n" : "\n");
    }
    gw_text_add(out, "  body");
    print_region(&p, f->entry, 1);
    gw_text_add(out, "\n}\n");
    printer_free(&p);
}
