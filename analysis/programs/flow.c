/*
 * programs/flow.c - which memory of a program has a derivative for one request (contract: programs_private.h).
 *
 * A buffer is varied if what depends on an input is ever written to it, and useful if an output depends on what
 * is ever read of it. Both are least fixed points, together with the values of the host's (facts/activity.c),
 * over launches, copies, and calls that have a pullback. Through a launch goes what goes through the kernel's
 * own function, for what comes in varied and what is useful of what goes out.
 *
 * Sound, as a pointer that comes from elsewhere may lead into any buffer (leads.c), and a program that gives
 * addresses to a function which stays a call is not looked into. That two pointers of the caller's lead to
 * memory of their own is seen to when it runs (gw_program_apart_from).
 */
#include "analysis/programs/programs_private.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>
#include <string.h>

/* ---- buffers ---- */

/* A null pointer leads nowhere; of one that nobody has followed nothing is known. A texture object that is not
 * made here leads to memory that is not the program's. */
const gw_buffer_set *gw_program_flow_leads(const gw_program_flow *p, gw_value address) {
    static const gw_buffer_set none = {0};
    int64_t null;
    if (gw_const_int(p->f, address, &null)) return &none;
    if (gw_typeof(p->f, address) != GW_T_ADDRESS && !p->leads.texture[address]) return &none;
    return gw_buffers_meet(&p->leads.of[address], &p->leads.all) ? &p->leads.of[address] : &p->leads.all;
}

static bool any(const gw_program_flow *p, const bool *flags, gw_value address) {
    for (uint32_t i = 0; i < p->leads.buffers.count; i++)
        if (flags[i] && gw_buffers_have(gw_program_flow_leads(p, address), i)) return true;
    return false;
}

static bool set_all(const gw_program_flow *p, bool *flags, gw_value address) {
    bool grown = false;
    for (uint32_t i = 0; i < p->leads.buffers.count; i++) {
        if (flags[i] || !gw_buffers_have(gw_program_flow_leads(p, address), i)) continue;
        flags[i] = grown = true;
    }
    return grown;
}

static bool set(bool *flag) {
    const bool grown = !*flag;
    *flag = true;
    return grown;
}

static bool is_address(const gw_func *f, gw_value v) { return gw_typeof(f, v) == GW_T_ADDRESS; }
static bool is_number(const gw_func *f, gw_value v) { return gw_type_is_float(gw_typeof(f, v)); }

bool gw_program_flow_is_active(const gw_program_flow *p, gw_value address) {
    for (uint32_t i = 0; i < p->leads.buffers.count; i++)
        if (p->varied[i] && p->useful[i] && gw_buffers_have(gw_program_flow_leads(p, address), i)) return true;
    return false;
}

bool gw_program_flow_uses(const gw_program_flow *p, gw_value address) { return any(p, p->used, address); }
bool gw_program_flow_varies(const gw_program_flow *p, gw_value address) { return any(p, p->varied, address); }
bool gw_program_flow_wants(const gw_program_flow *p, gw_value address) { return any(p, p->useful, address); }

/* The source of a copy is the second address that it is given; 0: it is given one. */
gw_value gw_program_flow_source(const gw_program_flow *p, gw_op op) {
    const char *operands = gw_device_rows[gw_op_at(p->f, op)->attr].operands,
               *second = strchr(operands + 1, 'a');
    return second ? gw_operand(p->f, op, (uint32_t)(second - operands)) : 0;
}

/* ---- launches ---- */

void gw_launch_flow_roles(const gw_func *kernel, const gw_launch_flow *l, gw_roles *r) {
    *r = (gw_roles){.independent = gw_alloc(kernel->params.count + 1),
                    .dependent = gw_alloc(kernel->params.count + 1),
                    .input = gw_alloc(kernel->ops.count),
                    .output = gw_alloc(kernel->ops.count)};
    for (uint32_t i = 0; i < l->parts.count; i++) {
        r->independent[l->parts.at[i].param] |= l->varied[i];
        r->dependent[l->parts.at[i].param] |= l->wanted[i];
        for (gw_op op = 1; op < kernel->ops.count; op++) {
            if (!gw_launch_part_has(kernel, &l->parts.at[i], op)) continue;
            r->input[op] |= l->varied[i];
            r->output[op] |= l->wanted[i];
        }
    }
}

/* What of the kernel's part the activity of the kernel says. */
static bool of_part(const gw_activity *k, const gw_launch_part *part, const bool *cells, unsigned how) {
    for (gw_op op = 1; op < k->f->ops.count; op++)
        if (k->cell[op] && cells[k->cell[op]] && gw_launch_part_has(k->f, part, op) &&
            gw_touches(k->f, op, gw_op_at(k->f, op)->object, how))
            return true;
    return false;
}

/* What has changed since the kernel was looked through; whether anything has. */
static bool take_in(const gw_program_flow *p, const gw_activity *a, gw_op op, gw_launch_flow *l) {
    bool changed = false;
    for (uint32_t i = 0; i < l->parts.count; i++) {
        const gw_launch_part *part = &l->parts.at[i];
        const gw_value v = gw_operand(p->f, op, GW_LAUNCH_OPERANDS + i);
        if (part->is_number && a->varied_value[v]) changed |= set(&l->varied[i]);
        if (!part->leads_to_numbers) continue;
        if (part->is_read || part->is_written) set_all(p, p->used, v);
        if (any(p, p->varied, v)) changed |= set(&l->varied[i]);
        if (any(p, p->useful, v)) changed |= set(&l->wanted[i]);
    }
    return changed;
}

static bool is_useful(const gw_activity *k, const gw_launch_part *part) {
    const gw_param *param = &k->f->params.at[part->param];
    if (part->is_number && !part->is_leaf) return k->useful_value[param->value];
    for (gw_op op = 1; part->is_texture && op < k->f->ops.count; op++)
        if (gw_launch_part_fetches(k->f, part, op) && k->useful_value[gw_result(k->f, op, 0)]) return true;
    return of_part(k, part, k->useful_cell, GW_TOUCH_READ);
}

static bool give_out(gw_program_flow *p, gw_activity *a, gw_op op, gw_launch_flow *l, const gw_activity *k) {
    bool grown = false;
    for (uint32_t i = 0; i < l->parts.count; i++) {
        const gw_launch_part *part = &l->parts.at[i];
        const gw_value v = gw_operand(p->f, op, GW_LAUNCH_OPERANDS + i);
        l->useful[i] |= is_useful(k, part);
        if (part->is_number && l->useful[i]) grown |= set(&a->useful_value[v]);
        if (!part->leads_to_numbers) continue;
        if (l->useful[i]) grown |= set_all(p, p->useful, v);
        if (of_part(k, part, k->varied_cell, GW_TOUCH_WRITE)) grown |= set_all(p, p->varied, v);
    }
    return grown;
}

static bool link_launch(gw_program_flow *p, gw_activity *a, gw_op op) {
    gw_func *kernel = gw_func_find(p->f->session, gw_op_at(p->f, op)->callee);
    gw_launch_flow *l = &p->launches[op];
    if (!l->varied) {
        gw_launch_parts_of(kernel, &l->parts);
        gw_launch_parts_look(kernel, &l->parts);
        l->varied = gw_alloc(l->parts.count + 1);
        l->wanted = gw_alloc(l->parts.count + 1);
        l->useful = gw_alloc(l->parts.count + 1);
    }
    if (!take_in(p, a, op, l)) return false;
    gw_roles roles;
    gw_activity k;
    gw_launch_flow_roles(kernel, l, &roles);
    gw_activity_new(&k, kernel, &roles);
    const bool grown = give_out(p, a, op, l, &k);
    gw_activity_free(&k);
    gw_roles_free(&roles);
    return grown;
}

/* Something that depends on an input goes into the kernel and nothing of it comes out, or what is wanted of it
 * depends on none: no gradient of the kernel's says why. */
static bool is_cut(const gw_program_flow *p, gw_op op) {
    const gw_launch_flow *l = &p->launches[op];
    for (uint32_t i = 0; l->varied && i < l->parts.count; i++) {
        const gw_launch_part *part = &l->parts.at[i];
        const gw_value v = gw_operand(p->f, op, GW_LAUNCH_OPERANDS + i);
        if (l->varied[i] && (part->is_number || part->is_read) && !l->useful[i]) return true;
        if (l->wanted[i] && part->is_written && !any(p, p->varied, v)) return true;
    }
    return false;
}

static bool check_cut(const gw_program_flow *p, gw_op op) {
    const gw_func *kernel = gw_func_find(p->f->session, gw_op_at(p->f, op)->callee);
    gw_roles roles;
    gw_activity k;
    gw_launch_flow_roles(kernel, &p->launches[op], &roles);
    gw_activity_new(&k, kernel, &roles);
    const bool good = gw_check_lost(&k, &roles);
    gw_activity_free(&k);
    gw_roles_free(&roles);
    return good;
}

bool gw_program_flow_check(const gw_program_flow *p) {
    bool good = true;
    for (gw_op op = 1; op < p->f->ops.count; op++)
        if (is_cut(p, op)) good &= check_cut(p, op);
    return good;
}

/* ---- whether what a launch leaves is used ---- */
typedef struct readers {
    const gw_program_flow *p;
    uint32_t buffer;
    bool any, use; /* there are some; one of them uses the numbers whatever they are */
} readers;

static void note_launch(readers *r, gw_op op) {
    gw_launch_flow *l = &r->p->launches[op];
    const gw_func *f = r->p->f, *kernel = gw_func_find(f->session, gw_op_at(f, op)->callee);
    if (l->varied && !l->used) {
        l->used = gw_alloc(kernel->values.count + 1);
        gw_find_used(kernel, l->used);
    }
    for (uint32_t i = 0; l->varied && i < l->parts.count; i++) {
        const gw_value v = gw_operand(f, op, GW_LAUNCH_OPERANDS + i);
        if (!l->parts.at[i].is_read || !gw_buffers_have(gw_program_flow_leads(r->p, v), r->buffer)) continue;
        for (gw_op k = 1; k < kernel->ops.count; k++) {
            if (gw_op_at(kernel, k)->code != GW_OP_LOAD || !gw_launch_part_has(kernel, &l->parts.at[i], k))
                continue;
            r->any = true;
            r->use |= l->used[gw_result(kernel, k, 0)];
        }
    }
}

/* Other calls use all of it. */
static void note_readers(readers *r) {
    const gw_func *f = r->p->f;
    for (gw_op op = 1; op < f->ops.count && !r->use; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_DEVICE) continue;
        if (o->attr == GW_DEVICE_LAUNCH) note_launch(r, op);
        const bool has_cells = gw_device_element((gw_device)o->attr) || o->attr == GW_DEVICE_RULE;
        for (uint32_t i = 0; has_cells && i < o->operands; i++)
            r->use |= is_address(f, gw_operand(f, op, i)) &&
                      gw_buffers_have(gw_program_flow_leads(r->p, gw_operand(f, op, i)), r->buffer);
    }
}

static bool is_result(const gw_program_flow *p, uint32_t buffer) {
    for (uint32_t i = 0; i < p->f->params.count; i++)
        if (p->roles.dependent[i] && p->f->params.at[i].value == p->leads.buffers.at[buffer].given) return true;
    return false;
}

bool gw_program_flow_leaves_unused(const gw_program_flow *p, gw_op launch) {
    const gw_launch_flow *l = &p->launches[launch];
    for (uint32_t i = 0; l->varied && i < l->parts.count; i++) {
        const gw_value v = gw_operand(p->f, launch, GW_LAUNCH_OPERANDS + i);
        for (uint32_t k = 0; l->parts.at[i].is_written && k < p->leads.buffers.count; k++) {
            if (!gw_buffers_have(gw_program_flow_leads(p, v), k) || is_result(p, k)) continue;
            readers r = {.p = p, .buffer = k};
            note_readers(&r);
            if (r.any && !r.use) return true;
        }
    }
    return false;
}

/* ---- other calls ---- */

/* All that goes in reaches all that comes out. */
static bool link_rule(gw_program_flow *p, gw_activity *a, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    const gw_rule *rule = gw_rule_find(p->f->session, o->callee);
    bool varied = false, useful = false, grown = false;
    for (uint32_t i = GW_RULE_OPERANDS; i < o->operands; i++)
        if (is_address(p->f, gw_operand(p->f, op, i))) set_all(p, p->used, gw_operand(p->f, op, i));
    if (rule->is_nondifferentiable) return false;
    for (uint32_t i = GW_RULE_OPERANDS; i < o->operands; i++) {
        const gw_value v = gw_operand(p->f, op, i);
        varied |= (is_number(p->f, v) && a->varied_value[v]) || (is_address(p->f, v) && any(p, p->varied, v));
        useful |= is_address(p->f, v) && any(p, p->useful, v);
    }
    for (uint32_t i = 0; i < o->results; i++)
        useful |= is_number(p->f, gw_result(p->f, op, i)) && a->useful_value[gw_result(p->f, op, i)];
    for (uint32_t i = GW_RULE_OPERANDS; i < o->operands; i++) {
        const gw_value v = gw_operand(p->f, op, i);
        if (is_number(p->f, v) && useful) grown |= set(&a->useful_value[v]);
        if (is_address(p->f, v) && useful) grown |= set_all(p, p->useful, v);
        if (is_address(p->f, v) && varied) grown |= set_all(p, p->varied, v);
    }
    for (uint32_t i = 0; i < o->results && varied; i++)
        if (is_number(p->f, gw_result(p->f, op, i))) grown |= set(&a->varied_value[gw_result(p->f, op, i)]);
    return grown;
}

static bool link_host(gw_program_flow *p, gw_activity *a, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    const gw_value at = gw_operand(p->f, op, 0);
    bool grown = false;
    set_all(p, p->used, at);
    for (uint32_t i = GW_SEND_OPERANDS; i < o->operands && o->attr == GW_DEVICE_SEND; i++) {
        const gw_value v = gw_operand(p->f, op, i);
        if (!is_number(p->f, v)) continue;
        if (a->varied_value[v]) grown |= set_all(p, p->varied, at);
        if (any(p, p->useful, at)) grown |= set(&a->useful_value[v]);
    }
    for (uint32_t i = 0; i < o->results && o->attr == GW_DEVICE_FETCH; i++) {
        const gw_value v = gw_result(p->f, op, i);
        if (!is_number(p->f, v)) continue;
        if (any(p, p->varied, at)) grown |= set(&a->varied_value[v]);
        if (a->useful_value[v]) grown |= set_all(p, p->useful, at);
    }
    return grown;
}

static bool link_copy(gw_program_flow *p, gw_op op) {
    const gw_value to = gw_operand(p->f, op, 0), from = gw_program_flow_source(p, op);
    bool grown = false;
    if (!from) return false;
    set_all(p, p->used, to), set_all(p, p->used, from);
    if (any(p, p->varied, from)) grown |= set_all(p, p->varied, to);
    if (any(p, p->useful, to)) grown |= set_all(p, p->useful, from);
    return grown;
}

static bool link_call(void *context, gw_activity *a, gw_op op) {
    gw_program_flow *p = context;
    const gw_device what = (gw_device)gw_op_at(p->f, op)->attr;
    if (what == GW_DEVICE_LAUNCH) return link_launch(p, a, op);
    if (what == GW_DEVICE_RULE) return link_rule(p, a, op);
    if (!gw_device_element(what) || gw_device_is_passive(p->f, op)) return false;
    return what == GW_DEVICE_SEND || what == GW_DEVICE_FETCH ? link_host(p, a, op) : link_copy(p, op);
}

/* ---- all ---- */

/* A texture object that is made here is a parameter of kernels, or its texels' derivatives would be lost. */
static bool is_lost_texture(const gw_program_flow *p, gw_op op, uint32_t operand) {
    const gw_op_data *o = gw_op_at(p->f, op);
    const gw_value v = gw_operand(p->f, op, operand);
    if (!p->leads.texture[v] || !gw_program_flow_varies(p, v)) return false;
    if (o->code == GW_OP_CALL) return true;
    if (o->code != GW_OP_DEVICE) return false;
    const gw_launch_flow *l = &p->launches[op];
    const bool is_argument = o->attr == GW_DEVICE_LAUNCH && operand >= GW_LAUNCH_OPERANDS;
    return !is_argument || (l->varied && !l->parts.at[operand - GW_LAUNCH_OPERANDS].is_texture);
}

bool gw_program_flow_check_textures(const gw_program_flow *p) {
    bool good = true;
    for (gw_op op = 1; op < p->f->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(p->f, op)->dead && i < gw_op_at(p->f, op)->operands; i++) {
            if (!is_lost_texture(p, op, i)) continue;
            gw_diag(p->f->session, GW_DIAG_UNSUPPORTED, gw_op_at(p->f, op)->loc,
                    "a texture object that is made here, and is no parameter of its own where it goes,",
                    "pass it to kernels as a parameter, and not in a struct or by memory");
            good = false;
        }
    return good;
}

/* A function that stays a call is given an address. */
static bool hands_on(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; !o->dead && o->code == GW_OP_CALL && i < o->operands; i++)
            if (is_address(f, gw_operand(f, op, i)) || gw_operand_address(f, op, i)) return true;
    }
    return false;
}

/* What an output holds before is an input too: its adjoint comes out as that of the value on entry. */
static void seed(gw_program_flow *p) {
    for (uint32_t i = 0; i < p->f->params.count; i++) {
        const gw_value v = p->f->params.at[i].value;
        if (!v || !is_address(p->f, v) || p->f->params.at[i].is_handle) continue;
        if (p->roles.independent[i] || p->roles.dependent[i]) set_all(p, p->varied, v);
        if (p->roles.dependent[i]) set_all(p, p->useful, v);
    }
}

bool gw_program_flow_find(gw_program_flow *p, const gw_func *f, const gw_request *q) {
    *p = (gw_program_flow){.f = f};
    if (hands_on(f) || !gw_leads_find(&p->leads, f)) return false;
    p->varied = gw_alloc(p->leads.buffers.count + 1);
    p->useful = gw_alloc(p->leads.buffers.count + 1);
    p->used = gw_alloc(p->leads.buffers.count + 1);
    p->launches = gw_alloc(f->ops.count * sizeof *p->launches);
    gw_roles_find(&p->roles, f, q);
    seed(p);
    const gw_device_links links = {link_call, p};
    gw_activity_of_program(&p->activity, f, &p->roles, &links);
    return true;
}

void gw_program_flow_free(gw_program_flow *p) {
    for (gw_op op = 1; p->launches && op < p->f->ops.count; op++) {
        gw_vec_free(&p->launches[op].parts);
        free(p->launches[op].varied), free(p->launches[op].wanted), free(p->launches[op].useful);
        free(p->launches[op].used);
    }
    if (p->launches) gw_activity_free(&p->activity);
    if (p->launches) gw_roles_free(&p->roles);
    gw_leads_free(&p->leads);
    free(p->varied), free(p->useful), free(p->used), free(p->launches);
}
