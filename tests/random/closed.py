"""Structs of kernels as classes: their members are private, or protected ones of a base class, and reached by
functions that return references to them."""


def close_struct(kernel, name, struct, lines, count, access):
    """The class `name` of these members, of which a base class that is `access` has the first `count`; beside
    it a struct of its layout, by which a test tells where its numbers are."""
    twin, base, more = f"S{name}", f"B{name}", f"V{name}"
    shared = struct[:count]
    text = f"struct {twin} {{\n{''.join(lines)}}};\n"
    for member, kind in struct:
        if isinstance(kind, int):
            text += f"struct {more}{member} {{\n    real v[{kind}];\n}};\n"
    if shared:
        text += f"class {base} {{\n  protected:\n{''.join(lines[:count])}}};\n"
    text += f"class {name}{f' : {access} {base}' if shared else ''} {{\n{''.join(lines[count:])}\n  public:\n"
    types = ["int " if kind == "tag" else f"const {more}{member} &" if isinstance(kind, int) else "real "
             for member, kind in struct]
    given = ", ".join(f"{t}{member}_" for t, (member, _) in zip(types, struct))
    sets = "".join(f"        for (int k = 0; k < {kind}; k++) {member}[k] = {member}_.v[k];\n"
                   if isinstance(kind, int) else f"        {member} = {member}_;\n" for member, kind in struct)
    text += (f"    __host__ __device__ {name}() {{}}\n"
             f"    __host__ __device__ {name}({given}) {{\n{sets}    }}\n")
    for member, kind in struct:
        cell = "int" if kind == "tag" else "real"
        place = f"(&{member}_of()%s)[{kind}]" if isinstance(kind, int) else f"&{member}_of()%s"
        for const in ("", "const "):
            text += (f"    __host__ __device__ {const}{cell} {place % (' const' if const else '')} "
                     f"{{ return {member}; }}\n")
    kernel.struct_text = text + f"}};\nstatic_assert(sizeof({name}) == sizeof({twin}), \"\");\n"
    kernel.struct_twin = twin
