/* value_map.h - a part of ir.h: what stands for the values of a function in another one, or in itself. */
#ifndef GW_VALUE_MAP_H
#define GW_VALUE_MAP_H
#include "analysis/ir/ir.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gw_value_map {
    gw_value *at; /* indexed by value of the source function; grows on demand */
    uint32_t count;
} gw_value_map;
void gw_map_set(gw_value_map *m, gw_value from, gw_value to);
static inline gw_value gw_map_get(const gw_value_map *m, gw_value from) {
    return from < m->count ? m->at[from] : 0;
}
void gw_map_free(gw_value_map *m);

typedef struct gw_value_list {
    gw_value *at;
    uint32_t count, room;
} gw_value_list;

#ifdef __cplusplus
}
#endif
#endif
