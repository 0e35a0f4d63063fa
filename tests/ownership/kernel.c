/* kernel.c - building kernels for the ownership tests (contract: kernel.h). */
#include "kernel.h"

#include "analysis/ir/passes.h"
#include "analysis/ir/promises.h"

#include <stdlib.h>
#include <string.h>

static gw_object pointer(kernel *k, gw_func *f, const char *name, gw_type t, gw_object shadow_of) {
    gw_object o = gw_object_new(f, GW_OBJECT_POINTER, gw_intern(k->s, name), t);
    gw_object_at(f, o)->shadow_of = shadow_of;
    gw_push(&f->params, ((gw_param){.name = gw_intern(k->s, name), .object = o, .is_adjoint = name[1] == '_'}));
    return o;
}

static V parameter(kernel *k, gw_func *f, const char *name, gw_type t) {
    V v = gw_region_arg(f, f->entry, t, gw_intern(k->s, name));
    gw_push(&f->params, ((gw_param){.name = gw_intern(k->s, name), .value = v}));
    return v;
}

static void declare(kernel *k, gw_func *f) {
    k->x = pointer(k, f, "x", GW_T_F32, 0);
    k->y = pointer(k, f, "y", GW_T_F32, 0);
    k->list = pointer(k, f, "list", GW_T_I32, 0);
    k->n = parameter(k, f, "n", GW_T_I32);
    k->w = parameter(k, f, "w", GW_T_I32);
    k->h = parameter(k, f, "h", GW_T_I32);
    k->k = parameter(k, f, "k", GW_T_I32);
    k->m = parameter(k, f, "m", GW_T_U32);
    parameter(k, f, "scale", GW_T_F32);
    k->b = (gw_builder){.f = f, .region = f->entry};
    k->next = k->next_guard = 0;
}

/* x is an array of structs where a test says so by its paths; the cell type is all that the builder needs. */
static gw_type cell_type(kernel *k) {
    gw_field fields[] = {{gw_intern(k->s, "a"), GW_T_F32, 0, 0, 0, false},
                         {gw_intern(k->s, "b"), GW_T_F32, 0, 0, 0, false},
                         {gw_intern(k->s, "v"), gw_type_array(k->s, GW_T_F32, 4), 0, 0, 0, false}};
    return gw_type_struct(k->s, gw_intern(k->s, "cell"), fields, 3, (gw_layout){0});
}

void kernel_build(kernel *k, void (*body)(kernel *k)) {
    *k = (kernel){0};
    k->s = k->run.session = gw_session_new();
    k->primal = gw_func_new(k->s, "f", GW_FUNC_KERNEL);
    declare(k, k->primal);
    body(k);
    gw_emit(&k->b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    k->grad = gw_func_new(k->s, "f_grad", GW_FUNC_KERNEL);
    k->grad->form = GW_FORM_GRAD;
    k->grad->primal = k->primal;
    declare(k, k->grad);
    k->d_x = pointer(k, k->grad, "d_x", GW_T_F32, k->x);
    k->d_y = pointer(k, k->grad, "d_y", GW_T_F32, k->y);
    k->scalar = pointer(k, k->grad, "d_scale", GW_T_F32, 0);
    body(k);
    gw_emit(&k->b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
}

bool kernel_decide(kernel *k) { return gw_pass_ownership(&k->run); }

void kernel_free(kernel *k) {
    gw_vec_free(&k->origins);
    gw_vec_free(&k->guards);
    gw_vec_free(&k->refs);
    gw_vec_free(&k->open);
    gw_session_free(k->s);
}

const gw_func *kernel_check(const kernel *k) {
    for (uint32_t i = 0; i < k->s->funcs.count; i++)
        if (k->s->funcs.at[i]->form == GW_FORM_CHECK) return k->s->funcs.at[i];
    return NULL;
}

const char *kernel_note_of(const kernel *k, gw_op op) {
    const gw_op_data *o = gw_op_at(k->grad, op);
    gw_text note = {0};
    gw_decision_note(k->s, o->attr, &o->decision, 1, &note);
    gw_str text = gw_intern(k->s, note.at);
    gw_text_free(&note);
    return gw_cstr(k->s, text);
}

const char *kernel_note(const kernel *k, uint32_t ref) {
    return kernel_note_of(k, k->refs.at[ref]);
}

/* ---- values ---- */
V num(kernel *k, int64_t value) { return gw_int(&k->b, GW_T_I32, value); }
V thread_idx(kernel *k, unsigned axis) { return gw_special_value(&k->b, GW_THREAD_IDX, axis); }
V block_idx(kernel *k, unsigned axis) { return gw_special_value(&k->b, GW_BLOCK_IDX, axis); }
V block_dim(kernel *k, unsigned axis) { return gw_special_value(&k->b, GW_BLOCK_DIM, axis); }
V grid_dim(kernel *k, unsigned axis) { return gw_special_value(&k->b, GW_GRID_DIM, axis); }
V as(kernel *k, gw_type t, V v) { return gw_cast(&k->b, t, v); }

static gw_type promoted(gw_type t) { return t == GW_T_BOOL || gw_type_bits(t) < 32 ? GW_T_I32 : t; }

V op2(kernel *k, gw_opcode code, V a, V b) {
    gw_type s = gw_typeof(k->b.f, a), t = gw_typeof(k->b.f, b);
    if (s == GW_T_BOOL && t == GW_T_BOOL) return gw_binary(&k->b, code, a, b);
    s = promoted(s);
    t = promoted(t);
    gw_type wide = s > t ? s : t; /* I32 < U32 < I64 < U64 in types.def, which is C's rank here */
    return gw_binary(&k->b, code, gw_cast(&k->b, wide, a), gw_cast(&k->b, wide, b));
}

V linear(kernel *k, unsigned axis, const char *name) {
    V i = as(k, GW_T_I32, add(k, mul(k, block_idx(k, axis), block_dim(k, axis)), thread_idx(k, axis)));
    gw_value_at(k->b.f, i)->name = gw_intern(k->s, name);
    return i;
}

/* ---- control ---- */
static void open_guard(kernel *k, gw_op op) {
    gw_push(&k->open, op);
    if (k->b.f == k->primal) gw_push(&k->guards, op);
    else if (k->next_guard < k->guards.count) gw_op_at(k->b.f, op)->origin = k->guards.at[k->next_guard++];
}

void begin_if(kernel *k, V condition) {
    gw_op op = gw_emit(&k->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    open_guard(k, op);
    k->b.region = gw_region_new(k->b.f, op);
}

void otherwise(kernel *k) {
    gw_yield(&k->b, NULL, 0);
    k->b.region = gw_region_new(k->b.f, k->open.at[k->open.count - 1]);
}

void end_if(kernel *k) {
    gw_op op = k->open.at[k->open.count - 1];
    if (gw_op_at(k->b.f, op)->regions == 1) otherwise(k);
    gw_yield(&k->b, NULL, 0);
    k->b.region = gw_op_at(k->b.f, op)->parent;
    k->open.count--;
}

V choose(kernel *k, V condition, V a, V b) {
    return gw_select(&k->b, condition, a, as(k, gw_typeof(k->b.f, a), b));
}

void begin_choice(kernel *k, V condition) { begin_if(k, condition); }

void other_choice(kernel *k, V value) {
    gw_op op = k->open.at[k->open.count - 1];
    gw_yield(&k->b, &value, 1);
    gw_op_add_result(k->b.f, op, gw_typeof(k->b.f, value), gw_intern(k->s, "chosen"));
    k->b.region = gw_region_new(k->b.f, op);
}

V end_choice(kernel *k, V value) {
    gw_op op = k->open.at[--k->open.count];
    V chosen = gw_result(k->b.f, op, 0);
    value = as(k, gw_typeof(k->b.f, chosen), value);
    gw_yield(&k->b, &value, 1);
    k->b.region = gw_op_at(k->b.f, op)->parent;
    return chosen;
}

V begin_for(kernel *k, V lo, V hi, V step, gw_opcode compare) {
    gw_op op = gw_emit(&k->b, GW_OP_FOR, GW_T_VOID, 0, (gw_value[]){lo, hi, step}, 3);
    gw_op_at(k->b.f, op)->attr = (uint16_t)compare;
    open_guard(k, op);
    k->b.region = gw_region_new(k->b.f, op);
    return gw_region_arg(k->b.f, k->b.region, gw_typeof(k->b.f, lo), gw_intern(k->s, "j"));
}

void end_for(kernel *k) {
    gw_yield(&k->b, NULL, 0);
    k->b.region = gw_op_at(k->b.f, k->open.at[--k->open.count])->parent;
}

/* ---- accesses ---- */
static void remember(kernel *k, gw_op op) {
    if (k->b.f == k->primal) {
        gw_push(&k->origins, op);
        return;
    }
    gw_op_at(k->b.f, op)->origin = k->origins.at[k->next];
    gw_push(&k->refs, op);
}

static void set_line(kernel *k) { k->b.loc.line = 10 + k->next; }

static void read_cell(kernel *k, gw_object of, gw_object adjoint, const char *path, const V *idx, uint32_t n) {
    gw_str p = gw_intern(k->s, path);
    set_line(k);
    if (k->b.f == k->primal)
        remember(k, gw_value_at(k->b.f, gw_load(&k->b, of, p, idx, n))->op);
    else
        remember(k, gw_accum(&k->b, adjoint, p, idx, n, gw_real(&k->b, GW_T_F32, 1)));
    k->next++;
}

void use2(kernel *k, const char *path, V index, V second) {
    if (strcmp(path, "[]") != 0) {
        gw_object_at(k->b.f, k->x)->type = cell_type(k);
        if (k->b.f == k->grad) gw_object_at(k->b.f, k->d_x)->type = cell_type(k);
    }
    read_cell(k, k->x, k->d_x, path, (V[]){index, second}, second ? 2 : 1);
}

void use_y(kernel *k, V index) { read_cell(k, k->y, k->d_y, "[]", &index, 1); }

void use(kernel *k, V index) { use2(k, "[]", index, 0); }

void define(kernel *k, V index) {
    gw_str p = gw_intern(k->s, "[]");
    V one = gw_real(&k->b, GW_T_F32, 1);
    set_line(k);
    if (k->b.f == k->primal) {
        remember(k, gw_store(&k->b, k->y, p, &index, 1, one));
    } else {
        remember(k, gw_value_at(k->b.f, gw_load(&k->b, k->d_y, p, &index, 1))->op);
        remember(k, gw_store(&k->b, k->d_y, p, &index, 1, one));
    }
    k->next++;
}

void use_scalar(kernel *k) {
    if (k->b.f == k->primal) return;
    V zero = num(k, 0);
    gw_op op = gw_accum(&k->b, k->scalar, gw_intern(k->s, "[]"), &zero, 1, gw_real(&k->b, GW_T_F32, 1));
    gw_push(&k->refs, op);
}

void promise(kernel *k, gw_promise_kind kind) {
    gw_promise p = {.kind = kind, .name = gw_intern(k->s, "list")};
    if (k->b.f == k->primal) gw_push(&k->primal->promises, p);
}

V list_at(kernel *k, V index) { return gw_load(&k->b, k->list, gw_intern(k->s, "[]"), &index, 1); }
