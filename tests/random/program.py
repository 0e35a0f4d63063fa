"""The text of a test program: kernels, their gradients, and a row of function pointers for each."""
from spaces import beside, outside, short
from templates import passed_parameters, template_arguments, template_head
from tree import in_precision

# gradwright parses a file without the check (GW_RANDOM_EMIT), which takes as long as a dozen kernels.
HEAD = """#ifdef GW_RANDOM_EMIT
#include <gradwright/gradwright.h>
#include <math.h>
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)
#else
#include "random_check.cuh"
#include <cstdlib>
#endif
#include <gradwright/atomic.cuh>
#include <assert.h>
#include <stdio.h>
{low}
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Only what is emitted has to compile without a warning.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
"""
# What the emitted text does to exact sums is written down (random_exact.cuh).
LOGGED = ("add", "settle", "settle_all", "sum")
LOG = "#ifdef GW_CPU_DEVICE\n" + "".join(
    f"#define gw_exact_{name} exact_log::{name}\n" for name in LOGGED) + "#endif\n"
NO_LOG = "".join(f"#undef gw_exact_{name}\n" for name in LOGGED)
MIDDLE = """#pragma clang diagnostic pop
#ifndef GW_RANDOM_EMIT
{before}#endif
#include "{stem}.grad.cuh"
{behind}
// What calls them is the host's: for half of the compiler's time, it need not be seen.
#if !defined(GW_RANDOM_EMIT) && !defined(__CUDA_ARCH__)
using namespace check;
"""


def role(kernel, parameter, name, element):
    """The argument that fills the parameter, as check.cuh names it."""
    p = parameter
    asked = p.name in kernel.outputs or p.name in kernel.inputs
    if p.role == "ranges":
        pair = p.type_name.replace("const ", "").replace("*", "").strip()
        return f"given(std::vector<{pair}>{{" + ", ".join(f"make_{pair}({a}, {b})" for a, b in p.value) + "})"
    if p.role == "in" and p.value:
        return f"{'in_given' if asked else 'given'}(std::vector<{element}>{braces(p.value)})"
    if p.role in ("out", "inout", "in", "fixed", "kept"):
        word = {"kept": "out"}.get(p.role, p.role) if asked else "fixed"
        limits = "" if word == "out" else f", {p.low}, {p.high}"
        return f"{word}({p.cells}{limits})"
    if p.role == "list":
        return "list({" + ", ".join(map(str, p.value)) + "})"
    text = str(p.value) if p.role == "value" else f"S_{name}" + braces(p.value)
    return f"active({text})" if asked else text


def braces(value):
    if not isinstance(value, list):
        return str(value)
    return "{" + ", ".join(map(braces, value)) + "}"


def type_text(type_name, name, real):
    return in_precision(type_name.replace("__restrict__ ", "").strip(), name, real)


# What the adjoint of a parameter of low precision consists of.
ADJOINTS = {"half": "float", "__nv_bfloat16": "float", "half2": "float2", "__nv_bfloat162": "float2"}


def filled(kernel, k, name, real):
    """How an argument is made, passed, and its adjoint passed; what stands before a call that passes it. Arrays
    of low precision are arrays of floats to the check, in pairs or not."""
    p = kernel.parameters[k]
    type_name = type_text(p.type_name, name, real)
    element = type_name.replace("const ", "").replace("*", "").strip()
    made = role(kernel, p, name, element)
    made_of = "renewed(make_argument" if p.name in kernel.new else "make_argument"
    if "«" not in p.type_name:
        made = f"{made_of}<{type_name}>({made}, random)" + ")" * (p.name in kernel.new)
        return (f"kept({made})" if p.role == "kept" else made, f"pass<{type_name}>(a[{k}])",
                f"adjoint_of<{element}>(a[{k}])", f"adjoint_of<{element}>(a[{k}])" if type_name.endswith("*")
                else f"direction_of<{element}>(a[{k}])", "")
    low, adjoint = real == "float", ADJOINTS.get(element, element)
    adjoint = f"({adjoint} *)adjoint_of<{real}>(a[{k}])"
    return (f"coarse(make_argument<{real} *>({made}, random))", f"low{k}.pass<{type_name}>()" if low
            else f"({type_name})pass<double *>(a[{k}])", adjoint, adjoint,
            f"low_copy<{kernel.low['type']}> low{k}(a[{k}]);\n    " if low else "")


def text_of(function, result, body):
    return f"static {result} {function} {{\n    {body}\n}}\n"


MOST_OF_RECORD = 32  # floats


def told(kernel):
    """As many as there are of anything that a launch may ask for: positions of a list, cells of an array,
    floats of all records."""
    floats = kernel.records * MOST_OF_RECORD if kernel.packed else 0
    return max([kernel.positions, kernel.shared_cells, floats, *(p.cells for p in kernel.parameters)]) + 1


def room_of(kernel, of, shape, launch, names):
    """Asks how much the launch needs: the host, or a kernel that measures, whichever there is."""
    asked, measure, read = names
    call = f"{measure}{of}({launch}, more..., s)"
    return (f"room_of({told(kernel)}, {either(f'{asked}{of}({shape}, more...)')},\n        "
            f"[&](gw_sizes *s, auto... more) -> decltype({call}) {{ return {call}; }},\n        "
            f"[&](const gw_sizes *s, auto stream) {{ return {read}{of}(s, stream); }})")


def gradient_of(kernel, name, gradient, workspace, values, adjoints, packed, telling):
    """What calls a gradient, and asks for its workspace."""
    of = values.template
    both = ", ".join([values.text, *adjoints] + ([f"pack.floats(), {kernel.records}"] if packed else []))
    room = f"records pack({gradient}_pack_bytes{of}({kernel.records}));\n    " if packed else ""
    shape, end = f"w.grid, w.block, {values.text}", "space.data(), space.size()"
    launch = f"w.grid, w.block, w.shared, (cudaStream_t)0, {values.text}"
    asked = room_of(kernel, of, shape, launch,
                    (workspace, workspace.replace("_workspace_bytes", "_measure_launch"),
                     f"{workspace}_measured"))
    call = f"{gradient}_launch{of}(w.grid, w.block, w.shared, 0, {both}, {end})"
    if kernel.positions or telling:
        call = either(f"{gradient}_launch{of}(w.grid, w.block, w.shared, 0, {both}, more..., {end})")
        call = f"with_told({told(kernel)}, {call})"
    return (text_of(f"workspace_{name}(launch w, arguments &a)", "size_t", f"{values.before}return {asked};") +
            text_of(f"gradient_{name}(launch w, arguments &a, device_bytes &space)", "gw_status",
                    f"{values.before}{room}return {call};"))


def either(call):
    """A call with more arguments, which are known when it is compiled: whether there is such a function."""
    return f"[&](auto... more) -> decltype({call}) {{ return {call}; }}"


def halves_of(kernel, name, values, adjoints, packed):
    """What calls the halves, and asks for the tape. Whether the second has a workspace of its own is seen when
    this is compiled."""
    of, own = values.template, short(kernel, name)
    both = ", ".join([values.text, *adjoints] + ([f"pack.floats(), {kernel.records}"] if packed else []))
    room = f"records pack({own}_bwd_pack_bytes{of}({kernel.records}));\n    " if packed else ""
    asked = either(f"{own}_bwd_workspace_bytes{of}(w.grid, w.block, {values.text}, more...)")
    rows = f"device_bytes rows(rows_of({told(kernel)}, {asked}));\n    rows.fill(0xA5);\n    "
    call = either(f"{own}_bwd_launch{of}(w.grid, w.block, w.shared, 0, {both}, more...)")
    tape = room_of(kernel, of, f"w.grid, w.block, {values.text}",
                   f"w.grid, w.block, w.shared, (cudaStream_t)0, {values.text}",
                   (f"{own}_tape_bytes", f"{own}_fwd_measure_launch", f"{own}_tape_bytes_measured"))
    return (text_of(f"tape_{name}(launch w, arguments &a)", "size_t", f"{values.before}return {tape};") +
            text_of(f"first_{name}(launch w, arguments &a, device_bytes &tape)", "gw_status",
                    f"{values.before}return {own}_fwd_launch{of}(w.grid, w.block, w.shared, 0, {values.text}, "
                    f"tape.data(), tape.size());") +
            text_of(f"second_{name}(launch w, arguments &a, device_bytes &tape)", "gw_status",
                    f"{values.before}{room}{rows}return second_half(rows, {told(kernel)}, tape, {call});"))


class Values:
    """The primal's arguments and template arguments, and what stands before a call that passes them."""

    def __init__(self, text, template, before):
        self.text, self.template, self.before = text, template, before


def shape_of(grid, block):
    return ", ".join(f"dim3({', '.join(map(str, sizes))})" for sizes in (grid, block))


def case(kernel, name, real, wide, fixed_order, telling):
    """The functions and the row of one kernel."""
    makes, passes, adjoints, tangents, before = [], [], {}, [], ""
    called, own = passed_parameters(kernel), short(kernel, name)
    for k, p in enumerate(kernel.parameters):
        made, passed, adjoint, tangent, copy = filled(kernel, k, name, real)
        makes.append(f"    a.push_back({made});\n")
        if k in called:
            passes.append(passed)
        before += copy
        if p.name in kernel.outputs or p.name in kernel.inputs:
            adjoints[k] = adjoint
            tangents.append(tangent)
    values, packed = Values(", ".join(passes), template_arguments(kernel, real),
                            before), kernel.packed and real == "float"
    grid = shape_of(kernel.grid, kernel.block)
    broken = f"{{{shape_of(*kernel.broken)}, {kernel.shared_cells} * sizeof({real})}}, true" if kernel.broken \
        else "{}, false"
    noise = "0.1" if "atomic" in kernel.text(name, real) else "0.01"
    grid += f", {kernel.shared_cells} * sizeof({real})"
    at = next((k for k, p in enumerate(kernel.parameters) if p.name == "rounding"), -1)
    rounding = f"{at}, {kernel.low['kind'] if kernel.low else 0}"
    joined, halves, other = ", ".join(4 * ["nullptr"]), ", ".join(3 * ["nullptr"]), "nullptr, nullptr, 0"
    text = ""
    if kernel.split != "only":
        several = f"several_{name}" if kernel.several() else "nullptr"
        joined = f"workspace_{name}, gradient_{name}, forward_{name}, {several}"
        text += gradient_of(kernel, name, f"{own}_grad", f"{own}_workspace_bytes", values, adjoints.values(),
                            packed, telling)
        text += text_of(f"forward_{name}(launch w, arguments &a)", "gw_status",
                        f"{before}return {own}_jvp_launch{values.template}(w.grid, w.block, w.shared, 0, "
                        f"{', '.join(passes + tangents)});")
    if kernel.several():
        blocks = [f"any_blocks{{a[{k}].blocks.data()}}" for k in adjoints]
        text += text_of(f"several_{name}(launch w, arguments &a)", "gw_status",
                        f"return {own}_jvps_launch{values.template}(w.grid, w.block, w.shared, 0, "
                        f"{', '.join(passes + blocks)});")
    if kernel.other and kernel.split != "only":
        asked = [k for k in adjoints if kernel.parameters[k].name in kernel.outputs + kernel.other.inputs]
        other = f"workspace_{name}s, gradient_{name}s, {sum(1 << k for k in asked)}u"
        text += gradient_of(kernel, f"{name}s", f"{own}s", f"{own}s_workspace_bytes", values,
                            [adjoints[k] for k in asked], packed, telling)
    if kernel.split:
        halves = f"tape_{name}, first_{name}, second_{name}"
        text += halves_of(kernel, name, values, adjoints.values(), packed)
    return (f"static arguments make_{name}(generator &random) {{\n    arguments a;\n    "
            f"a.reserve({len(makes)});\n"
            f"{''.join(makes)}    return a;\n}}\n"
            f"static void primal_{name}(launch w, arguments &a) {{\n    "
            f"{before}{own}{values.template}<<<w.grid, w.block, w.shared>>>({values.text});\n}}\n"
            f"{text}"
            f"static const random_case case_{name} = {{\"{name}\", {kernel.seed}u, {{{grid}}}, make_{name},\n"
            f"    primal_{name}, {joined}, {halves}, {other}, {wide}, {noise}, {rounding},\n"
            f"    {'true' if fixed_order else 'false'}, {broken}}};\n")


def forms(kernel, name):
    """A kernel's forms: name, real type, and which of them the first is compared with."""
    if kernel.single:
        wide = outside(kernel, name + "w", f"case_{name}w")
        return [(name + "w", "double", "nullptr"), (name, "float", f"&{wide}")]
    return [(name, "double", "nullptr")]


def cells_of(kernel, name):
    text = ""
    for letter, members in (("S", kernel.struct_cells), ("R", kernel.record_cells)):
        of = f"{letter}_{name}" if letter == "R" or not kernel.struct_twin else f"SS{name}"
        cells = ", ".join(f"CHECK_CELL({of}, {member})" for member in members)
        text += f"CHECK_CELLS({letter}_{name}, {cells})\n" if cells else ""
    return text


def own_workspaces(named):
    """What a second half without a workspace of its own is asked for: anything goes before an ellipsis."""
    return "".join(beside(kernel, form, f"{template_head(kernel)}inline size_t {short(kernel, form)}"
                                        "_bwd_workspace_bytes(...) { return 0; }\n")
                   for name, kernel in named if kernel.split for form, _, _ in forms(kernel, name))


def sizes_not_there(named):
    """Names of templates that a gradient has not whose tape is measured, or is not; none can be called."""
    text = ""
    for name, kernel in named:
        bases = [(form, short(kernel, form)) for form, _, _ in forms(kernel, name)] if template_head(
            kernel) else []
        bases += [(form, base + "s") for form, base in bases] if kernel.other else []
        for form, base in bases:
            for asked, launch in (("workspace", ""), ("tape", "_fwd")):
                for there in (f"{base}_{asked}_bytes", f"{base}_{asked}_bytes_measured",
                              f"{base}{launch}_measure_launch"):
                    text += beside(kernel, form, f"template <int, int> void {there}();\n")
    return text


def program(named, stem, fixed_order=False, telling=False):
    """named: pairs of name and kernel. Returns the text and, for each line, the kernel's name or None.
    fixed_order: the same bits are expected in another order of the threads, but where these draw items: what
    a thread sums by itself then hangs on what it drew; telling: launches may ask for how many cells arrays
    have."""
    low = any(kernel.low for _, kernel in named)
    groups = any(kernel.groups for _, kernel in named)
    more = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n" if groups else ""
    text = HEAD.replace("{low}", more + ('#include "random_low.cuh"\n' if low else ""))
    owner = [None] * text.count("\n")
    for name, kernel in named:
        for form, real, _ in forms(kernel, name):
            piece = kernel.text(form, real) + "\n"
            owner += [name] * piece.count("\n")
            text += piece
    before = own_workspaces(named) + sizes_not_there(named) + (LOG if telling else "")
    text += MIDDLE.format(stem=stem, before=before, behind=NO_LOG if telling else "")
    rows = []
    for name, kernel in named:
        for form, real, wide in forms(kernel, name):
            own = case(kernel, form, real, wide, fixed_order and not kernel.drawn, telling)
            text += cells_of(kernel, form) + beside(kernel, form, own)
            rows.append("&" + outside(kernel, form, f"case_{form}"))
    text += (f"\n#ifdef GW_RANDOM_JOINED\n#define CASES_{stem} {', '.join(rows)}\n#else\n"
             f"{main_text(rows)}#endif\n#endif\n")
    return text, owner


def main_text(rows):
    table = f"static const random_case *const cases[] = {{{', '.join(rows)}}};\n"
    return (table + "int main(int argc, char **argv) { return run_random_cases(cases, sizeof cases / sizeof "
                    "*cases, argc, argv); }\n")


def joined(stems):
    """One program of the sources that program() made."""
    includes = "".join(f'#include "{stem}.cu"\n' for stem in stems)
    return (f'#include "random_check.cuh"\n#define GW_RANDOM_JOINED\n{includes}#ifndef __CUDA_ARCH__\n'
            f'{main_text([f"CASES_{stem}" for stem in stems])}#endif\n')
