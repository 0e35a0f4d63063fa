/*
 * calls/calls.c - collects what is known of the calls of a program and of their reverses; decides nothing
 * (contract: calls.h).
 *
 * The calls are those of the primal, in its order. What a launch tells the runtime is asked where the emitter
 * asks (formula/launched.c); whether the adjoint of a number is used is seen at the reverse of the call in the
 * derivative.
 */
#include "rewriters/calls/bytes_private.h"

#include "analysis/ir/device.h"
#include "analysis/ir/leaf.h"
#include "rewriters/formula/formula.h"

/* ---- launches ---- */

/* It, or a member of it. */
static bool has_name(const gw_session *s, const gw_names *list, gw_str name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (gw_roles_member(s, list->at[i], name)) return true;
    return false;
}

static void add_arguments(gw_call_fact *c) {
    const gw_session *s = c->kernel->session;
    const gw_request *q = c->gradient ? &s->requests.at[c->gradient->request] : NULL;
    c->is_active = c->gradient != NULL;
    c->leaves_tape = c->gradient && gw_is_half(c->gradient);
    c->is_measured = c->gradient && gw_companion(c->gradient, GW_FORM_MEASURE);
    for (uint32_t i = 0; i < c->kernel->params.count; i++) {
        const gw_param *p = &c->kernel->params.at[i];
        gw_call_argument a = {.name = p->name};
        if (q) {
            a.read_back = (p->object || p->is_texture) && gw_launched_reads_back(c->gradient, i);
            a.input = has_name(s, &q->independents, p->name);
            a.output = has_name(s, &q->dependents, p->name);
        }
        gw_push(&c->arguments, a);
    }
}

static gw_op reverse_of(const gw_func *f, gw_loc loc) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_LAUNCH && o->flags & GW_OP_BACK &&
            o->loc.line == loc.line && o->loc.column == loc.column && o->loc.file == loc.file)
            return op;
    }
    return 0;
}

/* The adjoints of the kernel's numbers are the results of the call's reverse in the derivative, in order. */
static void add_waits(const gw_func *f, gw_call_fact *c) {
    const gw_op op = reverse_of(f, c->loc);
    uint32_t result = 0;
    for (uint32_t i = 0; op && c->gradient && i < c->kernel->params.count; i++)
        for (uint32_t k = gw_launched_numbers(c->kernel, i); k; k--, result++)
            if (result < gw_op_at(f, op)->results && gw_count_uses(f, gw_result(f, op, result)))
                c->arguments.at[i].waits = true;
}

/* ---- copies and fills ---- */

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2 };

/* The operand that is the cudaMemcpyKind. */
static const uint8_t kinds[GW_DEVICE_COUNT] = {
    [GW_DEVICE_COPY] = 3,
    [GW_DEVICE_COPY_QUEUED] = 3,
    [GW_DEVICE_COPY_2D] = 6,
    [GW_DEVICE_COPY_2D_QUEUED] = 6,
};

static int64_t constant(const gw_func *f, gw_op op, uint32_t operand) {
    int64_t n = 0;
    gw_const_int(f, gw_operand(f, op, operand), &n);
    return n;
}

static void look_at_memory(const gw_func *primal, gw_op op, gw_call_fact *c) {
    c->is_active = gw_device_element(c->what) && !gw_device_is_passive(primal, op);
    const int64_t kind = kinds[c->what] ? constant(primal, op, kinds[c->what]) : 0;
    c->between = kind == HOST_TO_DEVICE || kind == DEVICE_TO_HOST;
}

/* ---- all ---- */

static bool is_told(gw_device what) {
    return what != GW_DEVICE_GIVEN && what != GW_DEVICE_INPUT && what != GW_DEVICE_KEPT &&
           what != GW_DEVICE_STATUS && what != GW_DEVICE_UNMOVED &&
           what != GW_DEVICE_INTEGERS && what != GW_DEVICE_TEXELS && !gw_device_rows[what].asks;
}

static void add_loops(const gw_func *f, gw_op op, gw_call_fact *c) {
    const gw_op loop = gw_loop_around(f, op);
    if (!loop) return;
    add_loops(f, loop, c);
    gw_push(&c->loops, gw_op_at(f, loop)->loc.line);
}

void gw_call_facts_collect(const gw_func *f, gw_call_facts *out) {
    const gw_func *primal = f->primal;
    if (f->form != GW_FORM_GRAD || !primal || primal->kind != GW_FUNC_HOST || !gw_is_program(primal)) return;
    gw_program_bytes bytes;
    gw_program_bytes_make(f, &bytes);
    gw_program_bytes_lines(&bytes, &out->memory);
    for (gw_op op = gw_first(primal, primal->entry); op; op = gw_walk(primal, op, primal->entry)) {
        const gw_op_data *o = gw_op_at(primal, op);
        if (o->code != GW_OP_DEVICE || !is_told((gw_device)o->attr)) continue;
        gw_call_fact c = {.loc = o->loc,
                          .what = (gw_device)o->attr,
                          .bytes = gw_program_bytes_of_call(&bytes, op)};
        add_loops(primal, op, &c);
        look_at_memory(primal, op, &c);
        if (c.what == GW_DEVICE_LAUNCH) {
            c.gradient = gw_launched_gradient(primal, op);
            c.kernel = gw_launched_kernel(primal, op);
            if (c.kernel) add_arguments(&c);
            if (c.kernel) add_waits(f, &c);
        }
        gw_push(out, c);
    }
    gw_program_bytes_free(&bytes);
}

void gw_call_facts_free(gw_call_facts *facts) {
    for (uint32_t i = 0; i < facts->memory.count; i++)
        free(facts->memory.at[i]);
    gw_vec_free(&facts->memory);
    for (uint32_t i = 0; i < facts->count; i++) {
        free(facts->at[i].bytes);
        gw_vec_free(&facts->at[i].loops);
        gw_vec_free(&facts->at[i].arguments);
    }
    gw_vec_free(facts);
}

static bool overwrites(const gw_leads *l, gw_op op, const gw_buffer_set *what) {
    const gw_op_data *o = gw_op_at(l->f, op);
    const gw_rule *rule = o->attr == GW_DEVICE_RULE ? gw_rule_find(l->f->session, o->callee) : NULL;
    bool found = false;
    if (gw_device_element((gw_device)o->attr) && o->attr != GW_DEVICE_FETCH)
        return gw_buffers_meet(&l->of[gw_operand(l->f, op, 0)], what);
    for (uint32_t i = 0; rule && i < rule->params.count; i++)
        found |= rule->params.at[i].writes &&
                 gw_buffers_meet(&l->of[gw_operand(l->f, op, GW_RULE_OPERANDS + i)], what);
    const gw_func *kernel = o->attr == GW_DEVICE_LAUNCH ? gw_launched_kernel(l->f, op) : NULL;
    gw_launched_pointers list = {0};
    if (kernel) gw_launched_pointers_of(kernel, gw_launched_gradient(l->f, op), &list);
    for (uint32_t i = 0; i < list.count; i++)
        found |= list.at[i].is_overwritten &&
                 gw_buffers_meet(&l->of[gw_operand(l->f, op, GW_LAUNCH_OPERANDS + list.at[i].operand)], what);
    gw_vec_free(&list);
    return found;
}

bool gw_call_facts_overwrites(const gw_func *primal, gw_value address) {
    gw_leads leads;
    bool found = !gw_leads_find(&leads, primal);
    for (gw_op op = gw_first(primal, primal->entry); op && !found; op = gw_walk(primal, op, primal->entry))
        found = gw_op_at(primal, op)->code == GW_OP_DEVICE && overwrites(&leads, op, &leads.of[address]);
    gw_leads_free(&leads);
    return found;
}

/* No numbers that have adjoints. */
static bool leads_to_none(const gw_func *f, gw_value address) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].value == address && f->params.at[i].is_passive) return true;
    return false;
}

void gw_call_facts_passive(const gw_func *f, gw_text *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        int64_t none;
        if (o->dead || o->code != GW_OP_DEVICE || o->attr != GW_DEVICE_GIVEN ||
            !gw_const_int(f, gw_operand(f, op, 1), &none) || leads_to_none(f, gw_operand(f, op, 0)))
            continue;
        const gw_str name = gw_value_at(f, gw_operand(f, op, 0))->name;
        gw_text_addf(out, "%s%s", out->count ? ", " : "", gw_cstr(f->session, name));
    }
}
