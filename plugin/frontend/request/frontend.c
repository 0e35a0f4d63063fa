/*
 * frontend.c - the first pass: a translation unit, parsed by libclang, becomes IR.
 *
 * Requires run->source and run->args. Guarantees: every request of the session has its function, lowered, with
 * checked names; nothing is lowered that is not requested or called. On false the session has a diagnostic.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/query.h"
#include "analysis/ir/requests.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/request/request.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"

/* The function of an earlier request, or one that the function of an earlier request calls: each definition is
 * lowered once, so that what is made of it has one name. */
static gw_func *lowered_before(const gw_unit *u, const gw_cursors *definitions, uint32_t request) {
    CXCursor definition = definitions->at[request];
    for (uint32_t i = 0; i < request; i++)
        if (clang_equalCursors(definitions->at[i], definition)) return u->session->requests.at[i].func;
    for (uint32_t i = 0; i < u->callees.count; i++)
        if (clang_equalCursors(u->callees.at[i].decl, definition)) return u->callees.at[i].func;
    return NULL;
}

static bool check_mode(gw_session *s, const gw_request *r) {
    const bool is_taken = r->kind == GW_REQUEST_GRADIENT || r->kind == GW_REQUEST_DERIVATIVE ||
                          (r->kind == GW_REQUEST_HVP && !r->part_of);
    if (is_taken || !gw_is_program(r->func)) return true;
    gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, "a function that launches kernels, in this mode,",
            "ask for GW_GRADIENT, GW_DERIVATIVE or GW_HVP");
    return false;
}

static bool lower_request(gw_unit *u, const gw_cursors *definitions, uint32_t i) {
    gw_session *s = u->session;
    if (clang_Cursor_isNull(definitions->at[i])) return false;
    if (!gw_front_request_check(u, &s->requests.at[i], definitions->at[i])) return false;
    gw_func *f = lowered_before(u, definitions, i);
    if (!f) f = gw_front_function(u, definitions->at[i]);
    s->requests.at[i].func = f;
    const bool good = !f || check_mode(s, &s->requests.at[i]);
    return f && gw_front_request_globals(u, &s->requests.at[i], definitions->at[i]) &&
           gw_front_request_check_written(u, &s->requests.at[i]) && gw_front_check_access(u, i) && good;
}

static bool lower_requests(gw_unit *u, const gw_cursors *definitions) {
    gw_session *s = u->session;
    bool good = true;
    u->definitions = definitions;
    for (uint32_t i = 0; i < s->requests.count; i++) {
        if (lower_request(u, definitions, i)) continue;
        gw_request *r = &s->requests.at[i];
        r->func = NULL;
        gw_push(&s->refused, gw_request_key(s, r->part_of ? &s->requests.at[r->part_of - 1] : r));
        good = false;
    }
    u->definitions = NULL;
    return good;
}

/* The callee's pointers are taken to lead to different arrays. */
static bool check_pointers(gw_session *s, const gw_func *f, gw_op call) {
    for (uint32_t i = 0; i < gw_op_at(f, call)->operands; i++)
        for (uint32_t k = 0; k < i; k++) {
            gw_op x = gw_operand_address(f, call, i), y = gw_operand_address(f, call, k);
            bool writes = (gw_op_at(f, x)->flags | gw_op_at(f, y)->flags) & GW_OP_WRITES;
            if (!x || !y || !writes || gw_alias_ops(f, x, y) == GW_ALIAS_NO) continue;
            gw_object object = gw_op_at(f, x)->object;
            gw_diag(s, GW_DIAG_TWO_POINTERS, gw_op_at(f, call)->loc, gw_cstr(s, gw_object_at(f, object)->name));
            return false;
        }
    return true;
}

static bool is_called(const gw_session *s, const gw_func *f) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (gw_op op = 1; op < s->funcs.at[i]->ops.count; op++) {
            const gw_op_data *o = gw_op_at(s->funcs.at[i], op);
            if (!o->dead && o->code == GW_OP_CALL && o->callee == f->symbol) return true;
        }
    return false;
}

static bool has_matrix(const gw_session *s, const gw_func *f) {
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *r = &s->requests.at[i];
        const gw_request_kind kind = r->part_of ? s->requests.at[r->part_of - 1].kind : r->kind;
        const bool is_matrix = kind == GW_REQUEST_JACOBIAN || kind == GW_REQUEST_HESSIAN;
        if (r->func == f && is_matrix) return true;
    }
    return false;
}

/* Only a recursive function stays a call here: what runs again in it would have its effects again. A matrix has
 * a column of this process's inputs, while others that it talks to would have theirs in the same run. */
static bool check_effects(gw_session *s, const gw_func *f, gw_op call) {
    const char *what = NULL, *way_out = "write a loop in its place";
    if (!gw_is_ordered(f, call)) return true;
    if (is_called(s, f))
        what = "a call with effects (GW_ORDERED) in a function that calls itself";
    else if (has_matrix(s, f))
        what = "a call with effects (GW_ORDERED), in a matrix of derivatives,",
        way_out = "ask for GW_GRADIENT or GW_DERIVATIVE, for each row or direction that is meant";
    if (what) gw_diag(s, GW_DIAG_UNSUPPORTED, gw_op_at(f, call)->loc, what, way_out);
    return !what;
}

static bool check_calls(gw_unit *u) {
    gw_session *s = u->session;
    bool good = true;
    gw_narrow_effects(s, false);
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        good &= gw_front_check_globals(u, s->funcs.at[i]);
        for (gw_op op = 1; op < s->funcs.at[i]->ops.count; op++) {
            const gw_op_data *o = gw_op_at(s->funcs.at[i], op);
            if (o->dead || o->code != GW_OP_CALL) continue;
            good &= check_pointers(s, s->funcs.at[i], op) && check_effects(s, s->funcs.at[i], op);
        }
    }
    return good;
}

/* What is wrong with one request does not keep the others from being looked at. */
static bool look_at_requests(gw_unit *u, gw_cursors *definitions) {
    bool good = gw_front_request_bind(u, definitions);
    const bool is_rest = u->session->passed_over.count != 0;
    if (good && !gw_front_find_bodies(u, definitions)) return false;
    good &= is_rest || gw_front_check_annotations(u, definitions);
    good &= lower_requests(u, definitions);
    good = good && gw_front_coarsen(u, definitions) && gw_front_other_forms(u) && check_calls(u);
    return good && (is_rest || (gw_promises_all_used(u->session) && gw_launches_all_used(u->session) &&
                                gw_packs_all_used(u->session) && gw_front_check_checkpoints(u->session)));
}

/* A function may have no rule because that was refused, which is said. */
static void forget_missing_rules(gw_session *s, uint32_t from) {
    uint32_t kept = from;
    for (uint32_t i = from; i < s->diagnostics.count; i++)
        if (s->diagnostics.at[i].code != GW_DIAG_NO_RULE) s->diagnostics.at[kept++] = s->diagnostics.at[i];
    s->diagnostics.count = kept;
}

bool gw_pass_front(gw_run *run) {
    gw_unit u = {.run = run, .session = run->session};
    gw_cursors definitions = {0};
    run->session->source_file = gw_intern(run->session, run->source);
    run->session->is_cuda = gw_language_of(run->source, run->args, run->args_count) == GW_LANGUAGE_CUDA;
    gw_front_shapes_start(&u);
    const bool is_read = gw_front_parse_joined(&u), rules = is_read && gw_front_rules(&u);
    const uint32_t said = run->session->diagnostics.count;
    const bool good = is_read && look_at_requests(&u, &definitions) && rules; /* whatever rules there are */
    if (is_read && !rules) forget_missing_rules(run->session, said);
    gw_vec_free(&definitions);
    gw_vec_free(&u.starting);
    gw_vec_free(&u.drawing);
    gw_vec_free(&u.written_symbols);
    gw_vec_free(&u.managed);
    gw_vec_free(&u.rules);
    gw_vec_free(&u.instances);
    gw_vec_free(&u.captures);
    gw_front_shapes_end(&u);
    gw_front_parse_end(&u);
    return good && !run->session->failed;
}
