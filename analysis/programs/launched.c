/*
 * programs/launched.c - the pass `launched`: for each launch of a program the gradient of its kernel that the
 * way back runs, and which calls of the program have no derivative.
 *
 * Requires primals as the front end has made them. Guarantees that each launch names a request, or says why it
 * has none (gw_launch_request); that a copy, fill, or number of the host's has cells without a derivative where
 * it has none (gw_device_is_passive); and that addresses of the caller's which lead to nothing active are
 * is_passive, and is_apart where calls use them. Sound by programs/flow.c: what is not active there has the
 * derivative zero.
 *
 * A kernel is asked for the derivative of what it writes of active memory, with respect to what it reads of
 * active memory and uses. So launches of one kernel may have several gradients. Their names say what is asked,
 * and nothing else of the program: another file that launches the kernel of a header so makes the same
 * function, and one that launches it otherwise makes another. With respect to all, it is KERNEL_grad.
 *
 * Requests on one program share its launches: these are made for all. Where one is of forward mode, a launch
 * has a forward derivative of its kernel too, and where one is of second derivatives these, of the same outputs
 * and inputs (gw_launched_as).
 */
#include "analysis/programs/programs_private.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/requests.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a program, of all requests on it. */
typedef struct program {
    gw_func *f;
    bool **input, **output; /* by op, a launch: by part, whether the gradient is asked for it */
    bool *unused;           /* by op, a launch: what it leaves may have no use */
    bool *active;           /* by op, another call: its cells have a derivative */
    bool **integers;        /* by op, by operand: it takes memory with a derivative, maybe, for integers */
    gw_buffer_set numbers;  /* of the request: what floating-point numbers are in */
    bool *given, *used;     /* by parameter: a request names it, or it leads to what is active; calls use it */
    bool all;               /* it could not be told: all have one */
    bool good;              /* no error was said */
    bool back, along;       /* requests of reverse mode, and of forward mode, are about it */
    bool twice;             /* and requests of second derivatives */
} program;

/* ---- what is active ---- */

/* Floats of one piece of memory and integers of another lie in one buffer; that these are two is seen to when
 * the program runs (gw_program_integers), since bits that are moved as integers lose their derivative. */
static void take_integers(program *p, const gw_program_flow *flow, gw_op op, uint32_t operand) {
    const gw_value v = gw_operand(p->f, op, operand);
    if (gw_typeof(p->f, v) != GW_T_ADDRESS) return;
    if (flow && !gw_buffers_meet(gw_program_flow_leads(flow, v), &p->numbers)) return;
    if (flow && !gw_program_flow_varies(flow, v) && !gw_program_flow_wants(flow, v)) return;
    if (!p->integers[op]) p->integers[op] = gw_alloc(gw_op_at(p->f, op)->operands);
    p->integers[op][operand] = true;
}

static void find_numbers(program *p, const gw_program_flow *flow, const gw_roles *roles) {
    p->numbers = (gw_buffer_set){0};
    for (uint32_t i = 0; i < p->f->params.count; i++) {
        const gw_value v = p->f->params.at[i].value;
        const bool is_asked = roles->independent[i] || roles->dependent[i];
        if (v && is_asked && gw_typeof(p->f, v) == GW_T_ADDRESS)
            gw_buffers_add(&p->numbers, gw_program_flow_leads(flow, v));
    }
    for (gw_op op = 1; op < p->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p->f, op);
        if (o->dead || o->code != GW_OP_DEVICE || o->attr != GW_DEVICE_LAUNCH) continue;
        const gw_launch_parts *parts = &flow->launches[op].parts;
        for (uint32_t i = 0; i < parts->count; i++)
            if (parts->at[i].leads_to_numbers)
                gw_buffers_add(&p->numbers,
                               gw_program_flow_leads(flow, gw_operand(p->f, op, GW_LAUNCH_OPERANDS + i)));
    }
}

static bool gives_integers(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return o->attr == GW_DEVICE_FETCH && o->results && gw_type_is_integer(gw_typeof(f, gw_result(f, op, 0)));
}

static void take_launch(program *p, const gw_program_flow *flow, gw_op op, const gw_launch_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        const gw_launch_part *part = &parts->at[i];
        const gw_launch_flow *l = flow ? &flow->launches[op] : NULL;
        const gw_value v = gw_operand(p->f, op, GW_LAUNCH_OPERANDS + i);
        const bool used = !l || (l->useful && l->useful[i]);
        bool active = !flow;
        if (flow)
            active = part->is_number ? gw_active_value(&flow->activity, v)
                                     : part->leads_to_numbers && gw_program_flow_is_active(flow, v);
        p->input[op][i] |= active && used && (part->is_number || part->is_read);
        p->output[op][i] |= active && part->is_written;
        if (part->is_pointer && !part->leads_to_numbers) take_integers(p, flow, op, GW_LAUNCH_OPERANDS + i);
    }
}

/* A SEND into active memory is active whatever is sent: adjoints of what it overwrites end there. */
static bool is_active(const program *p, const gw_program_flow *flow, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    const bool memory = gw_program_flow_is_active(flow, gw_operand(p->f, op, 0));
    bool value = o->attr != GW_DEVICE_FETCH;
    for (uint32_t i = 0; i < o->results && !value; i++)
        value = gw_active_value(&flow->activity, gw_result(p->f, op, i));
    return memory && value;
}

static void take_params(program *p, const gw_program_flow *flow, const gw_roles *roles) {
    for (uint32_t i = 0; i < p->f->params.count; i++) {
        const gw_value v = p->f->params.at[i].value;
        const bool address = v && gw_typeof(p->f, v) == GW_T_ADDRESS && !p->f->params.at[i].is_handle;
        p->given[i] |= !address || roles->independent[i] || roles->dependent[i] || !flow ||
                       gw_program_flow_is_active(flow, v);
        p->used[i] |= address && flow && gw_program_flow_uses(flow, v);
        p->f->params.at[i].is_varied |= address && flow && gw_program_flow_varies(flow, v);
        p->f->params.at[i].is_useful |= address && flow && gw_program_flow_wants(flow, v);
    }
}

/* A number by value is told of where the program's function is looked at. */
static void warn_unused(const program *p, const gw_program_flow *flow, const gw_roles *roles,
                        const gw_request *q) {
    const gw_session *s = p->f->session;
    const char *output = q->dependents.count ? gw_cstr(s, q->dependents.at[0]) : "the returned value";
    for (uint32_t i = 0; i < p->f->params.count; i++) {
        const gw_param *x = &p->f->params.at[i];
        const bool is_asked = roles->independent[i] && x->value && gw_typeof(p->f, x->value) == GW_T_ADDRESS;
        if (is_asked && !x->is_handle && !gw_program_flow_wants(flow, x->value))
            gw_diag(p->f->session, GW_DIAG_INPUT_NOT_USED, q->loc, output, gw_cstr(s, x->name));
    }
}

/* Its tangents would be a texture beside it. */
static bool check_twice(const program *p, const gw_request *q) {
    for (gw_op op = 1; gw_request_has_tangents(q) && op < p->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p->f, op);
        if (o->dead || o->code != GW_OP_DEVICE || o->attr != GW_DEVICE_TEXTURE) continue;
        gw_diag(p->f->session, GW_DIAG_UNSUPPORTED, o->loc,
                "a texture object that is made in a program with second derivatives",
                "read the memory itself, or ask for GW_GRADIENT");
        return false;
    }
    return true;
}

static void take_request(program *p, const gw_request *q) {
    gw_program_flow found;
    p->all |= !gw_program_flow_find(&found, p->f, q);
    const gw_program_flow *flow = p->all ? NULL : &found;
    gw_roles roles;
    gw_roles_find(&roles, p->f, q);
    take_params(p, flow, &roles);
    p->good &= check_twice(p, q);
    if (flow) find_numbers(p, flow, &roles);
    p->along |= gw_request_is_forward(q);
    p->twice |= gw_request_has_tangents(q);
    p->back |= !gw_request_is_forward(q) && !gw_request_has_tangents(q);
    for (gw_op op = gw_first(p->f, p->f->entry); op; op = gw_walk(p->f, op, p->f->entry)) {
        const gw_op_data *o = gw_op_at(p->f, op);
        if (o->code != GW_OP_DEVICE) continue;
        if (gives_integers(p->f, op)) take_integers(p, flow, op, 0);
        if (gw_device_element((gw_device)o->attr)) p->active[op] |= !flow || is_active(p, flow, op);
        if (o->attr != GW_DEVICE_LAUNCH) continue;
        gw_launch_parts parts = {0};
        gw_launch_parts_of(gw_func_find(p->f->session, o->callee), &parts);
        gw_launch_parts_look(gw_func_find(p->f->session, o->callee), &parts);
        if (!p->input[op]) p->input[op] = gw_alloc(parts.count + 1);
        if (!p->output[op]) p->output[op] = gw_alloc(parts.count + 1);
        take_launch(p, flow, op, &parts);
        p->unused[op] |= !flow || gw_program_flow_leaves_unused(flow, op);
        gw_vec_free(&parts);
    }
    if (flow) p->good &= gw_program_flow_check_integers(flow) & gw_program_flow_check(flow) &
                         gw_program_flow_check_textures(flow);
    if (flow) warn_unused(p, flow, &roles, q);
    gw_roles_free(&roles);
    gw_program_flow_free(&found);
}

/* ---- requests ---- */

static void add_name(gw_names *list, gw_str name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == name) return; /* of another element of an array of structs */
    gw_push(list, name);
}

/* What is written is asked with respect to itself if nothing else is: the adjoint ends there. */
static void name_parts(const gw_launch_parts *parts, const bool *input, const bool *output, gw_request *q) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (output ? output[i] : parts->at[i].is_written) add_name(&q->dependents, parts->at[i].name);
        if (input ? input[i] : parts->at[i].is_read || parts->at[i].is_number)
            add_name(&q->independents, parts->at[i].name);
    }
    for (uint32_t i = 0, none = !q->independents.count; none && i < q->dependents.count; i++)
        add_name(&q->independents, q->dependents.at[i]);
}

static gw_str text_of(gw_session *s, const gw_request *q) {
    const char *wrt = q->dependents.count ? " wrt " : "wrt ";
    gw_text out = {0};
    for (uint32_t i = 0; i < q->dependents.count; i++)
        gw_text_addf(&out, "%s%s", i ? ", " : "", gw_cstr(s, q->dependents.at[i]));
    for (uint32_t i = 0; i < q->independents.count; i++)
        gw_text_addf(&out, "%s%s", i ? ", " : wrt, gw_cstr(s, q->independents.at[i]));
    const gw_str text = gw_intern(s, out.at ? out.at : "");
    gw_text_free(&out);
    return text;
}

/* ---- names ---- */

enum { MOST_NAME = 48, HASH_DIGITS = 8 };

static char *as_name(const char *text) {
    char *name = gw_strdup(text), *to = name;
    for (const char *c = text; *c; c++)
        if (*c != ',') *to++ = (char)(isalnum((unsigned char)*c) ? *c : '_');
    *to = 0;
    return name;
}

/* Whether two lists of the names may look alike with '_' between them: one begins another, up to where a name
 * might end. */
static bool are_mixed(gw_session *s, const gw_launch_parts *parts) {
    GW_VEC(char *) names = {0};
    bool found = false;
    gw_push(&names, gw_strdup("wrt"));
    for (uint32_t i = 0; i < parts->count; i++) {
        gw_push(&names, as_name(gw_cstr(s, parts->at[i].name)));
        found |= parts->at[i].name == gw_intern(s, "wrt");
    }
    for (uint32_t i = 0; i < names.count; i++)
        for (uint32_t k = 0; k < names.count; k++)
            found |= strstr(names.at[k], names.at[i]) == names.at[k] && names.at[k][strlen(names.at[i])] == '_';
    for (uint32_t i = 0; i < names.count; i++)
        free(names.at[i]);
    gw_vec_free(&names);
    return found;
}

/* "_wrt_W" of all that the kernel writes, "_h_wrt_W" of a part; where that is long, or might be said of
 * something else too, a number of it. */
static gw_str variant_of(gw_session *s, const gw_request *q, const gw_request *whole,
                         const gw_launch_parts *parts) {
    const bool has_all = gw_names_are_same(&q->dependents, &whole->dependents);
    const gw_request inputs = {.independents = q->independents};
    const char *text = gw_cstr(s, text_of(s, has_all ? &inputs : q));
    char *name = as_name(text);
    char *variant = strlen(name) > MOST_NAME || are_mixed(s, parts)
                        ? gw_format("_%0*x", HASH_DIGITS, (unsigned)gw_hash(GW_HASH_START, text, strlen(text)))
                        : gw_format("_%s", name);
    const gw_str found = gw_intern(s, variant);
    free(name), free(variant);
    return found;
}

/* Some instance of the template has one of the user's: f_grad is a template's name then. */
static bool has_users_gradient(const gw_session *s, gw_str kernel) {
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].func && s->requests.at[i].func->name == kernel && !s->requests.at[i].plain)
            return true;
    return false;
}

/* f_grad, or f_jvp, stands for another request of the user's. */
static bool has_other(const gw_session *s, const gw_request *q) {
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *have = &s->requests.at[i];
        if (have->func == q->func && have->kind == q->kind && !have->name) return true;
    }
    return false;
}

static void name_derivative(gw_session *s, gw_request *q) {
    const gw_func *kernel = q->func;
    const bool along = gw_request_is_forward(q), twice = gw_request_has_tangents(q);
    q->plain = kernel->template_head != 0;
    const bool may_be = twice || has_other(s, q) || (q->plain && has_users_gradient(s, kernel->name)),
               is_taken = may_be && (twice || !q->variant);
    if (!is_taken && !q->plain && !q->variant) return;
    const char *made = along ? "jvp" : "grad", *beside = along ? "launched_jvp" : "launched";
    if (twice) beside = "launched_hvp"; /* the user's f_hvp is for a primal that the text does not have */
    char *text = gw_format("%s_%s%s%s", gw_cstr(s, kernel->name), is_taken ? beside : made,
                           q->variant ? gw_cstr(s, q->variant) : "",
                           q->plain && kernel->tag ? gw_cstr(s, kernel->tag) : "");
    q->name = gw_intern(s, text);
    free(text);
}

/* One that asks for the same, the user's too, if it is of first derivatives; UINT32_MAX: there is none. */
static uint32_t find(const gw_session *s, const gw_request *q) {
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *have = &s->requests.at[i];
        if (gw_request_has_tangents(q) && !have->launched) continue;
        if (have->func == q->func && have->kind == q->kind && !have->coarsen && gw_request_asks_same(have, q))
            return i;
    }
    return UINT32_MAX;
}

/* The request of that kind for what is asked of a launch, which is made if there is none. */
static uint32_t ask_kernel(gw_session *s, gw_request q, uint32_t kind) {
    q.kind = kind;
    uint32_t found = find(s, &q);
    if (found == UINT32_MAX) {
        name_derivative(s, &q);
        const gw_names dependents = q.dependents, independents = q.independents; /* the caller's */
        gw_names_copy(&q.dependents, &dependents);
        gw_names_copy(&q.independents, &independents);
        gw_push(&s->requests, q);
        found = s->requests.count - 1;
    } else {
        s->requests.at[found].variant = q.variant;
    }
    s->requests.at[found].launched = true;
    s->requests.at[found].may_be_unused |= q.may_be_unused;
    return found;
}

static void set_launch(program *p, gw_op op) {
    gw_session *s = p->f->session;
    gw_func *kernel = gw_func_find(s, gw_op_at(p->f, op)->callee);
    gw_launch_parts parts = {0};
    gw_launch_parts_of(kernel, &parts);
    gw_launch_parts_look(kernel, &parts);
    gw_request q = {.function = kernel->qualified, .loc = kernel->loc, .is_made = true}, whole = {0};
    q.may_be_unused = p->unused[op];
    q.func = kernel;
    name_parts(&parts, p->input[op], p->output[op], &q);
    name_parts(&parts, NULL, NULL, &whole);
    const bool has_any = whole.dependents.count && whole.independents.count;
    if (!q.dependents.count || !has_any) {
        gw_launch_set_request(p->f, op, has_any ? GW_LAUNCH_PASSIVE : GW_LAUNCH_NONE);
    } else {
        q.text = text_of(s, &q);
        if (!gw_request_asks_same(&q, &whole)) q.variant = variant_of(s, &q, &whole, &parts);
        uint32_t found = 0;
        if (p->twice) found = ask_kernel(s, q, GW_REQUEST_HVP);
        if (p->along) found = ask_kernel(s, q, GW_REQUEST_DERIVATIVE);
        gw_launch_set_request(p->f, op, p->back ? ask_kernel(s, q, GW_REQUEST_GRADIENT) : found);
    }
    gw_vec_free(&q.dependents), gw_vec_free(&q.independents);
    gw_vec_free(&whole.dependents), gw_vec_free(&whole.independents);
    gw_vec_free(&parts);
}

/* ---- a program ---- */

static void set_element(gw_func *f, gw_op op) {
    gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
    const gw_value none = gw_int(&b, GW_T_U32, GW_ELEMENT_NONE);
    gw_set_operand(f, op, gw_device_element((gw_device)gw_op_at(f, op)->attr), none);
}

static void set_integers(program *p, gw_op op) {
    gw_builder b = {p->f, gw_op_at(p->f, op)->parent, op, gw_op_at(p->f, op)->loc};
    for (uint32_t i = 0; p->integers[op] && i < gw_op_at(p->f, op)->operands; i++) {
        const gw_value v = gw_operand(p->f, op, i);
        if (!p->integers[op][i]) continue;
        const gw_op told = gw_emit(&b, GW_OP_DEVICE, GW_T_VOID, 0, &v, 1);
        gw_op_at(p->f, told)->attr = GW_DEVICE_INTEGERS;
    }
}

static void set_calls(program *p) {
    for (gw_op op = gw_first(p->f, p->f->entry); op; op = gw_walk(p->f, op, p->f->entry)) {
        const gw_op_data *o = gw_op_at(p->f, op);
        if (o->code != GW_OP_DEVICE) continue;
        if (o->attr == GW_DEVICE_LAUNCH)
            set_launch(p, op);
        else if (gw_device_element((gw_device)o->attr) && !p->active[op] && !gw_device_is_passive(p->f, op))
            set_element(p->f, op);
    }
}

static bool look_at(gw_func *f) {
    gw_session *s = f->session;
    const uint32_t ops = f->ops.count, requests = s->requests.count;
    program p = {.f = f,
                 .good = true,
                 .input = gw_alloc(ops * sizeof *p.input),
                 .output = gw_alloc(ops * sizeof *p.output),
                 .unused = gw_alloc(ops),
                 .active = gw_alloc(ops),
                 .integers = gw_alloc(ops * sizeof *p.integers),
                 .given = gw_alloc(f->params.count + 1),
                 .used = gw_alloc(f->params.count + 1)};
    for (uint32_t i = 0; i < requests; i++) {
        const gw_request q = s->requests.at[i];
        if (q.func == f) take_request(&p, &q);
    }
    set_calls(&p);
    for (gw_op op = 1; op < ops; op++) set_integers(&p, op);
    for (uint32_t i = 0; i < f->params.count; i++) {
        f->params.at[i].is_passive |= !p.given[i];
        f->params.at[i].is_apart = !p.given[i] && p.used[i];
        f->params.at[i].is_varied &= f->params.at[i].is_apart;
        f->params.at[i].is_useful &= f->params.at[i].is_apart;
    }
    for (gw_op op = 0; op < ops; op++)
        free(p.input[op]), free(p.output[op]), free(p.integers[op]);
    free(p.input), free(p.output), free(p.integers), free(p.unused), free(p.active);
    free(p.given), free(p.used);
    return p.good;
}

bool gw_pass_launched(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        bool asked = false;
        for (uint32_t k = 0; k < s->requests.count; k++)
            asked |= s->requests.at[k].func == f;
        if (asked && f->kind == GW_FUNC_HOST && gw_is_program(f)) good &= look_at(f);
    }
    return good && !gw_session_failed(s);
}
