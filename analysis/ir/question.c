/*
 * ir/question.c - questions as steps of a path: `.~bool_` and an expression of C++, the last step but for its
 * operands: what a const method of an object gives that has no cells, a std::string or a std::map.
 *
 * In the path the expression consists of letters and digits; any other character is its code, "_2e". In the
 * expression `$0` is what the path leads to so far, `$p` a pointer to it, `$1`, `$2`, ... are the indices
 * behind the step, `$hCLASS;MEMBER;` is what opens a private member, `$oNAME;` another parameter, `$c`
 * stands before the sign of a comparison, and `$$` is a dollar.
 */
#include "analysis/ir/question.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

gw_str gw_question_path(gw_session *s, const char *before, gw_type type, const char *expression,
                     uint32_t operands) {
    gw_text text = {0};
    gw_text_addf(&text, "%s%s%s_", before, GW_PATH_ASKED, gw_type_text(s, type));
    for (const char *c = expression; *c; c++)
        gw_text_addf(&text, isalnum((unsigned char)*c) ? "%c" : "_%02x", (unsigned char)*c);
    for (uint32_t i = 0; i < operands; i++) gw_text_add(&text, "[]");
    const gw_str path = gw_intern(s, text.at);
    gw_text_free(&text);
    return path;
}

bool gw_question_walks(const char *path) {
    return strstr(path, "gw_5fmark") != NULL && gw_question_in(path) != NULL;
}

char *gw_question_expression(const char *step) {
    gw_text text = {0};
    gw_text_add(&text, "");
    for (const char *c = step + strlen(GW_PATH_ASKED) + strcspn(step + strlen(GW_PATH_ASKED), "_") + 1;
         *c && *c != '['; c++) {
        const char code[3] = {*c == '_' ? c[1] : 0, *c == '_' ? c[2] : 0, 0};
        gw_text_addf(&text, "%c", *c == '_' ? (char)strtol(code, NULL, 16) : *c);
        if (*c == '_') c += 2;
    }
    return text.at;
}
