"""Packed bits: an index or flag in a cell of an array of numbers, by the functions that take a number's bits or
by a view of the array's bytes, and numbers that lanes exchange as bits, or in halves."""
from tree import Scalar, Stmt

# Behind the kernels that chosen.py chooses from, which are as they were before there was this.
PACKED_FROM = 1600
WIDE = "«int¦long long»"  # an integer of a number's size
BITS_OF, NUMBER_OF = "«__float_as_int¦__double_as_longlong»", "«__int_as_float¦__longlong_as_double»"


class Packed:
    packing = True

    def packs(self):
        return self.in_body and self.kernel.seed > PACKED_FROM

    def packed(self):
        """A number beside an index in a local array, or in a row of a shared one that is the thread's own."""
        r, t, k, v = self.random, self.fresh("t"), self.fresh("k"), self.fresh()
        low, high = r.choice([(0, 1), (0, 7), (-5, 5)])
        index, number = self.integer_in(low, high, 1), self.fit(self.real(2), -2, 2)
        add = r.choice([0, 0, 1000, "«2000000000¦7000000000LL»"])
        first, cells, room = "0", 2, ""
        if r.random() < 0.4:
            first, cells, room = f"2 * ({self.thread_in_block()})", 2 * self.threads_of_block(), "__shared__ "
        place = f"{t}[{first} + 1]"
        body = [Stmt(f"{room}real {t}[{cells}];", fixed=True),
                Stmt(f"{t}[{first}] = ", number, ";", fixed=True)]
        view, how, number_place = self.fresh("p"), r.choice(["bits", "bytes", "view"]), place
        if how == "bytes":
            body.append(Stmt(f"char *{view} = (char *)&{t}[{first}];", fixed=True))
            place = f"*({WIDE} *)({view} + sizeof(real))"
        elif how == "view":
            place = f"(({WIDE} *){t})[{first} + 1]"
        stored = [f"{place} = {NUMBER_OF}({add} + (", index, "));"] if how == "bits" else [
            f"{place} = {add} + (", index, ");"]
        body.append(Stmt(*stored, fixed=True))
        # an index that is used as a number has a derivative of 0, which the user has to say of shared cells
        said = "GW_NONDIFFERENTIABLE " if room or r.random() < 0.2 else ""
        read = f"{BITS_OF}({number_place})" if how == "bits" or r.random() < 0.5 else place
        if low == 0 and high == 1 and r.random() < 0.5:
            body.append(Stmt(f"{said}bool {k} = {read} == {add} + 1;", fixed=True))
            self.declare(Scalar(k, "bool", 0, 1))
        else:
            body.append(Stmt(f"{said}int {k} = (int)({read} - {add});", fixed=True))
            self.declare(Scalar(k, "int", low, high))
        body.append(Stmt(f"real {v} = {t}[{first}];", fixed=True))
        self.declare(Scalar(v, "real", -2, 2, True, "real"))
        return body

    def thread_in_block(self):
        x, y, z = self.block_shape()
        parts = ["threadIdx.x"] + ([f"{x} * threadIdx.y"] if y > 1 else []) + (
            [f"{x * y} * threadIdx.z"] if z > 1 else [])
        return " + ".join(parts)

    def threads_of_block(self):
        x, y, z = self.block_shape()
        return x * y * z

    def block_shape(self):
        shape = [int(n) for n in self.kernel.block]
        return shape + [1] * (3 - len(shape))

    # In warps of which all lanes are there
    def exchanged_bits(self, mask, name):
        """A number of another lane, as bits or in halves; at times twice, or by way of a loop."""
        r, e, v = self.random, self.fit(self.real(2), -2, 2), self.fresh()
        kind, by = r.choice([("_xor", "1"), ("_down", "1"), ("_up", "2"), ("", str(r.randint(0, 3)))])
        shuffle = f"__shfl{kind}_sync({mask}, {{}}, {by}, {self.threads})"
        body = [Stmt(f"real {v} = ", e, ";", fixed=True)]
        bits = f"{NUMBER_OF}({shuffle.format(f'{BITS_OF}({v})')})"
        both = [shuffle.format(f"__double2{half}int({v})") for half in ("hi", "lo")]
        narrow = f"__int_as_float({shuffle.format(f'__float_as_int({v})')})"
        if r.random() < 0.4:
            body.append(Stmt(f"real {name} = {bits};", fixed=True))
        elif r.random() < 0.5:
            body.append(Stmt(f"real {name} = «{narrow}¦__hiloint2double({both[0]}, {both[1]})»;", fixed=True))
        else:
            names = [self.fresh("k"), self.fresh("k")]
            first, second = (0, 1) if r.random() < 0.5 else (1, 0)
            lines = [f"int {names[k]} = «0¦{both[k]}»;" for k in (first, second)]
            body += [Stmt(line, fixed=True) for line in lines]
            body.append(Stmt(f"(void){names[0]}, (void){names[1]};", fixed=True))
            body.append(Stmt(f"real {name} = «{narrow}¦__hiloint2double({names[0]}, {names[1]})»;", fixed=True))
        self.declare(Scalar(v, "real", -2, 2, True, "real"))
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        return body
