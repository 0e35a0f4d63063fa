/*
 * frontend/parse/stub_text.c - the text of the declarations that stand in for gradients
 * (frontend/parse/stub.c).
 *
 * They take any arguments and return what converts to what a caller expects. The derivative of a function
 * template has its template's parameters first, for callers that name them; and a second form without, for
 * those that leave them to the arguments, told apart by a first parameter that nobody can name by accident. All
 * gradients that a source includes have the same stand-ins: the first of them declares all, however often they
 * are included.
 */
#include "plugin/frontend/parse/parse.h"

#include "analysis/ir/requests.h"

#include <ctype.h>
#include <string.h>

static bool has_stub(const gw_stubs *stubs, const gw_stub *stub) {
    for (uint32_t i = 0; i < stubs->count; i++) {
        const gw_stub *s = &stubs->at[i];
        /* an operator's name is not all in one word of the text */
        const bool named = stub->request || s->name == stub->name;
        if (named && s->space == stub->space && s->request == stub->request && s->head == stub->head)
            return true;
    }
    return false;
}

void gw_front_stub_add(gw_stubs *stubs, gw_stub stub) {
    if (!has_stub(stubs, &stub)) gw_push(stubs, stub);
}

typedef struct writer {
    gw_text out;
    const gw_unit *u;
    const gw_stub *stub;
    bool plain_c, nothing; /* the second: what is declared returns nothing */
} writer;

/* The declaration of one name; `first` are parameters that it has in any case. Takes the name. In C++ it has a
 * body, since what takes a type of an anonymous namespace must be defined. */
static void declare(writer *w, const char *returns, char *name, const char *first) {
    const char *head = gw_cstr(w->u->session, w->stub->head);
    const char *comma = first[0] ? ", " : "", *body = "{ return {}; }";
    if (w->stub->result) body = "{ return gw_either(); }";
    if (w->nothing) body = "{}";
    if (w->plain_c) {
        gw_text_addf(&w->out, "%s %s();\n", returns, name);
    } else {
        if (*head)
            gw_text_addf(&w->out, "template <%s, class... gw_types> %s %s(%s%sgw_types &&...) %s\n", head,
                         returns, name, first, comma, body);
        gw_text_addf(&w->out, "template <%sclass... gw_types> %s %s(%s%sgw_types &&...) %s\n",
                     *head ? "gw_deduced = gw_deduced(), " : "", returns, name, first, comma, body);
    }
    free(name);
}

/* gw_either: a status or a value, as the request's kind has it. */
static void add_types(writer *w) {
    gw_text_addf(
        &w->out,
        "enum class gw_deduced;\nstruct gw_either { template <class _GwT> %soperator _GwT() const; };\n"
        "struct gw_any { gw_any(); template <class _GwT> gw_any(const _GwT &); };\n",
        w->u->session->is_cuda ? "__host__ __device__ " : "");
}

/* What a gradient has besides whose tape is measured. */
static void add_measured(writer *w, const char *name, const char *request, const char *launch) {
    static const struct {
        gw_form form;
        gw_derived_part part;
    } launches[] = {{GW_FORM_GRAD, GW_DERIVED_MEASURE_LAUNCH},
                    {GW_FORM_GRAD, GW_DERIVED_ALLOC},
                    {GW_FORM_FWD, GW_DERIVED_MEASURE_HALF_LAUNCH}},
      sizes[] = {{GW_FORM_GRAD, GW_DERIVED_MEASURED_BYTES}, {GW_FORM_GRAD, GW_DERIVED_MEASURED_TAPE}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        declare(w, "gw_status", gw_derived_part_text(name, request, launches[i].form, launches[i].part),
                launch);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        declare(w, "size_t", gw_derived_part_text(name, request, sizes[i].form, sizes[i].part), "");
}

static void add_kernel(writer *w, const char *name, const char *request) {
    static const char launch[] = "dim3, dim3, size_t, cudaStream_t";
    static const gw_form forms[] = {GW_FORM_GRAD, GW_FORM_JVP};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (request && i) break; /* a request's name is that of whatever it asks for */
        w->nothing = true;
        declare(w, "__global__ void", gw_derived_text(name, request, forms[i]), "");
        w->nothing = false;
        declare(w, "gw_status", gw_derived_part_text(name, request, forms[i], GW_DERIVED_LAUNCH), launch);
    }
    static const gw_form halves[] = {GW_FORM_FWD, GW_FORM_BWD};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        declare(w, "gw_status", gw_derived_part_text(name, request, halves[i], GW_DERIVED_LAUNCH), launch);
        declare(w, "size_t", gw_derived_part_text(name, request, halves[i], GW_DERIVED_OWN_SHARED_BYTES),
                "dim3, size_t");
    }
    declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_GRAD, GW_DERIVED_TAPE_BYTES),
            "dim3, dim3");
    add_measured(w, name, request, launch);
    declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_GRAD, GW_DERIVED_PACK_BYTES), "size_t");
    declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_BWD, GW_DERIVED_PACK_BYTES), "size_t");
    declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_GRAD, GW_DERIVED_WORKSPACE_BYTES),
            "dim3, dim3");
    declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_BWD, GW_DERIVED_OWN_WORKSPACE_BYTES),
            "dim3, dim3");
    declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_GRAD, GW_DERIVED_SHARED_BYTES),
            "dim3, size_t");
    if (!request)
        declare(w, "size_t", gw_derived_part_text(name, request, GW_FORM_JVP, GW_DERIVED_OWN_SHARED_BYTES),
                "dim3, size_t");
}

const gw_part_row gw_front_parts[GW_FRONT_PARTS] = {
    {GW_REQUEST_HESSIAN, GW_REQUEST_HVP, "_products", false},
    {GW_REQUEST_JACOBIAN, GW_REQUEST_GRADIENT, "_rows", false},
    {GW_REQUEST_JACOBIAN, GW_REQUEST_DERIVATIVE, "_columns", false},
    {GW_REQUEST_JACOBIAN, GW_REQUEST_DERIVATIVE, "_pattern", true},
    {GW_REQUEST_ERROR, GW_REQUEST_ERROR, "_terms", false}};

/* What it calls of what is made for it alone, and the rows of a bound. */
static void add_parts(writer *w, const char *request, const char *status) {
    for (size_t i = 0; i < GW_FRONT_PARTS; i++)
        if (gw_front_parts[i].of == w->stub->asks)
            declare(w, status, gw_format("%s%s", request, gw_front_parts[i].suffix), "");
    if (w->stub->asks == GW_REQUEST_ERROR) declare(w, "gw_error_table", gw_format("%s_table", request), "");
}

static void add_function(writer *w, const char *name, const char *request) {
    static const char *const attributes[] = {
        [GW_FUNC_HOST] = "", [GW_FUNC_DEVICE] = "__device__ ", [GW_FUNC_HOST_DEVICE] = "__host__ __device__ "};
    const char *attribute = w->u->session->is_cuda ? attributes[w->stub->kind] : "";
    char *status = gw_format("%sgw_status", attribute);
    const char *result = "double", *one_of = w->plain_c ? "double" : "gw_either";
    if (w->stub->result) result = one_of = gw_cstr(w->u->session, w->stub->result);
    char *value = gw_format("%s%s", attribute, result), *either = gw_format("%s%s", attribute, one_of);
    const bool may_be_program = w->u->session->is_cuda && w->stub->kind == GW_FUNC_HOST && !w->stub->result;
    declare(w, request ? either : status, gw_derived_text(name, request, GW_FORM_GRAD), "");
    declare(w, status, gw_derived_text(name, request, GW_FORM_PULLBACK), "");
    declare(w, status, gw_derived_part_text(name, request, GW_FORM_GRAD, GW_DERIVED_ON), "");
    declare(w, status, gw_derived_part_text(name, request, GW_FORM_GRAD, GW_DERIVED_IN), "");
    static const gw_derived_part same[] = {GW_DERIVED_LAUNCH, GW_DERIVED_ALLOC, GW_DERIVED_WORKSPACE_BYTES};
    for (size_t i = 0; i < sizeof same / sizeof *same && may_be_program; i++)
        declare(w, same[i] == GW_DERIVED_WORKSPACE_BYTES ? "size_t" : status,
                gw_derived_part_text(name, request, GW_FORM_GRAD, same[i]), "");
    declare(w, status, gw_derived_text(name, request, GW_FORM_FWD), "");
    declare(w, status, gw_derived_text(name, request, GW_FORM_BWD), "");
    if (!request) declare(w, may_be_program ? either : value, gw_derived_text(name, request, GW_FORM_JVP), "");
    static const gw_derived_part along[] = {GW_DERIVED_IN, GW_DERIVED_LAUNCH};
    for (size_t i = 0; i < sizeof along / sizeof *along && !request && may_be_program; i++)
        declare(w, status, gw_derived_part_text(name, request, GW_FORM_JVP, along[i]), "");
    if (request) add_parts(w, request, status);
    free(status);
    free(value);
    free(either);
}

/* ---- --named-arguments ---- */
/* At which character the name in "const float *x", "float a[3]", "int n = 4" begins; its *length. */
static size_t name_in(const char *text, size_t all, size_t *length) {
    size_t end = 0, begin;
    while (end < all && text[end] != '=' && text[end] != '[') end++;
    while (end && !isalnum((unsigned char)text[end - 1]) && text[end - 1] != '_') end--;
    for (begin = end; begin && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_');) begin--;
    *length = end - begin;
    return begin;
}

/* "gw_any y; gw_any n;"; in C with the types that the source has, where an adjoint may be any pointer. */
static void add_members(writer *w, const char *prefix, bool is_adjoint) {
    for (const char *from = gw_cstr(w->u->session, w->stub->params); *from;) {
        size_t n = 0, length;
        for (int depth = 0; from[n] && (depth > 0 || from[n] != ','); n++)
            depth += (strchr("(<[{", from[n]) != NULL) - (strchr(")>]}", from[n]) != NULL);
        const size_t begin = name_in(from, n, &length);
        if (length && w->plain_c && !is_adjoint)
            gw_text_addf(&w->out, "%.*s%s", (int)begin, from, memchr(from, '[', n) ? "*" : "");
        else if (length)
            gw_text_add(&w->out, w->plain_c ? "void *" : "gw_any ");
        if (length) gw_text_addf(&w->out, "%s%.*s; ", prefix, (int)length, from + begin);
        from += n + (from[n] == ',');
    }
    if (*prefix) gw_text_addf(&w->out, "%s%sreturn; ", w->plain_c ? "void *" : "gw_any ", prefix);
}

static void add_struct(writer *w, char *name, const char *prefix, bool is_adjoint) {
    gw_text_addf(&w->out, w->plain_c ? "typedef struct %s { " : "struct %s { ", name);
    add_members(w, prefix, is_adjoint);
    gw_text_addf(&w->out, w->plain_c ? "} %s;\n" : "};\n", name);
    free(name);
}

static bool takes_named(const gw_stub *s) {
    return s->params && !s->head &&
           (s->asks == GW_REQUEST_GRADIENT || s->asks == GW_REQUEST_SPLIT || s->asks == GW_REQUEST_DERIVATIVE);
}

static void declare_named(writer *w, const char *name, const char *request, gw_form form) {
    char *made = gw_derived_text(name, request, form);
    gw_text_addf(&w->out, "%s %s_named();\n", form == GW_FORM_JVP ? "double" : "gw_status", made);
    free(made);
}

/* The structs of one request; its function has the first one for all of them. Requests without a name have one
 * stand-in, whatever they ask for. */
static void add_named(writer *w, const gw_stubs *stubs, uint32_t number) {
    const gw_stub *own = w->stub;
    if (!w->u->session->options.named || !takes_named(own)) return;
    const char *name = gw_cstr(w->u->session, own->name),
               *request = own->request ? gw_cstr(w->u->session, own->request) : NULL;
    bool has_args = false;
    for (uint32_t i = 0; i < number; i++) {
        const gw_stub *s = &stubs->at[i];
        has_args |= s->name == own->name && s->space == own->space && takes_named(s);
    }
    if (!has_args) add_struct(w, gw_format("%s_args", name), "", false);
    const bool along = request && own->asks == GW_REQUEST_DERIVATIVE;
    add_struct(w, gw_format("%s_adjoints", request ? request : name), along ? "t_" : "d_", !along);
    if (!request) add_struct(w, gw_format("%s_tangents", name), "t_", false);
    if (w->plain_c) declare_named(w, name, request, GW_FORM_GRAD);
    if (w->plain_c && !request) declare_named(w, name, request, GW_FORM_JVP);
}

char *gw_front_stub_text(const gw_unit *u, const gw_stubs *stubs, bool plain_c) {
    writer w = {.u = u, .plain_c = plain_c};
    gw_text_add(&w.out, "#ifndef GW_STAND_INS\n#define GW_STAND_INS\n#include <gradwright/tape.h>\n");
    for (uint32_t i = 0; i < stubs->count; i++)
        if (stubs->at[i].asks == GW_REQUEST_ERROR) gw_text_add(&w.out, "#include <gradwright/rounding.h>\n");
    if (!plain_c) add_types(&w);
    gw_capture_structs_text(u->session, &w.out);
    for (uint32_t i = 0; i < stubs->count; i++) {
        w.stub = &stubs->at[i];
        const char *name = gw_cstr(u->session, w.stub->name), *space = gw_cstr(u->session, w.stub->space);
        const char *request = w.stub->request ? gw_cstr(u->session, w.stub->request) : NULL;
        if (*space && !plain_c) gw_text_addf(&w.out, "namespace %s {\n", space);
        add_named(&w, stubs, i);
        if (w.stub->kind == GW_FUNC_KERNEL && !plain_c)
            add_kernel(&w, name, request);
        else
            add_function(&w, name, request);
        if (*space && !plain_c) gw_text_add(&w.out, "}\n");
    }
    gw_text_add(&w.out, "#endif\n");
    return w.out.at;
}
