/* records.h - what pushes and pops leave on a tape. */
#ifndef GW_RECORDS_H
#define GW_RECORDS_H
#include "analysis/ir/ir.h"

uint32_t gw_record_bytes(const gw_func *f, gw_op push);
bool gw_leaves_records(const gw_func *f, gw_op op); /* it does not pop again all that it pushed */
bool gw_takes_records(const gw_func *f, gw_op op);  /* it pops what others pushed */
#endif
