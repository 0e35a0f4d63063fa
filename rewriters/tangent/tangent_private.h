/* tangent_private.h - state shared by the files of the tangent pass (tangent*.c). */
#ifndef GW_TANGENT_PRIVATE_H
#define GW_TANGENT_PRIVATE_H
#include "rewriters/formula/formula.h"

/* Tangents of a value as multiples of others' (linear.c): `scale` times those of the primal value `base`. */
enum { GW_MOST_TERMS = 4, GW_TANGENT_MEMORIES = 2 };
typedef struct gw_tangent_term {
    gw_value base, scale; /* scale 0: 1 */
    bool is_negative;
} gw_tangent_term;
typedef struct gw_tangent_form {
    gw_region home; /* of the derivative, that has the value */
    uint32_t count;
    gw_tangent_term term[GW_MOST_TERMS];
} gw_tangent_form;

typedef struct gw_tangent {
    const gw_func *primal; /* a simplified copy of the requested function */
    gw_func *f;
    bool pattern; /* bits that say what depends on what, in place of tangents (pattern.c) */
    bool second;  /* f has a gradient of its own, that of GW_HVP: a primal, whose tangents are parameters */
    gw_builder b;
    gw_cloner c; /* primal -> derivative */
    gw_roles roles;
    gw_activity activity;
    uint32_t directions; /* GW_DERIVATIVES: a dimension of the memory of tangents; 0: they have none */
    bool *decides;       /* of a pattern (pattern.c): each primal value that control or a place depends on */
    gw_object value;     /* of a program: where the returned number goes; 0: it returns none that is asked */
    gw_object path;      /* and what those are mixed into; 0: there are none */
    uint32_t lanes;      /* tangents of a value: the directions, or 1 */
    bool screen;         /* GW_SCREEN_DERIVATIVES: the lanes are x and y, each in memory of its own */
    gw_value_map tangent[GW_MOST_DIRECTIONS]; /* primal value -> its tangent, 0 = it has none (in any) */
    gw_value_map form; /* primal value -> 1 + its form, of one without tangents (linear.c) */
    GW_VEC(gw_tangent_form) forms;
    gw_op *user; /* of each primal value the op that uses it; 0: none, UINT32_MAX: several */
    gw_value_map shadow[GW_TANGENT_MEMORIES]; /* primal object -> object of its tangents */
} gw_tangent;

/* tangent/region.c: ops of primal region r with their tangents at the builder, all but the YIELD/RET. */
void gw_tangent_region(gw_tangent *t, gw_region r);
/* A constant where it has no tangent. */
gw_value gw_tangent_or_zero(gw_tangent *t, gw_value primal, uint32_t lane);
/* The local object of a local one's tangents. */
void gw_tangent_add_shadow(gw_tangent *t, gw_object primal, uint32_t memory);
/* How many memories tangents have: one for all directions, or (of the screen) one for each. */
static inline uint32_t gw_tangent_memories(const gw_tangent *t) { return t->screen ? GW_TANGENT_MEMORIES : 1; }
static inline gw_object gw_tangent_shadow(const gw_tangent *t, gw_object primal, uint32_t lane) {
    return gw_map_get(&t->shadow[t->screen ? lane : 0], primal);
}
/* tangent/linear.c: the name of one, 0 where the primal has none; gives it one; whether it has tangents; one of
 * them, 0 where there is none. */
gw_str gw_tangent_value_name(const gw_tangent *t, gw_value primal, uint32_t lane);
void gw_tangent_set(gw_tangent *t, gw_value primal, uint32_t lane, gw_value tangent);
bool gw_tangent_has(const gw_tangent *t, gw_value primal);
gw_value gw_tangent_of(gw_tangent *t, gw_value primal, uint32_t lane);
/* The tangents of what a pure op computes; false: of one that chooses, or in one direction. */
void gw_tangent_find_users(gw_tangent *t); /* first */
bool gw_tangent_linear_op(gw_tangent *t, gw_op op, gw_formula_values *v);
/* tangent/type.c: the type of the tangents of such a value; no tangent. */
gw_type gw_tangent_type(const gw_tangent *t, gw_type primal);
gw_value gw_tangent_zero(gw_tangent *t, gw_type primal);
gw_str gw_tangent_value_text(const gw_tangent *t, gw_str type_text); /* of a pattern's, passed by value */
/* tangent/pattern.c */
/* What a result depends on, if its operands from `first` on are all that it is made of. */
void gw_tangent_depends(gw_tangent *t, gw_op op, uint32_t first);
bool gw_tangent_check_pattern(const gw_tangent *t, const gw_request *q); /* a message for what has none */
void gw_tangent_find_deciding(gw_tangent *t);         /* the parameters are there; adds one for the path */
void gw_tangent_mix_results(gw_tangent *t, gw_op op); /* of the primal, which stands in the derivative */
/* Notes in the path that a WHILE of the primal goes on, where its body begins, or has ended, behind it. */
void gw_tangent_mix_turn(gw_tangent *t, gw_op loop, bool runs);
/* tangent/entries.c: calls that name entries in the place of bits, where they can be. */
bool gw_tangent_name_entries(gw_tangent *t, const gw_request *q);
/* tangent/directions.c: "t_x", of a tangent's "s_t_x", of the screen's "x_dx" and "x_dy"; and of a value in one
 * among several directions, "t_x_2". */
gw_str gw_tangent_name(const gw_tangent *t, gw_str primal, uint32_t memory);
gw_str gw_tangent_lane_name(const gw_tangent *t, gw_str primal, uint32_t lane);
/* So many tangents in the place of each number or struct; in one direction, as it is. */
gw_type gw_tangent_block_type(const gw_tangent *t, gw_type type);
/* C's text of such a type, by that of the primal's. */
gw_str gw_tangent_block_text(const gw_tangent *t, gw_str text, gw_type type);
/* What the parameter leads to that has the tangents of the primal's parameter. */
gw_type gw_tangent_pointed_type(const gw_tangent *t, const gw_object_data *primal);
/* Indices and path of the tangent that the op's cell has in one direction, in the shadow. */
gw_value *gw_tangent_lane_index(gw_tangent *t, gw_op op, uint32_t lane, gw_str *path, uint32_t *count);
/* The tangents of a parameter or result that is passed by value, behind a pointer. */
gw_str gw_tangent_directions_text(const gw_tangent *t, gw_str type_text);
bool gw_tangent_check_directions(const gw_tangent *t, const gw_request *q); /* a message for what has none */
/* tangent/device.c, of programs: the address of the tangents of what an address leads to; tells of the caller's
 * memory, before anything else; a call of CUDA's. */
void gw_tangent_add_address(gw_tangent *t, uint32_t index);
void gw_tangent_give_addresses(gw_tangent *t);
void gw_tangent_device(gw_tangent *t, gw_op op);
/* tangent/beside.c, the same of programs that carry tangents, which are a primal. */
void gw_tangent_pair_addresses(gw_tangent *t);
void gw_tangent_device_beside(gw_tangent *t, gw_op op);
/* tangent/second.c: the function becomes a primal, and the request is about it. */
void gw_tangent_finish_second(gw_tangent *t, uint32_t request);
#endif
