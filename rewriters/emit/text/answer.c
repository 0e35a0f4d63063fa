/*
 * emit/text/answer.c - what the answer to a question is called (ir/question.h).
 */
#include "analysis/ir/question.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

/* "where_at" of `where.at(k)`, "is_mode" of `mode == "cube"`. */
char *gw_emit_answer_name(const char *object, const char *step) {
    char *expression = gw_question_expression(step), *end = expression + strlen(expression);
    const bool compares = strstr(expression, "$c ") != NULL;
    while (end > expression && !gw_is_word(end[-1])) end--;
    char *begin = end;
    while (begin > expression && gw_is_word(begin[-1])) begin--;
    char *open = strrchr(expression, '(');
    if (open && open > expression && gw_is_word(open[-1])) {
        for (end = begin = open; begin > expression && gw_is_word(begin[-1]);) begin--;
    }
    char *name = compares ? gw_format("is_%s", object)
                          : gw_format("%s_%.*s", object, (int)(end - begin), begin);
    free(expression);
    return name;
}
