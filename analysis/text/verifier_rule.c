/*
 * verifier_rule.c - what is said of a rule of the IR that does not hold (contract: verifier_private.h).
 */
#include "analysis/text/verifier_private.h"
#include "analysis/text/printer_private.h"

#include <stdarg.h>
#include <stdio.h>

bool gw_rule_broken(gw_rules *r, gw_op op, const char *format, ...) {
    const gw_session *s = r->f->session;
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    gw_text text = {0};
    gw_text_addf(&text, "function '%s': ", gw_cstr(s, r->f->name));
    if (op) gw_text_addf(&text, "op %u", op);
    if (op && r->links_hold) {
        gw_text_add(&text, " '");
        gw_print_op(r->f, op, &text);
        gw_text_add(&text, "'");
    }
    gw_text_addf(&text, "%s%s", op ? ": " : "", message);
    r->why = text.at;
    r->op = op;
    return false;
}
