/*
 * printer_names.c - names, types and numbers in the IR's text, so that the parser reads back what was meant
 * (contract: printer_private.h).
 */
#include "analysis/text/printer_private.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gw_print_is_plain(const char *text, const char *extra) {
    if (!isalpha((unsigned char)text[0]) && text[0] != '_') return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && !strchr(extra, *c)) return false;
    return true;
}

void gw_print_quoted(gw_text *out, const char *text) {
    gw_text_add(out, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        char plain[2] = {(char)*c, 0};
        if (*c == '"' || *c == '\\')
            gw_text_addf(out, "\\%c", *c);
        else if (*c < ' ' || *c == 127)
            gw_text_addf(out, "\\x%02x", *c);
        else
            gw_text_add(out, plain);
    }
    gw_text_add(out, "\"");
}

void gw_print_name(gw_text *out, const char *text) {
    if (gw_print_is_plain(text, ""))
        gw_text_add(out, text);
    else
        gw_print_quoted(out, text);
}

void gw_print_ordinal(gw_text *out, uint32_t ordinal) {
    if (ordinal > 1) gw_text_addf(out, "'%u", ordinal);
}

void gw_print_type(const gw_session *s, gw_type t, gw_text *out) {
    for (; t >= GW_T_SCALARS && s->types.at[t].kind != GW_TYPE_STRUCT; t = s->types.at[t].element) {
        if (s->types.at[t].kind == GW_TYPE_ARRAY)
            gw_text_addf(out, "[%u]", s->types.at[t].count);
        else
            gw_text_add(out, s->types.at[t].is_const ? "*const " : "*");
    }
    if (t < GW_T_SCALARS) {
        gw_text_add(out, gw_type_text(s, t));
        return;
    }
    const char *name = gw_cstr(s, s->types.at[t].name);
    bool hides_scalar = false;
    for (gw_type k = 0; k < GW_T_SCALARS; k++)
        hides_scalar |= strcmp(name, gw_type_text(s, k)) == 0;
    if (hides_scalar)
        gw_print_quoted(out, name);
    else
        gw_print_name(out, name);
    uint32_t ordinal = 1;
    for (gw_type k = GW_T_SCALARS; k < t; k++)
        ordinal += s->types.at[k].kind == GW_TYPE_STRUCT && s->types.at[k].name == s->types.at[t].name;
    gw_print_ordinal(out, ordinal);
}

void gw_print_func_label(const gw_func *f, gw_text *out) {
    uint32_t ordinal = 1;
    for (uint32_t i = 0; i < f->session->funcs.count && f->session->funcs.at[i] != f; i++)
        ordinal += f->session->funcs.at[i]->name == f->name;
    gw_text_add(out, "@");
    gw_print_name(out, gw_cstr(f->session, f->name));
    gw_print_ordinal(out, ordinal);
}

void gw_print_real(gw_text *out, gw_type type, double x) {
    char text[64];
    if (isnan(x)) {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        gw_text_addf(out, "bits 0x%016llx", (unsigned long long)bits);
        return;
    }
    bool as_float = type == GW_T_F32;
    if (isinf(x)) gw_text_add(out, x < 0 ? "-inf" : "inf");
    if (isinf(x)) return;
    for (int digits = 1; digits <= 17; digits++) { /* a decimal f32 is rounded to float when read */
        snprintf(text, sizeof text, "%.*g", digits, x);
        if ((as_float ? (double)strtof(text, NULL) : strtod(text, NULL)) == x) {
            gw_text_add(out, text);
            return;
        }
    }
    gw_text_addf(out, "%a", x);
}

void gw_print_place(const gw_session *s, gw_loc loc, gw_text *out) {
    gw_print_quoted(out, gw_cstr(s, loc.file));
    gw_text_addf(out, ":%u:%u", loc.line, loc.column);
}
