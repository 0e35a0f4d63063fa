/*
 * calls/bytes.c - bytes that the gradient of a program takes (contract: bytes_private.h).
 *
 * The calls of the primal are walked in their order, with what the runtime would know of each buffer: whether
 * some reverse still needs what lies in it (runtime/program/contents.c). A call that may overwrite such a
 * buffer saves it, or as much as it overwrites; a pointer that may lead into several saves the largest. What
 * follows is an upper bound:
 *
 *   - a buffer is needed no more only where one call overwrites all of it, and nothing else can be meant;
 *   - a loop is walked until what is needed before its body does not grow, and counts as often as it runs;
 *   - a loop with marks saves what its body overwrites once for each mark, and one part at a time as if it was
 *     recorded; a mark reads all that there is;
 *   - nothing that was saved is taken to be given back before all is, nor an adjoint; the peak is the sum.
 */
#include "analysis/ir/device.h"
#include "rewriters/formula/formula.h"
#include "rewriters/calls/bytes_private.h"
#include "rewriters/workspace/workspace.h"

#include <stdlib.h>

typedef struct buffer_state {
    gw_poly bytes;
    bool is_counted;                         /* device or managed memory; of the caller's nobody knows */
    bool is_input, has_adjoint;              /* of the caller's */
    bool is_overwritten, is_read, in_pieces; /* somewhere; in_pieces: parts of it are saved */
    bool adjoint_asked, is_wide;
    uint32_t twins;           /* adjoints beside the first, of one launch */
    bool freed, freed_needed; /* at the end of the iteration that made it, as something needed it then */
} buffer_state;

typedef struct stream_work {
    gw_value stream; /* 0: others than parameters, and none */
    gw_poly most;
} stream_work;

typedef struct walk {
    const gw_func *grad, *f;
    gw_program_bytes *out;
    buffer_state *buffers;
    gw_buffer_set needed;
    bool tries; /* only what is needed is of interest */
    bool has_marks;
    gw_buffer_set read_here; /* since the outermost loop began */
    gw_buffer_set first;     /* in that: what is needed for what came before it alone, and so is saved once */
    GW_VEC(stream_work) work;
} walk;

static const gw_buffer_set *leads(const walk *w, gw_value at) { return &w->out->leads.of[at]; }
static gw_amounts *amounts(const walk *w) { return &w->out->amounts; }
static uint32_t count(const walk *w) { return w->out->leads.buffers.count; }

/* The only buffer of the set, of which there is one at a time; count(w): there is none such. */
static uint32_t only(const walk *w, const gw_buffer_set *set) {
    uint32_t found = count(w), all = 0;
    for (uint32_t i = 0; i < count(w); i++)
        if (gw_buffers_have(set, i)) found = i, all++;
    return all == 1 && !w->out->leads.buffers.at[found].is_many ? found : count(w);
}

/* ---- buffers ---- */

static void find_bytes(walk *w, uint32_t i) {
    const gw_lead_buffer *b = &w->out->leads.buffers.at[i];
    buffer_state *state = &w->buffers[i];
    const gw_session *s = w->f->session;
    state->is_counted = true;
    if (b->alloc) {
        gw_amount_of(amounts(w), gw_operand(w->f, b->alloc, 0), &state->bytes);
        state->is_counted = gw_op_at(w->f, b->alloc)->attr != GW_DEVICE_ALLOC_PINNED;
        return;
    }
    const char *name = gw_cstr(s, b->given ? gw_value_at(w->f, b->given)->name : b->symbol);
    char *text = gw_format("bytes(%s)", name),
         *why = gw_format(b->given ? "what the caller's allocation has from %s on" : "the size of %s", name);
    if (b->given) gw_amount_bytes(amounts(w), text, why, b->given, &state->bytes);
    else gw_amount_named(amounts(w), text, why, 0, &state->bytes);
    free(text), free(why);
}

/* What the derivative tells of the caller's memory. */
static void find_given(walk *w) {
    const gw_func *g = w->grad;
    for (gw_op op = gw_first(g, g->entry); op; op = gw_next(g, op)) {
        const gw_op_data *o = gw_op_at(g, op);
        int64_t none;
        if (o->code != GW_OP_DEVICE ||
            (o->attr != GW_DEVICE_GIVEN && o->attr != GW_DEVICE_INPUT && o->attr != GW_DEVICE_KEPT))
            continue;
        for (uint32_t i = 0; i < w->f->params.count; i++) {
            if (g->params.at[i].value != gw_operand(g, op, 0) || !w->f->params.at[i].value) continue;
            const uint32_t b = only(w, leads(w, w->f->params.at[i].value));
            if (b == count(w)) continue;
            w->buffers[b].has_adjoint = !gw_const_int(g, gw_operand(g, op, 1), &none);
            w->buffers[b].is_input = o->attr == GW_DEVICE_INPUT;
            if (o->attr != GW_DEVICE_GIVEN) gw_buffers_put(&w->needed, b);
        }
    }
}

/* ---- what a call does to contents ---- */

static void reads(walk *w, gw_value at) {
    gw_buffers_add(&w->needed, leads(w, at));
    gw_buffers_add(&w->read_here, leads(w, at));
    for (uint32_t i = 0; i < count(w); i++)
        w->buffers[i].is_read |= gw_buffers_have(leads(w, at), i);
}

/* The op writes so many bytes; NULL: the whole buffer. */
static void writes(walk *w, gw_op op, gw_value at, const gw_poly *bytes) {
    const gw_buffer_set *set = leads(w, at);
    const uint32_t one = only(w, set);
    gw_poly most = {0}, once = {0};
    for (uint32_t i = 0; i < count(w); i++) {
        buffer_state *b = &w->buffers[i];
        if (!gw_buffers_have(set, i)) continue;
        const bool whole = !bytes || (!w->out->leads.moved[at] && gw_poly_equal(bytes, &b->bytes));
        b->is_overwritten = true;
        if (!gw_buffers_have(&w->needed, i)) continue;
        if (!w->tries && !whole) b->in_pieces = true;
        /* no reverse reads it, or none of this loop: each byte is saved once */
        const bool is_once = !w->has_marks && (!b->is_read || gw_buffers_have(&w->first, i));
        if (b->is_counted && is_once) gw_amount_most(&once, &b->bytes);
        if (b->is_counted && !is_once) gw_amount_most(&most, bytes ? bytes : &b->bytes);
        if (whole && one == i) gw_buffers_drop(&w->needed, i);
    }
    if (w->tries) return;
    gw_amount_add(&w->out->calls[op].saved, &most);
    gw_amount_add(&w->out->calls[op].once, &once);
}

static void asks_adjoint(walk *w, gw_value at, bool wide) {
    for (uint32_t i = 0; i < count(w); i++) {
        if (!gw_buffers_have(leads(w, at), i)) continue;
        w->buffers[i].adjoint_asked = true;
        w->buffers[i].is_wide |= wide;
    }
}

/* The source of a copy whose adjoints are nobody's. */
static bool is_constant(const walk *w, gw_value at) {
    for (uint32_t i = 0; i < count(w); i++)
        if (gw_buffers_have(leads(w, at), i) &&
            (w->out->leads.buffers.at[i].alloc || w->buffers[i].has_adjoint || w->buffers[i].is_overwritten))
            return false;
    return true;
}

/* ---- launches ---- */

/* One of several pointers that may be one, and are only read, has another adjoint beside. */
static void find_twins(walk *w, gw_op op, const gw_launched_pointers *list) {
    for (uint32_t b = 0; b < count(w); b++) {
        uint32_t twins = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            const gw_value at = gw_operand(w->f, op, GW_LAUNCH_OPERANDS + list->at[i].operand);
            bool meets = false;
            for (uint32_t k = 0; k < list->count && !list->at[i].is_written; k++) {
                const gw_value other = gw_operand(w->f, op, GW_LAUNCH_OPERANDS + list->at[k].operand);
                meets |= k != i && (k < i || list->at[k].is_written) && list->at[k].has_adjoint &&
                         gw_buffers_have(leads(w, other), b) && !gw_leads_differ(&w->out->leads, at, other);
            }
            twins += meets && list->at[i].has_adjoint && gw_buffers_have(leads(w, at), b);
        }
        if (twins > w->buffers[b].twins) w->buffers[b].twins = twins;
    }
}

static void threads_of(walk *w, gw_op op, gw_poly *out) {
    gw_poly_constant(out, 1);
    for (uint32_t i = 0; i < 6; i++) {
        gw_poly one, product;
        gw_amount_of(amounts(w), gw_operand(w->f, op, i), &one);
        gw_poly_multiply(&product, out, &one);
        *out = product;
    }
}

/* The tape of each thread where the host computes no more than a number. */
static bool constant_tape(const gw_func *gradient, int64_t *bytes) {
    const gw_func *bound = gw_companion(gradient, GW_FORM_BOUND);
    *bytes = 0;
    if (gradient->tape_local || !bound) return true;
    const gw_op end = gw_region_end(bound, bound->entry);
    int64_t slots[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++)
        if (!gw_const_int(bound, gw_operand(bound, end, i), &slots[i])) return false;
    *bytes = 4 * slots[0] + 8 * slots[1];
    return true;
}

/* Another gradient may stand in its place, which takes what it takes. */
static bool is_chosen(const gw_func *gradient) {
    const gw_session *s = gradient->session;
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].in_place_of == gradient->request + 1) return true;
    return false;
}

enum { LEAST_BLOCK = 256 };

/* The tape that a launch leaves for its reverse, where the gradient is in halves. */
static void keep_tape(walk *w, gw_op op, const gw_func *gradient) {
    const gw_func *first = gw_companion(gradient, GW_FORM_FWD);
    if (!first) return;
    const bool measured = gw_companion(first, GW_FORM_MEASURE) != NULL;
    const char *kernel = gw_kernel_shown(gradient->primal),
               *part = gw_cstr(w->f->session, gw_derived_part_name(first, GW_DERIVED_TAPE_BYTES));
    char *text = gw_format("tape(%s)", kernel),
         *why = measured ? gw_format("measured at each launch of %s", kernel)
                         : gw_format("what %s says of the launch", part);
    gw_poly bytes;
    gw_amount_named(amounts(w), text, why, 0, &bytes);
    gw_amount_add(&w->out->calls[op].saved, &bytes);
    free(text), free(why);
}

static void workspace_of(walk *w, gw_op op, const gw_func *gradient, gw_poly *out) {
    const gw_session *s = w->f->session;
    uint32_t front = 0;
    for (uint32_t i = 0; i < gradient->primal->params.count; i++)
        front += gw_launched_room(gradient->primal, gradient, i);
    int64_t bytes;
    bool tenants = is_chosen(gradient);
    for (gw_tenant t = GW_TENANT_ROWS; t < GW_TENANT_RECORDS; t++)
        tenants |= gw_tenant_count(gradient, t) != 0;
    const bool half = gw_is_half(gradient), measured = gw_companion(gradient, GW_FORM_MEASURE) != NULL;
    if (half && !tenants) {
        gw_poly_constant(out, 0);
    } else if (!tenants && !measured && constant_tape(gradient, &bytes)) {
        threads_of(w, op, out);
        gw_poly_scale(out, bytes);
    } else {
        const char *kernel = gw_kernel_shown(gradient->primal);
        const gw_str part = gw_derived_part_name(gradient, half ? GW_DERIVED_OWN_WORKSPACE_BYTES
                                                                : GW_DERIVED_WORKSPACE_BYTES);
        char *text = gw_format(measured && !half ? "tape(%s)" : "workspace(%s)", kernel),
             *why = measured && !half ? gw_format("measured at the reverse of each launch of %s", kernel)
                             : gw_format("what %s says of the launch", gw_cstr(s, part));
        gw_amount_named(amounts(w), text, why, 0, out);
        free(text), free(why);
    }
    /* its sizes come back in a block of the least size */
    gw_poly_add_constant(out, front + (measured ? LEAST_BLOCK : 0));
}

/* On a stream the launch that takes most says how much there is. */
static void takes(walk *w, gw_op op, gw_value stream, const gw_poly *bytes) {
    gw_call_bytes *c = &w->out->calls[op];
    c->workspace = *bytes;
    for (gw_op loop = gw_loop_around(w->f, op); loop; loop = gw_loop_around(w->f, loop))
        gw_amount_leave(amounts(w), loop, &c->workspace);
    int64_t null;
    const gw_value_data *d = gw_value_at(w->f, stream);
    const bool given = !d->op && d->region == w->f->entry;
    const gw_value key = given && !gw_const_int(w->f, stream, &null) ? stream : 0;
    uint32_t i = 0;
    while (i < w->work.count && w->work.at[i].stream != key)
        i++;
    if (i == w->work.count) gw_push(&w->work, ((stream_work){.stream = key}));
    gw_amount_most(&w->work.at[i].most, &c->workspace);
}

static void launch(walk *w, gw_op op) {
    const gw_func *gradient = gw_launched_gradient(w->f, op), *kernel = gw_launched_kernel(w->f, op);
    if (!kernel) return;
    gw_launched_pointers list = {0};
    gw_launched_pointers_of(kernel, gradient, &list);
    for (uint32_t i = 0; i < list.count; i++) {
        const gw_value at = gw_operand(w->f, op, GW_LAUNCH_OPERANDS + list.at[i].operand);
        if (list.at[i].is_read_back) reads(w, at);
        if (list.at[i].has_adjoint) asks_adjoint(w, at, list.at[i].wide);
    }
    for (uint32_t i = 0; i < list.count; i++)
        if (list.at[i].is_written)
            writes(w, op, gw_operand(w->f, op, GW_LAUNCH_OPERANDS + list.at[i].operand), NULL);
    if (gradient && !w->tries) {
        gw_poly bytes;
        find_twins(w, op, &list);
        keep_tape(w, op, gradient);
        workspace_of(w, op, gradient, &bytes);
        takes(w, op, gw_operand(w->f, op, GW_LAUNCH_OPERANDS - 1), &bytes);
    }
    gw_vec_free(&list);
}

/* ---- other calls ---- */

static void rule(walk *w, gw_op op) {
    const gw_op_data *o = gw_op_at(w->f, op);
    const gw_rule *r = gw_rule_find(w->f->session, o->callee);
    for (int turn = 0; r && turn < 2; turn++)
        for (uint32_t i = 0; i < r->params.count && GW_RULE_OPERANDS + i < o->operands; i++) {
            const gw_value at = gw_operand(w->f, op, GW_RULE_OPERANDS + i);
            const gw_rule_param *p = &r->params.at[i];
            if (!p->is_memory || gw_typeof(w->f, at) != GW_T_ADDRESS) continue;
            if (!turn && p->taken) reads(w, at);
            if (!turn && p->is_active && !r->is_nondifferentiable) asks_adjoint(w, at, false);
            if (turn && p->writes) writes(w, op, at, NULL);
        }
}

/* Operands of what works on cells: bytes of a row, rows and pitch (0: one row), what cells consist of, the
 * source (0: none). */
static const struct {
    uint8_t bytes, rows, pitch, element, from;
} shapes[GW_DEVICE_COUNT] = {
    [GW_DEVICE_COPY] = {2, 0, 0, 5, 1},     [GW_DEVICE_COPY_QUEUED] = {2, 0, 0, 5, 1},
    [GW_DEVICE_SET] = {2, 0, 0, 4, 0},      [GW_DEVICE_SET_QUEUED] = {2, 0, 0, 4, 0},
    [GW_DEVICE_COPY_2D] = {4, 5, 1, 8, 2},  [GW_DEVICE_COPY_2D_QUEUED] = {4, 5, 1, 8, 2},
    [GW_DEVICE_SET_2D] = {3, 4, 1, 6, 0},   [GW_DEVICE_SET_2D_QUEUED] = {3, 4, 1, 6, 0},
    [GW_DEVICE_COPY_3D] = {0, 0, 0, 10, 3}, [GW_DEVICE_COPY_3D_QUEUED] = {0, 0, 0, 10, 3},
    [GW_DEVICE_SET_3D] = {0, 0, 0, 8, 0},   [GW_DEVICE_SET_3D_QUEUED] = {0, 0, 0, 8, 0},
    [GW_DEVICE_SEND] = {1, 0, 0, 4, 0},
};

static void cells(walk *w, gw_op op) {
    const uint16_t what = gw_op_at(w->f, op)->attr;
    const gw_value to = gw_operand(w->f, op, 0), from = gw_operand(w->f, op, shapes[what].from);
    int64_t element = GW_ELEMENT_NONE;
    gw_const_int(w->f, gw_operand(w->f, op, shapes[what].element), &element);
    gw_poly bytes, rows, pitch, product;
    if (shapes[what].bytes) gw_amount_of(amounts(w), gw_operand(w->f, op, shapes[what].bytes), &bytes);
    if (shapes[what].rows) { /* pitch * (rows - 1) + bytes */
        gw_amount_of(amounts(w), gw_operand(w->f, op, shapes[what].rows), &rows);
        gw_amount_of(amounts(w), gw_operand(w->f, op, shapes[what].pitch), &pitch);
        gw_poly_add_constant(&rows, -1);
        gw_poly_multiply(&product, &pitch, &rows);
        gw_amount_add(&bytes, &product);
    }
    const bool counts = element != GW_ELEMENT_NONE && element != GW_ELEMENT_BYTES && what != GW_DEVICE_SEND,
               wide = element == GW_ELEMENT_HALF || element == GW_ELEMENT_BFLOAT;
    if (counts && !(shapes[what].from && is_constant(w, from))) {
        asks_adjoint(w, to, wide);
        if (shapes[what].from) asks_adjoint(w, from, wide);
    }
    writes(w, op, to, shapes[what].bytes ? &bytes : NULL);
    if (w->tries || !shapes[what].from || !gw_buffers_meet(leads(w, to), leads(w, from)) ||
        gw_leads_differ(&w->out->leads, to, from))
        return;
    gw_poly staged = {.broken = true}; /* within one buffer adjoints go through memory beside */
    if (shapes[what].bytes) staged = bytes;
    if (wide) gw_poly_scale(&staged, 2);
    const gw_value stream = what == GW_DEVICE_COPY || what == GW_DEVICE_COPY_QUEUED ? 4 : 7;
    takes(w, op, gw_operand(w->f, op, shapes[what].bytes ? stream : 9), &staged);
}

/* It ends its life where it began: in each iteration, and in each branch. */
static void frees(walk *w, gw_op op) {
    const uint32_t b = only(w, leads(w, gw_operand(w->f, op, 0)));
    if (b == count(w) || w->tries) return;
    const gw_op alloc = w->out->leads.buffers.at[b].alloc;
    if (!alloc || gw_loop_around(w->f, alloc) != gw_loop_around(w->f, op) ||
        !gw_region_inside(w->f, gw_op_at(w->f, alloc)->parent, gw_op_at(w->f, op)->parent))
        return;
    w->buffers[b].freed = gw_op_at(w->f, alloc)->attr == GW_DEVICE_ALLOC;
    w->buffers[b].freed_needed |= gw_buffers_have(&w->needed, b);
}

static void call(walk *w, gw_op op) {
    const uint16_t what = gw_op_at(w->f, op)->attr;
    if (what == GW_DEVICE_LAUNCH) {
        launch(w, op);
    } else if (what == GW_DEVICE_RULE) {
        rule(w, op);
    } else if (what == GW_DEVICE_FREE) {
        frees(w, op);
    } else if (what == GW_DEVICE_FETCH) {
        if (!is_constant(w, gw_operand(w->f, op, 0))) asks_adjoint(w, gw_operand(w->f, op, 0), false);
    } else if (shapes[what].element) {
        cells(w, op);
    } else if (what == GW_DEVICE_ALLOC || what == GW_DEVICE_ALLOC_MANAGED || what == GW_DEVICE_ALLOC_PINNED) {
        const uint32_t b = only(w, leads(w, gw_result(w->f, op, 0))); /* nothing lies in it yet */
        if (b != count(w)) gw_buffers_drop(&w->needed, b);
    }
}

/* ---- loops ---- */

static void walk_region(walk *w, gw_region r);

static void walk_body(walk *w, gw_op loop) {
    const gw_op_data *o = gw_op_at(w->f, loop);
    for (uint32_t i = 0; i < o->regions; i++)
        walk_region(w, o->region[i]);
}

/* Until nothing more is needed where an iteration begins. */
static void try_body(walk *w, gw_op loop) {
    const bool tried = w->tries;
    gw_buffer_set before;
    w->tries = true;
    do {
        before = w->needed;
        walk_body(w, loop);
    } while (gw_buffers_add(&before, &w->needed) && (w->needed = before, true));
    w->needed = before;
    w->tries = tried;
}

/* What an outermost loop finds needed that none of its iterations reads. */
static void find_first(walk *w, gw_op loop) {
    const gw_buffer_set none = {0};
    w->read_here = none;
    const gw_buffer_set needed = w->needed;
    w->tries = true;
    walk_body(w, loop);
    w->tries = false;
    w->first = w->needed = needed;
    for (uint32_t i = 0; i < count(w); i++)
        if (gw_buffers_have(&w->read_here, i)) gw_buffers_drop(&w->first, i);
}

/* The gradient leaves marks in it. */
static bool is_marked(const walk *w, gw_op loop) {
    const gw_func *g = w->grad;
    const gw_loc at = gw_op_at(w->f, loop)->loc;
    if (!gw_op_at(w->f, loop)->imm.i) return false;
    for (gw_op op = 1; op < g->ops.count; op++) {
        const gw_op_data *o = gw_op_at(g, op);
        if (!o->dead && o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_MARK && o->loc.line == at.line &&
            o->loc.column == at.column && o->loc.file == at.file)
            return true;
    }
    return false;
}

/* What its body may overwrite of what is older than it. */
static void add_overwritten(walk *w, gw_op op, gw_buffer_set *set) {
    const gw_op_data *o = gw_op_at(w->f, op);
    if (o->code != GW_OP_DEVICE) return;
    if (shapes[o->attr].element) gw_buffers_add(set, leads(w, gw_operand(w->f, op, 0)));
    const gw_rule *r = o->attr == GW_DEVICE_RULE ? gw_rule_find(w->f->session, o->callee) : NULL;
    for (uint32_t i = 0; r && i < r->params.count; i++)
        if (r->params.at[i].writes) gw_buffers_add(set, leads(w, gw_operand(w->f, op, GW_RULE_OPERANDS + i)));
    if (o->attr != GW_DEVICE_LAUNCH) return;
    const gw_func *gradient = gw_launched_gradient(w->f, op), *kernel = gw_launched_kernel(w->f, op);
    gw_launched_pointers list = {0};
    if (kernel) gw_launched_pointers_of(kernel, gradient, &list);
    for (uint32_t i = 0; i < list.count; i++)
        if (list.at[i].is_written)
            gw_buffers_add(set, leads(w, gw_operand(w->f, op, GW_LAUNCH_OPERANDS + list.at[i].operand)));
    gw_vec_free(&list);
}

static void save_at_marks(walk *w, gw_op loop) {
    gw_buffer_set set = {0};
    for (gw_op op = loop; op; op = gw_walk_op(w->f, op, loop))
        add_overwritten(w, op, &set);
    gw_poly state = {0}, marks, all;
    for (uint32_t i = 0; i < count(w); i++) {
        const gw_op alloc = w->out->leads.buffers.at[i].alloc;
        const bool younger =
            alloc && gw_region_inside(w->f, gw_op_at(w->f, alloc)->parent, gw_loop_body(w->f, loop));
        if (gw_buffers_have(&set, i) && w->buffers[i].is_counted && !younger)
            gw_amount_add(&state, &w->buffers[i].bytes);
    }
    const int64_t most = gw_loop_snapshots(w->f, loop);
    if (most)
        gw_poly_constant(&marks, most);
    else
        gw_amount_trips(amounts(w), loop, &marks);
    gw_poly_multiply(&all, &state, &marks);
    gw_amount_leave(amounts(w), loop, &all);
    gw_amount_add(&w->out->calls[loop].saved, &all);
}

static void walk_loop(walk *w, gw_op loop) {
    const bool marked = is_marked(w, loop), is_outer = !w->tries && !gw_loop_around(w->f, loop);
    if (is_outer) find_first(w, loop);
    try_body(w, loop);
    walk_body(w, loop);
    if (is_outer) w->first = (gw_buffer_set){0};
    if (!w->tries) {
        gw_poly trips;
        if (!marked) gw_amount_trips(amounts(w), loop, &trips);
        for (gw_op op = gw_walk_op(w->f, loop, loop); op; op = gw_walk_op(w->f, op, loop)) {
            gw_call_bytes *c = &w->out->calls[op];
            if (c->once.count || c->once.broken) gw_amount_leave(amounts(w), loop, &c->once);
            if (!c->saved.count && !c->saved.broken) continue;
            gw_amount_leave(amounts(w), loop, &c->saved);
            c->in_part |= marked;
            if (marked) continue; /* one part runs again at a time */
            gw_poly product;
            gw_poly_multiply(&product, &c->saved, &trips);
            c->saved = product;
        }
        if (marked) save_at_marks(w, loop);
    }
    if (!marked) return;
    w->needed = w->out->leads.all;
    w->has_marks = true;
}

static void walk_region(walk *w, gw_region r) {
    for (gw_op op = gw_first(w->f, r); op; op = gw_next(w->f, op)) {
        const gw_op_data *o = gw_op_at(w->f, op);
        if (o->code == GW_OP_DEVICE) {
            call(w, op);
        } else if (gw_is_loop(w->f, op)) {
            walk_loop(w, op);
        } else if (o->code == GW_OP_IF) {
            const gw_buffer_set before = w->needed;
            walk_region(w, o->region[0]);
            const gw_buffer_set then = w->needed;
            w->needed = before;
            walk_region(w, o->region[1]);
            gw_buffers_add(&w->needed, &then);
        }
    }
}

/* ---- sums ---- */

/* The adjoints of buffer i, all together. */
static void adjoints_of(walk *w, uint32_t i, gw_poly *out) {
    const gw_lead_buffer *b = &w->out->leads.buffers.at[i];
    const buffer_state *state = &w->buffers[i];
    gw_poly_zero(out);
    const bool theirs = state->has_adjoint && !(state->is_input && state->is_overwritten);
    const int64_t times = (theirs || !state->adjoint_asked ? 0 : 1 + state->is_wide) + state->twins;
    if (!state->is_counted || !times) return;
    *out = state->bytes;
    gw_poly_scale(out, times);
    if (!b->alloc) return;
    if (b->is_many || w->has_marks)
        gw_amount_each(amounts(w), b->alloc, out);
    else
        for (gw_op loop = gw_loop_around(w->f, b->alloc); loop; loop = gw_loop_around(w->f, loop))
            gw_amount_leave(amounts(w), loop, out); /* it goes back when its iteration is taken back */
}

static void own_of(walk *w, uint32_t i, gw_poly *out) {
    const gw_lead_buffer *b = &w->out->leads.buffers.at[i];
    const buffer_state *state = &w->buffers[i];
    gw_poly_zero(out);
    if (!b->alloc || !state->is_counted) return;
    *out = state->bytes;
    const bool at_once = state->freed && !state->freed_needed && !b->is_many && !w->has_marks;
    if (!at_once)
        gw_amount_each(amounts(w), b->alloc, out);
    else
        for (gw_op loop = gw_loop_around(w->f, b->alloc); loop; loop = gw_loop_around(w->f, loop))
            gw_amount_leave(amounts(w), loop, out);
}

static void add_buffers(walk *w) {
    gw_program_bytes *out = w->out;
    for (uint32_t i = 0; i < count(w); i++) {
        const gw_lead_buffer *b = &out->leads.buffers.at[i];
        const buffer_state *state = &w->buffers[i];
        gw_poly own, adjoints, more = state->bytes;
        own_of(w, i, &own);
        adjoints_of(w, i, &adjoints);
        gw_amount_add(&out->own, &own);
        gw_amount_add(&out->adjoints, &adjoints);
        if (b->alloc) out->calls[b->alloc].own = own, out->calls[b->alloc].adjoints = adjoints;
        if (!state->is_counted || !state->is_overwritten) continue;
        /* pieces are put together in a block as large; outputs are kept where a part runs again */
        const bool put_together = state->in_pieces && state->is_read,
                   result = w->has_marks && !b->alloc && !state->is_input;
        if (b->alloc) gw_amount_each(amounts(w), b->alloc, &more);
        if (put_together) gw_amount_add(&out->saved, &more);
        if (result) gw_amount_add(&out->saved, &more);
    }
}

/* Streams that the program makes: a workspace for each. */
static void add_work(walk *w) {
    gw_poly made;
    gw_poly_constant(&made, 1);
    for (gw_op op = gw_first(w->f, w->f->entry); op; op = gw_walk(w->f, op, w->f->entry)) {
        if (gw_op_at(w->f, op)->code != GW_OP_DEVICE || gw_op_at(w->f, op)->attr != GW_DEVICE_STREAM) continue;
        gw_poly one;
        gw_poly_constant(&one, 1);
        gw_amount_each(amounts(w), op, &one);
        gw_amount_add(&made, &one);
    }
    for (uint32_t i = 0; i < w->work.count; i++) {
        gw_poly product = w->work.at[i].most;
        if (!w->work.at[i].stream) gw_poly_multiply(&product, &w->work.at[i].most, &made);
        gw_amount_add(&w->out->workspace, &product);
    }
}

void gw_program_bytes_make(const gw_func *grad, gw_program_bytes *out) {
    const gw_func *f = grad->primal;
    *out = (gw_program_bytes){0};
    gw_amounts_begin(&out->amounts, f);
    if (f->second_of || !gw_leads_find(&out->leads, f)) return; /* memory beside is not followed */
    out->calls = gw_alloc(f->ops.count * sizeof *out->calls);
    walk w = {.grad = grad, .f = f, .out = out};
    w.buffers = gw_alloc((out->leads.buffers.count + 1) * sizeof *w.buffers);
    for (uint32_t i = 0; i < out->leads.buffers.count; i++)
        find_bytes(&w, i);
    find_given(&w);
    const gw_buffer_set before = w.needed;
    w.tries = true; /* once to know what is overwritten anywhere */
    walk_region(&w, f->entry);
    w.tries = false;
    w.needed = before;
    walk_region(&w, f->entry);
    add_buffers(&w);
    add_work(&w);
    for (gw_op op = 1; op < f->ops.count; op++)
        gw_amount_add(&out->saved, &out->calls[op].saved), gw_amount_add(&out->saved, &out->calls[op].once);
    gw_vec_free(&w.work);
    free(w.buffers);
}

void gw_program_bytes_free(gw_program_bytes *b) {
    gw_leads_free(&b->leads);
    gw_amounts_free(&b->amounts);
    free(b->calls);
}

/* ---- words ---- */

static void add_part(const gw_program_bytes *b, const gw_poly *p, const char *what, gw_text *out) {
    if (!p->count && !p->broken) return;
    gw_text_add(out, out->count ? ", " : "");
    gw_amount_text(&b->amounts, p, out);
    gw_text_add(out, what);
}

char *gw_program_bytes_of_call(const gw_program_bytes *b, gw_op op) {
    gw_text text = {0};
    if (!b->calls) return NULL;
    const gw_call_bytes *c = &b->calls[op];
    add_part(b, &c->own, " of its own", &text);
    add_part(b, &c->once, " saved once", &text);
    add_part(b, &c->saved, c->in_part ? " saved while its part runs again" : " saved", &text);
    add_part(b, &c->adjoints, " of adjoints", &text);
    add_part(b, &c->workspace, " of workspace", &text);
    return text.at;
}

static void add_sum(const gw_program_bytes *b, const char *what, const gw_poly *p, gw_lines *out) {
    gw_text text = {0};
    gw_amount_text(&b->amounts, p, &text);
    gw_push(out, gw_format("%s%s", what, text.at));
    gw_text_free(&text);
}

void gw_program_bytes_peak(const gw_program_bytes *b, gw_poly *out) {
    *out = b->own;
    gw_amount_add(out, &b->saved), gw_amount_add(out, &b->adjoints), gw_amount_add(out, &b->workspace);
}

void gw_program_bytes_lines(const gw_program_bytes *b, gw_lines *out) {
    if (!b->calls) {
        gw_push(out, gw_format("counted at run time: there are more than %d buffers", GW_MOST_BUFFERS));
        return;
    }
    gw_poly peak;
    gw_program_bytes_peak(b, &peak);
    add_sum(b, "the program's own: ", &b->own, out);
    add_sum(b, "saved: ", &b->saved, out);
    add_sum(b, "adjoints: ", &b->adjoints, out);
    add_sum(b, "workspace: ", &b->workspace, out);
    add_sum(b, "peak: ", &peak, out);
    for (uint32_t i = 1; i < b->amounts.unknowns.count; i++) {
        const gw_unknown *u = &b->amounts.unknowns.at[i];
        if (u->why && gw_amount_hangs_on(&b->amounts, &peak, i))
            gw_push(out, gw_format("where %s is %s", u->text, u->why));
    }
}
