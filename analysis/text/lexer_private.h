/*
 * lexer_private.h - tokens of the IR's text.
 *
 *   WORD    [A-Za-z_][A-Za-z0-9_]*         NUMBER  a digit or '-', then [A-Za-z0-9_.+-]*
 *   STRING  "..." with \" \\ \xNN          VALUE   %name.12 or %12 or %"any name".12
 *   MARK    one character of ( ) { } [ ] , : = @ # ! ' .
 *   BAD     anything else, with what is wrong as its text;  END at the end of the text
 *
 * Spaces, line ends and comments from // to the end of the line separate tokens.
 */
#ifndef GW_LEXER_PRIVATE_H
#define GW_LEXER_PRIVATE_H
#include "analysis/ir/support.h"

typedef enum gw_token_kind {
    GW_TOKEN_END,
    GW_TOKEN_WORD,
    GW_TOKEN_NUMBER,
    GW_TOKEN_STRING,
    GW_TOKEN_VALUE,
    GW_TOKEN_MARK,
    GW_TOKEN_BAD
} gw_token_kind;

typedef struct gw_lexer {
    const char *at, *line_start;
    uint32_t line;
    /* the token that was read last */
    gw_token_kind kind;
    gw_text text;       /* its text: of a STRING what it means, of a VALUE without % and quotes */
    size_t name_length; /* VALUE: how much of the text is the user's name */
    uint32_t token_line, token_column;
    bool first_on_line;
} gw_lexer;

void gw_lexer_start(gw_lexer *l, const char *text); /* reads the first token; l zeroed before */
void gw_lexer_next(gw_lexer *l);
void gw_lexer_free(gw_lexer *l);
#endif
