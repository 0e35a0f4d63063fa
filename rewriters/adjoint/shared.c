/*
 * adjoint/shared.c - shared memory and barriers in a kernel's derivative.
 *
 * The derivative performs the primal's stores to shared arrays and has its barriers, so shared memory holds in
 * the forward sweep what it held in the primal. A shared array has a shadow of its shape, which the block
 * clears at the start; the reverse sweep has the same barriers in reverse order, so two accesses of a shadow
 * are in one interval only if the primal accesses that they belong to were. Values that were loaded stay in
 * registers.
 *
 * A branch or loop that is run again in the reverse sweep loads again. That is right in two cases, asked for
 * each load at each branch or loop X around it, from the inside out:
 *
 *   staged  what X runs again stores to all cells of the object that it loads. All stores to the object stand
 * inside X, before the load, and each reaches in any iteration of the loops around it and the load, among the
 *           cells that are read there, those that it ever reaches (staging.c). So a cell that is read was
 * stored to in the same run of X, or never: a load of it would be one of uninitialised memory. kept    nothing
 * in X, and nothing behind it in its region, stores to the object: when the reverse sweep comes to X, the
 * object is as it was when X began, if it was then as in the primal - which is the same question for what is
 * around X.
 *
 * Where neither holds, the load must not be needed: it is marked stale in what X runs again. If it is still
 * there once dead code is gone, X is recorded (adjoint/record.c): it runs forward once, and needed values go on
 * a tape. A sum of cells, `s[t] += s[t + o]`, needs none.
 *
 * Before X is run again all threads meet: others may still read what it stores over.
 */
#include "analysis/ir/diagnostics.h"
#include "rewriters/adjoint/adjoint_private.h"
#include "analysis/facts/facts.h"
#include "analysis/prove/prove.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

/* ---- shadows and barriers ---- */
void gw_adjoint_meet(gw_adjoint *a) { gw_emit(&a->b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0); }

void gw_adjoint_clear_shared(gw_adjoint *a) {
    bool any = false;
    for (gw_object o = 1; o < a->primal->objects.count; o++) {
        gw_object shadow = gw_map_get(&a->shadow, o);
        if (!shadow || gw_object_at(a->primal, o)->kind != GW_OBJECT_SHARED) continue;
        gw_op clear = gw_emit(&a->b, GW_OP_CLEAR, GW_T_VOID, 0, NULL, 0);
        gw_op_at(a->f, clear)->object = shadow;
        any = true;
    }
    if (any) gw_adjoint_meet(a);
}

bool gw_adjoint_meets_directly(const gw_func *p, gw_region r) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op))
        if (gw_op_at(p, op)->code == GW_OP_BARRIER) return true;
    return false;
}

void gw_adjoint_meet_before(gw_adjoint *a, gw_op part) {
    const gw_func *p = a->primal;
    if (!gw_holds_block_barrier(p, part)) return;
    for (gw_object o = 1; o < p->objects.count; o++)
        if (gw_object_at(p, o)->kind == GW_OBJECT_SHARED && gw_touches(p, part, o, GW_TOUCH_WRITE)) {
            gw_adjoint_meet(a);
            return;
        }
}

/* ---- size ---- */
enum { MOST_STATIC_BYTES = 48 * 1024 };

uint64_t gw_adjoint_bytes_of(const gw_session *s, gw_type t, uint64_t *alignment) {
    const gw_type_data *d = &s->types.at[t];
    uint64_t own = 1, bytes = 0;
    if (d->kind == GW_TYPE_ARRAY) return gw_adjoint_bytes_of(s, d->element, alignment) * d->count;
    if (d->kind != GW_TYPE_STRUCT) {
        bytes = gw_type_bytes(t);
        if (bytes > *alignment) *alignment = bytes;
        return bytes;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        uint64_t inner = 1, size = gw_adjoint_bytes_of(s, s->fields.at[d->first + i].type, &inner);
        bytes = (bytes + inner - 1) / inner * inner + size;
        if (inner > own) own = inner;
    }
    if (own > *alignment) *alignment = own;
    return (bytes + own - 1) / own * own;
}

/* Static arrays of a kernel, their shadows apart. */
typedef struct taken {
    uint64_t own, shadows;
} taken;

enum { PART_ALIGNMENT = 16 };

/* Room for the object as a part of the launch's memory. */
static uint64_t part_of(const gw_func *f, gw_object o) {
    uint64_t alignment = 1, bytes = gw_adjoint_bytes_of(f->session, gw_object_at(f, o)->type, &alignment);
    return (bytes + PART_ALIGNMENT - 1) / PART_ALIGNMENT * PART_ALIGNMENT;
}

/* `before`: shadows of lower number than that only; 0: all. */
static taken take(const gw_func *f, gw_object before) {
    taken t = {0};
    bool *used = gw_alloc(f->objects.count + 1);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead) used[gw_op_at(f, op)->object] = true;
    for (gw_object o = 1; o < f->objects.count; o++) {
        const gw_object_data *d = gw_object_at(f, o);
        uint64_t alignment = 1;
        if (!used[o] || d->kind != GW_OBJECT_SHARED) continue;
        if (!d->sized && d->shadow_of) t.shadows += !before || o < before ? part_of(f, o) : 0;
        else if (!d->sized) t.own += gw_adjoint_bytes_of(f->session, d->type, &alignment);
    }
    free(used);
    return t;
}

uint64_t gw_adjoint_shared_moved(const gw_func *f) {
    const bool doubles = f->form == GW_FORM_GRAD || f->form == GW_FORM_BWD || f->form == GW_FORM_JVP;
    if (f->kind != GW_FUNC_KERNEL || !doubles) return 0;
    const taken t = take(f, 0);
    return t.own + t.shadows > MOST_STATIC_BYTES ? t.shadows : 0;
}

bool gw_adjoint_shared_place(const gw_func *f, gw_object o, uint64_t *from) {
    const gw_object_data *d = gw_object_at(f, o);
    if (d->kind != GW_OBJECT_SHARED || d->sized || !d->shadow_of || !gw_adjoint_shared_moved(f)) return false;
    *from = take(f, o).shadows;
    return true;
}

uint64_t gw_adjoint_shared_room(const gw_func *f, uint64_t *bytes) {
    const taken t = take(f, 0);
    *bytes = gw_adjoint_shared_moved(f) ? t.own : t.own + t.shadows;
    return *bytes <= MOST_STATIC_BYTES ? MOST_STATIC_BYTES - *bytes : 0;
}

bool gw_adjoint_shared_fits(const gw_func *f) {
    uint64_t sum;
    const uint64_t moved = gw_adjoint_shared_moved(f);
    gw_adjoint_shared_room(f, &sum);
    if (sum <= MOST_STATIC_BYTES && moved) {
        char *bytes = gw_format("%llu", (unsigned long long)moved);
        gw_diag(f->session, GW_DIAG_SHADOWS_IN_LAUNCH, f->loc, bytes);
        free(bytes);
    }
    if (sum <= MOST_STATIC_BYTES) return true;
    char *text = gw_format("%llu", (unsigned long long)sum);
    gw_diag(f->session, GW_DIAG_SHARED_TOO_LARGE, f->loc,
            gw_cstr(f->session, f->primal ? f->primal->name : f->name), text);
    free(text);
    return false;
}

/* ---- may a part be run again? ---- */

void gw_staged_new(gw_staged_answers *s, const gw_func *p) {
    *s = (gw_staged_answers){.first = gw_alloc(p->ops.count * sizeof *s->first)};
}

void gw_staged_free(gw_staged_answers *s) {
    gw_vec_free(&s->list);
    free(s->first);
}

static bool stages_again(gw_staged_answers *s, const gw_func *p, gw_op store, gw_op load) {
    for (uint32_t i = s->first[load]; i; i = s->list.at[i - 1].next)
        if (s->list.at[i - 1].store == store) return s->list.at[i - 1].again;
    const bool again = gw_stages_again(p, store, load) && gw_takes(p->session, GW_OPTIONAL_STAGED_AGAIN);
    const gw_staged answer = {store, again, s->first[load]};
    gw_push(&s->list, answer);
    s->first[load] = s->list.count;
    return answer.again;
}

static bool is_staged(gw_staged_answers *s, const gw_func *p, gw_region r, gw_op load) {
    bool any = false;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        /* adds up */
        if (!o->dead && o->code == GW_OP_ATOMIC && o->object == gw_op_at(p, load)->object) return false;
        if (o->dead || o->code != GW_OP_STORE || o->object != gw_op_at(p, load)->object) continue;
        if (!gw_region_inside(p, o->parent, r) || !gw_comes_before(p, op, load) ||
            !stages_again(s, p, op, load))
            return false;
        any = true;
    }
    return any;
}

static bool is_kept(const gw_func *p, gw_op part, gw_op load) {
    gw_object o = gw_op_at(p, load)->object;
    for (gw_op op = part; op; op = gw_next(p, op))
        if (gw_touches(p, op, o, GW_TOUCH_WRITE)) return false;
    return true;
}

/* The branches and loops that cannot be run again with the load in them; how many there are that were not known
 * as such. `last`: the outermost that is run again, in the second half of a split gradient, which finds nothing
 * in shared memory; else 0. */
static uint32_t judge_load(gw_staged_answers *s, bool *recorded, const gw_func *p, gw_op load, gw_op last) {
    uint32_t found = 0;
    for (gw_op at = load; at != last && gw_op_at(p, at)->parent != p->entry;) {
        gw_region r = gw_op_at(p, at)->parent;
        at = gw_region_at(p, r)->parent;
        if (is_staged(s, p, r, load)) break;
        if (at != last && is_kept(p, at, load)) continue;
        found += !recorded[at];
        recorded[at] = true;
    }
    return found;
}

static bool is_shared_load(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    return !o->dead && o->code == GW_OP_LOAD && gw_object_at(p, o->object)->kind == GW_OBJECT_SHARED;
}

bool gw_adjoint_asks_shared(const gw_choice *c, const gw_func *p) {
    bool *parts = gw_alloc(p->ops.count), any = false;
    for (gw_op op = 1; op < p->ops.count && p->kind == GW_FUNC_KERNEL && !any; op++)
        any = is_shared_load(p, op) && judge_load(c->staged, parts, p, op, 0);
    free(parts);
    return any;
}

gw_op gw_adjoint_unstaged(const gw_func *p, gw_op loop) {
    gw_op found = 0;
    bool *parts = gw_alloc(p->ops.count);
    gw_staged_answers staged;
    gw_staged_new(&staged, p);
    for (gw_op op = 1; op < p->ops.count && !found; op++) {
        if (!is_shared_load(p, op) || !gw_region_inside(p, gw_op_at(p, op)->parent, gw_loop_body(p, loop)))
            continue;
        judge_load(&staged, parts, p, op, 0);
        if (parts[loop]) found = op;
    }
    gw_staged_free(&staged);
    free(parts);
    return found;
}

bool gw_adjoint_record_shared(const gw_choice *c, const gw_func *p, const gw_func *f) {
    uint32_t found = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        gw_op load = is_shared_load(f, op) && gw_adjoint_is_stale(f, op) ? gw_op_at(f, op)->origin : 0;
        gw_op last = load ? gw_adjoint_segments_around(c, p, load) : 0;
        if (load && (last || !c->split)) found += judge_load(c->staged, c->recorded, p, load, last);
    }
    return found != 0;
}

static void mark_load(gw_adjoint *a, gw_op load, gw_region r) {
    const gw_func *p = a->primal;
    bool *parts = gw_alloc(p->ops.count);
    gw_value v = gw_result(p, load, 0), copy = gw_map_get(&a->c.values, v);
    gw_op made = gw_value_at(a->f, copy ? copy : gw_map_get(&a->forward, v))->op;
    gw_op last = gw_adjoint_segments_around(a->choice, p, load);
    judge_load(a->choice->staged, parts, p, load, last);
    for (gw_op part = 0; made && (!last || part != last) && (part = gw_region_at(p, r)->parent) != 0;
         r = gw_op_at(p, part)->parent) {
        if (!parts[part] || gw_op_at(a->f, made)->code != GW_OP_LOAD) continue;
        gw_op_at(a->f, made)->flags |= GW_OP_STALE;
        gw_op_at(a->f, made)->origin = load;
    }
    free(parts);
}

void gw_adjoint_mark_shared(gw_adjoint *a, gw_region r) {
    const gw_func *p = a->primal;
    for (gw_op op = 1; op < p->ops.count && p->kind == GW_FUNC_KERNEL && r != p->entry; op++)
        if (is_shared_load(p, op) && gw_region_inside(p, gw_op_at(p, op)->parent, r)) mark_load(a, op, r);
}

/* ---- names of what a part stages ---- */

/* No load of the object in r sees what was there before; those that might are gone in the end. */
static bool stages_all(gw_staged_answers *s, const gw_func *p, gw_region r, gw_object o) {
    gw_op part = gw_region_at(p, r)->parent;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *d = gw_op_at(p, op);
        bool load = !d->dead && d->code == GW_OP_LOAD && d->object == o && gw_region_inside(p, d->parent, r);
        if (load && !is_staged(s, p, r, op) && is_kept(p, part, op)) return false;
    }
    return true;
}

gw_value_map gw_adjoint_stage_begin(gw_adjoint *a, gw_region r) {
    gw_value_map outer = {0};
    for (gw_object o = 1; o < a->primal->objects.count; o++) {
        if (gw_object_at(a->primal, o)->kind != GW_OBJECT_SHARED ||
            !stages_all(a->choice->staged, a->primal, r, o))
            continue;
        gw_object now = gw_clone_object(&a->c, o);
        const gw_object_data d = *gw_object_at(a->f, now);
        gw_object other = gw_object_new(a->f, d.kind, d.name, d.type);
        *gw_object_at(a->f, other) = d;
        gw_map_set(&outer, o, now);
        gw_map_set(&a->staged, other, now);
        gw_map_set(&a->c.objects, o, other);
    }
    return outer;
}

void gw_adjoint_stage_end(gw_adjoint *a, gw_value_map *outer) {
    for (gw_object o = 1; o < outer->count; o++)
        if (gw_map_get(outer, o)) gw_map_set(&a->c.objects, o, gw_map_get(outer, o));
    gw_map_free(outer);
}

void gw_adjoint_stage_merge(gw_adjoint *a) {
    for (gw_op op = 1; op < a->f->ops.count; op++)
        for (gw_object to; (to = gw_map_get(&a->staged, gw_op_at(a->f, op)->object)) != 0;)
            gw_op_at(a->f, op)->object = to;
    gw_map_free(&a->staged);
}
