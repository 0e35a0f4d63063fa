"""Template kernels: the type of numbers and a count as template parameters; parameters that are const
themselves, counts in memory, and what is stated of launches."""


# Kernels up to this are those of the default run, as they were before there was GW_LAUNCH.
CHOSEN_FROM = 1000


class Templates:
    def draw_template(self):
        """Behind everything else that is drawn: the kernel of a seed is the same but for its head."""
        r, k = self.random, self.kernel
        pick = r.random()
        if pick > 0.3:
            return
        counts = [p for p in k.parameters if p.role == "value" and p.type_name in ("int", "unsigned")]
        if pick < 0.2:
            r.note()
            what = r.choice(["count", "type", "both"])
            k.typed = what != "count" or not counts
            if what != "type" and counts:
                r.note()
                p = r.choice(counts)
                count = (r.choice(["", "const "]) + p.type_name, p.name)
                k.counts = [count] if p.name != "rounding" else []  # that one the comparison changes
        self.draw_constants()

    def draw_memory(self):
        """Counts that the device alone knows, so that tapes are measured; drawn last, too."""
        r, k = self.random, self.kernel
        taken = [name for _, name in k.counts] + k.constants
        for p in k.parameters:
            known = p.role != "value" or p.type_name != "int" or p.name not in ("m", "steps")
            if known or p.name in taken or k.positions or r.random() > 0.25:
                continue
            r.note()
            p.type_name, p.role, p.value = "const int *", "list", [p.value]
            k.in_memory.append(p.name)

    def draw_launch(self):
        """What is true of all launches but one, which has to be refused."""
        r, k = self.random, self.kernel
        if k.seed <= CHOSEN_FROM or r.random() > 0.25:
            return
        r.note()
        shape = {"blockDim": list(k.block), "gridDim": list(k.grid)}
        word = r.choice(list(shape))
        size, bound = shape[word][0], r.choice(["==", "==", "<="])
        k.facts = [f"{word}.x {bound} {size}"]
        shape[word][0] = size + r.choice([1, size])
        k.broken = (shape["gridDim"], shape["blockDim"])
        taken = [name for _, name in k.counts]
        for p in k.parameters:
            passive = p.role == "value" and p.type_name == "int" and p.name not in taken + ["rounding"]
            if passive and r.random() < 0.4:
                k.facts.append(f"{p.name} {r.choice([f'== {p.value}', f'>= {p.value}', f'< {p.value + 2}'])}")

    def draw_constants(self):
        """Numbers and pointers that no statement changes."""
        r, k = self.random, self.kernel
        taken = [name for _, name in k.counts]
        for p in k.parameters:
            pointer = p.type_name.rstrip().endswith(("*", "__restrict__"))
            if (pointer or p.type_name in ("int", "unsigned")) and p.name not in taken and r.random() < 0.5:
                r.note()
                k.constants.append(p.name)


def template_head(kernel):
    places = (["typename Real"] if kernel.typed else []) + [f"{kind} {name}" for kind, name in kernel.counts]
    return f"template <{', '.join(places)}> " if places else ""


def template_arguments(kernel, real):
    """What stands behind the name of the kernel and of all that is made from it."""
    values = {p.name: str(p.value) for p in kernel.parameters}
    given = ([real] if kernel.typed else []) + [values[name] for _, name in kernel.counts]
    return f"<{', '.join(given)}>" if given else ""


def passed_parameters(kernel):
    """The places in the parameters of those that a call passes."""
    taken = [name for _, name in kernel.counts]
    return [k for k, p in enumerate(kernel.parameters) if p.name not in taken]


def signature(kernel):
    parts = []
    for k in passed_parameters(kernel):
        p = kernel.parameters[k]
        type_name = p.type_name
        if p.name in kernel.constants:
            type_name = f"const {type_name}" if type_name in ("int", "unsigned") else f"{type_name}const"
        parts.append(f"{type_name}{'' if type_name[-1] == '*' else ' '}{p.name}")
    return ", ".join(parts)
