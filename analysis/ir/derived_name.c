/*
 * derived_name.c - what the functions that Gradwright emits are called.
 *
 * A request makes a derivative, "f_grad", and helpers of it. A named request's name stands in place of
 * "f_grad", and its helpers begin with that name: two requests on one function share no name. Helpers that
 * callers never spell carry the tag of their function, so that those of overloads and instantiations differ
 * too.
 */
#include "analysis/ir/device.h"
#include "analysis/ir/ir.h"
#include "analysis/ir/requests.h"

#include <stdlib.h>

/* Behind the function's name, and behind the request's. */
static const struct {
    const char *function, *request;
} forms[] = {
    [GW_FORM_PRIMAL] = {"", ""},
    [GW_FORM_GRAD] = {"_grad", ""},
    [GW_FORM_PULLBACK] = {"_pullback", "_pullback"},
    [GW_FORM_JVP] = {"_jvp", ""},
    [GW_FORM_BOUND] = {"_tape_slots", "_tape_slots"},
    [GW_FORM_CHECK] = {"_check", "_check"},
    [GW_FORM_FWD] = {"_fwd", "_fwd"},
    [GW_FORM_BWD] = {"_bwd", "_bwd"},
    [GW_FORM_GATHER] = {"_gather", "_gather"},
    [GW_FORM_MEASURE] = {"_measure", "_measure"},
    [GW_FORM_STORED] = {"_stored", "_stored"},
};

static const struct {
    const char *suffix;
    bool of_derivative; /* "f_grad_launch"; else of the request: "f_workspace_bytes" */
    bool is_private;
} parts[] = {
    [GW_DERIVED_LAUNCH] = {"_launch", true, false},
    [GW_DERIVED_KERNEL] = {"_kernel", true, true},
    [GW_DERIVED_BODY] = {"_body", true, true},
    [GW_DERIVED_GATHER] = {"_gather", true, true},
    [GW_DERIVED_BEHIND] = {"_behind", true, true},
    [GW_DERIVED_NEEDS] = {"_needs", true, true},
    [GW_DERIVED_WORKSPACE_BYTES] = {"_workspace_bytes", false, false},
    [GW_DERIVED_OWN_WORKSPACE_BYTES] = {"_workspace_bytes", true, false},
    [GW_DERIVED_TAPE_BYTES] = {"_tape_bytes", false, false},
    [GW_DERIVED_BESIDE] = {"_bytes_beside_tape", true, true},
    [GW_DERIVED_MEASURE_LAUNCH] = {"_measure_launch", false, false},
    [GW_DERIVED_MEASURE_HALF_LAUNCH] = {"_measure_launch", true, false},
    [GW_DERIVED_MEASURED_BYTES] = {"_workspace_bytes_measured", false, false},
    [GW_DERIVED_MEASURED_TAPE] = {"_tape_bytes_measured", false, false},
    [GW_DERIVED_ALLOC] = {"_alloc", true, false},
    [GW_DERIVED_SHARED_BYTES] = {"_shared_bytes", false, false},
    [GW_DERIVED_OWN_SHARED_BYTES] = {"_shared_bytes", true, false},
    [GW_DERIVED_UNPACK] = {"_unpack", true, true},
    [GW_DERIVED_PACK_BYTES] = {"_pack_bytes", true, false},
    [GW_DERIVED_ON] = {"_on", true, false},
    [GW_DERIVED_IN] = {"_in", true, false},
};

gw_str gw_free_name(gw_session *s, const char *wish, gw_name_test *is_taken, const void *context) {
    gw_str name = gw_intern(s, wish);
    for (unsigned n = 2; is_taken(context, name); n++) {
        char *next = gw_format("%s_%u", wish, n);
        name = gw_intern(s, next);
        free(next);
    }
    return name;
}

char *gw_derived_text(const char *function, const char *request, gw_form form) {
    const char *suffix = request ? forms[form].request : forms[form].function;
    return gw_format("%s%s", request ? request : function, suffix);
}

char *gw_derived_part_text(const char *function, const char *request, gw_form form, gw_derived_part part) {
    char *base = gw_derived_text(function, request, parts[part].of_derivative ? form : GW_FORM_PRIMAL);
    char *text = gw_format("%s%s", base, parts[part].suffix);
    free(base);
    return text;
}

static const char *request_name(const gw_session *s, uint32_t request) {
    bool named = request < s->requests.count && s->requests.at[request].name;
    return named ? gw_cstr(s, s->requests.at[request].name) : NULL;
}

static bool is_declared(const void *session, gw_str name) {
    const gw_session *s = session;
    for (uint32_t i = 0; i < s->declared.count; i++)
        if (s->declared.at[i] == name) return true;
    for (uint32_t i = 0; i < s->macros.count; i++)
        if (s->macros.at[i] == name) return true;
    return false;
}

/* The text and, for what is private, the function's tag, and a number where the source has that name. */
static gw_str finish(const gw_func *primal, char *text, bool is_private) {
    gw_session *s = primal->session;
    char *tagged = gw_format("%s%s", text, is_private && primal->tag ? gw_cstr(s, primal->tag) : "");
    gw_str name = is_private ? gw_free_name(s, tagged, is_declared, s) : gw_intern(s, tagged);
    free(tagged);
    free(text);
    return name;
}

/* A split gradient may stand beside a joined one of the same function, without names both. */
static bool is_of_both_halves(const gw_session *s, uint32_t request, gw_form form) {
    bool split = request < s->requests.count && gw_request_is_split(&s->requests.at[request]);
    return split && form != GW_FORM_FWD && form != GW_FORM_BWD;
}

gw_str gw_derived_name(const gw_func *primal, uint32_t request, gw_form form) {
    const gw_session *s = primal->session;
    char *text = gw_derived_text(gw_cstr(s, primal->name), request_name(s, request), form);
    if (is_of_both_halves(s, request, form)) {
        char *own = gw_format("%s_split", text);
        free(text);
        text = own;
    }
    return finish(primal, text, form == GW_FORM_BOUND || form == GW_FORM_CHECK || form >= GW_FORM_MEASURE);
}

/* Derivatives of functions that share a name share theirs. */
gw_str gw_derived_symbol(const gw_func *primal, uint32_t request, gw_form form) {
    gw_session *s = primal->session;
    gw_str name = gw_derived_name(primal, request, form);
    if (primal->symbol == primal->name) return name;
    char *text = gw_format("%s of %s", gw_cstr(s, name), gw_cstr(s, primal->symbol));
    gw_str symbol = gw_intern(s, text);
    free(text);
    return symbol;
}

gw_str gw_derived_part_name(const gw_func *derivative, gw_derived_part part) {
    const gw_session *s = derivative->session;
    const gw_func *primal = derivative->primal ? derivative->primal : derivative;
    const char *request = request_name(s, derivative->request);
    char *text = gw_derived_part_text(gw_cstr(s, primal->name), request, derivative->form, part);
    return finish(primal, text, parts[part].is_private);
}

bool gw_derived_is_private(gw_derived_part part) { return parts[part].is_private; }

const char *gw_algorithm_name(const char *name) { return strncmp(name, "gw_", 3) == 0 ? name + 3 : name; }

const char *gw_kernel_shown(const gw_func *kernel) {
    if (kernel->second_of) return gw_kernel_shown(kernel->second_of);
    const char *name = gw_cstr(kernel->session, kernel->name), *own = gw_algorithm_name(name),
               *form = strstr(own, "_of_");
    if (!kernel->is_unspoken || own == name) return name;
    return form ? gw_cstr(kernel->session, gw_intern_n(kernel->session, own, (size_t)(form - own))) : own;
}

gw_str gw_derived_launch_name(const gw_func *kernel, int64_t request, gw_told_way way) {
    static const char *const ways[] = {"forward", "backward", "along"};
    const gw_session *s = kernel->session;
    const char *name = gw_cstr(s, kernel->name), *variant = request == GW_LAUNCH_PASSIVE ? "_passive" : "";
    if (kernel->second_of) name = request_name(s, (uint32_t)request);
    else if (request >= 0 && s->requests.at[request].variant)
        variant = gw_cstr(s, s->requests.at[request].variant);
    return finish(kernel, gw_format("%s%s_%s", name, variant, ways[way]), true);
}

gw_str gw_derived_copy_name(const gw_func *kernel) {
    const char *name = gw_cstr(kernel->session, kernel->name);
    const gw_session *s = kernel->session;
    for (uint32_t i = 0; kernel->second_of && i < s->requests.count; i++)
        if (s->requests.at[i].func == kernel) name = request_name(s, i);
    return finish(kernel, gw_format("%s_primal", name), true);
}
