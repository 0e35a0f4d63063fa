/* program.c - the frame of a test function (contract: program.h). */
#include "program.h"

static void add_param(program *p, const char *type_text, const char *name, gw_value v, gw_object o) {
    gw_param param = {
        .name = gw_intern(p->s, name), .type_text = gw_intern(p->s, type_text), .value = v, .object = o};
    gw_push(&p->f->params, param);
}

static gw_value scalar(program *p, const char *type_text, const char *name, gw_type type) {
    gw_value v = gw_region_arg(p->f, p->f->entry, type, gw_intern(p->s, name));
    add_param(p, type_text, name, v, 0);
    return v;
}

static gw_object array(program *p, const char *type_text, const char *name, gw_type type) {
    gw_object o = gw_object_new(p->f, GW_OBJECT_POINTER, gw_intern(p->s, name), type);
    add_param(p, type_text, name, 0, o);
    return o;
}

program program_new(gw_session *s, const char *name) {
    program p = {.s = s};
    gw_func *primal = gw_func_new(s, "primal", GW_FUNC_HOST);
    p.f = gw_func_new(s, name, GW_FUNC_HOST);
    p.f->form = GW_FORM_PULLBACK;
    p.f->primal = primal;
    p.n = scalar(&p, "int", "n", GW_T_I32);
    p.u = scalar(&p, "unsigned int", "u", GW_T_U32);
    p.k = scalar(&p, "long long", "k", GW_T_I64);
    p.x = scalar(&p, "float", "x", GW_T_F32);
    p.y = scalar(&p, "const double", "y", GW_T_F64);
    p.arrays[PROGRAM_A] = array(&p, "float *", "a", GW_T_F32);
    p.arrays[PROGRAM_B] = array(&p, "double *", "b", GW_T_F64);
    p.arrays[PROGRAM_C] = array(&p, "int *", "c", GW_T_I32);
    p.arrays[PROGRAM_D] = array(&p, "float *", "d_x", GW_T_F32);
    p.f->params.at[8].is_adjoint = true;
    p.b = (gw_builder){.f = p.f, .region = p.f->entry};
    return p;
}

void program_end(program *p) { gw_emit(&p->b, GW_OP_RET, GW_T_VOID, 0, NULL, 0); }

gw_value program_named(program *p, gw_value v, const char *name) {
    gw_value_at(p->f, v)->name = gw_intern(p->s, name);
    return v;
}

gw_value program_load(program *p, int array_number, gw_value index) {
    return gw_load(&p->b, p->arrays[array_number], gw_intern(p->s, "[]"), &index, 1);
}

void program_store(program *p, int array_number, gw_value index, gw_value v) {
    gw_store(&p->b, p->arrays[array_number], gw_intern(p->s, "[]"), &index, 1, v);
}

void program_store_at(program *p, int array_number, int index, gw_value v) {
    program_store(p, array_number, gw_int(&p->b, GW_T_I32, index), v);
}
