/*
 * frontend/unit/refusal.c - what to write instead of a type that is refused by name (frontend/type/shape.c).
 */
#include "plugin/frontend/unit_private.h"

#include <string.h>

static const struct {
    const char *refusal, *way_out;
} ways_out[] = {
    {"a member that hides one of a base class", "give the two members different names"},
    {"a struct with a volatile member", "use ordinary memory"},
    {"a struct with members of half precision",
     "hold the numbers as float, or pass arrays of halves beside the struct"},
    {"a function pointer", "call the functions by their names in the branches of an if or switch"},
    {"a table of functions", "call the functions by their names in the cases of a switch"},
    {"a class with a destructor", "free the memory in the function, or hold it in a std::vector"},
    {"a std::vector of vectors", "use one std::vector for all rows, or a std::vector of std::array"},
    {"a std::vector of pointers", "use a std::vector of the elements, and indices of them"},
    {"a std::vector<bool>", "use a std::vector<char>"},
    {"a std::optional", "use a value, and a bool that says whether there is one"},
    {"a std::unique_ptr", "use a std::vector or a local variable"},
    {"a std::shared_ptr", "use a std::vector or a local variable"},
    {"a std::function", "use a lambda in an auto variable, or a template parameter"},
    {"a std::map", "use a std::vector, and look its indices up outside of the function"},
    {"a std::unordered_map", "use a std::vector, and look its indices up outside of the function"},
    {"a std::deque", "use a std::vector"},
    {"a std::list", "use a std::vector"},
    {"a packed struct with floats that are not aligned",
     "leave the attribute out, or put what is smaller behind the floats"},
    {"a typedef that aligns a type less", "use the type itself"},
    {"a std::basic_string", "pass the numbers that it holds"},
};

const char *gw_front_way_out(const char *refusal) {
    for (size_t i = 0; i < sizeof ways_out / sizeof *ways_out; i++)
        if (strcmp(ways_out[i].refusal, refusal) == 0) return ways_out[i].way_out;
    return "use plain scalars, arrays, pointers and structs";
}
