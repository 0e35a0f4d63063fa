/*
 * ownership/ticket.c - what results of atomic operations say about who meets where.
 *
 * Tickets. atomicAdd(&counter, 1) gives each number once, if nothing else is done to the counter than adding
 * positive constants, and these together are at most 2^bits of the counter's type (ticket_room.c): what it held
 * only grows, so two executions return different numbers. References that have such a number for an index are
 * never at one cell in two threads.
 *   - The counter is one cell: constant indices. Each block has one of its own in shared memory, so what it
 *     numbers must be shared, too.
 *   - Stores to a shared counter may set it, once: outside of loops. They are ordered with the additions by
 *     barriers (race-freedom), so all executions of one addition lie on one side of each.
 *   - Both references have the number of the same atomicAdd of the text, at the same position of their index.
 *
 * Decisions. A thread that acts by what an atomic operation returned may have waited for another one (a lock,
 * the last block): two threads can then take turns at a cell without an atomic, in an order that the reverse
 * sweep does not have. So where such a result reaches a condition, a bound, memory that is read, or a barrier,
 * or where the operation is an exchange, race-freedom of the primal proves nothing (ownership/premise.c). An
 * index may be made of it.
 */
#include "analysis/ir/atomic.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ownership/premise_private.h"
#include "analysis/ir/restructure.h"
#include "analysis/ownership/ticket_private.h"
#include "analysis/ir/optional.h"

/* ---- tickets ---- */
static bool adds_positive(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    bool shared = gw_object_at(p, o->object)->kind == GW_OBJECT_SHARED;
    bool adds = o->attr == GW_ATOMIC_ADD || o->attr == GW_ATOMIC_ADD_SYSTEM ||
                (shared && o->attr == GW_ATOMIC_ADD_BLOCK);
    int64_t constant;
    for (uint32_t i = 0; adds && i < gw_index_count(p, op); i++)
        adds = gw_const_int(p, gw_operand(p, op, i), &constant);
    return adds && gw_const_int(p, gw_operand(p, op, o->operands - 1), &constant) && constant > 0 &&
           constant <= GW_TICKET_STEP_MOST;
}

/* The counter of the op gives each number once. */
static bool counts(const gw_func *p, gw_op ticket) {
    const gw_op_data *t = gw_op_at(p, ticket);
    bool shared = gw_object_at(p, t->object)->kind == GW_OBJECT_SHARED;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->object != t->object || o->code == GW_OP_LOAD) continue;
        bool sets = shared && o->code == GW_OP_STORE && !gw_loop_around(p, op);
        if (!sets && (o->code != GW_OP_ATOMIC || !adds_positive(p, op))) return false;
    }
    return true;
}

bool gw_ownership_by_ticket(gw_ownership *w, gw_op r, gw_op s, uint64_t *assumed) {
    const gw_func *f = w->f, *p = f->primal;
    if (!gw_premise_follows_origin(f, r) || !gw_premise_follows_origin(f, s)) return false;
    gw_op x = gw_op_at(f, r)->origin, y = gw_op_at(f, s)->origin;
    bool shared = gw_object_at(p, gw_op_at(p, x)->object)->kind == GW_OBJECT_SHARED;
    for (uint32_t i = 0; i < gw_ownership_positions(p, x, y); i++) {
        gw_op ticket = gw_ticket_of(p, gw_operand(p, x, i));
        if (!ticket || ticket != gw_ticket_of(p, gw_operand(p, y, i))) continue;
        bool of_block = gw_object_at(p, gw_op_at(p, ticket)->object)->kind == GW_OBJECT_SHARED;
        if ((shared || !of_block) && adds_positive(p, ticket) && counts(p, ticket))
            return gw_takes(f->session, GW_OPTIONAL_TICKETS) && gw_ticket_room(w, ticket, assumed);
    }
    return false;
}

/* ---- decisions ---- */
