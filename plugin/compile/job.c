/*
 * job.c - the state of one gw_compile, shared by its steps (contract: compile_private.h).
 */
#include "plugin/compile/compile_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool gw_job_fail(gw_job *j, const char *format, ...) {
    char text[4096];
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(text, sizeof text, format, list);
    if (!j->error && n >= 0) {
        j->error = gw_alloc((size_t)n + 1);
        vsnprintf(j->error, (size_t)n + 1, format, again);
    }
    va_end(again);
    va_end(list);
    return false;
}

void gw_list_free(gw_list *words) {
    for (uint32_t i = 0; i < words->count; i++)
        free(words->at[i]);
    gw_vec_free(words);
}
