/*
 * tangent.c - the tangent pass: the forward derivative f_jvp of each function that is asked for one.
 *
 * Requires: lowered functions, resolved requests. Guarantees: for each request a function of form JVP that
 * computes what the function computes, its stores included, and the tangents of the outputs for given tangents
 * of the inputs: parameters of the primal, then t_x of each parameter that takes part, in their order, then
 * t_return for the tangent of a returned value. Primal functions stay as they are. In several directions,
 * GW_DERIVATIVES, tangents are blocks of as many; GW_SCREEN_DERIVATIVES has two of each (directions.c).
 *
 * It works on a copy of the function that is simplified in place only: what `simplify` does to primals for the
 * reverse, keeping cells in registers and putting them back, may write a cell that the source does not write,
 * which is a race once stores are performed.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/requests.h"
#include "rewriters/tangent/tangent_private.h"

#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* ---- signature ---- */
static gw_param new_param(gw_tangent *t, uint32_t index, uint32_t memory, bool is_read_only) {
    gw_session *s = t->f->session;
    const gw_param *x = &t->primal->params.at[index];
    gw_param p = {.loc = x->loc};
    if (t->second)
        p.tangent_of = index + 1;
    else
        p.is_adjoint = true, p.primal_index = index;
    p.name = gw_tangent_name(t, x->name, memory);
    const gw_object_data *o = x->object ? gw_object_at(t->primal, x->object) : NULL;
    p.type_text = o ? gw_signature_mirror_text(s, o->type, o->type_text) : x->type_text;
    if (!o || o->kind == GW_OBJECT_STRUCT) {
        if (t->directions) p.type_text = gw_tangent_directions_text(t, p.type_text);
        if (t->pattern) p.type_text = gw_tangent_value_text(t, p.type_text);
        return p;
    }
    if (t->directions || t->pattern)
        p.type_text = gw_tangent_block_text(t, p.type_text, gw_tangent_pointed_type(t, o));
    char *pointer = gw_signature_pointer_text(s, o, gw_cstr(s, p.type_text));
    /* float *const *: what it leads to stays as it is */
    bool rows = s->types.at[o->type].kind == GW_TYPE_POINTER;
    char *full = gw_format("%s%s", is_read_only && !rows ? "const " : "", pointer);
    p.type_text = gw_intern(s, full);
    free(pointer);
    free(full);
    return p;
}

/* What the texture's texels change by, read as they are. */
static void add_texture(gw_tangent *t, uint32_t index) {
    gw_session *s = t->f->session;
    gw_param p = new_param(t, index, 0, true);
    const gw_type type = gw_signature_texture_type(s);
    p.type_text = s->types.at[type].name;
    p.object = gw_object_new(t->f, GW_OBJECT_STRUCT, p.name, type);
    gw_object_at(t->f, p.object)->type_text = p.type_text;
    gw_object_at(t->f, p.object)->is_const = true;
    gw_object_at(t->f, p.object)->loc = p.loc;
    gw_push(&t->f->params, p);
}

/* A number that is passed by value has one for each direction, which the function reads as it begins. */
static void add_number(gw_tangent *t, uint32_t index) {
    const gw_value x = t->primal->params.at[index].value;
    gw_session *s = t->f->session;
    gw_param p = new_param(t, index, 0, true);
    const gw_type type = gw_signature_mirror_type(s, gw_typeof(t->primal, x));
    p.type_text = gw_tangent_directions_text(t, s->types.at[type].name);
    p.object = gw_object_new(t->f, GW_OBJECT_POINTER, p.name, type);
    gw_object_data *o = gw_object_at(t->f, p.object);
    o->type_text = s->types.at[type].name;
    o->is_const = true;
    o->loc = p.loc;
    gw_push(&t->f->params, p);
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        gw_value at = gw_int(&t->b, GW_T_I32, lane);
        gw_value tangent = gw_load(&t->b, p.object, gw_intern(s, "[]"), &at, 1);
        gw_value_at(t->f, tangent)->name = gw_tangent_lane_name(t, t->primal->params.at[index].name, lane);
        gw_map_set(&t->tangent[lane], x, tangent);
    }
}

/* By value where the primal's parameter is; const where the function only reads. */
static void add_tangent(gw_tangent *t, uint32_t index, uint32_t memory) {
    const gw_param x = t->primal->params.at[index];
    gw_func *f = t->f;
    if (x.is_texture) {
        add_texture(t, index);
        return;
    }
    if (x.value && t->directions) {
        add_number(t, index);
        return;
    }
    if (x.value && gw_typeof(t->primal, x.value) == GW_T_ADDRESS) {
        gw_tangent_add_address(t, index);
        return;
    }
    if (x.value) {
        gw_param p = new_param(t, index, memory, false);
        p.value = gw_region_arg(f, f->entry, gw_tangent_type(t, gw_typeof(t->primal, x.value)), p.name);
        gw_map_set(&t->tangent[memory], x.value, p.value);
        gw_push(&f->params, p);
        return;
    }
    const gw_object_data primal = *gw_object_at(t->primal, x.object);
    bool is_read_only = !gw_signature_writes(t->primal, x.object);
    gw_param p = new_param(t, index, memory, is_read_only);
    gw_type cell = gw_signature_cell_type(f->session, &primal);
    gw_object_kind kind = x.is_global || t->directions ? GW_OBJECT_POINTER : primal.kind;
    gw_type type = t->directions || t->pattern ? gw_tangent_pointed_type(t, &primal)
                                               : gw_signature_mirror_type(f->session, cell);
    p.object = gw_object_new(f, kind, p.name, type);
    gw_object_data *o = gw_object_at(f, p.object);
    o->type_text = gw_signature_mirror_text(f->session, primal.type, primal.type_text);
    o->type_text = gw_tangent_block_text(t, o->type_text, type);
    if (!t->second) o->shadow_of = gw_clone_object(&t->c, x.object);
    o->is_container = o->is_reference = primal.is_container;
    o->is_const = is_read_only;
    o->loc = x.loc;
    gw_map_set(&t->shadow[memory], x.object, p.object);
    gw_push(&f->params, p);
}

static gw_type returned_type(const gw_func *f) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].is_result) return gw_object_at(f, f->params.at[i].object)->type;
    return f->return_type;
}

static gw_object add_result(gw_tangent *t, gw_str name) {
    gw_session *s = t->f->session;
    gw_param p = {.name = name, .is_adjoint = true, .primal_index = UINT32_MAX};
    char *text = gw_format("%s *__restrict__", gw_cstr(s, t->primal->return_text));
    p.type_text = gw_intern(s, text);
    free(text);
    char *pattern = gw_format("gw_cell<%s> *", gw_cstr(s, t->primal->return_pattern));
    if (t->primal->template_head) p.pattern = gw_intern(s, pattern);
    free(pattern);
    p.object = gw_object_new(t->f, GW_OBJECT_POINTER, p.name, returned_type(t->primal));
    gw_object_at(t->f, p.object)->type_text = t->primal->return_text;
    gw_push(&t->f->params, p);
    return p.object;
}

static gw_object add_returned(gw_tangent *t, uint32_t memory) {
    return add_result(t, gw_tangent_name(t, gw_intern(t->f->session, "return"), memory));
}

/* ---- one derivative ---- */
static void store_result(gw_tangent *t, gw_object to, uint32_t lane, gw_value value) {
    const gw_value index = gw_int(&t->b, GW_T_I32, lane);
    gw_store(&t->b, to, gw_intern(t->f->session, "[]"), &index, 1, value);
}

static void end_function(gw_tangent *t, const gw_object *returned) {
    gw_op end = gw_region_end(t->primal, t->primal->entry);
    gw_value result = gw_op_at(t->primal, end)->operands ? gw_operand(t->primal, end, 0) : 0;
    t->b.loc = gw_op_at(t->primal, end)->loc;
    if (t->second) {
        gw_value tangent = t->roles.returned ? gw_tangent_or_zero(t, result, 0) : 0;
        gw_emit(&t->b, GW_OP_RET, GW_T_VOID, 0, &tangent, tangent ? 1 : 0);
        return;
    }
    if (t->value) store_result(t, t->value, 0, gw_clone_value(&t->c, result));
    for (uint32_t lane = 0; returned[0] && lane < t->lanes; lane++)
        store_result(t, returned[t->screen ? lane : 0], t->screen ? 0 : lane,
                     gw_tangent_or_zero(t, result, lane));
    if (gw_is_program(t->primal)) result = 0; /* the derivative returns a status */
    gw_value value = result ? gw_clone_value(&t->c, result) : 0;
    gw_emit(&t->b, GW_OP_RET, GW_T_VOID, 0, &value, result ? 1 : 0);
}

static void add_params(gw_tangent *t, const gw_roles *r, gw_object *returned) {
    const uint32_t memories = gw_tangent_memories(t);
    gw_signature_copy(&t->c, t->f);
    for (uint32_t i = 0; i < t->primal->params.count; i++)
        for (uint32_t memory = 0; memory < memories; memory++)
            if (!t->primal->params.at[i].is_result && (r->independent[i] || r->dependent[i]))
                add_tangent(t, i, memory);
    const bool gives_value = gw_is_program(t->primal) && r->returned && !t->second;
    if (gives_value) t->value = add_result(t, gw_intern(t->f->session, "returned"));
    for (uint32_t memory = 0; memory < memories; memory++)
        returned[memory] = r->returned && !t->second ? add_returned(t, memory) : 0;
    for (uint32_t i = 0; i < t->primal->params.count; i++) {
        const gw_param *p = &t->primal->params.at[i];
        for (uint32_t memory = 0; p->is_result && r->dependent[i] && memory < memories; memory++) {
            gw_object tangent = add_returned(t, memory);
            gw_object_at(t->f, tangent)->shadow_of = gw_clone_object(&t->c, p->object);
            gw_map_set(&t->shadow[memory], p->object, tangent);
        }
    }
    for (gw_object o = 1; o < t->primal->objects.count; o++) {
        bool local = gw_object_is_inner(gw_object_at(t->primal, o)->kind) && gw_active_object(&t->activity, o);
        for (uint32_t memory = 0; local && memory < memories; memory++)
            if (!gw_signature_has(t->primal, GW_OP_DECLARE, o)) gw_tangent_add_shadow(t, o, memory);
    }
}

/* Columns of a matrix go several at once, or one by one through calls that stay calls. */
static void settle_columns(const gw_func *primal, gw_request *q) {
    for (gw_op op = 1; q->part_of && (q->directions || q->is_pattern) && op < primal->ops.count; op++) {
        const gw_op_data *o = gw_op_at(primal, op);
        if (o->dead || o->code != GW_OP_CALL) continue;
        if (gw_ask_to_inline(primal->session, primal->symbol, true) || q->is_pattern) continue;
        q->kind = GW_REQUEST_DERIVATIVE;
        q->directions = 0;
    }
}

/* What the request or the source itself is wrong about. */
static bool report(const gw_tangent *t, const gw_request *q) {
    bool good = gw_signature_check(&t->activity, &t->roles);
    good &= gw_check_textures(&t->activity, &t->roles);
    good &= gw_check_atomics(&t->activity, &t->roles, GW_FORM_JVP);
    if (!q->implied) gw_signature_warn_unused(&t->activity, q);
    gw_signature_warn_constants(&t->activity, q);
    good &= gw_check_lost(&t->activity, &t->roles);
    return good;
}

static bool may_end(const gw_func *f) {
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        if (gw_holds_stop(f, op)) return true;
    return false;
}

/* Loops note their winners where the reverse has them do so, so that both modes take the same one of equal
 * numbers: it looks at functions of the host with their cells in registers, and a checkpoint hides no loop from
 * it. A function that may end early has its cells as the user's has them. */
static gw_func *note_winners(gw_func *primal, const gw_request *q) {
    const bool looks_simple = primal->kind == GW_FUNC_HOST && !may_end(primal);
    gw_func *simple = looks_simple ? gw_func_copy(primal) : primal;
    for (gw_op op = 1; op < simple->ops.count; op++)
        if (gw_op_at(simple, op)->code == GW_OP_FOR) gw_op_at(simple, op)->imm.i = 0;
    if (simple != primal) gw_simplify_func(simple);
    const bool found = gw_note_winners(simple, q);
    if (found) gw_clean(simple);
    if (simple == primal) return primal;
    gw_func_free(found ? primal : simple);
    return found ? simple : primal;
}

static bool make_derivative(gw_session *s, uint32_t request) {
    gw_func *primal = gw_func_copy(s->requests.at[request].func);
    gw_drop_marks(primal);
    gw_simplify_in_place(primal);
    const gw_request *asked = &s->requests.at[request];
    const bool is_value = !asked->is_pattern && !gw_request_has_tangents(asked);
    if (is_value) primal = note_winners(primal, asked);
    settle_columns(primal, &s->requests.at[request]);
    const gw_request q = s->requests.at[request];
    gw_tangent t = {.primal = primal,
                    .second = gw_request_has_tangents(&q),
                    .pattern = q.is_pattern,
                    .directions = q.directions,
                    .lanes = q.directions ? q.directions : 1,
                    .screen = q.kind == GW_REQUEST_SCREEN,
                    .f = gw_signature_func(q.func, request, GW_FORM_JVP)};
    if (t.screen) t.lanes = GW_TANGENT_MEMORIES;
    if (!gw_is_program(primal) || t.second) {
        t.f->return_type = q.func->return_type;
        t.f->return_text = q.func->return_text;
    }
    t.b = (gw_builder){.f = t.f, .region = t.f->entry, .loc = primal->loc};
    t.c = (gw_cloner){.from = primal, .to = &t.b};
    gw_roles_find(&t.roles, primal, &q);
    gw_activity_new(&t.activity, primal, &t.roles);
    gw_object returned[GW_TANGENT_MEMORIES] = {0};
    bool good = gw_tangent_check_directions(&t, &q) && gw_tangent_check_pattern(&t, &q);
    add_params(&t, &t.roles, returned);
    if (t.pattern) gw_tangent_find_deciding(&t);
    good &= report(&t, &q);
    gw_tangent_find_users(&t);
    if (gw_is_program(primal)) t.second ? gw_tangent_pair_addresses(&t) : gw_tangent_give_addresses(&t);
    gw_tangent_region(&t, primal->entry);
    end_function(&t, returned);
    gw_clean(t.f);
    if (t.pattern && good) s->requests.at[request].names_entries = gw_tangent_name_entries(&t, &q);
    if (t.second)
        gw_tangent_finish_second(&t, request);
    else
        gw_names_settle(t.f); /* a primal keeps the names that requests have */
    gw_roles_free(&t.roles);
    gw_map_free(&t.c.values);
    gw_map_free(&t.c.objects);
    for (uint32_t lane = 0; lane < t.lanes; lane++)
        gw_map_free(&t.tangent[lane]);
    gw_map_free(&t.form);
    gw_vec_free(&t.forms);
    free(t.user);
    free(t.decides);
    for (uint32_t memory = 0; memory < GW_TANGENT_MEMORIES; memory++)
        gw_map_free(&t.shadow[memory]);
    gw_activity_free(&t.activity);
    gw_func_free(primal);
    return good;
}

/* A program that carries tangents launches kernels that do. */
static bool is_late(const gw_request *q) { return gw_request_has_tangents(q) && gw_is_program(q->func); }

bool gw_pass_tangent(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    for (uint32_t i = 0; i < s->requests.count; i++) { /* calls add requests */
        const gw_request q = s->requests.at[i];
        if (is_late(&q)) continue;
        if (gw_request_is_forward(&q) || gw_request_has_tangents(&q)) good &= make_derivative(s, i);
        if (q.kind == GW_REQUEST_THIRD && good) good &= make_derivative(s, i);
    }
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (is_late(&s->requests.at[i])) good &= make_derivative(s, i);
    return good && !gw_session_failed(s);
}
