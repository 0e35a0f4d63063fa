"""The text of a program that tests functions of the host: their source, their tables, and the calls."""
from program import braces
from tree import in_precision

HEADS = {"c": """#include <gradwright/gradwright.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
""", "cpp": """#include <gradwright/gradwright.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <numeric>
#include <stdexcept>
#include <tuple>
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
    text, rows = "#include <stddef.h>\n#include <string.h>\n" + POINTERS[language], []
    for name, function in named:
        for form, real, wide in forms(function, name):
            for request in function.requests():
                text += case(function, form, real, wide, emitted, request)
                rows.append(f"&case_{form}{request.suffix}")
    text += "static const host_case *const all_cases[] = {" + ", ".join(rows) + "};\n"
    return (text + f"int main(int argc, char **argv) {{ return host_run(all_cases, {len(rows)}, argc, argv); "
                   f"}}\n")


def element_of(p):
    return p.type_name.replace("const ", "").split("(*)")[0].replace("*", "").strip()


def shape(function, p, k, name, request):
    """The row of the test's table for one argument, and what has to stand before it."""
    element, asked = element_of(p), request.asks(p.name)
    cells = request.cells(p.name, function.struct_cells) if element.startswith("struct") else \
        [""] if element in ("real", "narrow", "wide") else []
    kept = f"cells_{name}_{k}"
    offsets = [f"{{offsetof({element}, {cell}), sizeof((({element} *)0)->{cell})}}" if cell else
               f"{{0, sizeof({element})}}" for cell in cells]
    before = f"static const host_cell {kept}[] = {{{', '.join(offsets) or '{0, 0}'}}};\n"
    initial, count = "0", p.cells or 1
    if p.value is not None:
        count = len(p.value) if p.role in ("list", "in") else 1
        value = braces(p.value) if p.role in ("list", "in", "struct") else f"{{{p.value}}}"
        before += (f"static {element} initial_{name}_{k}[{count}] = "
                   f"{'{' + value + '}' if p.role == 'struct' else value};\n")
        initial = f"initial_{name}_{k}"
    return before, (f"    {{sizeof({element}), {count}, {kept}, {len(cells)}, {'true' if asked else 'false'}, "
                    f"{p.low if p.role != 'out' else -1}, {p.high if p.role != 'out' else 1}, {initial}}},\n")


def held_argument(p, first, of, request, moved):
    """A parameter that leads to others: how it is made from their memory `of`, passed, and taken apart again.
    moved: by a gradient, which adds to the numbers in it."""
    held, every, after = f"{p.name}_{of}", of == "a", ""
    made = p.before + (p.constants if every else "")
    numbers = False
    for k, (part, (place, back)) in enumerate(zip(p.parts, p.places), first):
        if not every and not request.asks(part.name):
            continue
        made += " " + place.replace("AT", f"{of}[{k}]")
        if moved and back:
            after, numbers = after + " " + back.replace("AT", f"{of}[{k}]").replace("HELD", held), True
    by_address = p.passed == "pointer" or numbers
    passed = f"POINTER((void *){held})" if p.passed == "table" else f"POINTER(&{held})" if by_address else held
    return made.replace("HELD", held) + " ", passed, after


class Call:
    """How a case's arguments are made, passed and taken apart again, from the memory of its values and of one
    of the others."""

    def __init__(self, function, request, of, moved=False):
        self.before, self.values, self.others, self.after = "", [], [], ""
        for first, p in function.rows():
            if p.parts:
                self.held(p, first, "a", request, False, self.values)
                if any(request.asks(part.name) for part in p.parts) and of != "a":
                    self.held(p, first, of, request, moved, self.others)
                continue
            is_pointer, element = "*" in p.type_name, element_of(p)
            self.values.append(f"POINTER(a[{first}])" if is_pointer else f"*({element} *)a[{first}]")
            if request.asks(p.name) and of != "a":
                self.others.append(f"POINTER({of}[{first}])" if is_pointer or moved
                                   else f"*({element} *){of}[{first}]")

    def held(self, p, first, of, request, moved, passed):
        made, argument, after = held_argument(p, first, of, request, moved)
        self.before, self.after = self.before + made, self.after + after
        passed.append(argument)


def case(function, name, real, wide, emitted, request):
    """The functions and the row of one request on one function."""
    before, rows = "", []
    called, name = name, name + request.suffix
    for first, p in function.rows():
        for k, part in enumerate(p.parts or [p], first):
            more, row = shape(function, part, k, name, request)
            before, rows = before + more, rows + [row]
    primal, reverse, forward = (Call(function, request, of, of == "d") for of in "adt")
    gradient_name, forward_name = request.names(called)
    scope, arguments = function.scope(called), function.template_arguments()
    values = ", ".join(primal.values)
    runs = f"*result = (double){scope}{called}{arguments}({values});" if function.result else \
        f"(void)result; {scope}{called}{arguments}({values});"
    call = f"{scope}{gradient_name}{arguments}({', '.join(reverse.values + reverse.others)})"
    has_status = f"gw_status {gradient_name}(" in emitted
    gradient = f"int status = (int){call};{reverse.after} return status;" if has_status else \
        f"{call};{reverse.after} return 0;"
    moved = [*forward.values, *forward.others] + (["&t_result"] if function.result else [])
    goes = f"{scope}{forward_name}{arguments}({', '.join(moved)})"
    goes = f"real t_result; *result = (double){goes}; *moved = (double)t_result;" if function.result else \
        f"(void)result; (void)moved; {goes};"
    has_reverse = "GW_GRADIENT" in function.kinds
    several = function.several() and not request.suffix
    blocks = [f"POINTER(t[{first}])" for first, p in function.rows() if request.asks(p.name)]
    parts = ", ".join([*forward.values, *blocks] + (["t_result"] if function.result else []))
    along = f"{scope}{called}_jvps{arguments}({parts});"
    along = (f"real t_result[3]; *result = (double){along} for (int i = 0; i < 3; i++) moved[i] = "
             f"(double)t_result[i];") if function.result else f"(void)result; (void)moved; {along}"
    text = (before + f"static const host_argument arguments_{name}[] = {{\n{''.join(rows)}}};\n"
            f"static void primal_{name}(void **a, double *result) {{ {primal.before}{runs} }}\n"
            + (f"static int gradient_{name}(void **a, void **d) {{ {reverse.before}{gradient} }}\n"
               if has_reverse else "") +
            f"static void forward_{name}(void **a, void **t, double *result, double *moved) {{ "
            f"{forward.before}{goes} }}\n"
            + (f"static void several_{name}(void **a, void **t, double *result, double *moved) {{ "
               f"{forward.before}{along} }}\n" if several else "") +
            f"static const host_case case_{name} = {{\"{name}\", {function.seed}u, arguments_{name}, "
            f"{len(rows)}, "
            f"{'true' if function.result else 'false'}, primal_{name}, "
            f"{f'gradient_{name}' if has_reverse else '0'}, forward_{name}, "
            f"{f'several_{name}' if several else '0'}, {wide}}};\n")
    return function.spelled(text, called, real)
