"""Pixels of two to four numbers in rows behind a pitch, of which some overlap, lie one upon another, or upside
down: an addition is one thread's in launches with the right pitch, and no other one's."""
from tree import Scalar

PITCHED_FROM = 4001  # kernels that have such rows


class Pitched:
    def add_pitched(self):
        r = self.random
        if self.kernel.seed < PITCHED_FROM or self.low or "row" not in self.own or r.random() < 0.3:
            return
        width, height = self.sizes["width"], self.sizes["height"]
        numbers, reads = r.choice([2, 3, 3, 3, 4]), r.choice([1, 2, 3, 3])
        most = numbers * (width - 1) + r.choice([reads - 1, reads - 1, numbers])
        pitch = r.choice([most + 1, most + 1, most + 1, most + 3, most, 1, numbers, 0, -most - 1, -most])
        first = max(0, -pitch * (height - 1)) + r.choice([0, 0, 2])
        kind = r.choice(["int", "int", "int", "long long"] + (["unsigned"] if pitch >= 0 else []))
        self.add(kind, "pitch", "value", value=pitch)
        self.add("int", "first", "value", value=first)
        cells = first + max(0, pitch * (height - 1)) + most + 1
        self.add("const real *", "pixel", "in", cells=cells, low=0.5, high=1.5)
        at = r.choice(["first + row * pitch + {n} * column + {c}", "{n} * column + pitch * row + (first + {c})",
                       "first + pitch * row + column * {n} + {c}"])
        offsets = list(range(reads)) if r.random() < 0.8 else [0, most - numbers * (width - 1)]
        for c in offsets:
            self.declare(Scalar(f"pixel[{at.format(n=numbers, c=c)}]", "real", 0.5, 1.5))
