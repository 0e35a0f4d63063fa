"""The text of a program that tests functions of the host: their source, their tables, and the calls."""
from program import braces
from tree import in_precision

HEADS = {"c": """#include <gradwright/gradwright.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
""", "cpp": """#include <gradwright/gradwright.h>
#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>
"""}
MACROS = """#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
"""
# The functions and their tables are checked for nothing; only what is emitted has to compile without a warning.
MAIN = """#include <{stem}.{language}>
#include "{stem}.grad.{header}"
#include "random_host.h"
#include <{stem}.tables>
"""
POINTERS = {"c": "#define POINTER(at) (at)\n", "cpp": """namespace {
struct any_pointer {
    void *at;
    template <class T> operator T *() const { return static_cast<T *>(at); }
};
}
#define POINTER(at) any_pointer{at}
"""}


def forms(function, name):
    """A function's forms: name, real type (double, or mixed), and which of them the first is compared with."""
    if function.single:
        return [(name + "w", "double", "0"), (name, "mixed", f"&case_{name}w")]
    return [(name, "double", "0")]


def source(named, language):
    """The functions' text and, for each line, the function's name or None."""
    text = HEADS[language] + MACROS
    owner = [None] * text.count("\n")
    for name, function in named:
        for form, real, _ in forms(function, name):
            piece = function.text(form, real) + "\n"
            owner += [name] * piece.count("\n")
            text += piece
    return text, owner


def main_text(stem, language):
    return MAIN.format(stem=stem, language=language, header="h" if language == "c" else "hpp")


def tables(named, language, emitted):
    text, rows = "#include <stddef.h>\n" + POINTERS[language], []
    for name, function in named:
        for form, real, wide in forms(function, name):
            text += case(function, form, real, wide, emitted)
            rows.append(f"&case_{form}")
    text += "static const host_case *const all_cases[] = {" + ", ".join(rows) + "};\n"
    return text + f"int main(int argc, char **argv) {{ return host_run(all_cases, {len(rows)}, argc, argv); }}\n"


def element_of(p):
    return p.type_name.replace("const ", "").split("(*)")[0].replace("*", "").strip()


def case(function, name, real, wide, emitted):
    """The functions and the row of one function."""
    def spelled(text):
        return function.spelled(text, name, real)
    before, rows, passes, adjoints, tangents = "", [], [], [], []
    for k, p in enumerate(function.parameters):
        asked = p.name in function.outputs or p.name in function.inputs
        element = element_of(p)
        is_pointer = "*" in p.type_name
        is_struct = element.startswith("struct")
        cells = function.struct_cells if is_struct else [""] if element in ("real", "narrow", "wide") else []
        kept = f"cells_{name}_{k}"
        offsets = [f"{{offsetof({element}, {cell}), sizeof((({element} *)0)->{cell})}}" if cell else
                   f"{{0, sizeof({element})}}" for cell in cells]
        before += f"static const host_cell {kept}[] = {{{', '.join(offsets) or '{0, 0}'}}};\n"
        initial, count = "0", p.cells or 1
        if p.value is not None:
            count = len(p.value) if p.role == "list" else 1
            value = braces(p.value) if p.role in ("list", "struct") else f"{{{p.value}}}"
            before += f"static {element} initial_{name}_{k}[{count}] = {value if p.role == 'list' else '{' + value + '}' if is_struct else value};\n"
            initial = f"initial_{name}_{k}"
        rows.append(f"    {{sizeof({element}), {count}, {kept}, {len(cells)}, {'true' if asked else 'false'}, "
                    f"{p.low if p.role != 'out' else -1}, {p.high if p.role != 'out' else 1}, {initial}}},\n")
        passes.append(f"POINTER(a[{k}])" if is_pointer else f"*({element} *)a[{k}]")
        if asked:
            adjoints.append(f"POINTER(d[{k}])")
            tangents.append(f"POINTER(t[{k}])" if is_pointer else f"*({element} *)t[{k}]")
    values, both = ", ".join(passes), ", ".join(passes + adjoints)
    primal = f"*result = (double){name}({values});" if function.result else f"(void)result; {name}({values});"
    call, reverse = f"{name}_grad({both})", "GW_GRADIENT" in function.kinds
    gradient = f"return (int){call};" if f"gw_status {name}_grad(" in emitted else f"{call}; return 0;"
    moved = [*tangents, "&t_result"] if function.result else tangents
    forward = f"{name}_jvp({', '.join(passes + moved)})"
    forward = f"real t_result; *result = (double){forward}; *moved = (double)t_result;" if function.result else \
        f"(void)result; (void)moved; {forward};"
    text = (before + f"static const host_argument arguments_{name}[] = {{\n{''.join(rows)}}};\n"
            f"static void primal_{name}(void **a, double *result) {{ {primal} }}\n"
            + (f"static int gradient_{name}(void **a, void **d) {{ {gradient} }}\n" if reverse else "") +
            f"static void forward_{name}(void **a, void **t, double *result, double *moved) {{ {forward} }}\n"
            f"static const host_case case_{name} = {{\"{name}\", {function.seed}u, arguments_{name}, {len(rows)}, "
            f"{'true' if function.result else 'false'}, primal_{name}, {f'gradient_{name}' if reverse else '0'}, forward_{name}, "
            f"{wide}}};\n")
    return spelled(text)
