/*
 * parser.c - reads the text of gw_print_session (grammar: docs/internals/ir.md).
 *
 * Guarantees: any text either makes a session whose functions the verifier accepts, or is refused with one
 * diagnostic that names the place in the text; nothing crashes, hangs or leaks. Sound because each kind of
 * name is looked up in a table that only definitions fill, nesting is bounded, and every function goes
 * through the verifier at the end, so what the passes see is as well-formed as what the front end makes.
 */
#include "analysis/text/parser_private.h"

#include "analysis/ir/promises.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/rungs.h"
#include "analysis/text/verifier_private.h"
#include "analysis/ir/words.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- objects and parameters ---- */
static bool parse_object_line(gw_parser *p) {
    gw_str name, key;
    unsigned kind;
    gw_type type;
    if (!gw_parse_label(p, &name, &key) || !gw_parse_mark(p, ':')) return false;
    if (!gw_parse_one_of(p, gw_object_words, GW_COUNT_OF(gw_object_words), "a kind of object", &kind))
        return false;
    if (!gw_parse_type(p, &type)) return false;
    gw_object o = gw_object_new(p->f, (gw_object_kind)kind, name, type), shadow_of = 0;
    gw_object_data *d = gw_object_at(p->f, o);
    if (p->lexer.kind == GW_TOKEN_STRING && !gw_parse_string(p, &d->type_text)) return false;
    d->is_const = gw_parse_accept_word(p, "const");
    d->is_restrict = gw_parse_accept_word(p, "restrict");
    d->is_reference = gw_parse_accept_word(p, "reference");
    d->is_enumerated = gw_parse_accept_word(p, "enumerated");
    d->is_container = gw_parse_accept_word(p, "container");
    d->is_constant_memory = gw_parse_accept_word(p, "constant_memory");
    d->zeroed = gw_parse_accept_word(p, "zeroed");
    d->in_array = gw_parse_accept_word(p, "in_array");
    d->sized = gw_parse_accept_word(p, "sized");
    d->in_step = gw_parse_accept_word(p, "in_step");
    if (gw_parse_accept_word(p, "shadow") && !gw_parse_object(p, &shadow_of)) return false;
    d->shadow_of = shadow_of;
    return gw_parse_loc(p, &d->loc) && gw_parse_bind(p, &p->objects, key, o);
}

static bool parse_promise(gw_parser *p) {
    gw_promise made = {0};
    for (unsigned k = 0; k < GW_PROMISE_COUNT; k++) {
        if (!gw_parse_accept_word(p, gw_promise_rows[k].word)) continue;
        made.kind = (gw_promise_kind)k;
        if (!gw_parse_string(p, &made.name)) return false;
        gw_push(&p->f->promises, made);
        return true;
    }
    return gw_parse_expected(p, "a kind of promise");
}

/* Behind the parameters. */
static bool parse_launch(gw_parser *p) {
    gw_place place = gw_parse_place(p);
    gw_launch_fact made;
    gw_str text, subject;
    if (!gw_parse_string(p, &text)) return false;
    const char *at = gw_cstr(p->s, text), *wrong = gw_launch_read(p->f, &at, &made, &subject);
    if (wrong) return gw_parse_fail_at(p, place, "%s", wrong);
    if (*at) return gw_parse_fail_at(p, place, "one fact about a launch, not two");
    made.or_atomic = gw_parse_accept_word(p, "or_atomic");
    made.of_collective = gw_parse_accept_word(p, "of_collective");
    gw_push(&p->f->launch, made);
    return true;
}

static bool parse_asked(gw_parser *p) {
    gw_asked_rung made = {0};
    gw_str spelling;
    if (!gw_parse_string(p, &spelling)) return false;
    made.rung = gw_rung_by_spelling(gw_cstr(p->s, spelling));
    if (made.rung == GW_RUNG_COUNT) return gw_parse_expected(p, "a rung of the ladder before this");
    if (!gw_parse_string(p, &made.name)) return false;
    if (gw_parse_accept_word(p, "for") && !gw_parse_string(p, &made.request)) return false;
    if (!gw_parse_loc(p, &made.loc)) return false;
    gw_push(&p->f->asked, made);
    return true;
}

static bool parse_packed(gw_parser *p) {
    gw_packed made = {0};
    if (!gw_parse_string(p, &made.name)) return false;
    if (gw_parse_accept_word(p, "as") &&
        (!gw_parse_object(p, &made.object) || !gw_parse_u32(p, &made.first) || !gw_parse_u32(p, &made.floats)))
        return false;
    if (!gw_parse_loc(p, &made.loc)) return false;
    gw_push(&p->f->packed, made);
    return true;
}

static bool parse_param_line(gw_parser *p) {
    gw_param param = {0};
    if (!gw_parse_name(p, &param.name) || !gw_parse_string(p, &param.type_text)) return false;
    if (gw_parse_accept_word(p, "pattern") && !gw_parse_string(p, &param.pattern)) return false;
    if (!gw_parse_mark(p, '=')) return false;
    if (p->lexer.kind == GW_TOKEN_VALUE) { /* the body, which defines it, follows */
        gw_patch patch = {.func = p->func, .index = p->f->params.count, .place = gw_parse_place(p)};
        patch.key = gw_intern(p->s, p->lexer.text.at);
        gw_push(&p->params, patch);
        gw_lexer_next(&p->lexer);
    } else if (!gw_parse_object(p, &param.object)) {
        return false;
    }
    if (gw_parse_accept_word(p, "size_of") && !gw_parse_object(p, &param.size_of)) return false;
    if (gw_parse_accept_word(p, "at") && !gw_parse_string(p, &param.size_path)) return false;
    if (gw_parse_accept_word(p, "count_of")) {
        if (!gw_parse_u32(p, &param.count_of)) return false;
        param.count_of++;
    }
    if (gw_parse_accept_word(p, "part_of") && !gw_parse_object(p, &param.part_of)) return false;
    param.is_enumerated = gw_parse_accept_word(p, "enumerated");
    param.is_texture = gw_parse_accept_word(p, "texture");
    param.is_vector = gw_parse_accept_word(p, "vector");
    param.is_handle = gw_parse_accept_word(p, "handle");
    param.is_passive = gw_parse_accept_word(p, "passive");
    param.is_apart = gw_parse_accept_word(p, "apart");
    param.is_varied = gw_parse_accept_word(p, "varied");
    param.is_useful = gw_parse_accept_word(p, "useful");
    param.is_result = gw_parse_accept_word(p, "result");
    param.is_global = gw_parse_accept_word(p, "global");
    if (gw_parse_accept_word(p, "adjoint")) {
        param.is_adjoint = true;
        param.primal_index = UINT32_MAX;
        if (!gw_parse_accept_word(p, "return") && !gw_parse_u32(p, &param.primal_index)) return false;
    }
    if (gw_parse_accept_word(p, "tangent")) {
        if (!gw_parse_u32(p, &param.tangent_of)) return false;
        param.tangent_of++;
    }
    if (!gw_parse_loc(p, &param.loc)) return false;
    gw_push(&p->f->params, param);
    return true;
}

static bool bind_params(gw_parser *p) {
    for (uint32_t i = 0; i < p->params.count; i++) {
        const gw_patch *patch = &p->params.at[i];
        gw_value v = gw_map_get(&p->values, patch->key);
        if (!v) return gw_parse_fail_at(p, patch->place, "no value '%%%s'", gw_cstr(p->s, patch->key));
        p->f->params.at[patch->index].value = v;
    }
    for (uint32_t i = 0; i < p->f->launch.count; i++) {
        const uint32_t subject = p->f->launch.at[i].subject, of = subject - GW_LAUNCH_PARAM;
        if (subject >= GW_LAUNCH_PARAM && !gw_type_is_integer(gw_typeof(p->f, p->f->params.at[of].value)))
            return gw_parse_fail(p, "a fact about a parameter that is no integer");
    }
    p->params.count = 0;
    return true;
}

/* ---- functions ---- */
static bool parse_block(gw_parser *p, uint32_t lengths[3]) {
    return gw_parse_u32(p, &lengths[0]) && gw_parse_u32(p, &lengths[1]) && gw_parse_u32(p, &lengths[2]);
}

static bool parse_coarse(gw_parser *p) {
    static const char *const axes[] = {"x", "y", "z"};
    if (!gw_parse_u32(p, &p->f->coarse)) return false;
    if (gw_parse_accept_word(p, "b")) {
        p->f->coarse_axis = GW_WHOLE_BLOCK;
        return true;
    }
    while (p->f->coarse_axis < 2 && !gw_parse_accept_word(p, axes[p->f->coarse_axis])) p->f->coarse_axis++;
    return p->f->coarse_axis < 2 || gw_parse_word(p, axes[2]);
}

static bool parse_bound(gw_parser *p) {
    gw_place place = gw_parse_place(p);
    if (!gw_parse_u32(p, &p->f->bound)) return false;
    if (gw_parse_accept_word(p, "by") && !gw_parse_u32(p, &p->f->bound_blocks)) return false;
    return (p->f->bound && p->f->bound <= GW_MOST_THREADS) ||
           gw_parse_fail_at(p, place, "a block has 1 to %d threads", GW_MOST_THREADS);
}

static bool parse_header_line(gw_parser *p) {
    gw_func *f = p->f;
    if (gw_parse_accept_word(p, "symbol")) return gw_parse_string(p, &f->symbol);
    if (gw_parse_accept_word(p, "qualified")) return gw_parse_string(p, &f->qualified);
    if (gw_parse_accept_word(p, "template"))
        return gw_parse_string(p, &f->template_head) && gw_parse_string(p, &f->template_arguments) &&
               gw_parse_string(p, &f->return_pattern);
    if (gw_parse_accept_word(p, "tag")) return gw_parse_string(p, &f->tag);
    if (gw_parse_accept_word(p, "internal")) return f->is_internal = true;
    if (gw_parse_accept_word(p, "unspoken")) return f->is_unspoken = true;
    if (gw_parse_accept_word(p, "at")) return gw_parse_at_loc(p, &f->loc);
    if (gw_parse_accept_word(p, "returns"))
        return gw_parse_type(p, &f->return_type) && gw_parse_string(p, &f->return_text);
    if (gw_parse_accept_word(p, "object")) return parse_object_line(p);
    if (gw_parse_accept_word(p, "param")) return parse_param_line(p);
    if (gw_parse_accept_word(p, "gathers")) return f->has_gathers = true;
    if (gw_parse_accept_word(p, "behind")) {
        f->is_behind = gw_parse_accept_word(p, "it");
        f->has_behind = !f->is_behind;
        return f->is_behind || gw_parse_word(p, "me");
    }
    if (gw_parse_accept_word(p, "natural")) return gw_parse_u32(p, &p->f->natural);
    if (gw_parse_accept_word(p, "bound")) return parse_bound(p);
    if (gw_parse_accept_word(p, "coarse")) return parse_coarse(p);
    if (gw_parse_accept_word(p, "block"))
        return parse_block(p, f->block_least) && gw_parse_word(p, "to") && parse_block(p, f->block_most);
    if (gw_parse_accept_word(p, "tape")) {
        f->tape_host = gw_parse_accept_word(p, "host");
        if (f->tape_host || gw_parse_accept_word(p, "caller")) return f->tape_caller = !f->tape_host, true;
        f->tape_local = gw_parse_accept_word(p, "local");
        if (!f->tape_local && !gw_parse_word(p, "workspace")) return false;
        return gw_parse_u64(p, &f->tape_local_slots[0]) && gw_parse_u64(p, &f->tape_local_slots[1]);
    }
    if (gw_parse_accept_word(p, "promise")) return parse_promise(p);
    if (gw_parse_accept_word(p, "launch")) return parse_launch(p);
    if (gw_parse_accept_word(p, "asked")) return parse_asked(p);
    if (gw_parse_accept_word(p, "packed")) return parse_packed(p);
    if (gw_parse_accept_word(p, "pack"))
        return gw_parse_object(p, &p->f->pack) && gw_parse_u32(p, &p->f->pack_stride);
    if (gw_parse_accept_word(p, "assume")) {
        gw_assumption a = {0};
        if (!gw_parse_u32(p, &a.index) || !gw_parse_string(p, &a.condition)) return false;
        if (gw_parse_accept_word(p, "because") && !gw_parse_string(p, &a.why)) return false;
        a.coarse = gw_parse_accept_word(p, "coarse");
        gw_push(&f->assumptions, a);
        return true;
    }
    return gw_parse_expected(p, "a line of a function's head or 'body'");
}

static bool parse_kind(gw_parser *p) {
    unsigned kind, form;
    if (!gw_parse_one_of(p, gw_func_words, GW_COUNT_OF(gw_func_words), "a kind of function", &kind))
        return false;
    if (!gw_parse_one_of(p, gw_form_words, GW_COUNT_OF(gw_form_words), "a form of function", &form))
        return false;
    p->f->kind = (gw_func_kind)kind;
    p->f->form = (gw_form)form;
    if (gw_parse_accept_word(p, "of")) {
        gw_patch patch = {.func = p->func, .place = gw_parse_place(p)};
        gw_str name;
        if (!gw_parse_func_label(p, &name, &patch.key)) return false;
        gw_push(&p->primals, patch);
    }
    return !gw_parse_accept_word(p, "request") || gw_parse_u32(p, &p->f->request);
}

static void forget_names(gw_parser *p) {
    for (uint32_t i = 0; i < p->local_keys.count; i++) {
        if (p->local_keys.at[i] < p->values.count) p->values.at[p->local_keys.at[i]] = 0;
        if (p->local_keys.at[i] < p->objects.count) p->objects.at[p->local_keys.at[i]] = 0;
    }
    p->local_keys.count = 0;
}

static bool parse_func(gw_parser *p) {
    gw_str name, key;
    if (!gw_parse_func_label(p, &name, &key)) return false;
    p->func = p->s->funcs.count;
    p->f = gw_func_new(p->s, gw_cstr(p->s, name), GW_FUNC_HOST);
    gw_push(&p->first_op_place, p->op_places.count);
    if (!gw_parse_bind(p, &p->funcs, key, p->func + 1) || !parse_kind(p) || !gw_parse_mark(p, '{'))
        return false;
    while (!gw_parse_accept_word(p, "body"))
        if (!parse_header_line(p)) return false;
    if (!gw_parse_region(p, p->f->entry, 0) || !gw_parse_mark(p, '}') || !bind_params(p)) return false;
    forget_names(p);
    return true;
}

/* ---- session ---- */
static bool parse_struct(gw_parser *p) {
    gw_place place = gw_parse_place(p);
    gw_str name;
    uint32_t ordinal;
    if (!gw_parse_name(p, &name)) return false;
    if (gw_parse_accept_mark(p, '\'') && !gw_parse_u32(p, &ordinal)) return false;
    if (!gw_parse_mark(p, '{')) return false;
    GW_VEC(gw_field) fields = {0};
    bool ok = true;
    while (ok && !gw_parse_is_mark(p, '}')) {
        gw_field field = {0};
        ok = gw_parse_name(p, &field.name) && gw_parse_mark(p, ':') && gw_parse_type(p, &field.type);
        if (ok && gw_parse_accept_word(p, "at")) ok = gw_parse_u32(p, &field.offset);
        if (ok && gw_parse_accept_word(p, "enum")) ok = gw_parse_string(p, &field.enumeration);
        gw_push(&fields, field);
        if (ok && !gw_parse_accept_mark(p, ',')) break;
    }
    ok = ok && gw_parse_mark(p, '}');
    gw_layout layout = {0};
    if (ok && gw_parse_accept_word(p, "size"))
        ok = gw_parse_u32(p, &layout.size) && gw_parse_word(p, "align") && gw_parse_u32(p, &layout.align);
    bool power = (layout.align & (layout.align - 1)) == 0,
         whole = layout.align ? layout.size % layout.align == 0 : layout.size == 0;
    if (ok && (!power || !whole)) ok = gw_parse_fail_at(p, place, "no struct has this size and alignment");
    for (uint32_t i = 0; ok && i < fields.count; i++)
        if (fields.at[i].offset > layout.size)
            ok = gw_parse_fail_at(p, place, "a member lies behind the struct");
    uint32_t types = p->s->types.count; /* array types of fields may have been made */
    if (ok && gw_type_struct(p->s, name, fields.at, fields.count, layout) < types)
        ok = gw_parse_fail_at(p, place, "this struct stands here twice");
    gw_vec_free(&fields);
    return ok;
}

/* The word and a list of names, if the word is there; the request of that index grows. */
static bool parse_names(gw_parser *p, const char *word, gw_names *names) {
    if (!gw_parse_accept_word(p, word)) return true;
    do {
        gw_str name;
        if (!gw_parse_string(p, &name)) return false;
        gw_push(names, name);
    } while (gw_parse_accept_mark(p, ','));
    return true;
}

static bool parse_digest(gw_parser *p, gw_str *out) {
    gw_place place = gw_parse_place(p);
    if (!gw_parse_string(p, out)) return false;
    const char *text = gw_cstr(p->s, *out);
    bool good = strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
    return good || gw_parse_fail_at(p, place, "a digest has 16 hexadecimal digits");
}

static bool parse_in_place_of(gw_parser *p, gw_request *r, uint32_t index) {
    uint32_t other;
    if (!gw_parse_word(p, "place") || !gw_parse_word(p, "of")) return false;
    gw_place place = gw_parse_place(p);
    if (!gw_parse_u32(p, &other)) return false;
    r->in_place_of = other + 1;
    return other < index || gw_parse_fail_at(p, place, "no request %u stands above", other);
}

static bool parse_request(gw_parser *p) {
    uint32_t index = p->s->requests.count;
    gw_push(&p->s->requests, (gw_request){0});
    gw_request *r = &p->s->requests.at[index];
    if (!gw_parse_string(p, &r->function) || !gw_parse_string(p, &r->text)) return false;
    for (unsigned k = 0; k < GW_REQUEST_COUNT; k++)
        if (k != GW_REQUEST_GRADIENT && gw_parse_accept_word(p, gw_request_rows[k].word))
            r->kind = (gw_request_kind)k;
    r->from_source = gw_parse_accept_word(p, "annotated");
    r->implied = gw_parse_accept_word(p, "implied");
    r->launched = gw_parse_accept_word(p, "launched");
    r->is_made = gw_parse_accept_word(p, "made");
    r->may_be_unused = gw_parse_accept_word(p, "unused");
    r->halves = gw_parse_accept_word(p, "halves");
    if (gw_parse_accept_word(p, "variant") && !gw_parse_string(p, &r->variant)) return false;
    r->plain = gw_parse_accept_word(p, "plain");
    if (gw_parse_accept_word(p, "named") && !gw_parse_string(p, &r->name)) return false;
    if (gw_parse_accept_word(p, "coarsen")) {
        if (!gw_parse_u32(p, &r->coarsen)) return false;
        if (gw_parse_accept_word(p, "by") && !gw_parse_at_loc(p, &r->coarsen_loc)) return false;
    }
    if (gw_parse_accept_word(p, "digest") && !parse_digest(p, &r->digest)) return false;
    if (gw_parse_accept_word(p, "in") && !parse_in_place_of(p, r, index)) return false;
    r->any_launch = gw_parse_accept_word(p, "any_launch");
    if (gw_parse_accept_word(p, "directions") && !gw_parse_u32(p, &r->directions)) return false;
    if (r->directions > GW_MOST_DIRECTIONS) return gw_parse_fail(p, "more directions than there can be");
    r->is_sparse = gw_parse_accept_word(p, "sparse");
    r->is_pattern = gw_parse_accept_word(p, "pattern");
    r->names_entries = r->is_pattern && gw_parse_accept_word(p, "named");
    if (gw_parse_accept_word(p, "part")) {
        if (!gw_parse_word(p, "of") || !gw_parse_u32(p, &r->part_of)) return false;
        r->part_of++;
    }
    if (!parse_names(p, "outputs", &r->dependents) || !parse_names(p, "inputs", &r->independents) ||
        !parse_names(p, "kept", &r->kept) ||
        (gw_parse_accept_word(p, "model") && !gw_parse_string(p, &r->model)) ||
        !parse_names(p, "rows", &r->dependent_extents) ||
        !parse_names(p, "columns", &r->independent_extents) || !parse_names(p, "fresh", &r->fresh))
        return false;
    if (!gw_parse_word(p, "for")) return false;
    gw_patch patch = {.index = index, .place = gw_parse_place(p)};
    gw_str name;
    if (!gw_parse_func_label(p, &name, &patch.key)) return false;
    gw_push(&p->requests, patch);
    return !gw_parse_accept_word(p, "at") || gw_parse_at_loc(p, &r->loc);
}

static bool parse_rule_param(gw_parser *p, gw_rule *r) {
    gw_rule_param x = {0};
    if (!gw_parse_string(p, &x.name) || !gw_parse_string(p, &x.type)) return false;
    if (!gw_parse_string(p, &x.cell)) return false;
    if (gw_parse_accept_word(p, "extent") && !gw_parse_string(p, &x.extent)) return false;
    x.is_active = gw_parse_accept_word(p, "active");
    x.is_memory = gw_parse_accept_word(p, "memory");
    x.writes = gw_parse_accept_word(p, "writes");
    x.taken = gw_parse_accept_word(p, "taken");
    x.is_enumerated = gw_parse_accept_word(p, "enumerated");
    x.is_scratch = gw_parse_accept_word(p, "scratch");
    if (gw_parse_accept_word(p, "for") && !gw_parse_u32(p, &x.only_for)) return false;
    gw_push(&r->params, x);
    return true;
}

/* A function that works on memory of the device has its stream, and may tell its status. */
static bool parse_device_rule(gw_parser *p, gw_rule *r) {
    r->stream_told = gw_parse_accept_word(p, "stream_of");
    if ((r->stream_told || gw_parse_accept_word(p, "stream")) && !gw_parse_u32(p, &r->stream)) return false;
    r->tells = gw_parse_accept_word(p, "tells");
    if ((r->tells || gw_parse_accept_word(p, "status")) && !gw_parse_string(p, &r->status)) return false;
    while (gw_parse_accept_word(p, "param"))
        if (!parse_rule_param(p, r)) return false;
    return true;
}

static bool parse_numeric(gw_parser *p, gw_rule *r) {
    if (gw_parse_accept_word(p, "numeric") && !gw_parse_string(p, &r->numeric)) return false;
    if (gw_parse_accept_word(p, "step") && !gw_parse_string(p, &r->step)) return false;
    r->by_pullback = gw_parse_accept_word(p, "reverse");
    r->by_jvp = gw_parse_accept_word(p, "along");
    r->of_result = gw_parse_accept_word(p, "result");
    return true;
}

static bool parse_rule(gw_parser *p) {
    gw_rule r = {0};
    if (!gw_parse_string(p, &r.function)) return false;
    if (gw_parse_accept_word(p, "pullback") && !gw_parse_string(p, &r.pullback)) return false;
    if (gw_parse_accept_word(p, "jvp") && !gw_parse_string(p, &r.jvp)) return false;
    const bool good = parse_numeric(p, &r) && parse_device_rule(p, &r);
    r.draws = good && gw_parse_accept_word(p, "draws");
    r.is_ordered = good && gw_parse_accept_word(p, "ordered");
    r.is_nondifferentiable = good && gw_parse_accept_word(p, "nondifferentiable");
    gw_push(&p->s->rules, r);
    return good;
}

static bool parse_captures(gw_parser *p) {
    gw_push(&p->s->captures, (gw_capture_struct){0});
    gw_capture_struct *c = &p->s->captures.at[p->s->captures.count - 1];
    return gw_parse_string(p, &c->name) && gw_parse_word(p, "line") && gw_parse_u32(p, &c->line) &&
           parse_names(p, "members", &c->members);
}

static bool parse_line(gw_parser *p) {
    gw_session *s = p->s;
    if (gw_parse_accept_word(p, "stage")) return gw_parse_string(p, &s->stage);
    if (gw_parse_accept_word(p, "source")) return gw_parse_string(p, &s->source_file);
    if (gw_parse_accept_word(p, "include")) return gw_parse_string(p, &s->include_mode_name);
    if (gw_parse_accept_word(p, "language")) {
        s->is_cuda = gw_parse_accept_word(p, "cuda");
        return s->is_cuda || gw_parse_word(p, "cxx");
    }
    if (gw_parse_accept_word(p, "struct")) return parse_struct(p);
    if (gw_parse_accept_word(p, "captures")) return parse_captures(p);
    if (gw_parse_accept_word(p, "algorithms")) return s->algorithms = true;
    if (gw_parse_accept_word(p, "primitives")) return s->primitives = true;
    if (gw_parse_accept_word(p, "messages")) return s->messages = true;
    if (gw_parse_accept_word(p, "rule")) return parse_rule(p);
    if (gw_parse_accept_word(p, "request")) return parse_request(p);
    if (gw_parse_accept_word(p, "func")) return parse_func(p);
    return gw_parse_expected(p, "a line of the session or 'func'");
}

static bool parse_text(gw_parser *p) {
    uint32_t version;
    if (!gw_parse_word(p, "gradwright_ir") || !gw_parse_u32(p, &version)) return false;
    if (version != 1)
        return gw_parse_fail(p, "this is version %u of the text; this program reads version 1", version);
    while (p->lexer.kind != GW_TOKEN_END)
        if (!parse_line(p)) return false;
    return true;
}

/* ---- references to what stood later in the text ---- */
static gw_func *find_func(gw_parser *p, const gw_patch *patch) {
    uint32_t index = gw_map_get(&p->funcs, patch->key);
    if (!index) gw_parse_fail_at(p, patch->place, "no function '@%s'", gw_cstr(p->s, patch->key));
    return index ? p->s->funcs.at[index - 1] : NULL;
}

static int order_labels(const void *a, const void *b) {
    const gw_op_label *x = a, *y = b;
    if (x->func != y->func) return x->func < y->func ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool bind_origin(gw_parser *p, const gw_patch *patch) {
    gw_func *f = p->s->funcs.at[patch->func];
    gw_op_label wanted = {.number = patch->number};
    if (!f->primal)
        return gw_parse_fail_at(p, patch->place, "the function has no primal whose op could be named");
    while (p->s->funcs.at[wanted.func] != f->primal)
        wanted.func++;
    const gw_op_label *found = NULL;
    if (p->labels.count) found = bsearch(&wanted, p->labels.at, p->labels.count, sizeof wanted, order_labels);
    if (!found) return gw_parse_fail_at(p, patch->place, "the primal has no op #%u", patch->number);
    gw_op_at(f, patch->index)->origin = found->op;
    return true;
}

static bool bind_all(gw_parser *p) {
    for (uint32_t i = 0; i < p->primals.count; i++) {
        gw_func *primal = find_func(p, &p->primals.at[i]), *f = p->s->funcs.at[p->primals.at[i].func];
        if (!primal) return false;
        if (primal == f)
            return gw_parse_fail_at(p, p->primals.at[i].place, "a function is not its own derivative");
        f->primal = primal;
    }
    for (uint32_t i = 0; i < p->requests.count; i++) {
        gw_func *f = find_func(p, &p->requests.at[i]);
        if (!f) return false;
        p->s->requests.at[p->requests.at[i].index].func = f;
    }
    for (uint32_t i = 0; i < p->origins.count; i++)
        if (!bind_origin(p, &p->origins.at[i])) return false;
    return true;
}

static bool verify_all(gw_parser *p) {
    for (uint32_t i = 0; i < p->s->funcs.count; i++) {
        char *why;
        gw_op op;
        if (gw_verify_at(p->s->funcs.at[i], &why, &op)) continue;
        gw_place place = {1, 1};
        if (op) place = p->op_places.at[p->first_op_place.at[i] + op - 1];
        gw_parse_fail_at(p, place, "%s", why);
        free(why);
        return false;
    }
    return true;
}

bool gw_parse_session(gw_session *s, const char *text, const char *file) {
    gw_parser p = {.s = s, .file = gw_intern(s, file)};
    gw_lexer_start(&p.lexer, text);
    bool ok = parse_text(&p) && bind_all(&p) && verify_all(&p);
    gw_lexer_free(&p.lexer);
    gw_map_free(&p.values);
    gw_map_free(&p.objects);
    gw_map_free(&p.funcs);
    gw_vec_free(&p.local_keys);
    gw_vec_free(&p.labels);
    gw_vec_free(&p.origins);
    gw_vec_free(&p.params);
    gw_vec_free(&p.primals);
    gw_vec_free(&p.requests);
    gw_vec_free(&p.op_places);
    gw_vec_free(&p.first_op_place);
    gw_vec_free(&p.operands);
    gw_vec_free(&p.results);
    gw_text_free(&p.path);
    return ok;
}
