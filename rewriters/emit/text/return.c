/*
 * emit/text/return.c - what a RET means in the text that is being written (gw_emit_ret).
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_CHECK = 90 };

static void check(gw_emitter *e, gw_op op, const gw_assumption *a) {
    gw_value v = gw_operand(e->f, op, a->index);
    int64_t holds;
    if (gw_const_int(e->f, v, &holds) && holds) return;
    char *broken = gw_piece_text(gw_emit_negation(e, v), GW_PREC_ASSIGN);
    gw_text text = {0};
    gw_assumption_text(e->session, a, &text);
    char *literal = gw_emit_quoted(text.at);
    gw_text_free(&text);
    bool fits = strlen(broken) + strlen(literal) <= LONGEST_CHECK;
    gw_emit_line(e, fits ? "if (%s) return %s;" : "if (%s)\n        return %s;", broken, literal);
    free(literal);
    free(broken);
}

void gw_emit_return(gw_emitter *e, gw_op op) {
    uint32_t count = gw_op_at(e->f, op)->operands;
    if (e->ret == GW_EMIT_NEEDS) {
        for (uint32_t i = 0; i < e->f->assumptions.count; i++)
            check(e, op, &e->f->assumptions.at[i]);
        gw_emit_line(e, "return nullptr;");
        return;
    }
    if (e->ret == GW_EMIT_MEASURE) {
        char *narrow = gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_ASSIGN),
             *wide = gw_emit_text(e, gw_operand(e->f, op, 1), GW_IN_EXACT, GW_PREC_ASSIGN);
        gw_emit_line(e, "gw_measure(%s, %s, %s);", gw_cstr(e->session, e->measuring), narrow, wide);
        free(narrow);
        free(wide);
        return;
    }
    char *first = count ? gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_ASSIGN) : NULL;
    const bool stored = e->ret == GW_EMIT_STORED;
    if (e->ret == GW_EMIT_SLOTS || stored) {
        gw_text list = {0};
        for (uint32_t i = 0; i < count; i++) {
            char *next = gw_emit_text(e, gw_operand(e->f, op, i), GW_IN_EXACT, GW_PREC_ASSIGN);
            if (i) gw_text_add(&list, i == 2 && !stored ? "}, {" : ", ");
            gw_text_add(&list, next);
            free(next);
        }
        gw_emit_line(e, count > 2 || stored ? "return {{%s}};" : "return {%s};", list.at ? list.at : "");
        gw_text_free(&list);
    } else if (e->f->tape_host && first && e->f->return_type != GW_T_VOID) {
        const char *result = gw_cstr(e->session, gw_emit_unique(e, "result"));
        gw_emit_line(e, "const %s %s = %s;", gw_emit_type(e, e->f->return_type), result, first);
        gw_emit_line(e, "gw_host_tape_free(%s);", gw_cstr(e->session, e->host_tape));
        gw_emit_line(e, "return %s;", result);
    } else if (e->f->tape_host) {
        gw_emit_tape_end(e);
        gw_emit_free_sized(e);
        gw_emit_line(e, "return GW_OK;");
    } else if (first && e->f->return_type != GW_T_VOID) {
        gw_emit_line(e, "return %s;", first);
    } else if (gw_emit_returned_struct(e->f)) {
        gw_emit_line(e, "return %s;", gw_cstr(e->session, e->object_name[gw_emit_returned_struct(e->f)]));
    }
    free(first);
}
