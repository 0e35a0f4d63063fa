/*
 * row_calls.c - calls of what is emitted for a row's kernel (contract: row_private.h).
 *
 * What a function takes follows from the kernel: its launch, its arguments, those of the derivative, its
 * workspace. That the function takes the same is looked at before it is called.
 */
#include "row_private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 96 };

typedef struct list {
    void *values[MOST];
    size_t sizes[MOST], count;
    const gw_row_type *types[MOST]; /* of one of the kernel's: its own; of a pointer beside it: the element's */
    bool beside[MOST];
    void *stream, *sizes_at;
    size_t told[sizeof((gw_row_launch *)0)->told / sizeof(size_t)];
} list;

static void add(list *l, const void *value, size_t size) {
    if (l->count == MOST) return;
    l->values[l->count] = (void *)(uintptr_t)value;
    l->sizes[l->count++] = size;
}

static const gw_row_type *element_of(const gw_row_state *s, size_t param) {
    const gw_row_type *type = s->kernel->params[param];
    return s->row->roles[param].content == GW_ROW_VALUE ? type : type->element;
}

static void add_shape(const gw_row_state *s, list *l) {
    add(l, s->row->where.grid, sizeof s->row->where.grid);
    add(l, s->row->where.block, sizeof s->row->where.block);
}

static void add_launch(const gw_row_state *s, list *l) {
    add_shape(s, l);
    add(l, &s->row->where.shared, sizeof(size_t));
    add(l, &l->stream, sizeof l->stream);
}

static void add_arguments(const gw_row_state *s, list *l) {
    for (size_t i = 0; i < s->f.count; i++) {
        const gw_check_param *p = &s->f.params[i];
        l->types[l->count] = s->kernel->params[i];
        add(l, p->role == GW_CHECK_VALUE ? (const void *)p->data : (const void *)&p->data,
            s->kernel->params[i]->size);
    }
}

/* In directions of several, what is by value is a pointer too. */
static void add_shadows(const gw_row_state *s, list *l, unsigned char *const *shadows, bool of_any_type) {
    for (size_t i = 0; shadows && i < s->f.count; i++) {
        if (!s->f.params[i].named) continue;
        l->beside[l->count] = true;
        l->types[l->count] = of_any_type ? NULL : element_of(s, i);
        add(l, &shadows[i], sizeof shadows[i]);
    }
}

static void add_tangents(const gw_row_state *s, list *l, unsigned char *const *shadows) {
    for (size_t i = 0; shadows && i < s->f.count; i++) {
        if (!s->f.params[i].named) continue;
        l->beside[l->count] = !s->along[i];
        l->types[l->count] = element_of(s, i);
        if (s->along[i])
            add(l, s->along[i], s->kernel->params[i]->size);
        else
            add(l, &shadows[i], sizeof shadows[i]);
    }
}

static void add_told(const gw_row_state *s, list *l) {
    for (size_t i = 0; i < s->row->where.told_count; i++)
        add(l, &s->row->where.told[i], sizeof(size_t));
}

static bool goes(const list *l, const gw_row_function *f) {
    if (!f->call || f->count != l->count) return false;
    for (size_t i = 0; i < l->count; i++) {
        const gw_row_type *wanted = f->params[i];
        if (wanted->size != l->sizes[i]) return false;
        if (l->types[i] && (l->beside[i] ? wanted->element : wanted) != l->types[i]) return false;
    }
    return true;
}

static bool call(const gw_row_state *s, const gw_row_function *f, const list *l, void *result) {
    const bool good = goes(l, f);
    if (good)
        f->call(f->function, l->values, result);
    else
        gw_row_fail(
            s, "a function of the gradient takes %zu arguments, and not the %zu that follow from its kernel",
            f->count, l->count);
    return good;
}

void gw_row_run_primal(const gw_row_state *s) {
    list l = {0};
    add_arguments(s, &l);
    gw_row_start(s->kernel->function, &s->row->where, l.values);
}

/* What the host says, or what is read from sizes that a launch has measured. */
bool gw_row_size(const gw_row_state *s, const gw_row_function *f, const gw_row_function *measure, size_t *out) {
    list l = {0}, reads = {0};
    if (!f->function) return *out = 0, true;
    if (!measure->function) {
        add_shape(s, &l), add_arguments(s, &l), add_told(s, &l);
        return call(s, f, &l, out);
    }
    gw_row_bytes sizes = gw_row_make_bytes(sizeof(gw_sizes));
    gw_status status = GW_OK;
    add_launch(s, &l), add_arguments(s, &l);
    add(&l, &sizes.at, sizeof sizes.at);
    add(&reads, &sizes.at, sizeof sizes.at);
    add(&reads, &reads.stream, sizeof reads.stream);
    bool good = call(s, measure, &l, &status);
    *out = 0;
    if (good && status == GW_OK) good = call(s, f, &reads, out);
    gw_row_free(sizes.at);
    return good;
}

bool gw_row_second_size(const gw_row_state *s, unsigned char *const *tangents, size_t *out) {
    list l = {0};
    add_shape(s, &l), add_arguments(s, &l), add_tangents(s, &l, tangents);
    return call(s, &s->row->second_workspace, &l, out);
}

bool gw_row_call_status(const gw_row_state *s, gw_row_call of, gw_status *status) {
    list l = {0};
    add_launch(s, &l), add_arguments(s, &l);
    add_tangents(s, &l, of.tangents);
    add_shadows(s, &l, of.adjoints, false);
    add_shadows(s, &l, of.adjoint_tangents, false);
    add_shadows(s, &l, of.blocks, true);
    if (of.is_told) add_told(s, &l);
    if (of.space) {
        add(&l, &of.space->at, sizeof of.space->at);
        add(&l, &of.space->size, sizeof of.space->size);
    }
    return call(s, of.f, &l, status);
}

bool gw_row_launched(const gw_row_state *s, gw_row_call of) {
    gw_status status = GW_OK;
    if (!gw_row_call_status(s, of, &status)) return false;
    const char *failure = status == GW_OK ? gw_row_failure() : NULL;
    if (status != GW_OK) gw_row_fail(s, "%s: %s", gw_status_text(status), gw_last_error());
    if (failure) gw_row_fail(s, "CUDA: %s", failure);
    return status == GW_OK && !failure;
}
