"""The text of a test program: kernels, their gradients, and a row of function pointers for each."""
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
{low}
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Only what is emitted has to compile without a warning.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
"""
MIDDLE = """#pragma clang diagnostic pop
#include "{stem}.grad.cuh"

#ifndef GW_RANDOM_EMIT
using namespace check;
"""


def role(kernel, parameter, name):
    """The argument that fills the parameter, as check.cuh names it."""
    p = parameter
    asked = p.name in kernel.outputs or p.name in kernel.inputs
    if p.role in ("out", "inout", "in", "fixed"):
        word = {"out": "out", "inout": "inout", "in": "in", "fixed": "fixed"}[p.role] if asked else "fixed"
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
    """How an argument is made, passed, and its adjoint passed; what stands before a call that passes it. Arrays of low precision are
    arrays of floats to the check, in pairs or not."""
    p = kernel.parameters[k]
    type_name, made = type_text(p.type_name, name, real), role(kernel, p, name)
    element = type_name.replace("const ", "").replace("*", "").strip()
    if "«" not in p.type_name:
        return (f"make_argument<{type_name}>({made}, random)", f"pass<{type_name}>(a[{k}])", f"adjoint_of<{element}>(a[{k}])",
                f"adjoint_of<{element}>(a[{k}])" if type_name.endswith("*") else f"direction_of<{element}>(a[{k}])", "")
    low, adjoint = real == "float", ADJOINTS.get(element, element)
    adjoint = f"({adjoint} *)adjoint_of<{real}>(a[{k}])"
    return (f"coarse(make_argument<{real} *>({made}, random))", f"low{k}.pass<{type_name}>()" if low else f"({type_name})pass<double *>(a[{k}])",
            adjoint, adjoint, f"low_copy<{kernel.low['type']}> low{k}(a[{k}]);\n    " if low else "")


def case(kernel, name, real, wide):
    """The functions and the row of one kernel."""
    makes, passes, adjoints, tangents, copies = [], [], [], [], ""
    for k, p in enumerate(kernel.parameters):
        made, passed, adjoint, tangent, before = filled(kernel, k, name, real)
        makes.append(f"    a.push_back({made});\n")
        passes.append(passed)
        copies += before
        if p.name in kernel.outputs or p.name in kernel.inputs:
            adjoints.append(adjoint)
            tangents.append(tangent)
    forward = ", ".join(passes + tangents)
    values, both = ", ".join(passes), ", ".join(passes + adjoints)
    grid = ", ".join(f"dim3({', '.join(map(str, sizes))})" for sizes in (kernel.grid, kernel.block))
    noise = "0.1" if "atomic" in kernel.text(name, real) else "0.01"
    grid += f", {kernel.shared_cells} * sizeof({real})"
    at = next((k for k, p in enumerate(kernel.parameters) if p.name == "rounding"), -1)
    rounding = f"{at}, {kernel.low['kind'] if kernel.low else 0}"
    joined, halves = "nullptr, nullptr, nullptr", "nullptr, nullptr, nullptr"
    text = ""
    if kernel.split != "only":
        joined = f"workspace_{name}, gradient_{name}, forward_{name}"
        text += (f"static size_t workspace_{name}(launch w, arguments &a) {{\n"
                 f"    {copies}return {name}_workspace_bytes(w.grid, w.block, {values});\n}}\n"
                 f"static gw_status gradient_{name}(launch w, arguments &a, device_bytes &space) {{\n"
                 f"    {copies}return {name}_grad_launch(w.grid, w.block, w.shared, 0, {both}, space.data(), space.size());\n}}\n"
                 f"static gw_status forward_{name}(launch w, arguments &a) {{\n"
                 f"    {copies}return {name}_jvp_launch(w.grid, w.block, w.shared, 0, {forward});\n}}\n")
    if kernel.split:
        halves = f"tape_{name}, first_{name}, second_{name}"
        text += (f"static size_t tape_{name}(launch w, arguments &a) {{\n"
                 f"    {copies}return {name}_tape_bytes(w.grid, w.block, {values});\n}}\n"
                 f"static gw_status first_{name}(launch w, arguments &a, device_bytes &tape) {{\n"
                 f"    {copies}return {name}_fwd_launch(w.grid, w.block, w.shared, 0, {values}, tape.data(), tape.size());\n}}\n"
                 f"static gw_status second_{name}(launch w, arguments &a, device_bytes &tape) {{\n"
                 f"    {copies}return {name}_bwd_launch(w.grid, w.block, w.shared, 0, {both}, tape.data(), tape.size());\n}}\n")
    return (f"static arguments make_{name}(generator &random) {{\n    arguments a;\n    a.reserve({len(passes)});\n"
            f"{''.join(makes)}    return a;\n}}\n"
            f"static void primal_{name}(launch w, arguments &a) {{\n    {copies}{name}<<<w.grid, w.block, w.shared>>>({values});\n}}\n"
            f"{text}"
            f"static const random_case case_{name} = {{\"{name}\", {kernel.seed}u, {{{grid}}}, make_{name},\n"
            f"    primal_{name}, {joined}, {halves}, {wide}, {noise}, {rounding}}};\n")


def forms(kernel, name):
    """A kernel's forms: name, real type, and which of them the first is compared with."""
    if kernel.single:
        return [(name + "w", "double", "nullptr"), (name, "float", f"&case_{name}w")]
    return [(name, "double", "nullptr")]


def cells_of(kernel, name):
    if not kernel.struct_cells:
        return ""
    cells = ", ".join(f"CHECK_CELL(S_{name}, {cell})" for cell in kernel.struct_cells)
    return f"CHECK_CELLS(S_{name}, {cells})\n"


def program(named, stem):
    """named: pairs of name and kernel. Returns the text and, for each line, the kernel's name or None."""
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
    text += MIDDLE.format(stem=stem)
    rows = []
    for name, kernel in named:
        for form, real, wide in forms(kernel, name):
            text += cells_of(kernel, form) + case(kernel, form, real, wide)
            rows.append(f"&case_{form}")
    text += "\nstatic const random_case *const cases[] = {" + ", ".join(rows) + "};\n"
    text += f"int main(int argc, char **argv) {{ return run_random_cases(cases, {len(rows)}, argc, argv); }}\n#endif\n"
    return text, owner
