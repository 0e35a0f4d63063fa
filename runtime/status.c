/*
 * status.c - statuses and the calling thread's last error text.
 *
 * Requires nothing; guarantees that reporting neither allocates nor fails. The text is thread-local, so no
 * thread sees another's message and no lock is needed.
 */
#include "gradwright/runtime.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[1024];

gw_status gw_report(gw_status status, const char *format, ...) {
    last_error[0] = '\0';
    if (status != GW_OK && format) {
        va_list arguments;
        va_start(arguments, format);
        if (vsnprintf(last_error, sizeof last_error, format, arguments) < 0)
            last_error[0] = '\0';
        va_end(arguments);
    }
    return status;
}

const char *gw_last_error(void) {
    return last_error;
}

const char *gw_status_text(gw_status status) {
    static const struct {
        gw_status status;
        const char *text;
    } rows[] = {
#define GW_STATUS(NAME, value, text) {NAME, text},
#include "gradwright/status.def"
#undef GW_STATUS
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].status == status)
            return rows[i].text;
    return "unknown status";
}
