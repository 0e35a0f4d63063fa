/*
 * frontend/call/call.h - what a call is: a function known by name, one that is inlined, or one that stays a
 * call.
 */
#ifndef GRADWRIGHT_FRONTEND_CALL_H
#define GRADWRIGHT_FRONTEND_CALL_H

#include "plugin/frontend/state/state.h"

/* ---- argument.c ---- */
/* The number that a pointer or reference leads to, else GW_T_VOID. */
gw_shape gw_front_passed_number(gw_unit *u, CXType type);
/* Emits a call that stays one; its result. */
gw_value gw_front_emit_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments);

/* ---- asked.c: text and tables that a parameter leads to ---- */
/* The object that an expression stands for; false: it is none. */
bool gw_front_asked_copy(gw_lowering *L, CXCursor e, gw_shape shape, gw_place *copy);
bool gw_front_asks(gw_lowering *L, CXCursor call);
/* What a call gives that asks such an object; false: it does not, or nobody can say what. */
bool gw_front_ask(gw_lowering *L, CXCursor call, const gw_cursors *arguments, gw_call_result *r);

bool gw_front_check_asked(gw_lowering *L); /* when the function is complete: nothing changes what is asked */

/* ---- builtin.c ---- */
/* The value of a call of a builtin, 0 if it is not known. */
gw_value gw_front_builtin(gw_lowering *L, CXCursor call, const char *name, gw_type type);
/* The value of __int_as_float(0x7f800000) and its kin, 0: the call is another. */
gw_value gw_front_constant_bits(gw_lowering *L, CXCursor call, const char *name);
bool gw_front_is_same_pointer(gw_lowering *L, CXCursor call); /* whether it gives its first argument */

/* ---- call.c ---- */
/* Whether the function passes nothing but scalars, so that it can be called instead of inlined. */
bool gw_front_passes_scalars(gw_unit *u, CXCursor definition);
/* Why a recursive function cannot stay a call ("returns no number"), or NULL. */
const char *gw_front_why_no_call(gw_unit *u, CXCursor definition);
bool gw_front_stores_globals(const gw_func *f);
/* Object of a member call; takes it off the arguments where it is the first operand of an operator. */
gw_place gw_front_object_of(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments);

/* ---- callable.c ---- */
bool gw_front_is_member_name(CXCursor e); /* the v.f of v.f() */
bool gw_front_is_operator_call(CXCursor call, CXCursor callee); /* its first argument is the object */
gw_place gw_front_function_place(gw_lowering *L, CXCursor decl);
bool gw_front_is_function(gw_lowering *L, CXCursor e); /* of function type */
bool gw_front_leads_to_function(CXCursor e);           /* of a type of pointers to such */
/* What a call through a pointer calls: a function, or a choice of several; else refused. */
gw_place gw_front_called(gw_lowering *L, CXCursor call);

/* ---- caught.c ---- */
/* Whether a handler of the function's takes what is thrown, or it was refused; null: std::out_of_range. */
bool gw_front_catch(gw_lowering *L, CXCursor at, CXCursor thrown);
/* A class whose objects are made as all others are. */
bool gw_front_is_given_whole(gw_lowering *L, CXType type);
/* An exception over one of std's that is made where it is thrown, of text and numbers: nobody sees it made. */
bool gw_front_is_thrown_text(gw_lowering *L, CXCursor thrown);

/* ---- closure.c ---- */
void gw_front_closure(gw_lowering *L, gw_place to, CXCursor lambda); /* makes its copies */
CXCursor gw_front_invoked(gw_lowering *L, CXCursor decl); /* what runs where the function is called */
void gw_front_closure_bind(gw_lowering *L, CXCursor definition, gw_frame *frame, gw_place closure);

/* ---- dispatch.c: which function is called turns out when the program runs ---- */
typedef gw_call_result gw_callee(gw_lowering *L, gw_place function, void *context);
/* Does it to what is meant of a choice, and joins what the calls give. */
gw_call_result gw_front_call_one_of(gw_lowering *L, CXCursor call, gw_place choice, gw_callee *act,
                                    void *context);
/* The same to an object as one of the class that it is of. */
gw_call_result gw_front_call_virtual(gw_lowering *L, CXCursor call, gw_place object, gw_callee *act,
                                     void *context);
/* False: the function is unknown, and the derivative ends here, or it has another type than the pointer. */
bool gw_front_may_call(gw_lowering *L, CXCursor call, CXCursor function);

/* ---- end.c: where a function of the host does not come back ---- */
bool gw_front_end(gw_lowering *L, CXCursor callee, const gw_cursors *arguments); /* false: it comes back */
void gw_front_throw(gw_lowering *L, CXCursor e);
/* What runs is not in the file: "function" or "class". */
void gw_front_end_unknown(gw_lowering *L, CXCursor call, const char *what);
/* A function of an open class of the library's that calls itself, which only rare arguments make it do: the
 * derivative ends there. False: it is none. */
bool gw_front_end_recursion(gw_lowering *L, CXCursor call, CXCursor function, gw_call_result *r);
/* The flags of a call of it: GW_OP_STAYS, GW_OP_ORDERED, and of a function with a rule GW_OP_MAY_STOP. */
uint16_t gw_front_ways_out(gw_lowering *L, CXCursor call, CXCursor callee);
/* Throws std::out_of_range where an index, of any integer type, is not below count. */
void gw_front_throw_outside(gw_lowering *L, CXCursor e, gw_value index, gw_value count);
/* std::bad_optional_access, or std::bad_function_call, where it is false. */
void gw_front_throw_empty(gw_lowering *L, CXCursor e, gw_value has);
void gw_front_throw_uncallable(gw_lowering *L, CXCursor e, gw_value has);

/* ---- function.c: std::function ---- */
bool gw_front_is_held_function(gw_unit *u, CXType type);
/* What the variable or parameter holds that is made of an expression; null: of none, which is refused. */
gw_place gw_front_hold_function(gw_lowering *L, CXCursor variable, CXCursor e);
typedef enum gw_held_use {
    GW_HELD_NOT,
    GW_HELD_CALLED, /* f(x) */
    GW_HELD_ASKED,  /* if (f) */
    GW_HELD_EMPTY,  /* f == nullptr */
    GW_HELD_GIVEN,  /* f = g */
    GW_HELD_CHANGED /* in another way */
} gw_held_use;
gw_held_use gw_front_held_use(gw_lowering *L, CXCursor callee);
/* What it holds now: one, one of several, or null. */
gw_place gw_front_held_now(gw_lowering *L, gw_place held);
/* It is given what the expression makes. */
void gw_front_give(gw_lowering *L, gw_place held, CXCursor e);
CXCursor gw_front_held_callee(gw_lowering *L, gw_place object, CXCursor call); /* what the object calls */
void gw_front_refuse_held(gw_lowering *L, CXCursor at);

/* ---- inline.c ---- */
void gw_front_frame_result(gw_lowering *L, gw_frame *frame, CXCursor definition);

/* ---- intrinsic.c ---- */
/* True if the callee is known by name; *value is 0 for void. */
bool gw_front_intrinsic(gw_lowering *L, CXCursor call, CXCursor callee, gw_value *value);
bool gw_front_is_mathematics(gw_unit *u, CXCursor callee); /* of C, or std's overload of it: it never throws */

/* ---- leaving.c ---- */
/* Behind what is noexcept, as destructors are, nobody catches. */
typedef enum gw_leaving { GW_LEAVES, GW_STAYS, GW_MAY_STAY } gw_leaving;
gw_leaving gw_front_leaves(const gw_lowering *L, uint32_t frames); /* out of the frames from there on */
bool gw_front_is_noexcept(CXCursor function); /* without a condition */
CXCursor gw_front_construction(CXCursor e); /* behind copies of it; null: it is none */
bool gw_front_is_checked(gw_unit *u, CXCursor callee); /* it throws std::out_of_range, as v.at(i) */
bool gw_front_refuse_thrown(gw_lowering *L, CXCursor call); /* in a try block */

/* ---- library.c ---- */
/* False if the callee is none of the library's types'. */
bool gw_front_library(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                      gw_call_result *result);

/* ---- memory.c ---- */
/* A call of memcpy or its like; false if the callee is another function. */
bool gw_front_memory(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                     gw_place *result);

/* ---- openmp.c ---- */
/* Reads pragmas in the text of a function; a diagnostic for each that several threads take otherwise. */
void gw_front_openmp(gw_lowering *L, CXCursor definition);
/* ---- openmp_loop.c ---- */
/* The gw_policy of a loop that a pragma shares out; 0: it runs in order. */
uint16_t gw_front_openmp_policy(const gw_lowering *L, CXCursor loop);
/* The same when its body has been lowered: 0 if that came to what lets iterations meet. */
uint16_t gw_front_openmp_keeps(const gw_lowering *L, uint16_t policy, uint32_t meetings_before);

/* ---- parallel.c ---- */
/* Refuses an algorithm of a library that runs in parallel, or on the device; true after a diagnostic. */
bool gw_front_refuse_parallel(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments);

/* ---- passed.c: calls that are passed over ---- */
bool gw_front_pass_over(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_call_result *r); /* false: it is another call */
bool gw_front_pass_bodiless(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                            gw_call_result *r); /* the same */
bool gw_front_check_passed(gw_lowering *L); /* of a complete function; false with a diagnostic */
bool gw_front_pass_unseen(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self,
                          const gw_cursors *arguments, gw_call_result *r); /* the same, without a body */
void gw_front_passed_effects(gw_lowering *L, CXCursor e); /* what its evaluation does, without its value */
/* What arguments do that a definition has no parameters for; the call may write to what they lead to. */
void gw_front_pass_unnamed(gw_lowering *L, CXCursor definition, const gw_cursors *arguments);

/* ---- reinterpret.c ---- */
/* A call that sees bits as another type; false: it is none. *value is 0 after a diagnostic. */
bool gw_front_reinterpret(gw_lowering *L, CXCursor call, const char *name, gw_value *value);

/* ---- rule.c ---- */
/* What to do about a function without a body, to be freed: its derivative, if it can have one. */
char *gw_front_way_to_rule(gw_unit *u, CXCursor f);
/* Why a function that names no stream can have no rule, to be freed; NULL: it can. */
char *gw_front_why_no_rule(gw_unit *u, CXCursor f, bool differentiable);
/* A call of a GW_NONDIFFERENTIABLE function that returns nothing: only what its arguments do is left. */
bool gw_front_drop_call(gw_lowering *L, CXCursor callee, const gw_cursors *arguments);
/* What a member returned, without derivatives if it is GW_NONDIFFERENTIABLE. */
gw_value gw_front_detach_result(gw_lowering *L, CXCursor callee, gw_value v);
/* A call of a function that has custom derivatives or none; false if it is another function. */
bool gw_front_call_rule(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_value *result);

/* ---- walk.c: iterators that move through tables, and loops over those ---- */
bool gw_front_can_be_walked(gw_lowering *L, const gw_place *p); /* by a range-for */
gw_value gw_front_walk_count(gw_lowering *L, gw_place table);
gw_value gw_front_walk_begin(gw_lowering *L, gw_place table); /* 0: an index will do */
gw_place gw_front_walk_element(gw_lowering *L, gw_place table, CXCursor variable, gw_value at);
gw_value gw_front_walk_on(gw_lowering *L, gw_place table, gw_value at);
/* The place that a reference is bound to: an iterator that moves moves for it, too. */
gw_place gw_front_referred(gw_lowering *L, CXCursor e);
bool gw_front_declare_walk(gw_lowering *L, CXCursor variable, CXCursor e); /* false: it is no iterator */
/* ++it and its like; false: it is another call. */
bool gw_front_walk(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                   gw_call_result *r);

/* ---- texture.c ---- */
bool gw_front_is_texture(gw_unit *u, CXType type); /* cudaTextureObject_t */
/* A fetch from a texture; false if the call is none. */
bool gw_front_texture(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                      gw_call_result *r);

#endif
