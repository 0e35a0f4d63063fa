/*
 * lexer.c - splits the IR's text into tokens (contract: lexer_private.h). Any bytes are legal input: what is no
 * token becomes GW_TOKEN_BAD, and the lexer never reads beyond the terminating zero.
 */
#include "analysis/text/lexer_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_char(gw_lexer *l, char c) {
    char text[2] = {c, 0};
    gw_text_add(&l->text, text);
}

static void set_text(gw_lexer *l, const char *text) {
    l->text.count = 0;
    gw_text_add(&l->text, text);
}

static void bad(gw_lexer *l, const char *why) {
    l->kind = GW_TOKEN_BAD;
    set_text(l, why);
}

static void skip_blanks(gw_lexer *l) {
    for (;;) {
        if (*l->at == '\n') {
            l->line++;
            l->line_start = ++l->at;
            l->first_on_line = true;
        } else if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r') {
            l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            l->at += strcspn(l->at, "\n");
        } else {
            return;
        }
    }
}

static void take_while(gw_lexer *l, bool (*wanted)(char c)) {
    while (wanted(*l->at))
        add_char(l, *l->at++);
}

static bool is_number_char(char c) { return gw_is_word(c) || c == '.' || c == '+' || c == '-'; }
static bool is_value_char(char c) { return gw_is_word(c) || c == '.'; }

static int hex_digit(char c) {
    if (isdigit((unsigned char)c)) return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Adds what stands between the quotes to the text; false after bad(). */
static bool take_string(gw_lexer *l) {
    for (l->at++; *l->at != '"'; l->at++) {
        if (*l->at == 0 || *l->at == '\n') {
            bad(l, "a string does not end on its line");
            return false;
        }
        if (*l->at != '\\') {
            add_char(l, *l->at);
            continue;
        }
        l->at++;
        if (*l->at == '"' || *l->at == '\\') {
            add_char(l, *l->at);
            continue;
        }
        int high = *l->at == 'x' ? hex_digit(l->at[1]) : -1, low = high < 0 ? -1 : hex_digit(l->at[2]);
        if (low < 0 || high + low == 0) {
            bad(l, "a string holds an escape other than \\\" \\\\ and \\x01 to \\xff");
            return false;
        }
        add_char(l, (char)(unsigned char)(high * 16 + low));
        l->at += 2;
    }
    l->at++;
    return true;
}

/* The user's name is the text but for a last ".digits"; a name of digits only is none. */
static void find_name(gw_lexer *l) {
    size_t n = l->text.count;
    while (n && isdigit((unsigned char)l->text.at[n - 1]))
        n--;
    if (n && n < l->text.count && l->text.at[n - 1] == '.')
        l->name_length = n - 1;
    else
        l->name_length = n ? l->text.count : 0;
}

static void read_value(gw_lexer *l) {
    l->kind = GW_TOKEN_VALUE;
    l->at++;
    if (*l->at == '"' && !take_string(l)) return;
    take_while(l, is_value_char);
    if (!l->text.count)
        bad(l, "'%' begins a value, and no name or number follows");
    else
        find_name(l);
}

void gw_lexer_next(gw_lexer *l) {
    set_text(l, "");
    l->name_length = 0;
    l->first_on_line = false;
    skip_blanks(l);
    l->token_line = l->line;
    l->token_column = (uint32_t)(l->at - l->line_start) + 1;
    char c = *l->at;
    if (c == 0) {
        l->kind = GW_TOKEN_END;
    } else if (c == '"') {
        l->kind = GW_TOKEN_STRING;
        take_string(l);
    } else if (c == '%') {
        read_value(l);
    } else if (isdigit((unsigned char)c) || c == '-') {
        l->kind = GW_TOKEN_NUMBER;
        add_char(l, c);
        l->at++;
        take_while(l, is_number_char);
    } else if (gw_is_word(c)) {
        l->kind = GW_TOKEN_WORD;
        take_while(l, gw_is_word);
    } else if (strchr("(){}[],:=@#!'.*", c)) {
        l->kind = GW_TOKEN_MARK;
        add_char(l, c);
        l->at++;
    } else {
        bad(l, "a character that begins no token");
    }
}

void gw_lexer_start(gw_lexer *l, const char *text) {
    l->at = l->line_start = text;
    l->line = 1;
    gw_lexer_next(l);
    l->first_on_line = true;
}

void gw_lexer_free(gw_lexer *l) { gw_text_free(&l->text); }
