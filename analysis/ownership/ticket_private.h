/*
 * ticket_private.h - numbers that an atomic addition of the primal gave out (ownership/ticket.c), and that none
 * is given twice (ticket_room.c).
 */
#ifndef GW_TICKET_PRIVATE_H
#define GW_TICKET_PRIVATE_H
#include "analysis/ownership/ownership.h"

/* What an addition adds at most: a few of 2^31 are enough to give a number again. */
enum { GW_TICKET_STEP_MOST = 4096 };

/* The atomic operation of p whose result v is, perhaps in a wider type; 0: none. */
gw_op gw_ticket_of(const gw_func *p, gw_value v);

/* A launch adds at most 2^bits to the ticket's counter, under *assumed. All that is done to it is adding
 * positive constants of at most GW_TICKET_STEP_MOST. */
bool gw_ticket_room(gw_ownership *w, gw_op ticket, uint64_t *assumed);
#endif
