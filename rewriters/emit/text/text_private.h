/* text_private.h - what the files of emit/text share among themselves, lowest first. */
#ifndef GW_EMIT_TEXT_PRIVATE_H
#define GW_EMIT_TEXT_PRIVATE_H
#include "rewriters/emit/text/text.h"

/* ---- the plan ---- */
void gw_emit_need(gw_emit_plan *p); /* step 1 of making; the others follow */
void gw_emit_variables(gw_emit_plan *p); /* last step */
/* Whether the text needs operand i of a needed op (yields and inits of results that nobody reads: no). */
bool gw_emit_operand_needed(const gw_emit_plan *p, gw_op op, uint32_t i);
bool gw_emit_same_variable(const gw_emit_plan *p, gw_value a, gw_value b);
/* Whether the text of v reads the variable of root. */
bool gw_emit_reads(const gw_emit_plan *p, gw_value v, gw_value root);
/* The loop whose carried value v is (an argument or a result) and its number; 0 if it is none. */
gw_op gw_emit_carried_by(const gw_func *f, gw_value v, uint32_t *index);
uint32_t gw_emit_needed_result(const gw_emit_plan *p, gw_op op, uint32_t *count); /* index of the first */
/* The lanes that add, where a vote in front of the branch around has told them: at least those; 0: none has. */
gw_value gw_emit_known_lanes(const gw_func *f, gw_op collect);
bool gw_emit_uses_param(const gw_emitter *e, const gw_param *p);

/* ---- lines, names, heads ---- */
enum { GW_EMIT_WIDTH = 112 }; /* of a line */
/* "// ...", which neither ends early nor swallows the next line; the caller frees it. */
char *gw_emit_comment_of(const char *says);
void gw_emit_reserve_globals(gw_emitter *e);
gw_object gw_emit_returned_struct(const gw_func *f); /* of a forward derivative; 0: it returns none */

/* ---- expressions ---- */
typedef struct gw_piece {
    gw_text text;
    gw_precedence precedence;
    bool is_not; /* text begins with the logical !, or negates all of it */
} gw_piece;
/* piece.c */
gw_piece gw_piece_new(char *text, gw_precedence precedence); /* takes the text */
char *gw_piece_text(gw_piece p, gw_precedence at_least);     /* parenthesised if needed; takes the piece */
/* Takes the leading minus off a floating product; true if there was one. */
bool gw_piece_strip_minus(gw_piece *p, gw_type type);
/* literal.c, math.c */
gw_piece gw_emit_literal(const gw_emitter *e, gw_value v, bool bare); /* bare: no suffix for integers */
char *gw_emit_math_name(const gw_emitter *e, gw_opcode code, gw_type type, bool fast); /* caller frees */
/* expression.c, binary.c */
gw_piece gw_emit_expression(gw_emitter *e, gw_value v, gw_context context);
gw_piece gw_emit_operation(gw_emitter *e, gw_value v, gw_context context); /* v's op, whatever its form */
gw_piece gw_emit_negation(gw_emitter *e, gw_value v);                      /* of a bool */
gw_piece gw_emit_binary(gw_emitter *e, gw_op op, gw_opcode code); /* `code` instead of the op's own */
gw_op gw_emit_inline_op(const gw_emitter *e, gw_value v,
                        gw_opcode code); /* v's op if printed in place, else 0 */
/* place.c */
/* The value of a cell: the place, converted where it is one of half precision. */
gw_piece gw_emit_loaded(gw_emitter *e, gw_op op);
gw_piece gw_emit_place(gw_emitter *e, gw_op op);
/* What the answer to a question to the object is called (ir/question.h). To be freed. */
char *gw_emit_answer_name(const char *object, const char *step);
char *gw_emit_address(gw_emitter *e, gw_op op);
/* With another text in place of that index operand. */
char *gw_emit_address_at(gw_emitter *e, gw_op op, uint32_t replaced, const char *instead);
gw_str gw_emit_object(gw_emitter *e, gw_object o);

/* ---- variables and objects ---- */
/* held.c */
void gw_emit_hold(gw_emitter *e, gw_value root, gw_value source);
bool gw_emit_holds(const gw_emitter *e, gw_value root, gw_value source);
gw_emit_held_list gw_emit_held_now(const gw_emitter *e); /* the caller frees it */
void gw_emit_held_set(gw_emitter *e, gw_emit_held_list *list);
/* What is held at the end of both arms. */
void gw_emit_held_both(gw_emitter *e, const gw_emit_held_list *other);
/* assign.c */
/* "const float x": names the variable. */
char *gw_emit_declared(gw_emitter *e, gw_value root, bool is_constant);
bool gw_emit_assign_in_place(gw_emitter *e, gw_value root, gw_value v); /* "acc += x;"; else false */
void gw_emit_assign_value(gw_emitter *e, gw_value root, gw_value source);
/* copy.c: variables take values, all at once */
typedef struct gw_emit_copy {
    gw_value root, source;
    char *text; /* of a source that was put into a temporary */
} gw_emit_copy;
/* `stop`: a bool that is read after the copies (0: none); its text, evaluated before if it must be. */
char *gw_emit_copies(gw_emitter *e, gw_emit_copy *copies, uint32_t count, gw_value stop, bool *stop_is_late);
/* table.c: declares the local arrays that hold constants; their stores are not written */
void gw_emit_tables(gw_emitter *e);
/* together.c: whether it is one of the arrays that are records; the declaration of these */
bool gw_emit_is_together(const gw_emitter *e, gw_object o);
void gw_emit_declare_together(gw_emitter *e);
/* directions.c: "__align__(16) ", or "", before the declaration of a kernel's own block of tangents */
const char *gw_emit_alignment(const gw_emitter *e, gw_object object);
/* object.c */
void gw_emit_declare_object(gw_emitter *e, gw_object o);
void gw_emit_make_sized(gw_emitter *e, gw_op declare);
void gw_emit_free_sized(gw_emitter *e);
void gw_emit_declare_outer_objects(gw_emitter *e); /* those that no single DECLARE covers */

/* ---- the tape (tape.c) ---- */
void gw_emit_tape_begin(gw_emitter *e);
void gw_emit_tape_end(gw_emitter *e);
char *gw_emit_tape_to_hand(const gw_emitter *e); /* "&tape", what a callee gets that takes it */
void gw_emit_push(gw_emitter *e, gw_op op);
void gw_emit_pop(gw_emitter *e, gw_op op);
void gw_emit_reserve_room(gw_emitter *e, gw_op op);
void gw_emit_expect(gw_emitter *e, gw_op op);
void gw_emit_skip(gw_emitter *e, gw_op op);
void gw_emit_no_memory(gw_emitter *e); /* leaves the function */
const char *gw_emit_without_memory(gw_emitter *e); /* "return GW_ERROR_MEMORY;", where a status is returned */

/* ---- additions ---- */
/* claim.c */
/* An atomic whose cell no other block comes to; shared memory is the block's anyway. */
bool gw_emit_is_of_block_scope(const gw_func *f, gw_op op);
/* with --checked, of an adjoint that threads share; `when`: "if (c) " */
void gw_emit_claim(gw_emitter *e, gw_op op, const char *when);
/* row.c: writes a row; `active`: text of whether this lane has anything, for a warp's */
void gw_emit_row(gw_emitter *e, gw_op op, const char *active);
/* accumulator.c: adds those that a function of the device is given; the accumulators that an addition goes to,
 * as arguments (the caller frees them); where they are rounded */
void gw_emit_exact_given(gw_emitter *e, const gw_func *f, gw_emit_params *list);
char *gw_emit_exact_into(gw_emitter *e, gw_op add);
void gw_emit_settle(gw_emitter *e, gw_op op);
void gw_emit_settle_all(gw_emitter *e, gw_op op);
/* vector.c: the addition and its neighbours that one instruction makes; whether it is one of those behind the
 * first. */
char *gw_emit_vector(gw_emitter *e, gw_op first);
bool gw_emit_is_in_vector(const gw_func *f, gw_op op);
void gw_emit_collect(gw_emitter *e, gw_op op); /* collect.c */

/* ---- control (statement.c, control.c, parallel.c, return.c) ---- */
void gw_emit_region(gw_emitter *e, gw_region r);
void gw_emit_if(gw_emitter *e, gw_op op);
bool gw_emit_update(gw_emitter *e, gw_op op); /* of a choice that keeps its variable in one arm; else false */
void gw_emit_for(gw_emitter *e, gw_op op);
void gw_emit_while(gw_emitter *e, gw_op op);
gw_text gw_emit_loop_body(gw_emitter *e, gw_op op); /* the caller frees it */
/* A loop with a policy, from what to what, and the name of its index. */
void gw_emit_parallel(gw_emitter *e, gw_op op, const char *from, const char *to, const char *counter);
void gw_emit_return(gw_emitter *e, gw_op op);
#endif
