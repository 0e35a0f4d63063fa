/*
 * frontend/place/place.h - places: members, elements and cells, how they are read, written and copied.
 *
 * Nothing here evaluates an expression of the source. Places are values; the objects that they name are L->f's.
 */
#ifndef GRADWRIGHT_FRONTEND_PLACE_H
#define GRADWRIGHT_FRONTEND_PLACE_H

#include "analysis/ir/restructure.h"
#include "plugin/frontend/state/state.h"

/* ---- address.c ---- */
bool gw_front_is_device(const gw_lowering *L, const gw_place *p); /* where a pointer of a program leads */
gw_place gw_front_device_place(gw_lowering *L, gw_shape pointee, gw_value address);
/* Makes what handles of the shape lead to, which must be there before a loop that gives one is tried. */
void gw_front_note_handles(gw_lowering *L, gw_shape shape);
uint32_t gw_front_size_of(const gw_lowering *L, gw_shape s); /* bytes of an element; 0: not known */
gw_value gw_front_spot(gw_lowering *L, const gw_place *p); /* where it lies; 0: that is not known */
gw_value gw_front_address(gw_lowering *L, gw_place p, CXCursor at); /* of such a place; else refuses it */
bool gw_front_leads_to_device(const gw_lowering *L, const gw_place *p); /* the same, or null by a branch */
/* The comparison of two of them, or their distance in elements; 0: of a type whose size is not known. */
gw_value gw_front_device_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op);
/* Casts to a pointer of another type; false if it is none of a program's. */
bool gw_front_device_cast(gw_lowering *L, gw_place *p, gw_shape wanted, CXCursor at);
/* The address as an integer of 64 bits, and the place that one leads to: memory that is cut into arrays. */
gw_value gw_front_address_number(gw_lowering *L, gw_place p, CXCursor at);
gw_place gw_front_numbered_place(gw_lowering *L, gw_shape pointee, gw_value number);
/* Whether floating-point numbers are behind one of two pointers, and none behind the other. */
bool gw_front_hides_numbers(const gw_lowering *L, gw_shape of, gw_shape as);
/* Moves it by so many elements; false: of a type whose size is not known. */
bool gw_front_device_advance(gw_lowering *L, gw_place *p, gw_value by, bool back);
gw_op gw_front_device_op(gw_lowering *L, uint32_t what, const gw_value *operands, uint32_t count);
void gw_front_stop(gw_lowering *L); /* the program ends the process here */

/* ---- bits.c ---- */
/* Makes it what a cast pointer leads to; false if it cannot be. */
bool gw_front_retype(gw_lowering *L, gw_place *target, gw_shape wanted);
/* The same for a struct or array of such numbers. */
bool gw_front_reshape_bits(gw_lowering *L, gw_place *target, gw_shape wanted);
/* A distance in cells of one shape, in those of another. */
gw_value gw_front_rescale(gw_lowering *L, gw_value index, gw_shape from, gw_shape to);
gw_shape gw_front_cell_of_views(gw_unit *u, gw_shape shape); /* what memory of several types holds instead */
bool gw_front_as_numbers(gw_lowering *L, gw_place *p); /* a struct of a row is the first of its numbers */
/* Notes that a number is a member of a struct of a row, so that a pointer to it may go on to the next ones. */
void gw_front_note_inside(gw_lowering *L, const gw_place *of, uint32_t field, gw_place *number);
bool gw_front_advance_inside(gw_lowering *L, gw_place *number, gw_value by, bool back);
gw_place gw_front_number_cell(gw_lowering *L, gw_place p); /* the member that the number is, or one of all */
gw_value gw_front_load_bits(gw_lowering *L, gw_place place);
void gw_front_store_bits(gw_lowering *L, gw_place place, gw_value value);
bool gw_front_is_half(const gw_place *p); /* or a view of halves of doubles */
gw_place gw_front_advance_half(gw_lowering *L, gw_place half, gw_value by, bool back);
gw_place gw_front_cell_of_halves(gw_lowering *L, gw_place low); /* of which it is the low one, or refuses it */
gw_value gw_front_behind_signs(const gw_func *f, gw_value v); /* behind casts of integers that keep all bits */
/* What v is the bits of, or half the bits of, an i32; 0: it is not made so. */
gw_value gw_front_bits_of(const gw_func *f, gw_value v, gw_type type);
gw_value gw_front_whole_of(const gw_func *f, gw_value v, bool high);
gw_value gw_front_half_of(gw_lowering *L, gw_value x, bool high); /* of a double, as an i32 */
gw_value gw_front_join_halves(gw_lowering *L, gw_value high, gw_value low);

/* ---- block.c ---- */
bool gw_front_may_be_sized(const gw_unit *u, gw_shape element); /* as elements of such an array */
/* On a complete function: whether memory is used only while it is there; false with a diagnostic. */
bool gw_front_check_blocks(gw_func *f);

/* Marks until the function is complete: DECLAREs that say something else of a block. */
enum { GW_BLOCK_ENDS = 1, GW_BLOCK_GROWS, GW_BLOCK_RESIZES };

/* Makes a LOCAL object of run-time size, in host functions; its first element. */
gw_place gw_front_allocate(gw_lowering *L, gw_shape element, gw_value count, bool zeroed, CXCursor at);
/* Refuses what cannot have a size that is known only when the program runs; the way out is the same for all. */
void gw_front_refuse_sized(gw_lowering *L, CXCursor at, const char *what);

/* ---- callee.c: pointers to functions that come from outside ---- */
uint32_t gw_front_function_number(gw_unit *u, CXCursor decl); /* in the unit's list of functions */
bool gw_front_is_callee(gw_lowering *L, gw_shape pointer);
/* One in memory leads to one of the functions of its type, of which a null cursor is the unknown one. */
gw_place gw_front_callee(gw_lowering *L, gw_place pointer);

/* ---- cell.c ---- */
typedef GW_VEC(gw_value) gw_operands;
/* The operands that begin an operation on cells of that type: address, bytes, kind and stream, and the type. */
void gw_front_cell_head(gw_lowering *L, gw_shape type, const gw_value *head, gw_operands *operands);
void gw_front_cell_type(gw_lowering *L, gw_op op, gw_shape type); /* is kept by one on halves */
/* Reads or writes such a cell; 0, false: that cannot be. */
gw_value gw_front_device_load(gw_lowering *L, const gw_place *p);
bool gw_front_device_store(gw_lowering *L, const gw_place *p, gw_value value);

/* ---- choice.c ---- */
typedef void gw_choice_action(gw_lowering *L, gw_place candidate, void *context);
typedef gw_place gw_choice_step(gw_lowering *L, gw_place candidate, const void *context);
/* Does it to the one that is meant. */
void gw_front_choice_each(gw_lowering *L, gw_place choice, gw_choice_action *act, void *context);
gw_place gw_front_choice_map(gw_lowering *L, gw_place choice, gw_choice_step *step, const void *context);
gw_value gw_front_choice_load(gw_lowering *L, gw_place choice);
gw_place gw_front_choice_target(gw_lowering *L, gw_place choice); /* of pointers */
gw_value gw_front_is_null(gw_lowering *L, gw_place pointer, CXCursor e);
/* A comparison or the distance of two pointers; 0: it is not known. */
gw_value gw_front_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op);
/* The place that the pointer in a slot leads to; the copy, marked as such, if that is several places. */
gw_place gw_front_settle(gw_lowering *L, uint32_t pointer, gw_place copy);
/* ---- asked.c: objects that are asked ---- */
/* The tokens of a literal as they stand; false where it comes out of a macro. */
bool gw_front_add_literal(gw_lowering *L, CXCursor literal, gw_text *text);
bool gw_front_can_be_asked(gw_lowering *L, const gw_place *p);
/* What the question `text` asks of the object, with these operands behind its indices. */
gw_place gw_front_question(gw_lowering *L, gw_place object, gw_shape shape, const char *text,
                           const gw_value *operands, uint32_t count);
/* The question that p asks, to be freed; what of, and its operands, at most GW_PLACE_INDICES. */
char *gw_front_question_of(gw_lowering *L, gw_place p, gw_place *object, gw_value *operands, uint32_t *count);
gw_place gw_front_asked_object(gw_lowering *L, gw_place p, gw_shape shape); /* a parameter or global variable */
/* The member of such an object, and a member that is one; false, and p as it was: it is none. */
bool gw_front_asked_member(gw_lowering *L, gw_place *p, const gw_shape_field *field);
/* The same of a pair of which one part is text. */
bool gw_front_asked_pair(gw_lowering *L, gw_place *p, CXCursor field);
gw_place gw_front_asked_half(gw_lowering *L, gw_place p, uint32_t i); /* the same, by number */
bool gw_front_is_asked_inside(gw_unit *u, CXType type); /* a sequence of numbers, in a table that is asked */
/* What an expression says of the object that p leads to: it is $0 there, and $1 the number, if there is one. */
gw_place gw_front_asked_on(gw_lowering *L, gw_place p, gw_shape shape, const char *pattern, gw_value number);
gw_place gw_front_walked(gw_lowering *L, gw_place table); /* its iterator, where it is now (call/walk.c) */
bool gw_front_asked_text(gw_lowering *L, gw_place *p, const gw_shape_field *field);

/* ---- callee.c ---- */
uint32_t gw_front_overloads(CXCursor decl); /* how many functions its scope has of its name, it included */

/* ---- stays.c ---- */
bool gw_front_acts(CXCursor e);         /* it calls, stores or throws */
bool gw_front_acts_itself(CXCursor e); /* not counting what stands in it */
bool gw_front_stays(CXCursor variable); /* nothing in its function changes it */
bool gw_front_text_stays(CXCursor variable); /* of a struct: nor does its text change */

/* What a copy of one of several lvalues is a copy of, to be kept; else the place itself. */
gw_place gw_front_lvalues(const gw_lowering *L, gw_place place);

/* ---- class.c ---- */
bool gw_front_is_derived(gw_lowering *L, gw_shape from, gw_shape base);
bool gw_front_recast(gw_lowering *L, gw_place *place, gw_shape wanted); /* to a base, or back */
gw_place gw_front_named_member(gw_lowering *L, gw_place of, CXCursor decl);
CXCursor gw_front_dispatch(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self);

bool gw_front_has_virtual(gw_unit *u, gw_shape shape); /* a function, or one of its bases */
/* The function that the class has for a virtual one; null: none. */
CXCursor gw_front_overrider(gw_lowering *L, CXType type, CXCursor callee);
/* Whether a virtual call of that object is of a function that only a run knows. */
bool gw_front_is_open_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self);

/* ---- dynamic.c: objects whose class only a run knows ---- */
typedef struct gw_seen_class {
    gw_place object; /* as one of that class */
    gw_str question; /* whether it is */
} gw_seen_class;
bool gw_front_is_dynamic(gw_lowering *L, const gw_place *object);
/* The classes that the object may be of, as far as this file shows them; how many. */
uint32_t gw_front_classes_of(gw_lowering *L, gw_place object, gw_seen_class *out, uint32_t most);
gw_value gw_front_is_of_class(gw_lowering *L, const gw_seen_class *seen);
/* The object as one of its class, or of one that this derives from. */
void gw_front_see_as(gw_lowering *L, gw_place *object, gw_shape shape);
/* A cast to a class that derives from its own, which it must be of. */
bool gw_front_see_as_derived(gw_lowering *L, gw_place *object, gw_shape shape);

/* ---- element.c ---- */
/* Adds the numbers behind one more pointer of a copy; what is filled may have numbers of several types. */
void gw_front_element_add(gw_lowering *L, uint32_t *so_far, const gw_place *p, bool is_filled, CXCursor at);
bool gw_front_has_numbers(const gw_lowering *L, gw_shape s); /* that have a derivative */

/* ---- growth.c ---- */
bool gw_front_vectors_grow(gw_unit *u); /* whether the source adds elements to any */
/* Whether this function does, maybe to the one whose elements are called so. */
bool gw_front_vector_grows(gw_lowering *L, gw_str elements);
/* The same, or gives it another size. */
bool gw_front_vector_changes(gw_lowering *L, gw_str elements);
void gw_front_growth_mark(gw_lowering *L, gw_object array); /* an element is added here, */
void gw_front_growth_resize(gw_lowering *L, gw_object array, gw_value count); /* or there are so many now */
bool gw_front_make_room(gw_func *f); /* on a complete function; false with a diagnostic */
/* v in front of that op, where the cloner's builder is; 0 if it is not known there. Loads are made once more
 * where may_load says so; NULL: none is. */
typedef bool gw_front_may_load(const gw_func *f, gw_op load);
gw_value gw_front_known_before(gw_cloner *c, gw_value v, gw_op front, gw_front_may_load *may_load);

/* ---- handle.c: streams, events and handles of libraries at file scope ---- */
void gw_front_handles_start(gw_lowering *L);
/* False: it is none. */
bool gw_front_handle(gw_lowering *L, CXCursor variable, gw_shape shape, gw_place *place);
bool gw_front_handles_check(gw_lowering *L); /* of a complete function; false with a diagnostic */

/* ---- made.c: structs with pointers that malloc or new makes ---- */
void gw_front_made_start(gw_lowering *L);
bool gw_front_may_be_made(const gw_lowering *L, gw_shape shape, gw_value count);
gw_place gw_front_make(gw_lowering *L, gw_shape shape, CXCursor call);
bool gw_front_is_made(const gw_lowering *L, const gw_place *p);

/* ---- held.c: pointers in what a parameter leads to, which the function sets ---- */
void gw_front_held_start(gw_lowering *L);
void gw_front_held_end(gw_lowering *L); /* when the body has been lowered */
/* False: it is none, or cannot be one. */
bool gw_front_held_point(gw_lowering *L, const gw_place *pointer, gw_place target);
bool gw_front_held_target(gw_lowering *L, const gw_place *pointer, gw_place *target);
gw_place gw_front_behind(gw_lowering *L, gw_place pointer); /* what one in memory leads to: its path goes on */

/* ---- lift.c ---- */
void gw_front_lift_blocks(gw_func *f); /* on a complete function: of branches, that are used behind them */

/* ---- place.c ---- */
gw_place gw_front_temp(gw_lowering *L, gw_shape shape, gw_str name); /* slots, or a LOCAL object */
gw_place gw_front_member(gw_lowering *L, gw_place place, uint32_t field);
gw_place gw_front_element(gw_lowering *L, gw_place array, gw_value index);
gw_place gw_front_advance(gw_lowering *L, gw_place target, gw_value by, bool back);
gw_place gw_front_target(gw_lowering *L, gw_place pointer); /* what a pointer variable points to */
void gw_front_point(gw_lowering *L, gw_place pointer, gw_place target);
gw_value gw_front_load(gw_lowering *L, gw_place place);
void gw_front_store(gw_lowering *L, gw_place place, gw_value value);
void gw_front_copy(gw_lowering *L, gw_place to, gw_place from);
/* Does it to each element, unrolled or in a loop; `from` may be NONE, `at` is handed on. */
typedef void gw_element_action(gw_lowering *L, gw_place to, gw_place from, CXCursor at);
void gw_front_each_element(gw_lowering *L, gw_place to, gw_place from, gw_element_action *action, CXCursor at);
void gw_front_each_element_back(gw_lowering *L, gw_place to, gw_element_action *action, CXCursor at);
void gw_front_clear(gw_lowering *L, gw_place place); /* zero-initialises */
gw_object gw_front_local(gw_lowering *L, gw_str name, gw_type type); /* a LOCAL with a name of its own */

/* ---- range.c ---- */
/* The element so many behind; NONE stays NONE. */
gw_place gw_front_at_index(gw_lowering *L, gw_place p, gw_value index);
/* Does it to the elements of a range: the first, the end, and the step. `from` may be NONE, or one value for
 * all if it is `fixed`. */
void gw_front_each_of(gw_lowering *L, gw_place to, gw_place from, bool fixed, const gw_value *range,
                      gw_element_action *action, CXCursor at);
/* Does it to `count` elements, one after another. */
void gw_front_each(gw_lowering *L, gw_place to, gw_place from, bool fixed, gw_value count,
                   gw_element_action *action, CXCursor at);
gw_element_action gw_front_copy_bits; /* copies one as it is */
gw_element_action gw_front_set_zero;  /* `from` is not looked at */
enum { GW_FRONT_AT_ONCE = 16 };       /* so many elements are moved by values, more in a loop */
void gw_front_copy_elements(gw_lowering *L, gw_place to, gw_place from, gw_value count, CXCursor at);
/* How many elements the bytes are, where that is seen; else 0. */
gw_value gw_front_elements_in(gw_lowering *L, gw_value bytes, gw_shape element);

/* ---- shared.c ---- */
bool gw_front_is_shared(CXCursor variable);
gw_place gw_front_shared(gw_lowering *L, CXCursor variable, CXCursor use); /* place of a __shared__ variable */
bool gw_front_is_dynamic_shared(const gw_lowering *L, gw_object o);
/* The place becomes a cell of that shape, `index` cells of shape `from` from the memory's beginning. */
bool gw_front_carve(gw_lowering *L, gw_place *p, gw_value index, gw_shape from, gw_shape wanted);
bool gw_front_check_carved(gw_lowering *L); /* of a complete kernel; false with a diagnostic */

/* ---- special.c ---- */
gw_value gw_front_special(gw_lowering *L, CXCursor e); /* threadIdx.x; 0 if it is none */
bool gw_front_is_special(gw_lowering *L, CXCursor decl, uint32_t *kind);

/* ---- split.c ---- */
void gw_front_split(gw_unit *u, gw_func *f); /* local objects of classes, once the function is lowered */

/* ---- stage.c: arrays of a program's own that copies to the device may read ---- */
/* Notes an array where it is made; once it turned out to be copied it is staged, and must_stage is set. */
void gw_front_stage_note(gw_lowering *L, gw_site site);
void gw_front_stage_note_variable(gw_lowering *L, gw_site site, const gw_place *p); /* that p is the place of */
/* The function is lowered again with a number of its own in memory; false: it is none. */
bool gw_front_stage_number(gw_lowering *L, const gw_place *p);
bool gw_front_is_staged(const gw_lowering *L, CXCursor at);
bool gw_front_stage_later(gw_lowering *L, const gw_place *p); /* false: it cannot be */
/* A stream or handle at file scope is a variable of the function's own from now on. */
void gw_front_stage_handle(gw_lowering *L, CXCursor variable);
/* The same if the slot is of one; false: of none. */
bool gw_front_stage_made(gw_lowering *L, const gw_place *pointer);
gw_place gw_front_stage(gw_lowering *L, gw_shape element, gw_value count, bool zeroed);
gw_place gw_front_stage_bytes(gw_lowering *L, gw_value bytes, bool zeroed); /* of no type yet */
void gw_front_stage_fill(gw_lowering *L, gw_place first, gw_value byte, gw_value bytes); /* like memset */
void gw_front_stage_start(gw_lowering *L);
bool gw_front_stage_check(gw_lowering *L); /* of a complete function; false with a diagnostic */
bool gw_front_staged_variable(gw_lowering *L, CXCursor variable, gw_place *place);
/* The row of device.def that a call of `what` is; `kind`: a copy's cudaMemcpyKind, or 0. */
uint32_t gw_front_stage_waited(const gw_lowering *L, uint32_t what, gw_value kind);

/* ---- unknown.c: what nobody knows, but who gives it ---- */
bool gw_front_is_unknown(const gw_lowering *L, const gw_place *p);
bool gw_front_may_be_null_text(const gw_lowering *L, const gw_place *p); /* of an unknown one */
gw_value gw_front_unknown(gw_lowering *L, gw_type type, const char *by);
gw_value gw_front_unknown_static(gw_lowering *L, gw_type type); /* of a static local variable */
gw_value gw_front_unknown_address(gw_lowering *L, gw_type type); /* what a pointer is as a number */
gw_value gw_front_unknown_like(gw_lowering *L, gw_type type, const gw_place *p); /* by the same */
gw_place gw_front_unknown_place(gw_lowering *L, gw_shape shape, const char *by); /* in an array */
gw_place gw_front_text_place(gw_lowering *L, gw_shape shape, const char *by); /* the same, certainly there */
bool gw_front_is_passed_class(gw_lowering *L, gw_shape shape);
bool gw_front_depends_on_unknown(const gw_lowering *L, gw_value v);
bool gw_front_settle_unknown(gw_lowering *L); /* on a complete function; false with a diagnostic */

/* ---- variable.c ---- */
gw_place gw_front_variable(gw_lowering *L, CXCursor decl, CXCursor use);
gw_place gw_front_global(gw_lowering *L, CXCursor decl);
/* ---- constant.c ---- */
bool gw_front_is_constant(CXCursor variable); /* const, with a first value that is the same in every call */
bool gw_front_is_copied(gw_lowering *L, gw_object object); /* a header's variable; each source has its own */
/* The place of a variable that this source alone does not declare; false: it does. Refused is what another
 * source's body does with a variable of which each source has its own, unless all have the same value. */
bool gw_front_joined_variable(gw_lowering *L, CXCursor decl, CXCursor use, gw_place *p);

/* ---- view.c ---- */
gw_place gw_front_union_member(gw_lowering *L, gw_place place, uint32_t field); /* one that holds no cells */
gw_place gw_front_number_at(gw_lowering *L, gw_place place, uint64_t i); /* number i of a struct or an array */
/* Makes it what a cast pointer leads to, where the numbers are the same. */
bool gw_front_reshape(gw_lowering *L, gw_place *target, gw_shape wanted);
gw_place gw_front_first_number(gw_lowering *L, gw_place view); /* of a view of a row */
gw_place gw_front_view_member(gw_lowering *L, gw_place view, uint32_t field);
gw_place gw_front_view_advance(gw_lowering *L, gw_place view, gw_value by, bool back);
gw_place gw_front_view_element(gw_lowering *L, gw_place view, gw_value index);
/* Copies a struct of numbers of 4 bytes where one of both is made of halves of doubles. */
void gw_front_copy_halves(gw_lowering *L, gw_place to, gw_place from);

#endif
