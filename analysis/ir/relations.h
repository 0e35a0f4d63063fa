/*
 * relations.h - the relations of facts about a launch, the rows of relations.def.
 */
#ifndef GRADWRIGHT_IR_RELATIONS_H
#define GRADWRIGHT_IR_RELATIONS_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_relation {
#define GW_RELATION(KIND, word) GW_RELATION_##KIND,
#include "analysis/ir/relations.def"
#undef GW_RELATION
    GW_RELATION_COUNT
} gw_relation;

#ifdef __cplusplus
}
#endif
#endif
