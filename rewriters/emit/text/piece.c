/*
 * emit/text/piece.c - pieces of expressions: a text and how tightly it binds, so that who puts it into another
 * one knows whether it needs brackets.
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

gw_piece gw_piece_new(char *text, gw_precedence precedence) {
    gw_piece p = {.precedence = precedence};
    gw_text_add(&p.text, text);
    free(text);
    return p;
}

char *gw_piece_text(gw_piece p, gw_precedence at_least) {
    if (p.precedence >= at_least) return p.text.at;
    char *text = gw_format("(%s)", p.text.at);
    gw_text_free(&p.text);
    return text;
}

bool gw_piece_strip_minus(gw_piece *p, gw_type type) {
    const bool is_number = gw_type_is_float(type) || gw_type_is_four(type);
    if (!is_number || p->precedence != GW_PREC_MUL || p->text.at[0] != '-') return false;
    memmove(p->text.at, p->text.at + 1, p->text.count--);
    return true;
}

const char *gw_emit_type(const gw_emitter *e, gw_type t) { return gw_type_c(e->session, t); }
