/* passes.h - the passes and their steps, one table: passes.def. Who makes one or calls one includes it. */
#ifndef GRADWRIGHT_IR_PASSES_H
#define GRADWRIGHT_IR_PASSES_H
#include "analysis/ir/run.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A pass returns false after recording a diagnostic; a step records it. */
#define GW_PASS(name, function, needs, makes, after, because, says) bool function(gw_run *run);
#define GW_GROUP(name, on, needs, makes, after, because, says) bool on(const gw_func *f);
#define GW_STEP(function, because) void function(gw_func *f);
#define GW_SHAPE(function, because) void function(gw_func *primal, const gw_request *q);
#include "analysis/ir/passes.def"
#undef GW_PASS
#undef GW_GROUP
#undef GW_STEP
#undef GW_SHAPE

#ifdef __cplusplus
}
#endif
#endif
