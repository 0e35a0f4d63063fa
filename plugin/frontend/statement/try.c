/*
 * frontend/statement/try.c - try and catch: the handlers are branches behind the block.
 *
 * What is thrown in the block takes an exit (call/caught.c), with the variables as they are there. Behind the
 * block, whose objects have been destroyed by then, one branch for each handler that something reaches.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>

void gw_front_unthrown_end(gw_lowering *L, uint32_t first) {
    while (L->unthrown.count > first) {
        gw_unthrown u = L->unthrown.at[--L->unthrown.count];
        if (L->b.region != u.rest.region) gw_front_refuse_unthrown(L);
        if (L->failed) continue;
        gw_front_destroy_from(L, u.owned);
        gw_front_guard_end(L, u.thrown, &u.rest);
    }
}

static enum CXChildVisitResult find_use(CXCursor c, CXCursor parent, CXClientData data) {
    CXCursor *variable = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr ||
        !clang_equalCursors(clang_getCursorReferenced(c), *variable))
        return CXChildVisit_Recurse;
    *variable = clang_getNullCursor();
    return CXChildVisit_Break;
}

static gw_handler read_handler(CXCursor statement) {
    gw_cursors parts = {0};
    gw_handler h = {.statement = statement, .variable = clang_getNullCursor()};
    h.type.kind = CXType_Invalid;
    gw_front_children(statement, &parts);
    if (parts.count && clang_getCursorKind(parts.at[0]) == CXCursor_VarDecl) {
        CXCursor unused = parts.at[0];
        h.type = clang_getUnqualifiedType(
            clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(unused))));
        clang_visitChildren(statement, find_use, &unused);
        if (clang_Cursor_isNull(unused)) h.variable = parts.at[0];
    }
    gw_vec_free(&parts);
    return h;
}

/* Nobody asks for more than text of a class of std, or of one that has such a base. */
static void make_variable(gw_lowering *L, gw_handler *h) {
    if (clang_Cursor_isNull(h->variable)) return;
    const gw_shape shape = gw_front_shape(L->u, h->type);
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    const gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(h->variable));
    if (d->kind == GW_SHAPE_SCALAR || gw_front_is_given_whole(L, h->type))
        h->value = gw_front_temp(L, shape, name);
    else
        h->value = gw_front_unknown_place(L, shape, "an exception");
}

static void handle(gw_lowering *L, const gw_handler *h) {
    const gw_scope scope = gw_front_scope(L);
    const CXCursor body = gw_front_body(h->statement);
    if (!clang_Cursor_isNull(h->variable)) gw_front_bind(L, h->variable, h->value);
    gw_front_statement(L, body);
    gw_front_scope_end(L, scope);
}

static uint32_t next_reached(const gw_try *t, uint32_t from) {
    while (from < t->count && !t->handlers[from].is_reached)
        from++;
    return from;
}

static void run_handlers(gw_lowering *L, const gw_try *t, uint32_t first) {
    const uint32_t next = next_reached(t, first + 1);
    if (next == t->count) {
        handle(L, &t->handlers[first]);
        return;
    }
    const gw_value chosen = gw_front_slot_value(L, t->chosen);
    const gw_value is_first = gw_binary(&L->b, GW_OP_EQ, chosen, gw_int(&L->b, GW_T_I32, first));
    gw_branch yes = gw_front_branch_begin(L);
    handle(L, &t->handlers[first]);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    run_handlers(L, t, next);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, is_first, &yes, &no);
}

static void lower_try(gw_lowering *L, CXCursor body, gw_try t) {
    t.chosen = gw_front_slot(L, GW_SLOT_SCALAR, GW_T_I32, 0);
    const uint32_t exit = gw_front_exit_open(L, GW_EXIT_CATCH); /* moves the exits */
    t.exit = L->exits.at[exit].slot;
    gw_push(&L->tries, t);
    gw_front_statement(L, body);
    L->tries.count--;
    const bool left = L->dead, may = gw_front_exit_may(L, t.exit);
    const gw_value caught = L->slots.at[t.exit].value;
    gw_front_exit_close(L);
    const uint32_t first = next_reached(&t, 0);
    if (L->failed || !may || first == t.count) return;
    const gw_value passed = gw_unary(&L->b, GW_OP_NOT, caught);
    gw_branch handled = gw_front_guard_begin(L);
    run_handlers(L, &t, first);
    gw_front_guard_join(L, passed, &handled, left);
}

void gw_front_try(gw_lowering *L, CXCursor statement) {
    gw_cursors parts = {0};
    gw_front_children(statement, &parts);
    const bool here = L->f->kind == GW_FUNC_HOST && !L->is_program && parts.count > 1;
    if (!here) gw_front_refuse(L, statement, "an exception", "return a status instead");
    gw_handler *handlers = gw_alloc(parts.count * sizeof *handlers);
    gw_scope scope = gw_front_scope(L);
    for (uint32_t i = 1; i < parts.count && !L->failed; i++) {
        handlers[i - 1] = read_handler(parts.at[i]);
        make_variable(L, &handlers[i - 1]);
    }
    if (!L->failed) gw_front_read_try(L, statement, parts.at[0]);
    if (!L->failed)
        lower_try(L, parts.at[0],
                  (gw_try){.frames = L->frames.count, .handlers = handlers, .count = parts.count - 1});
    gw_front_scope_end(L, scope);
    free(handlers);
    gw_vec_free(&parts);
}
