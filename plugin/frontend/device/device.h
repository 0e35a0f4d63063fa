/*
 * frontend/device/device.h - programs: functions of the host that launch kernels and copy to and from the
 * device.
 */
#ifndef GRADWRIGHT_FRONTEND_DEVICE_H
#define GRADWRIGHT_FRONTEND_DEVICE_H

#include "plugin/frontend/place/place.h"

typedef struct gw_device_call {
    const char *spelling;
    uint32_t what; /* a gw_device */
    const char *arguments;
} gw_device_call;

/* ---- argument.c ---- */
gw_place gw_front_member_named(gw_lowering *L, gw_place p, const char *name); /* failed if there is none */
gw_place gw_front_pointer_behind(gw_lowering *L, CXCursor e); /* &p of (void **)&p */
void gw_front_launch_variable(gw_lowering *L, const gw_func *kernel, const gw_param *p, gw_place from,
                              CXCursor at, gw_operands *out);
bool gw_front_may_launch(gw_lowering *L, CXCursor call, const gw_func *kernel); /* false after a diagnostic */
void gw_front_launch_argument(gw_lowering *L, const gw_func *kernel, const gw_param *p, CXCursor e,
                              gw_operands *out);

/* ---- call.c ---- */
bool gw_front_device_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r);

/* ---- capture.c ---- */
/* On a complete function: what graphs do that are captured from streams stands where they are launched. */
bool gw_front_graphs(gw_func *f);

/* ---- graph.c ---- */
/* A call whose row in device_calls.def has the arguments G: a graph is made, a node added to one or changed. */
bool gw_front_graph(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                    gw_value *said);

/* ---- host.c ---- */
bool gw_front_is_own(const gw_lowering *L, const gw_place *p); /* a variable of the program's own */
bool gw_front_is_own_sized(const gw_lowering *L, const gw_place *p); /* an array whose size only a run knows */

typedef struct gw_host_copy {
    gw_place to, from;
    gw_value bytes, stream;
    bool waits;
} gw_host_copy;

void gw_front_host_copy(gw_lowering *L, const gw_host_copy *copy, CXCursor call);

/* ---- host_function.c ---- */
/* A call whose row in device_calls.def has the arguments H: a function of the host in a stream or graph. */
bool gw_front_host_function(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                            gw_value *said);

/* ---- text.c ---- */
/* A function that makes a number of text alone is asked; false: it is another. */
bool gw_front_ask_text(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                       gw_call_result *r);

/* ---- launch.c ---- */
const gw_func *gw_front_kernel_named(gw_lowering *L, CXCursor e); /* lowered; NULL after a diagnostic */
const gw_func *gw_front_kernel_at(gw_lowering *L, gw_place p, CXCursor e); /* the same of a pointer to one */
gw_func *gw_front_kernel(gw_unit *u, CXCursor definition); /* lowered once; NULL after a diagnostic */
void gw_front_launch_kernel(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments);
void gw_front_launch_lengths(gw_lowering *L, CXCursor e, gw_value *operands);
void gw_front_launch_emit(gw_lowering *L, CXCursor call, const gw_func *kernel, gw_operands *operands);

/* ---- launch_call.c ---- */
bool gw_front_launch_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r); /* cudaLaunchKernel and its like; false: it is another */
/* The launch that cudaKernelNodeParams stand for, in a stream of the graph's name. */
void gw_front_launch_node(gw_lowering *L, CXCursor call, gw_place of, gw_value graph, CXCursor at);

/* ---- parts.c ---- */
/* Adds a parameter for each pointer in a struct parameter. */
void gw_front_struct_add_parts(gw_lowering *L, CXType type, uint32_t index);
/* Makes the copy that the program works on, with those parameters in it; false: it has none. */
bool gw_front_struct_bind_parts(gw_lowering *L, CXType type, uint32_t index, gw_place *place);

/* ---- pitched.c ---- */
/* A call whose row in device_calls.def has the arguments X: of memory with a pitch, or of two or three
 * dimensions. */
gw_value gw_front_pitch(gw_lowering *L, gw_value width); /* of rows of so many bytes */
bool gw_front_pitched(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a, gw_value *said);
/* What cudaMemcpy3DParms say, in that stream; what the call says. */
gw_value gw_front_box_copy(gw_lowering *L, CXCursor call, gw_place p, uint32_t what, gw_value stream,
                           CXCursor at);

/* ---- program.c ---- */
/* How cudaLaunchKernel and its like say what is launched. */
typedef struct gw_launch_way {
    const char *name;
    bool by_config, by_array;
} gw_launch_way;

const gw_launch_way *gw_front_launch_way(gw_unit *u, CXCursor callee); /* NULL: it is none of them */

const gw_device_call *gw_front_device_call_row(gw_unit *u, CXCursor callee); /* NULL: it is none */
bool gw_front_is_program(gw_unit *u, CXCursor definition);
/* Makes the structs for the lambdas of all that a program launches, before a type is looked at that has one. */
void gw_front_make_program_captures(gw_unit *u, CXCursor definition);

/* ---- property.c ---- */
void gw_front_device_properties(gw_lowering *L, gw_place to, gw_value device);
void gw_front_function_attributes(gw_lowering *L, gw_place to, gw_str kernel);
void gw_front_pointer_attributes(gw_lowering *L, gw_place to, gw_value address);

/* ---- rule.c ---- */
/* What keeps a pullback's marks from being read, and what to write instead. */
typedef struct gw_rule_fault {
    const char *why, *way_out;
} gw_rule_fault;

/* Whether f names a stream, so that its pointers lead to memory of the device. */
bool gw_front_names_stream(gw_unit *u, CXCursor f);
/* What the parameters of f are, or false with why it can have no pullback. */
bool gw_front_device_rule(gw_unit *u, CXCursor f, gw_rule *out, const char **why);
/* NULL: the rule has what the pullback takes. */
const gw_rule_fault *gw_front_device_pullback(gw_unit *u, CXCursor pullback, gw_rule *rule);
/* What a parameter of a pullback leads to, of a pointer `type` to numbers; invalid: none. */
CXType gw_front_device_number(gw_unit *u, CXType type);
/* A call of a function that works on memory of the device and has a pullback; false: it is none. */
bool gw_front_call_device_rule(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                               gw_value *result);

/* ---- symbol.c ---- */
/* Finds the variables of the device that programs write; false after a diagnostic. */
bool gw_front_symbols(gw_unit *u);
void gw_front_symbols_start(gw_lowering *L);
gw_place gw_front_symbol_place(gw_lowering *L, CXCursor e); /* that is named in a call */
void gw_front_launch_symbols(gw_lowering *L, const gw_func *kernel, gw_operands *out);

/* ---- texture.c ---- */
/* A call whose row in device_calls.def has the arguments T: of arrays of textures, and of texture objects.
 * False: it is another function of that name. */
bool gw_front_texture_made(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                           gw_call_result *r);

/* ---- vectors.c ---- */
bool gw_front_is_thrust_vector(gw_unit *u, CXType type); /* or a pointer or reference to one */
void gw_front_thrust_vector_param(gw_lowering *L, CXCursor decl, CXType type, gw_param *param);
void gw_front_thrust_vector_count(gw_lowering *L, uint32_t param); /* adds the parameter of its size */
gw_place gw_front_thrust_vector_place(gw_lowering *L, CXType type, uint32_t param);
void gw_front_thrust_vectors_end(gw_lowering *L, CXCursor definition); /* of the function: as they were */

#endif
