/*
 * frontend/unit/refusal.c - types that are refused by name (frontend/type/shape.c), and what to write instead
 * of them.
 */
#include "plugin/frontend/unit/unit.h"

#include <string.h>

const gw_refusal gw_refusals[GW_REFUSED_COUNT] = {
#define GW_REFUSAL(NAME, what, way_out) {what, way_out},
#include "plugin/frontend/unit/refusals.def"
#undef GW_REFUSAL
};

/* By the name of a class of the standard library. */
static const struct {
    const char *name, *way_out;
} classes[] = {
    {"optional in an array", "hold the value, and a bool that says whether there is one"},
    {"optional of anything but numbers", "use a value, and a bool that says whether there is one"},
    {"span in an array", "hold a pointer and a number"},
    {"unique_ptr", "give it a deleter of your own, or use a std::vector or a local variable"},
    {"shared_ptr", "use a std::vector or a local variable"},
    {"function", "make it of a lambda or function where the variable is declared"},
    {"map", "use a std::vector; a table that nobody changes may be const at file scope"},
    {"unordered_map", "use a std::vector; a table that nobody changes may be const at file scope"},
    {"_Rb_tree_const_iterator", "ask the table by find or at, or give the function a std::vector"},
    {"_Rb_tree_iterator", "ask the table by find or at, or give the function a std::vector"},
    {"set", "use a sorted std::vector; a table that nobody changes may be const at file scope"},
    {"variant", "hold its alternatives as members, and a number that says which one is meant"},
    {"valarray", "use a std::vector and loops"},
    {"_Expr", "use a std::vector and loops"},
    {"_Bind", "use a lambda"},
    {"forward_list", "use a std::vector"},
    {"deque", "use a std::vector"},
    {"random_device", "take the seed as a parameter"},
    {"discrete_distribution", "compare a std::uniform_real_distribution with the sums of its weights"},
    {"list", "use a std::vector"},
    {"basic_string", "pass the numbers that it holds"},
};

const gw_refusal *gw_front_refused_class(gw_unit *u, const char *name) {
    gw_refusal *made = gw_alloc(sizeof *made);
    char *what = gw_format("a std::%s", name);
    *made =
        (gw_refusal){gw_cstr(u->session, gw_intern(u->session, what)), gw_refusals[GW_REFUSED_TYPE].way_out};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, name) == 0) made->way_out = classes[i].way_out;
    free(what);
    gw_push(&u->refusals, made);
    return made;
}
