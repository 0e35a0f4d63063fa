"""Parameters that are called as a derivative would call its own: d_x beside x, workspace, log where the reverse
of pow calls it."""
import re

MADE = ("workspace", "workspace_bytes", "shared_bytes", "status", "tape", "tape_bytes", "grid", "block",
        "stream", "needs", "slots", "lanes", "warp_sums", "product", "sum", "difference", "less", "choice",
        "index", "carried", "result", "top", "first", "d_return", "t_return")
CALLED = ("log", "cos", "sin", "exp", "sqrt", "pow", "fabs", "logf", "cosf", "expf")


class Names:
    def draw_names(self):
        """Behind everything else that is drawn: the kernel of a seed is the same but for names."""
        r, k = self.random, self.kernel
        k.called = {}
        names = [p.name for p in k.parameters]
        if r.random() >= 0.25:
            return
        text = k.text("k0", "double") + k.text("k0", "float")
        made = [f"{prefix}_{name}" for name in names for prefix in "dt"] * 2 + list(MADE) + list(CALLED)
        for name in r.sample(names, r.randint(1, min(3, len(names)))):
            free = [m for m in made if m not in k.called.values() and not re.search(rf"\b{m}\b", text)]
            k.called[name] = r.choice(free)


def renamed(text, called):
    """The parameters' uses, not members or functions of the same name, nor what begins with the kernel's
    (¶)."""
    for name, other in called.items():
        text = re.sub(rf"(?<![\w.¶])(?<!->){name}\b(?!\s*\()", other, text)
    return text
