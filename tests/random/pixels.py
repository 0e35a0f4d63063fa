"""Random kernels that go through a list in batches (nests.py) with several pixels a thread, each with a product
and a stop of its own, in a loop that is written out. How flags, ends and votes are spelt is drawn; some differ
in one thing from what docs/internals/undone.md asks of such a nest, and keep their tape or are refused."""
from blocks import BARRIER
from nests import Nests
from tree import Scalar, Stmt, binary, leaf


def line(text):
    return Stmt(text, fixed=True)


class Pixels(Nests):
    def make_kernel(self):
        r = self.random
        self.pixels = r.choice([1, 2, 2, 2, 3])
        self.flags = r.choice(["bools", "bools", "bits", "ints"])
        self.ends = r.choice(["never", "never", "asked", "first", "behind"])
        self.odd = r.choice(["shared sum", "cleared", "one ends"]) if r.random() < 0.12 else ""
        super().make_kernel()

    def make_inputs(self, end):
        split, self.kernel.split = self.kernel.split, ""  # no output is kept
        super().make_inputs(end)
        self.kernel.split = split

    def pixel(self, q):
        return f"({self.pixels} * i + {q})"

    def flag(self, q):
        return {"bools": f"done[{q}]", "bits": f"(done & 1u << {q})", "ints": f"done[{q}]"}[self.flags]

    def set_flag(self, q):
        return {"bools": f"done[{q}] = true;", "bits": f"done |= 1u << {q};",
                "ints": f"done[{q}] = 1;"}[self.flags]

    def all_done(self):
        if self.flags == "bits":
            return f"(done == {2 ** self.pixels - 1}u)"
        return "(" + " && ".join(self.flag(q) for q in range(self.pixels)) + ")"

    def declared(self):
        r, b, p = self.random, self.threads, self.pixels
        self.staged = ["s_x", "s_w"] + [f"s_z{c}" for c in range(self.colours) if r.random() < 0.4]
        lines = [f"__shared__ real {name}[{b}];" for name in self.staged]
        lines += [f"__shared__ int s_id[{b}];"] if self.listed_by else []
        lines += ["int i = HERE, t = threadIdx.x;", f"real p[{p}], T[{p}];", "auto r = span[blockIdx.x];",
                  "real " + ", ".join(f"sum{c}[{p}]" for c in range(self.colours)) + ";",
                  {"bools": f"bool done[{p}];", "bits": "unsigned int done = 0;", "ints": f"int done[{p}];"}
                  [self.flags]]
        listed = any(x.name == "at" for x in self.kernel.parameters)
        where = (f"at[{self.pixel('q')} < n ? {self.pixel('q')} : 0]" if listed
                 else f"{round(r.uniform(0, 0.5), 2)}§ + 0.07§ * {self.pixel('q')}")
        is_out = f"{self.pixel('q')} >= n"
        begins = {"bools": f"done[q] = {is_out};", "bits": f"if ({is_out}) done |= 1u << q;",
                  "ints": f"done[q] = {is_out} ? 1 : 0;"}[self.flags]
        body = [line(f"p[q] = {where};"), line("T[q] = 1;"), line(begins)]
        body += [line(f"sum{c}[q] = 0;") for c in range(self.colours)]
        return [line(text) for text in lines] + [Stmt(f"for (int q = 0; q < {p}; q++) ", body, fixed=True)]

    def batches(self):
        loop = super().batches()
        body = next(part for part in loop.parts if isinstance(part, list))
        if "break" not in str(body[0].parts[0]):
            return loop
        body[0] = line(body[0].parts[0].replace("done", self.all_done()))
        if self.random.random() < 0.3:  # behind the batch, and a barrier in front of the next one
            body.append(body[0])
            body[0] = line(BARRIER)
        return loop

    def splat(self):
        """What pixel q and entry j have."""
        r = self.random
        self.frames.append([Scalar("alpha", "real", 0, 1), Scalar("p[q]", "real", -1, 2),
                            Scalar("d", "real", -2.5, 2.5)])
        alpha = r.choice(["fmin§(0.99§, s_w[j] * exp§(-0.5§ * d * d))", "fmin§(0.95§, s_w[j] / (1 + d * d))"])
        least, limit = round(r.uniform(0.15, 0.5), 3), round(r.uniform(0.03, 0.4), 3)
        body = [line(f"if ({self.flag('q')}) continue;"), line("real d = s_x[j] - p[q];"),
                line(f"real alpha = {alpha};")]
        if r.random() < 0.7:
            body.append(line(f"if (alpha < {least}§) continue;"))
        body += [line("real next = T[q] * (1 - alpha);"),
                 Stmt(f"if (next < {limit}§) ", [line(f"{self.set_flag('q')} continue;")], fixed=True)]
        for c in range(self.colours):
            name, number = f"s_z{c}", "s_id[j]" if self.listed_by else "(base + j)"
            colour = f"{name}[j]" if name in self.staged else f"z[{self.colours} * {number} + {c}]"
            term = binary("*", leaf(f"{colour} * alpha", "real", -1.5, 1.5), leaf("T[q]", "real", 0, 1), "real",
                          -1.5, 1.5)
            whose = "0" if self.odd == "shared sum" else "q"
            body.append(Stmt(f"sum{c}[{whose}] += ", term if r.random() < 0.7 else self.fit(term, -1, 1), ";",
                             fixed=True))
        self.frames.pop()
        return body + [line("T[q] = next;")]

    def splat_loop(self):
        b = self.threads
        count = f"min({b}, (int)(r.y - base))" if self.kind != "int" else f"min({b}, r.y - base)"
        body = [Stmt(f"for (int q = 0; q < {self.pixels}; q++) ", self.splat(), fixed=True)]
        if self.odd == "cleared":
            clear = {"bools": "done[0] = false;", "bits": "done &= ~1u;", "ints": "done[0] = 0;"}[self.flags]
            body.insert(0, line(f"if (j == 1 && i + 1 < n) {clear}"))
        asks = self.flag(0) if self.odd == "one ends" else self.all_done()
        if self.ends in ("first", "behind"):
            body.insert(0 if self.ends == "first" else len(body), line(f"if ({asks}) break;"))
        condition = f"j < {count}" + (f" && !{asks}" if self.ends == "asked" else "")
        return Stmt(f"for (int j = 0; {condition}; j++) ", body, fixed=True)

    def stores(self):
        r, c = self.random, self.colours
        background = r.choice(["0.3§ * T[q]", "T[q] * T[q]", "0"])
        made = [line(f"y[{c} * {self.pixel('q')} + {k}] = sum{k}[q] + {background};") for k in range(c)]
        one = Stmt(f"if ({self.pixel('q')} < n) ", made, fixed=True)
        return [Stmt(f"for (int q = 0; q < {self.pixels}; q++) ", [one], fixed=True)]
