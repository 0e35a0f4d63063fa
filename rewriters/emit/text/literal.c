/*
 * emit/text/literal.c - constants as C literals: the type is exact, floating values read back bit for bit.
 */
#include "rewriters/emit/text/text_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool reads_back(const char *text, double x, gw_type type) {
    return type == GW_T_F32 ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x;
}

/* Fewest digits that read back as x. */
static char *shortest(double x, gw_type type) {
    for (int digits = 1;; digits++) {
        char *text = gw_format("%.*g", digits, x);
        if (digits >= 17 || reads_back(text, x, type)) return text;
        free(text);
    }
}

/* 1e+06 is legal but 1000000.0 reads better; both keep the value. */
static char *with_point(char *digits, double x) {
    char *text = digits;
    if (strchr(digits, 'e') && fabs(x) < 1e9 && x == floor(x)) {
        text = gw_format("%.1f", x);
        free(digits);
    } else if (!strpbrk(digits, ".e")) {
        text = gw_format("%s.0", digits);
        free(digits);
    }
    return text;
}

static gw_piece real_literal(double x, gw_type type) {
    if (isnan(x)) return gw_piece_new(gw_strdup("NAN"), GW_PREC_PRIMARY);
    gw_precedence precedence = signbit(x) ? GW_PREC_UNARY : GW_PREC_PRIMARY;
    if (isinf(x)) return gw_piece_new(gw_strdup(x < 0 ? "-INFINITY" : "INFINITY"), precedence);
    char *digits = type == GW_T_F80 ? gw_format("%.21Lg", (long double)x) : shortest(x, type);
    digits = with_point(digits, x);
    const char *suffix = type == GW_T_F32 ? "f" : "";
    if (type == GW_T_F80) suffix = "L";
    char *text = gw_format("%s%s", digits, suffix);
    free(digits);
    return gw_piece_new(text, precedence);
}

static gw_piece integer_literal(int64_t x, gw_type type, bool bare) {
    if (type == GW_T_U32 || type == GW_T_U64) {
        uint64_t u = type == GW_T_U32 ? (uint32_t)x : (uint64_t)x;
        const char *suffix = type == GW_T_U32 ? "u" : "ull";
        if (type == GW_T_U32 && u == UINT32_MAX) return gw_piece_new(gw_strdup("~0u"), GW_PREC_UNARY);
        if (bare && u <= INT64_MAX) suffix = "";
        return gw_piece_new(gw_format("%llu%s", (unsigned long long)u, suffix), GW_PREC_PRIMARY);
    }
    const char *suffix = type == GW_T_I64 && !bare ? "ll" : "";
    bool least = x == (type == GW_T_I64 ? INT64_MIN : INT32_MIN);
    if (least) return gw_piece_new(gw_format("%lld%s - 1", (long long)(x + 1), suffix), GW_PREC_ADD);
    return gw_piece_new(gw_format("%lld%s", (long long)x, suffix), x < 0 ? GW_PREC_UNARY : GW_PREC_PRIMARY);
}

gw_piece gw_emit_literal(const gw_emitter *e, gw_value v, bool bare) {
    gw_type type = gw_typeof(e->f, v);
    double real = 0;
    int64_t integer = 0;
    if (gw_type_is_four(type))
        return gw_piece_new(gw_format(e->language == GW_EMIT_C ? "(%s){0}" : "%s{}", gw_emit_type(e, type)),
                     GW_PREC_PRIMARY);
    if (gw_const_real(e->f, v, &real)) return real_literal(real, type);
    gw_const_int(e->f, v, &integer);
    if (type == GW_T_ADDRESS && !integer) return gw_piece_new(gw_strdup("nullptr"), GW_PREC_PRIMARY);
    if (type == GW_T_BOOL) return gw_piece_new(gw_strdup(integer ? "true" : "false"), GW_PREC_PRIMARY);
    return integer_literal(integer, type, bare);
}
