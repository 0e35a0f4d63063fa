/*
 * adjoint.c - the adjoint pass: a reverse-mode derivative function for each request.
 *
 * Requires: simplified primal functions, resolved requests. Guarantees: for each request a function of form
 * GRAD, and PULLBACK where the primal returns a value or is called by a differentiated function; parameters
 * in the order of the contract (primal's, seed, adjoints). The derivative performs no store to the primal's
 * memory. The transformation itself is in adjoint/region.c.
 */
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "rewriters/adjoint/recursion_private.h"
#include "analysis/facts/facts.h"
#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/words.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

#define UNKEPT "unneeded" /* slot of values that the reverse sweep must not need */

/* ---- signature ---- */
static gw_value add_seed(gw_adjoint *a) {
    gw_session *s = a->f->session;
    gw_param p = {.name = gw_intern(s, "d_return"), .is_adjoint = true, .primal_index = UINT32_MAX};
    p.type_text = a->primal->return_text;
    p.pattern = a->primal->return_pattern;
    p.value = gw_region_arg(a->f, a->f->entry, a->primal->return_type, p.name);
    gw_push(&a->f->params, p);
    return p.value;
}

/* Seed of a returned struct: one too, by value. It is read where the primal writes the result, once in each
 * cell. */
static void add_struct_seed(gw_adjoint *a, uint32_t index) {
    const gw_param x = a->primal->params.at[index];
    const gw_object_data *result = gw_object_at(a->primal, x.object);
    gw_param p = {.name = gw_intern(a->f->session, "d_return"), .is_adjoint = true, .primal_index = UINT32_MAX};
    p.type_text = a->primal->return_text;
    p.pattern = a->primal->return_pattern;
    p.object = gw_object_new(a->f, GW_OBJECT_STRUCT, p.name, result->type);
    gw_object_at(a->f, p.object)->type_text = result->type_text;
    gw_object_at(a->f, p.object)->shadow_of = gw_clone_object(&a->c, x.object);
    gw_map_set(&a->shadow, x.object, p.object);
    gw_push(&a->f->params, p);
}

/* Whether the request names a number that lies in the parameter itself, not behind a pointer of it. */
static bool names_own_cell(const gw_session *s, gw_type t, const char *path, const gw_request *q,
                           gw_str parameter) {
    const gw_type_data *d = &s->types.at[t];
    bool found = false;
    if (t < GW_T_SCALARS) {
        for (uint32_t i = 0; i < q->dependents.count + q->independents.count; i++) {
            uint32_t k = i - q->dependents.count;
            gw_str name = i < q->dependents.count ? q->dependents.at[i] : q->independents.at[k];
            const char *member = gw_roles_member(s, name, parameter);
            found |= gw_type_is_float(gw_type_of_value(t)) && member && gw_path_in_member(path, member);
        }
    } else if (d->kind == GW_TYPE_ARRAY) {
        found = names_own_cell(s, d->element, path, q, parameter);
    }
    for (uint32_t i = 0; d->kind == GW_TYPE_STRUCT && i < d->count && !found; i++) {
        const gw_field *field = &s->fields.at[d->first + i];
        char *inner = gw_format("%s.%s", path, gw_cstr(s, field->name));
        found = names_own_cell(s, field->type, inner, q, parameter);
        free(inner);
    }
    return found;
}

/* A by-value struct whose named members lie behind its pointers has a by-value adjoint; so has a texture. */
static bool passed_by_value(const gw_adjoint *a, const gw_param *x, const gw_request *q) {
    if (x->is_texture) return true;
    const gw_object_data *o = x->object ? gw_object_at(a->primal, x->object) : NULL;
    return o && o->kind == GW_OBJECT_STRUCT &&
           !names_own_cell(a->f->session, o->type, "", q, gw_param_asked(a->primal, x));
}

/* "d_x"; of what has a tangent "t_d_x", the tangent of d_x: the adjoint of t_x is the gradient itself. So each
 * is called by the directions that its parameter lacks, t and s. */
static gw_str adjoint_name(const gw_adjoint *a, uint32_t index) {
    gw_session *s = a->f->session;
    const gw_param *x = &a->primal->params.at[index];
    static const char *const lacks[] = {"d_", "t_d_", "s_d_", "s_t_d_"};
    return gw_signature_prefixed(s, lacks[gw_param_lacks(a->primal, index)], gw_param_asked(a->primal, x));
}

/* d_x: pointer to the (non-const) element, or to one scalar or struct for a by-value parameter; a struct of
 * pointers by value where that is enough. */
static gw_object add_adjoint_param(gw_adjoint *a, uint32_t index, const gw_request *q) {
    gw_session *s = a->f->session;
    const gw_param x = a->primal->params.at[index];
    const gw_object_data *primal = x.object ? gw_object_at(a->primal, x.object) : NULL;
    gw_str name = adjoint_name(a, index);
    bool by_value = passed_by_value(a, &x, q);
    gw_type type =
        primal ? gw_signature_mirror_type(s, gw_signature_cell_type(s, primal)) : gw_typeof(a->primal, x.value);
    if (x.is_texture) type = gw_signature_texture_type(s);
    gw_object d = gw_object_new(a->f, by_value ? GW_OBJECT_STRUCT : GW_OBJECT_POINTER, name, type);
    gw_object_data *o = gw_object_at(a->f, d);
    o->type_text = primal ? gw_signature_mirror_text(s, primal->type, primal->type_text) : x.type_text;
    if (x.is_texture) o->type_text = s->types.at[type].name;
    if (primal) {
        o->shadow_of = gw_clone_object(&a->c, x.object);
        o->is_container = o->is_reference = primal->is_container;
        gw_map_set(&a->shadow, x.object, d);
    }
    o->loc = x.loc;
    gw_param p = {.name = name, .object = d, .is_adjoint = true, .primal_index = index, .loc = x.loc};
    char *text = by_value ? gw_strdup(gw_cstr(s, o->type_text))
                          : gw_signature_pointer_text(s, primal, gw_cstr(s, o->type_text));
    p.type_text = gw_intern(s, text);
    free(text);
    gw_push(&a->f->params, p);
    return d;
}

/* ---- programs ---- */
/* The adjoint of memory that an address leads to is another address. */
static void add_adjoint_address(gw_adjoint *a, uint32_t index, gw_object part_of) {
    gw_session *s = a->f->session;
    const gw_param x = a->primal->params.at[index];
    const char *text = gw_cstr(s, gw_signature_address_text(s, x.type_text));
    const bool is_const = strncmp(text, "const ", 6) == 0;
    gw_param p = {.name = adjoint_name(a, index), .is_adjoint = true, .part_of = part_of};
    p.is_vector = x.is_vector;
    p.type_text = gw_intern(s, text + 6 * is_const);
    p.primal_index = index;
    p.loc = x.loc;
    p.value = gw_region_arg(a->f, a->f->entry, GW_T_ADDRESS, p.name);
    gw_push(&a->f->params, p);
}

/* Tells of the caller's memory, before anything else; last of what must lead to none of the memory before. */
static void give_addresses(gw_adjoint *a) {
    const gw_func *f = a->f;
    const uint32_t count = gw_is_program(a->primal) ? a->primal->params.count : 0;
    for (uint32_t turn = 0; turn < 2 * count; turn++) {
        const uint32_t i = turn % count;
        const gw_param x = f->params.at[i];
        if (x.is_apart != (turn >= count)) continue;
        if (!x.value || x.is_handle || gw_typeof(f, x.value) != GW_T_ADDRESS) continue;
        gw_value pair[2] = {x.value, 0};
        for (uint32_t k = 0; k < f->params.count; k++)
            if (f->params.at[k].is_adjoint && f->params.at[k].primal_index == i)
                pair[1] = f->params.at[k].value;
        if (!pair[1]) pair[1] = gw_int(&a->b, GW_T_ADDRESS, 0);
        gw_op op = gw_emit(&a->b, GW_OP_DEVICE, GW_T_VOID, 0, pair, 2);
        const gw_device input = a->roles.dependent[i] ? GW_DEVICE_KEPT : GW_DEVICE_INPUT;
        gw_op_at(a->f, op)->attr = (uint16_t)(a->roles.independent[i] ? input : GW_DEVICE_GIVEN);
    }
}

/* ---- local shadows ---- */
void gw_adjoint_make_shadows(gw_adjoint *a) {
    const gw_func *p = a->primal;
    for (gw_object o = 1; o < p->objects.count; o++) {
        const gw_object_data *x = gw_object_at(p, o);
        if (!gw_object_is_inner(x->kind) || !gw_active_object(&a->activity, o)) continue;
        gw_session *s = a->f->session;
        gw_object d = gw_object_new(a->f, x->kind, gw_signature_prefixed(s, "d_", x->name),
                                    gw_signature_mirror_type(s, x->type));
        gw_object_at(a->f, d)->type_text = gw_signature_mirror_text(s, x->type, x->type_text);
        gw_object_at(a->f, d)->shadow_of = gw_clone_object(&a->c, o);
        gw_object_at(a->f, d)->zeroed = x->kind == GW_OBJECT_LOCAL;
        gw_object_at(a->f, d)->sized = x->sized;
        gw_map_set(&a->shadow, o, d);
        if (x->kind == GW_OBJECT_LOCAL && !gw_signature_has(p, GW_OP_DECLARE, o))
            gw_adjoint_declare_shadow(a, o);
    }
    gw_adjoint_clear_shared(a);
}

/* ---- checks ---- */
/* The primal's stores that came along inside cloned branches and loops, where they are not undone; where they
 * are, no load is stale. */
static void drop_primal_stores(gw_adjoint *a) {
    for (gw_object o = 1; o < a->primal->objects.count; o++) {
        gw_object copy = gw_clone_object(&a->c, o);
        if (gw_object_is_inner(gw_object_at(a->f, copy)->kind)) continue;
        for (gw_op op = 1; op < a->f->ops.count; op++) {
            gw_op_data *d = gw_op_at(a->f, op);
            if (d->dead || d->object != copy) continue;
            if (d->flags & GW_OP_WRITES) d->flags |= GW_OP_UNSURE; /* the call must not run */
            if (a->choice->undone[o] || a->choice->split) d->flags = (uint16_t)(d->flags & ~GW_OP_STALE);
            else if (d->code == GW_OP_STORE || d->code == GW_OP_ATOMIC) gw_op_remove(a->f, op);
        }
    }
}

/* After cleaning: what is still read must be readable. */
static bool check_needed(const gw_func *f) {
    gw_session *s = f->session;
    bool good = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool address = o->code == GW_OP_ADDRESS;
        if (!o->dead && address && o->flags & GW_OP_UNSURE) {
            gw_diag(s, GW_DIAG_CALL_WRITES, o->loc, gw_cstr(s, gw_object_at(f, o->object)->name));
            good = false;
        } else if (!address && gw_adjoint_is_stale(f, op)) { /* of addresses, once all pullbacks are there */
            gw_diag(s, GW_DIAG_STALE_VALUE, o->loc, gw_cstr(s, gw_object_at(f, o->object)->name));
            good = false;
        }
        if (gw_adjoint_is_hidden(f, op)) {
            gw_diag(s, GW_DIAG_ATOMIC_RESULT, o->loc);
            good = false;
        }
        if (gw_adjoint_is_unkept(f, op)) {
            gw_diag(s, GW_DIAG_INTERNAL, o->loc, "the reverse sweep needs a value that was not kept");
            good = false;
        }
    }
    return good;
}

/* Once all pullbacks are there: what calls read must be readable too. */
static bool check_calls(const gw_func *f) {
    gw_session *s = f->session;
    bool good = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool unread = !(o->flags & GW_OP_READS) || o->flags & GW_OP_UNSURE;
        if (o->code != GW_OP_ADDRESS || !gw_adjoint_is_stale(f, op) || unread) continue;
        gw_diag(s, GW_DIAG_STALE_VALUE, o->loc, gw_cstr(s, gw_object_at(f, o->object)->name));
        good = false;
    }
    return good;
}

bool gw_adjoint_is_unkept(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_POP &&
           gw_object_at(f, o->object)->name == gw_intern(f->session, UNKEPT);
}

/* ---- one derivative ---- */
static void count_uses(gw_adjoint *a) {
    const gw_func *p = a->primal;
    a->uses = gw_alloc((p->values.count + 1) * sizeof *a->uses);
    a->divisions = gw_alloc((p->values.count + 1) * sizeof *a->divisions);
    for (gw_op op = 1; op < p->ops.count; op++) {
        if (!gw_op_at(p, op)->dead && gw_op_at(p, op)->code == GW_OP_DIV) a->divisions[gw_operand(p, op, 1)]++;
        bool uses = !gw_op_at(p, op)->dead && !gw_is_mark(p, op);
        for (uint32_t i = 0; uses && i < gw_op_at(p, op)->operands; i++) a->uses[gw_operand(p, op, i)]++;
    }
}

static void free_state(gw_adjoint *a) {
    gw_adjoint_free_nests(a);
    for (gw_op op = 0; op < a->primal->ops.count; op++) {
        gw_vec_free(&a->kept[op].slots);
        gw_vec_free(&a->kept[op].iteration);
        gw_vec_free(&a->kept[op].iteration_slots);
        gw_vec_free(&a->kept[op].copied);
        gw_vec_free(&a->kept[op].copies);
        gw_vec_free(&a->kept[op].stored);
        gw_vec_free(&a->kept[op].stored_objects);
        gw_vec_free(&a->kept[op].marked);
        gw_vec_free(&a->kept[op].marked_slots);
        gw_vec_free(&a->kept[op].handed);
        gw_vec_free(&a->kept[op].handed_slots);
    }
    gw_vec_free(&a->rounded);
    free(a->kept);
    free(a->uses);
    free(a->divisions);
    gw_map_free(&a->vanishing);
    gw_map_free(&a->c.values);
    gw_map_free(&a->c.objects);
    gw_map_free(&a->adjoint);
    gw_map_free(&a->forward);
    gw_map_free(&a->pinned);
    gw_vec_free(&a->frames);
    gw_vec_free(&a->segmented);
    gw_map_free(&a->outputs);
    gw_vec_free(&a->states);
    gw_vec_free(&a->resumes);
    gw_vec_free(&a->unkept);
    gw_map_free(&a->shadow);
    gw_activity_free(&a->activity);
    gw_roles_free(&a->roles);
}

/* The adjoint of the struct that the address lies in. */
static gw_object adjoint_struct(const gw_adjoint *a, const gw_param *x, const gw_object *adjoints) {
    gw_object found = 0;
    for (uint32_t i = 0; i < a->primal->params.count; i++)
        if (x->part_of && a->primal->params.at[i].object == x->part_of) found = adjoints[i];
    return found;
}

static void add_params(gw_adjoint *a, const gw_request *q, gw_object *scalar_adjoints, gw_value *seed) {
    const gw_roles *r = &a->roles;
    gw_signature_copy(&a->c, a->f);
    if (q->kind == GW_REQUEST_ERROR) { /* the terms are added to as adjoints are */
        gw_param *terms = &a->f->params.at[a->f->params.count - 1];
        terms->is_adjoint = true;
        terms->primal_index = a->f->params.count - 1;
    }
    if ((a->f->form == GW_FORM_PULLBACK || a->choice->split) && r->returned) *seed = add_seed(a);
    for (uint32_t i = 0; i < a->primal->params.count; i++)
        if (a->primal->params.at[i].is_result && r->dependent[i]) add_struct_seed(a, i);
    for (unsigned lacks = 0; lacks <= GW_ALONG_BOTH; lacks++) /* the gradient stands before its tangents */
        for (uint32_t i = 0; i < a->primal->params.count; i++) {
            const gw_param *x = &a->primal->params.at[i];
            if (gw_param_lacks(a->primal, i) != lacks) continue;
            if (x->is_result || (!r->independent[i] && !r->dependent[i])) continue;
            if (x->value && gw_typeof(a->primal, x->value) == GW_T_ADDRESS)
                add_adjoint_address(a, i, adjoint_struct(a, x, scalar_adjoints));
            else scalar_adjoints[i] = add_adjoint_param(a, i, q);
        }
}

void gw_adjoint_end(gw_adjoint *a, const gw_object *adjoints) {
    for (uint32_t i = 0; i < a->primal->params.count; i++) {
        gw_value x = a->primal->params.at[i].value;
        gw_value g = x && adjoints[i] ? gw_adjoint_of(a, x) : 0;
        if (!g) continue;
        a->b.loc = a->primal->params.at[i].loc;
        gw_value index = gw_int(&a->b, GW_T_I32, 0);
        gw_accum(&a->b, adjoints[i], gw_intern(a->f->session, "[]"), &index, 1, g);
    }
}

/* What a request or the source itself is wrong about; recorded once, however often the derivative is built. */
static bool report(gw_adjoint *a, const gw_request *q) {
    bool good = gw_signature_check(&a->activity, &a->roles);
    good &= gw_check_textures(&a->activity, &a->roles);
    /* a Hessian may well be zero, the tangent pass has looked at the gradient; rounding has no inputs */
    const bool has_inputs = !gw_request_has_tangents(q) && q->kind != GW_REQUEST_ERROR;
    if (a->f->form == GW_FORM_GRAD && has_inputs) gw_signature_warn_unused(&a->activity, q);
    gw_signature_warn_constants(&a->activity, q);
    good &= gw_check_lost(&a->activity, &a->roles);
    good &= gw_adjoint_check_calls(a);
    if (a->choice->split) good &= gw_adjoint_check_split(a->primal);
    /* a program does not keep for the second half what such memory holds when the kernel has ended */
    const gw_form atomics = a->choice->split && !q->halves ? GW_FORM_BWD : a->f->form;
    good &= gw_check_atomics(&a->activity, &a->roles, atomics);
    return good;
}

gw_func *gw_adjoint_build(gw_session *s, uint32_t request, gw_form form, const gw_choice *choice, bool *good) {
    const gw_request q = s->requests.at[request];
    gw_adjoint a = {.primal = q.func, .f = gw_signature_func(q.func, request, form), .choice = choice};
    a.b = (gw_builder){.f = a.f, .region = a.f->entry, .loc = q.func->loc};
    a.c = (gw_cloner){.from = q.func, .to = &a.b, .pinned = &a.pinned};
    a.kept = gw_alloc(q.func->ops.count * sizeof *a.kept);
    count_uses(&a);
    gw_roles_find(&a.roles, q.func, &q);
    gw_activity_new(&a.activity, q.func, &a.roles);
    if (q.kind == GW_REQUEST_ERROR) gw_rounding_rows(q.func, &a.rounded);
    gw_object *adjoints = gw_alloc((q.func->params.count + 1) * sizeof *adjoints);
    gw_value seed = 0;
    add_params(&a, &q, adjoints, &seed);
    a.poison = gw_object_new(a.f, GW_OBJECT_TAPE, gw_intern(s, UNKEPT), GW_T_F64);
    if (good) *good = report(&a, &q);
    if (!choice->no_nests) gw_adjoint_find_nests(&a);
    if (choice->split) {
        gw_adjoint_split(&a, adjoints, seed);
    } else {
        give_addresses(&a);
        gw_adjoint_make_shadows(&a);
        if (a.roles.returned && !seed) seed = gw_real(&a.b, q.func->return_type, 1);
        gw_adjoint_region(&a, q.func->entry, &seed, a.roles.returned, 0);
        gw_adjoint_end(&a, adjoints);
    }
    gw_emit(&a.b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    if (!choice->split) gw_adjoint_hide_results(&a);
    drop_primal_stores(&a);
    gw_adjoint_segments_clean(&a);
    gw_drop_marks(a.f);
    gw_rounding_drop(a.f);
    gw_clean(a.f);
    if (choice->survey) gw_storage_confirm(&a);
    gw_adjoint_stage_merge(&a);
    if (!choice->split) gw_adjoint_hand_over(a.f);
    gw_clean(a.f);
    gw_names_settle(a.f);
    if (good) *good &= gw_adjoint_check_outputs(&a, &q);
    if (good) *good &= gw_marks_check(&a) && check_needed(a.f) && gw_adjoint_shared_fits(a.f);
    free(adjoints);
    free_state(&a);
    return a.f;
}

static bool make_derivative(gw_session *s, uint32_t request, gw_form form) {
    gw_choice choice;
    bool good;
    gw_choice_make(&choice, s, request, form);
    gw_adjoint_build(s, request, form, &choice, &good);
    gw_choice_free(&choice);
    return good;
}

/* ---- launches of programs ---- */

/* Only of these a joined gradient may need what is not there any more. */
static bool may_overwrite(const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (!o->dead && ((o->code == GW_OP_ATOMIC && o->results) || gw_adjoint_is_stale(p, op))) return true;
    }
    return false;
}

static bool lacks_value(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_adjoint_is_stale(f, op) || gw_adjoint_is_hidden(f, op)) return true;
    return false;
}

/* A gradient that needs what its kernel overwrites, of a kernel that programs launch: these run its first half
 * forward. Users who ask for the gradient themselves get no other than that. */
static bool needs_halves(gw_session *s, uint32_t request) {
    const gw_request *q = &s->requests.at[request];
    if (!q->is_made || gw_request_is_split(q) || !may_overwrite(q->func)) return false;
    for (uint32_t i = 0; i < q->func->launch.count; i++)
        if (q->func->launch.at[i].or_atomic) return false; /* another gradient may stand in its place */
    gw_choice choice;
    gw_choice_make(&choice, s, request, GW_FORM_GRAD);
    const gw_func *f = gw_adjoint_build(s, request, GW_FORM_GRAD, &choice, NULL);
    const bool lacks = lacks_value(f);
    gw_func_free(s->funcs.at[--s->funcs.count]);
    gw_choice_free(&choice);
    return lacks;
}

/* The user's own halves of the kernel have the names that it would have. */
static void make_halves(gw_session *s, uint32_t request) {
    gw_request *q = &s->requests.at[request];
    q->halves = true;
    bool is_taken = false;
    for (uint32_t i = 0; i < s->requests.count && !q->name; i++) {
        const gw_request *r = &s->requests.at[i];
        const bool is_alike = i != request && r->func && r->func->name == q->func->name;
        is_taken |= is_alike && gw_request_is_split(r) && !r->name;
    }
    if (!is_taken) return;
    char *text = gw_format("%s_launched", gw_cstr(s, q->func->name));
    q->name = gw_intern(s, text);
    free(text);
}

void gw_shape_rescaled(gw_func *primal, const gw_request *q) {
    if (gw_turn_rescaled(primal, q)) gw_clean(primal);
}

void gw_shape_winners(gw_func *primal, const gw_request *q) {
    if (gw_note_winners(primal, q)) gw_clean(primal);
}

/* What brings a primal into shape for one request, before its derivative is built: the rows GW_SHAPE of the
 * pipeline. */
static void (*const shapes[])(gw_func *, const gw_request *) = {
#define GW_PASS(name, function, needs, makes, after, because, says)
#define GW_GROUP(name, on, needs, makes, after, because, says)
#define GW_STEP(function, because)
#define GW_SHAPE(function, because) function,
#include "analysis/ir/passes.def"
#undef GW_PASS
#undef GW_GROUP
#undef GW_STEP
#undef GW_SHAPE
};

/* A gradient for launches of which a fact is not true that is stated "or atomic". */
static void ask_for_any_launch(gw_session *s, uint32_t request) {
    const gw_request *q = &s->requests.at[request];
    bool wanted = false;
    for (uint32_t i = 0; i < q->func->launch.count; i++) wanted |= q->func->launch.at[i].or_atomic;
    const bool joined = q->kind == GW_REQUEST_GRADIENT || gw_request_has_tangents(q);
    if (!wanted || !joined || q->implied) return;
    char *text = q->name ? gw_format("%s_or_atomic", gw_cstr(s, q->name))
                         : gw_format("%s_grad_or_atomic", gw_cstr(s, q->func->name));
    const uint32_t made = gw_request_beside(s, request, gw_intern(s, text));
    s->requests.at[made].any_launch = true;
    free(text);
}

bool gw_pass_adjoint(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    for (uint32_t i = 0, count = s->requests.count; i < count; i++) ask_for_any_launch(s, i);
    for (uint32_t i = 0; i < s->requests.count; i++) { /* calls add requests */
        const gw_func *p = s->requests.at[i].func;
        if (!gw_request_is_swept(&s->requests.at[i])) continue; /* the tangent pass has done it */
        for (uint32_t k = 0; k < GW_COUNT_OF(shapes); k++)
            shapes[k](s->requests.at[i].func, &s->requests.at[i]);
        bool requested = !s->requests.at[i].implied;
        bool called = p->return_type != GW_T_VOID && !s->requests.at[i].dependents.count;
        called &= s->requests.at[i].kind == GW_REQUEST_GRADIENT && !gw_is_program(p);
        if (!requested || called) good &= make_derivative(s, i, GW_FORM_PULLBACK);
        if (requested && needs_halves(s, i)) make_halves(s, i);
        if (requested) good &= make_derivative(s, i, GW_FORM_GRAD);
    }
    gw_narrow_effects(s, true);
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->form == GW_FORM_GRAD || s->funcs.at[i]->form == GW_FORM_PULLBACK)
            good &= check_calls(s->funcs.at[i]);
    return good && !gw_session_failed(s);
}
