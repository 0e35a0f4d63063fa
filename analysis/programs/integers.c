/*
 * programs/integers.c - integers that are made of numbers, from one kernel of a program to another (contract:
 * programs_private.h).
 *
 * Each buffer holds none, rounded numbers or bits of numbers. A kernel is looked through with what it loads and
 * is given (facts/lost.c), which says what it stores; copies, values that the host fetches, computes with and
 * sends or passes on, and calls of a library hand it on, until no buffer holds more. Then it is said where an
 * output depends on such.
 *
 * Memory that begins with numbers, as some kernel is given it, and that another kernel is given from the same
 * place on as integers, gives bits of numbers to that: moved to memory which a kernel reads numbers from, these
 * would have no derivative.
 *
 * Sound: a library's function may leave what it finds in all that it writes, and memory of the host's counts as
 * one buffer with all that its pointers lead into.
 */
#include "analysis/programs/programs_private.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>

typedef struct search {
    const gw_program_flow *p;
    gw_loss *held;    /* by buffer */
    gw_loss *fetched; /* by value of the host's */
    gw_loss *reached; /* likewise: what is made of these, and of numbers of the host's */
    bool *begins;     /* by buffer: it begins with numbers */
    gw_op *bits;      /* by buffer: the launch that put bits of numbers where it begins */
    bool says, grown, good;
} search;

static bool is_address(const search *s, gw_value v) { return gw_typeof(s->p->f, v) == GW_T_ADDRESS; }

static gw_loss held_by(const search *s, gw_value address) {
    gw_loss most = GW_LOSS_NONE;
    for (uint32_t i = 0; i < s->p->leads.buffers.count; i++)
        if (s->held[i] > most && gw_buffers_have(gw_program_flow_leads(s->p, address), i)) most = s->held[i];
    return most;
}

static void hold(search *s, gw_value address, gw_loss how) {
    for (uint32_t i = 0; i < s->p->leads.buffers.count; i++) {
        if (s->held[i] >= how || !gw_buffers_have(gw_program_flow_leads(s->p, address), i)) continue;
        s->held[i] = how, s->grown = true;
    }
}

static void take(search *s, gw_value v, gw_loss how) {
    if (s->fetched[v] >= how || !gw_type_is_integer(gw_typeof(s->p->f, v))) return;
    s->fetched[v] = how, s->grown = true;
}

/* ---- where a buffer begins ---- */
enum { NOWHERE = GW_MOST_BUFFERS };

/* The buffer that the address is the beginning of. */
static uint32_t begun_by(const search *s, gw_value address) {
    const gw_leads *leads = &s->p->leads;
    uint32_t found = NOWHERE, count = 0;
    for (uint32_t i = 0; i < leads->buffers.count; i++)
        if (gw_buffers_have(gw_program_flow_leads(s->p, address), i)) found = i, count++;
    return count == 1 && !leads->moved[address] ? found : NOWHERE;
}

static void find_beginnings(search *s) {
    const gw_func *f = s->p->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_launch_flow *l = &s->p->launches[op];
        for (uint32_t i = 0; l->varied && i < l->parts.count; i++) {
            if (!l->parts.at[i].leads_to_numbers) continue;
            const uint32_t b = begun_by(s, gw_operand(f, op, GW_LAUNCH_OPERANDS + i));
            if (b != NOWHERE) s->begins[b] = true;
        }
    }
}

static void put_bits(search *s, gw_value address, gw_op op) {
    const uint32_t b = begun_by(s, address);
    if (b == NOWHERE || s->bits[b]) return;
    s->bits[b] = op, s->grown = true;
}

static void say(search *s, gw_op from, gw_op to) {
    char *line = gw_format("%u", gw_op_at(s->p->f, to)->loc.line);
    gw_diag(s->p->f->session, GW_DIAG_LOST_BITS, gw_op_at(s->p->f, from)->loc, line);
    free(line);
    s->good = false;
}

/* Numbers that an output depends on are read from where bits were put. */
static void check_reads(search *s, gw_op op) {
    const gw_launch_flow *l = &s->p->launches[op];
    for (uint32_t i = 0; l->varied && s->good && i < l->parts.count; i++) {
        const gw_value v = gw_operand(s->p->f, op, GW_LAUNCH_OPERANDS + i);
        if (!l->parts.at[i].leads_to_numbers || !l->parts.at[i].is_read || !l->useful[i]) continue;
        const uint32_t b = begun_by(s, v);
        if (b != NOWHERE && s->bits[b]) say(s, s->bits[b], op);
    }
}

/* ---- launches ---- */
static bool leads_to_integers(const search *s, const gw_launch_flow *l, uint32_t part, gw_value operand) {
    return !l->parts.at[part].leads_to_numbers && is_address(s, operand);
}

/* The loads of what the part leads to, or of the member that it is. */
static void give(const gw_func *kernel, const gw_launch_part *part, gw_loss how, gw_loss *made) {
    const gw_value number = kernel->params.at[part->param].value;
    if (number && !part->is_leaf) made[number] = how;
    for (gw_op k = 1; k < kernel->ops.count; k++) {
        const gw_op_data *o = gw_op_at(kernel, k);
        if (!o->dead && o->code == GW_OP_LOAD && gw_launch_part_has(kernel, part, k))
            made[o->first_result] = how;
    }
}

static gw_loss given(const search *s, const gw_launch_flow *l, uint32_t part, gw_value operand) {
    if (leads_to_integers(s, l, part, operand)) {
        const uint32_t b = begun_by(s, operand);
        return b != NOWHERE && s->begins[b] && s->p->varied[b] ? GW_LOSS_BITS : held_by(s, operand);
    }
    return is_address(s, operand) ? GW_LOSS_NONE : s->reached[operand];
}

static void take_stored(search *s, gw_op op, uint32_t which, const gw_loss *reached) {
    const gw_func *f = s->p->f, *kernel = gw_func_find(f->session, gw_op_at(f, op)->callee);
    const gw_launch_part *part = &s->p->launches[op].parts.at[which];
    const gw_value address = gw_operand(f, op, GW_LAUNCH_OPERANDS + which);
    for (gw_op k = 1; k < kernel->ops.count; k++) {
        const gw_op_data *o = gw_op_at(kernel, k);
        const bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC;
        if (o->dead || !writes || !gw_launch_part_has(kernel, part, k)) continue;
        const gw_loss how = reached[gw_operand(kernel, k, o->operands - 1)];
        hold(s, address, how);
        if (how == GW_LOSS_BITS) put_bits(s, address, op);
    }
}

static void carry_launch(search *s, gw_op op) {
    const gw_launch_flow *l = &s->p->launches[op];
    const gw_func *f = s->p->f, *kernel = gw_func_find(f->session, gw_op_at(f, op)->callee);
    gw_loss *made = gw_alloc(kernel->values.count * sizeof *made),
            *reached = gw_alloc(kernel->values.count * sizeof *reached);
    bool any = false;
    for (uint32_t i = 0; l->varied && i < l->parts.count; i++) {
        const gw_value operand = gw_operand(f, op, GW_LAUNCH_OPERANDS + i);
        const gw_loss how = given(s, l, i, operand);
        if (how) give(kernel, &l->parts.at[i], how, made);
        any |= how || leads_to_integers(s, l, i, operand);
    }
    if (any) {
        gw_roles roles;
        gw_activity k;
        gw_launch_flow_roles(kernel, l, &roles);
        gw_activity_new(&k, kernel, &roles);
        s->good &= gw_lost_between(&k, &roles, made, reached, s->says);
        gw_activity_free(&k);
        gw_roles_free(&roles);
    }
    for (uint32_t i = 0; any && i < l->parts.count; i++) {
        const gw_value operand = gw_operand(f, op, GW_LAUNCH_OPERANDS + i);
        if (leads_to_integers(s, l, i, operand)) take_stored(s, op, i, reached);
    }
    free(made), free(reached);
}

/* ---- the host ---- */
static void carry_fetched(search *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->p->f, op);
    for (uint32_t i = 0; i < o->results; i++)
        take(s, gw_result(s->p->f, op, i), held_by(s, gw_operand(s->p->f, op, 0)));
}

static void carry_sent(search *s, gw_op op) {
    const gw_func *f = s->p->f;
    for (uint32_t i = GW_SEND_OPERANDS; i < gw_op_at(f, op)->operands; i++)
        hold(s, gw_operand(f, op, 0), s->reached[gw_operand(f, op, i)]);
}

/* A library's function may leave what it finds in memory, or is given, in all that it writes. */
static void carry_call(search *s, gw_op op) {
    const gw_func *f = s->p->f;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_rule *rule = gw_rule_find(f->session, o->callee);
    const uint32_t end = GW_RULE_OPERANDS + rule->params.count;
    gw_loss most = GW_LOSS_NONE;
    for (uint32_t i = GW_RULE_OPERANDS; i < o->operands && i < end; i++) {
        const gw_value v = gw_operand(f, op, i);
        const bool is_memory = rule->params.at[i - GW_RULE_OPERANDS].is_memory && is_address(s, v);
        const gw_loss how = is_memory ? held_by(s, v) : s->reached[v];
        if (how > most) most = how;
    }
    for (uint32_t i = GW_RULE_OPERANDS; most && i < o->operands && i < end; i++) {
        const gw_rule_param *param = &rule->params.at[i - GW_RULE_OPERANDS];
        const gw_value v = gw_operand(f, op, i);
        if (param->is_memory && param->writes && is_address(s, v)) hold(s, v, most);
    }
    for (uint32_t i = 0; most && i < o->results; i++)
        take(s, gw_result(f, op, i), most);
}

static void carry(search *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->p->f, op);
    if (o->attr == GW_DEVICE_LAUNCH) {
        carry_launch(s, op);
    } else if (o->attr == GW_DEVICE_FETCH) {
        carry_fetched(s, op);
    } else if (o->attr == GW_DEVICE_SEND) {
        carry_sent(s, op);
    } else if (o->attr == GW_DEVICE_RULE) {
        carry_call(s, op);
    } else if (gw_device_element((gw_device)o->attr)) {
        const gw_value from = gw_program_flow_source(s->p, op), to = gw_operand(s->p->f, op, 0);
        if (from) hold(s, to, held_by(s, from));
        const uint32_t b = from ? begun_by(s, from) : NOWHERE;
        if (b != NOWHERE && s->bits[b]) put_bits(s, to, s->bits[b]);
    }
}

bool gw_program_flow_check_integers(const gw_program_flow *p) {
    const uint32_t values = p->f->values.count;
    search s = {.p = p, .good = true};
    s.held = gw_alloc((p->leads.buffers.count + 1) * sizeof *s.held);
    s.fetched = gw_alloc(values * sizeof *s.fetched);
    s.reached = gw_alloc(values * sizeof *s.reached);
    s.begins = gw_alloc(p->leads.buffers.count + 1);
    s.bits = gw_alloc((p->leads.buffers.count + 1) * sizeof *s.bits);
    find_beginnings(&s);
    for (int says = 0; says < 2; says++) {
        s.says = says;
        for (s.grown = true; s.grown;) {
            s.grown = false;
            s.good &= gw_lost_between(&p->activity, &p->roles, s.fetched, s.reached, says);
            for (gw_op op = 1; op < p->f->ops.count; op++)
                if (!gw_op_at(p->f, op)->dead && gw_op_at(p->f, op)->code == GW_OP_DEVICE) carry(&s, op);
        }
    }
    for (gw_op op = 1; op < p->f->ops.count && s.good; op++) check_reads(&s, op);
    free(s.held), free(s.fetched), free(s.reached), free(s.begins), free(s.bits);
    return s.good;
}
