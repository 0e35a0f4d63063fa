/*
 * parser_ops.c - regions and ops of the IR's text (contract: parser_private.h). Names and syntax are checked
 * here; whether an op is legal where it stands is the verifier's question.
 */
#include "analysis/text/parser_private.h"

#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/policies.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/texture.h"
#include "analysis/ir/warp.h"
#include "analysis/ir/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 500 }; /* regions in regions: bounds the recursion on any input */

/* ---- values ---- */
static gw_str value_key(gw_parser *p) { return gw_intern(p->s, p->lexer.text.at); }

bool gw_parse_value(gw_parser *p, gw_value *out) {
    if (p->lexer.kind != GW_TOKEN_VALUE) return gw_parse_expected(p, "a value");
    *out = gw_map_get(&p->values, value_key(p));
    if (!*out) return gw_parse_fail(p, "no value '%%%s' is defined before this place", p->lexer.text.at);
    gw_lexer_next(&p->lexer);
    return true;
}

static bool parse_definition(gw_parser *p, gw_result_text *out) {
    if (p->lexer.kind != GW_TOKEN_VALUE) return gw_parse_expected(p, "a value");
    *out = (gw_result_text){.key = value_key(p)};
    out->name = gw_intern_n(p->s, p->lexer.text.at, p->lexer.name_length);
    gw_lexer_next(&p->lexer);
    return gw_parse_mark(p, ':') && gw_parse_scalar(p, &out->type);
}

static bool parse_operands(gw_parser *p) {
    if (p->lexer.kind != GW_TOKEN_VALUE || p->lexer.first_on_line) return true;
    do {
        gw_value v;
        if (!gw_parse_value(p, &v)) return false;
        gw_push(&p->operands, v);
    } while (gw_parse_accept_mark(p, ','));
    return true;
}

/* ---- constants ---- */
static bool parse_real(gw_parser *p, gw_type type, double *out) {
    if (gw_parse_accept_word(p, "bits")) {
        if (p->lexer.kind != GW_TOKEN_NUMBER) return gw_parse_expected(p, "the bits of a NaN");
        char *end;
        uint64_t bits = strtoull(p->lexer.text.at, &end, 16);
        memcpy(out, &bits, sizeof bits);
        if (*end || !isnan(*out)) return gw_parse_fail(p, "'%.40s' is not the bits of a NaN", p->lexer.text.at);
        gw_lexer_next(&p->lexer);
        return true;
    }
    if (gw_parse_accept_word(p, "inf")) {
        *out = HUGE_VAL;
        return true;
    }
    const char *text = p->lexer.text.at;
    if (p->lexer.kind != GW_TOKEN_NUMBER) return gw_parse_expected(p, "a number");
    bool exact = type != GW_T_F32 || strpbrk(text, "xX");
    char *end;
    *out = exact ? strtod(text, &end) : (double)strtof(text, &end);
    if (*end || isnan(*out) || (isinf(*out) && strcmp(text, "-inf") != 0))
        return gw_parse_fail(p, "'%.40s' is no %s", text, gw_type_text(p->s, type));
    gw_lexer_next(&p->lexer);
    return true;
}

static bool parse_integer(gw_parser *p, gw_type type, int64_t *out) {
    const char *text = p->lexer.text.at;
    if (p->lexer.kind != GW_TOKEN_NUMBER) return gw_parse_expected(p, "a number");
    char *end;
    errno = 0;
    *out = type == GW_T_U64 && text[0] != '-' ? (int64_t)strtoull(text, &end, 10) : strtoll(text, &end, 10);
    if (errno || *end) return gw_parse_fail(p, "'%.40s' is no %s", text, gw_type_text(p->s, type));
    gw_lexer_next(&p->lexer);
    return true;
}

static bool parse_constant(gw_parser *p, gw_op_data *o) {
    if (p->results.count != 1) return gw_parse_fail(p, "a constant has one result");
    gw_type type = p->results.at[0].type;
    if (gw_type_is_float(type)) return parse_real(p, type, &o->imm.f);
    if (type != GW_T_BOOL) return parse_integer(p, type, &o->imm.i);
    if (gw_parse_accept_word(p, "true"))
        o->imm.i = 1;
    else if (!gw_parse_accept_word(p, "false"))
        return gw_parse_expected(p, "true or false");
    return true;
}

/* ---- what stands between opcode and trailer ---- */
static bool parse_special(gw_parser *p, gw_op_data *o) {
    unsigned kind;
    if (!gw_parse_one_of(p, gw_special_words, GW_COUNT_OF(gw_special_words), "threadIdx or its like", &kind))
        return false;
    if (!gw_parse_mark(p, '.')) return false;
    for (unsigned axis = 0; axis < 3; axis++) {
        char letter[2] = {gw_axis_letters[axis], 0};
        if (!gw_parse_accept_word(p, letter)) continue;
        o->attr = GW_SPECIAL_ATTR(kind, axis);
        return true;
    }
    return gw_parse_expected(p, "x, y or z");
}

static bool parse_path(gw_parser *p, gw_op_data *o) {
    p->path.count = 0;
    gw_text_add(&p->path, "");
    for (;;) {
        gw_value v;
        gw_str field;
        if (gw_parse_accept_mark(p, '[')) {
            if (!gw_parse_value(p, &v) || !gw_parse_mark(p, ']')) return false;
            gw_push(&p->operands, v);
            gw_text_add(&p->path, "[]");
        } else if (gw_parse_accept_mark(p, '.')) {
            if (!gw_parse_name(p, &field)) return false;
            gw_text_addf(&p->path, ".%s", gw_cstr(p->s, field));
        } else {
            o->path = gw_intern(p->s, p->path.at);
            return true;
        }
    }
}

static bool parse_access(gw_parser *p, gw_op_data *o) {
    if (!gw_parse_object(p, &o->object)) return false;
    if (gw_is_access(o->code) && !parse_path(p, o)) return false;
    return !gw_parse_accept_mark(p, ',') || parse_operands(p);
}

static bool parse_call(gw_parser *p, gw_op_data *o) {
    return gw_parse_name(p, &o->callee) && gw_parse_mark(p, '(') && parse_operands(p) && gw_parse_mark(p, ')');
}

static bool parse_barrier(gw_parser *p, gw_op_data *o) {
    for (unsigned i = 1; i < GW_COUNT_OF(gw_barrier_words); i++)
        if (gw_parse_accept_word(p, gw_barrier_words[i])) o->attr = (uint16_t)i;
    return !o->attr || parse_operands(p);
}

static bool parse_warp(gw_parser *p, gw_op_data *o) {
    for (unsigned i = 1; i < GW_WARP_COUNT && !o->attr; i++)
        if (gw_parse_accept_word(p, gw_warp_rows[i].text)) o->attr = (uint16_t)i;
    return o->attr ? parse_operands(p) : gw_parse_expected(p, "what the lanes do");
}

/* plane 4 1: of kind and channels, and which; of a slope, the axis behind them */
static bool parse_texture(gw_parser *p, gw_op_data *o) {
    gw_fetch t = {0};
    for (unsigned i = 1; i < GW_TEXTURE_COUNT && !t.kind; i++)
        if (gw_parse_accept_word(p, gw_texture_rows[i].text)) t.kind = (gw_texture)i;
    if (!t.kind) return gw_parse_expected(p, "what the texture is");
    if (!gw_parse_u32(p, &t.channels) || !gw_parse_u32(p, &t.channel)) return false;
    if (o->code == GW_OP_TEXTURE_SLOPE && !gw_parse_u32(p, &t.axis)) return false;
    if (t.channels > 4 || t.channel > 3 || t.axis > 2) return gw_parse_expected(p, "a channel of 1, 2 or 4");
    o->attr = gw_fetch_attr(t);
    return parse_operands(p);
}

static bool parse_device(gw_parser *p, gw_op_data *o) {
    for (unsigned i = 0; i < GW_DEVICE_COUNT; i++) {
        if (!gw_parse_accept_word(p, gw_device_rows[i].text)) continue;
        o->attr = (uint16_t)i;
        return parse_operands(p);
    }
    return gw_parse_expected(p, "what is called");
}

static bool parse_collect(gw_parser *p, gw_op_data *o) {
    for (unsigned i = 1; i < GW_ACCUMULATE_COUNT && !o->attr; i++)
        if (gw_is_collected(i) && gw_parse_accept_word(p, gw_way(i)->word)) o->attr = (uint16_t)i;
    return o->attr ? parse_operands(p) : gw_parse_expected(p, "the threads that add together");
}

static bool parse_body_of_op(gw_parser *p, gw_op_data *o) {
    switch (o->code) {
    case GW_OP_CONST:
        return parse_constant(p, o);
    case GW_OP_SPECIAL:
        return parse_special(p, o);
    case GW_OP_CALL:
        return parse_call(p, o);
    case GW_OP_BARRIER:
        return parse_barrier(p, o);
    case GW_OP_WARP:
        return parse_warp(p, o);
    case GW_OP_DEVICE:
        return parse_device(p, o);
    case GW_OP_COLLECT:
        return parse_collect(p, o);
    case GW_OP_FOR:
        if (p->lexer.kind != GW_TOKEN_WORD) return gw_parse_expected(p, "the loop's comparison");
        o->attr = (uint16_t)gw_opcode_by_text(p->lexer.text.at);
        gw_lexer_next(&p->lexer);
        return parse_operands(p);
    default:
        if (gw_op_is_texture((gw_opcode)o->code)) return parse_texture(p, o);
        if (gw_is_access(o->code) || gw_is_slot(o->code)) return parse_access(p, o);
        return parse_operands(p);
    }
}

/* ---- trailer ---- */
static bool accept_flag(gw_parser *p, gw_op_data *o) {
    for (unsigned bit = 0; bit < GW_COUNT_OF(gw_flag_words); bit++)
        if (gw_parse_accept_word(p, gw_flag_words[bit])) {
            o->flags |= (uint16_t)(1u << bit);
            return true;
        }
    for (unsigned i = 1; o->code == GW_OP_ATOMIC && i < GW_ATOMIC_COUNT; i++)
        if (gw_parse_accept_word(p, gw_atomic_rows[i].text)) {
            o->attr = (uint16_t)i;
            return true;
        }
    for (unsigned i = 1; o->code != GW_OP_ATOMIC && gw_is_access(o->code) && i < GW_ACCUMULATE_COUNT; i++)
        if (gw_parse_accept_word(p, gw_way(i)->word)) {
            o->attr = (uint16_t)i;
            return true;
        }
    return false;
}

static bool parse_origin(gw_parser *p) {
    gw_patch patch = {.func = p->func, .index = p->f->ops.count, .place = gw_parse_place(p)};
    if (!gw_parse_mark(p, '#') || !gw_parse_u32(p, &patch.number)) return false;
    gw_push(&p->origins, patch);
    return true;
}

/* "index-from-memory" ("list[i]", "x[i]" 12, 3) */
static bool parse_why(gw_parser *p, gw_why *w) {
    gw_place place = gw_parse_place(p);
    gw_str name;
    if (!gw_parse_string(p, &name)) return false;
    *w = gw_because(gw_reason_by_name(gw_cstr(p->s, name)));
    if (w->reason == GW_REASON_COUNT)
        return gw_parse_fail_at(p, place, "'%.40s' is no reason", gw_cstr(p->s, name));
    if (!gw_parse_accept_mark(p, '(')) return true;
    do {
        gw_argument a = {0, 0};
        bool has_text = p->lexer.kind == GW_TOKEN_STRING, has_number = !has_text;
        if (has_text && !gw_parse_string(p, &a.text)) return false;
        has_number |= p->lexer.kind == GW_TOKEN_NUMBER;
        if (has_number && !gw_parse_u32(p, &a.number)) return false;
        if (w->count == GW_MOST_ARGUMENTS)
            return gw_parse_fail(p, "a reason speaks of %d things at most", GW_MOST_ARGUMENTS);
        w->argument[w->count++] = a;
    } while (gw_parse_accept_mark(p, ','));
    return gw_parse_mark(p, ')');
}

/* "warp": a gw_accumulate by its word */
static bool parse_how(gw_parser *p, uint16_t *how) {
    for (unsigned i = 1; i < GW_ACCUMULATE_COUNT && !*how; i++)
        if (gw_parse_accept_word(p, gw_way(i)->word)) *how = (uint16_t)i;
    return *how || gw_parse_expected(p, "how an addition is made");
}

/* chosen "warp" "warp-costs-least" (32, 192, 30) of "d_x[0]" */
static bool parse_choice(gw_parser *p, gw_decision *d, bool refused) {
    gw_rung_choice c = {.refused = refused, .decision = p->s->decisions.count};
    gw_place place = gw_parse_place(p);
    gw_str rung;
    if (!gw_parse_string(p, &rung)) return false;
    c.rung = (uint16_t)gw_rung_by_spelling(gw_cstr(p->s, rung));
    if (c.rung == GW_RUNG_COUNT) return gw_parse_fail_at(p, place, "'%.40s' is no rung", gw_cstr(p->s, rung));
    if (gw_parse_accept_word(p, "now") && !parse_how(p, &c.how)) return false;
    if (!parse_why(p, &c.why) || (gw_parse_accept_word(p, "of") && !gw_parse_string(p, &c.reference)))
        return false;
    d->choice = gw_rung_choice_add(p->s, c);
    return true;
}

/* as "ROW OF DIAGNOSTICS.DEF": where it is not the reason's own */
static bool parse_code(gw_parser *p, gw_decision *d) {
    gw_place place = gw_parse_place(p);
    gw_str name;
    if (!gw_parse_string(p, &name)) return false;
    d->code = gw_diag_by_name(gw_cstr(p->s, name));
    if (d->code != GW_DIAG_COUNT && gw_diag_rows[d->code].severity == GW_SEVERITY_REMARK) return true;
    return gw_parse_fail_at(p, place, "no decision is reported as '%.40s'", gw_cstr(p->s, name));
}

static bool parse_company(gw_parser *p, gw_decision *d) {
    for (unsigned i = 1; i < GW_COUNT_OF(gw_company_words) && !d->company; i++)
        if (gw_parse_accept_word(p, gw_company_words[i])) d->company = (gw_company)i;
    return d->company || gw_parse_expected(p, "'block' or 'warp'");
}

/* because REASON of "d_x[i]" as "..." alone block made REASON meets "x[i]" !5:21 witness "..." chosen ... */
static bool parse_decision(gw_parser *p, gw_op_data *o) {
    gw_decision d = {.how = o->attr};
    gw_why made = gw_because(GW_REASON_NONE);
    if (!parse_why(p, &d.why)) return false;
    d.code = gw_reason_code(d.why.reason);
    if (gw_parse_accept_word(p, "of") && !gw_parse_string(p, &d.reference)) return false;
    if (gw_parse_accept_word(p, "as") && !parse_code(p, &d)) return false;
    if (gw_parse_accept_word(p, "alone") && !parse_company(p, &d)) return false;
    if (gw_parse_accept_word(p, "made") && !parse_why(p, &made)) return false;
    if (made.reason) d.made = gw_decision_made(p->s, made);
    if (gw_parse_accept_word(p, "meets") && (!gw_parse_string(p, &d.other) || !gw_parse_loc(p, &d.other_loc)))
        return false;
    if (gw_parse_accept_word(p, "witness") && !gw_parse_string(p, &d.witness)) return false;
    bool chosen = gw_parse_accept_word(p, "chosen");
    if ((chosen || gw_parse_accept_word(p, "refused")) && !parse_choice(p, &d, !chosen)) return false;
    o->decision = gw_decision_add(p->s, d);
    return true;
}

static bool parse_policy(gw_parser *p, gw_op_data *o) {
    for (uint16_t policy = 1; policy < GW_POLICY_COUNT; policy++)
        if (gw_parse_accept_word(p, gw_policy_words[policy])) {
            o->policy = policy;
            return true;
        }
    return gw_parse_fail(p, "'%.40s' is no policy", p->lexer.text.at);
}

static bool parse_trailer(gw_parser *p, gw_op_data *o) {
    while (p->lexer.kind == GW_TOKEN_WORD && !p->lexer.first_on_line) {
        bool ok = true;
        if (accept_flag(p, o)) continue;
        if (gw_parse_accept_word(p, "flags")) {
            uint16_t flags = 0;
            ok = gw_parse_u16(p, &flags);
            o->flags |= flags;
        } else if (gw_parse_accept_word(p, "attr")) {
            ok = gw_parse_u16(p, &o->attr);
        } else if ((o->code == GW_OP_FOR || o->code == GW_OP_WHILE) && gw_parse_accept_word(p, "checkpoint")) {
            uint32_t every;
            ok = gw_parse_u32(p, &every);
            o->imm.i = every;
        } else if (o->code == GW_OP_FOR && gw_parse_accept_word(p, "snapshots")) {
            uint32_t most;
            ok = gw_parse_u32(p, &most);
            o->imm.i = -(int64_t)most;
        } else if (o->code == GW_OP_DEVICE && gw_parse_accept_word(p, "request")) {
            uint32_t request;
            ok = gw_parse_u32(p, &request);
            o->imm.i = (int64_t)request + 1;
        } else if (o->code == GW_OP_DEVICE && gw_parse_accept_word(p, "passive")) {
            o->imm.i = -1;
        } else if (o->code == GW_OP_FOR && gw_parse_accept_word(p, "policy")) {
            ok = parse_policy(p, o);
        } else if (gw_parse_accept_word(p, "callee")) {
            ok = gw_parse_string(p, &o->callee);
        } else if (gw_parse_accept_word(p, "object")) {
            ok = gw_parse_object(p, &o->object);
        } else if (gw_parse_accept_word(p, "path")) {
            ok = gw_parse_string(p, &o->path);
        } else if (gw_parse_accept_word(p, "note")) {
            ok = gw_parse_string(p, &o->note);
        } else if (gw_is_access(o->code) && gw_parse_accept_word(p, "because")) {
            ok = parse_decision(p, o);
        } else if (gw_parse_accept_word(p, "origin")) {
            ok = parse_origin(p);
        } else {
            return gw_parse_fail(p, "'%.40s' says nothing about a '%s'", p->lexer.text.at,
                                 gw_op_rows[o->code].text);
        }
        if (!ok) return false;
    }
    return gw_parse_loc(p, &o->loc);
}

/* ---- ops and regions ---- */
static bool parse_results(gw_parser *p) {
    if (p->lexer.kind != GW_TOKEN_VALUE) return true;
    do {
        gw_result_text r;
        if (!parse_definition(p, &r)) return false;
        gw_push(&p->results, r);
    } while (gw_parse_accept_mark(p, ','));
    return gw_parse_mark(p, '=');
}

static bool parse_op_label(gw_parser *p) {
    if (!gw_parse_accept_mark(p, '#')) return true;
    gw_place place = gw_parse_place(p);
    gw_op_label label = {.func = p->func, .op = p->f->ops.count};
    if (!gw_parse_u32(p, &label.number) || !gw_parse_mark(p, ':')) return false;
    const gw_op_label *last = p->labels.count ? &p->labels.at[p->labels.count - 1] : NULL;
    if (last && last->func == label.func && last->number >= label.number)
        return gw_parse_fail_at(p, place, "the numbers of ops grow along the text: #%u stands after #%u",
                                label.number, last->number);
    gw_push(&p->labels, label);
    return true;
}

/* The op at the end of region r, with its results; *made is 0 after an error. */
static gw_op parse_op_line(gw_parser *p, gw_region r) {
    gw_place place = gw_parse_place(p);
    p->operands.count = p->results.count = 0;
    if (!parse_op_label(p) || !parse_results(p)) return 0;
    gw_op_data o = {0};
    o.code = (uint16_t)(p->lexer.kind == GW_TOKEN_WORD ? gw_opcode_by_text(p->lexer.text.at) : GW_OP_NONE);
    if (!o.code) {
        gw_parse_expected(p, "an op");
        return 0;
    }
    gw_lexer_next(&p->lexer);
    if (!parse_body_of_op(p, &o) || !parse_trailer(p, &o)) return 0;
    gw_builder b = {p->f, r, 0, o.loc};
    gw_op op = gw_emit(&b, (gw_opcode)o.code, GW_T_VOID, 0, p->operands.at, p->operands.count);
    gw_op_data *made = gw_op_at(p->f, op);
    made->flags = o.flags;
    made->attr = o.attr;
    made->policy = o.policy;
    made->imm = o.imm;
    made->object = o.object;
    made->path = o.path;
    made->callee = o.callee;
    made->note = o.note;
    made->decision = o.decision;
    gw_push(&p->op_places, place);
    for (uint32_t i = 0; i < p->results.count; i++) {
        gw_result_text t = p->results.at[i];
        if (!gw_parse_bind(p, &p->values, t.key, gw_op_add_result(p->f, op, t.type, t.name))) return 0;
    }
    return op;
}

static bool parse_op(gw_parser *p, gw_region r, unsigned depth) {
    gw_op op = parse_op_line(p, r);
    if (!op) return false;
    unsigned code = gw_op_at(p->f, op)->code;
    for (unsigned i = 0; i < gw_region_count(code); i++) {
        if (i && !gw_parse_word(p, gw_second_region_word(code))) return false;
        if (!gw_parse_region(p, gw_region_new(p->f, op), depth + 1)) return false;
    }
    return true;
}

static bool parse_arguments(gw_parser *p, gw_region r) {
    if (!gw_parse_accept_mark(p, '(')) return true;
    do {
        gw_result_text t;
        if (!parse_definition(p, &t)) return false;
        if (!gw_parse_bind(p, &p->values, t.key, gw_region_arg(p->f, r, t.type, t.name))) return false;
    } while (gw_parse_accept_mark(p, ','));
    return gw_parse_mark(p, ')');
}

bool gw_parse_region(gw_parser *p, gw_region r, unsigned depth) {
    if (depth > DEPTH_LIMIT) return gw_parse_fail(p, "regions are nested more than %d deep", DEPTH_LIMIT);
    if (!parse_arguments(p, r) || !gw_parse_mark(p, '{')) return false;
    while (!gw_parse_accept_mark(p, '}'))
        if (!parse_op(p, r, depth)) return false;
    return true;
}
