"""Functions of a module called often: all arguments of a call are packed into one room, by a form that is known
beforehand. A tensor of PyTorch that a form does not take goes the usual way, which checks the same and tells
more."""
import ctypes
import struct
import threading

from ._functions import _NAMES, _SCALARS, cpu_device_memory, null

_LETTERS = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
            "f4": "f", "f8": "d"}
_OF_LAUNCH = {"workspace": "P", "workspace_bytes": "N", "shared_bytes": "N", "size": "N"}


def dtypes_of(framework, code):
    """Those of its types that a cell of the code may be held in; none: any, bytes."""
    names = [f"int{8 * int(code[1:])}", f"uint{8 * int(code[1:])}"] if code[:1] in ("i", "u") else [
        _NAMES.get(code, "")]
    return tuple(getattr(framework, name) for name in names if hasattr(framework, name))


class _Row:
    """How a parameter is packed: its letters, and how its value is found."""

    def __init__(self, p):
        self.p, self.name, self.letters, self.dtypes, self.multiple = p, p.name, None, (), 1
        self.is_array, self.is_of_launch = p.kind == "pointer", not p.kind
        self.role = p.name if p.role == "size" else p.role
        if p.role in ("grid", "block"):
            self.letters = "III"
        elif p.role == "stream" or p.type == "cudaStream_t":
            self.letters = "P"
        elif not p.kind:
            self.letters = _OF_LAUNCH.get(p.role)
        elif self.is_array:
            self.letters = "P"
            self.multiple = int(p.cell[1:]) if p.cell[:1] == "V" else 1
        elif p.kind == "value":
            self.letters = f"{p.cell[1:]}s" if p.cell[:1] == "V" else _LETTERS.get(p.cell)
        if self.letters:
            self.size = struct.calcsize(self.letters)
            self.align = 16 if self.letters[-1] == "s" else struct.calcsize(self.letters[0])
            self.count = 1 if self.letters[-1] == "s" else len(self.letters)


class Form:
    """How the arguments of a function lie in a room: first their addresses, then the arguments, each where its
    type may lie, then the result. `fits`: all of them do."""

    def __init__(self, function):
        self.function, self.rows = function, [_Row(p) for p in function.parameters]
        self.needs_space = any(p.role == "workspace" for p in function.parameters)
        self.asked = function._owner.bytes_of(function) if self.needs_space else None
        self.fits = all(row.letters for row in self.rows) and function.result[:1] != "V"
        self.fits = self.fits and (not self.needs_space or self.asked is not None)
        if self.fits:
            self._lay_out()

    def _lay_out(self):
        self.start = at = len(self.rows) * 8
        letters, self.offsets = "=", []
        for row in self.rows:
            gap = -at % row.align
            letters += f"{gap}x{row.letters}"
            self.offsets.append(at + gap)
            at += gap + row.size
        self.result_at = at + -at % 16
        self.form = struct.Struct(letters.replace("P", "Q").replace("N", "Q"))

    def fail(self, kind, p, text):
        raise kind(f"{self.function.name}: argument '{p.name}' {text}")

    def check_numbers(self, flat):
        """After a number that its type does not hold."""
        for row in self.rows:
            values, flat = flat[:row.count], flat[row.count:]
            try:
                struct.pack(row.letters, *values)
            except (struct.error, OverflowError):
                kind = ValueError if isinstance(values[0], (int, float)) else TypeError
                self.fail(kind, row.p, f"is {', '.join(map(repr, values))}, which is no {row.p.type}")

    def pack_into(self, room, flat):
        try:
            self.form.pack_into(room, self.start, *flat)
        except (struct.error, OverflowError):
            self.check_numbers(flat)
            raise


class Packed(Form):
    """A function whose arguments are tensors in one piece, and numbers. `named` has those that its source
    names, `shape` those of the launch: grid, block, shared_bytes, stream, and sizes by their names."""

    def __init__(self, torch, function):
        super().__init__(function)
        self.torch, self.cuda = torch, function._on_gpu
        self.threads, self.rooms = threading.local(), []
        self.ask = Packed(torch, self.asked) if self.asked else None
        for row in self.rows:
            code = row.p.number or row.p.cell
            row.dtypes = dtypes_of(torch, code) if row.is_array and code[:1] != "V" else ()

    def _room(self):
        """No two calls have the same: taking one off the list is one step, and so is giving it back."""
        whole = ctypes.create_string_buffer(self.result_at + 32)
        base = ctypes.addressof(whole) + -ctypes.addressof(whole) % 16
        room = memoryview(whole)[base - ctypes.addressof(whole):]
        struct.pack_into(f"={len(self.rows)}Q", room, 0, *(base + at for at in self.offsets))
        result = _SCALARS.get(self.function.result, ctypes.c_int).from_buffer(room, self.result_at)
        return room, ctypes.cast(base, ctypes.POINTER(ctypes.c_void_p)), result, ctypes.addressof(result)

    def space(self, size, device):
        """PyTorch's own on a GPU, where it is of the current stream; on the CPU device that of this thread."""
        if self.cuda:
            made = self.torch.empty(size, dtype=self.torch.uint8, device=device)
            return made, made.data_ptr()
        kept = getattr(self.threads, "kept", None)
        if kept is None or len(kept) < size:
            kept = self.threads.kept = cpu_device_memory(size)
        return kept, ctypes.addressof(kept)

    def address(self, row, value):
        if value is None:
            return 0
        at = value.data_ptr()
        if (row.dtypes and value.dtype not in row.dtypes or value.is_cuda is not self.cuda or row.multiple > 1
                or not at):
            self.check(row.p, row, value, at)
        return at

    def check(self, p, row, value, at):
        size, place = value.numel() * value.element_size(), ("the host", "a GPU")
        if row.dtypes and value.dtype not in row.dtypes:
            self.fail(TypeError, p, f"must be of {str(row.dtypes[0])[6:]}, not {str(value.dtype)[6:]}")
        if value.is_cuda is not self.cuda:
            self.fail(ValueError, p, f"is memory of {place[value.is_cuda]}, this needs {place[self.cuda]}'s")
        if size and not at:
            self.fail(ValueError, p, "has no memory: it was freed")
        if size % row.multiple:
            self.fail(ValueError, p, f"has {size} bytes, which is no multiple of {row.multiple}, {p.type}'s")

    def values(self, named, shape):
        flat = []
        for row in self.rows:
            if row.is_array:
                flat.append(self.address(row, named[row.name]))
            elif row.letters == "III":
                flat += shape[row.role]
            else:
                flat.append(shape[row.role] if row.is_of_launch else named[row.name])
        return flat

    def __call__(self, named, shape, device):
        if not self.fits:
            return self.usual(named, shape)
        if self.ask:
            size = self.ask(named, shape, device)
            space, at = self.space(size, device)
            shape = {**shape, "workspace": at, "workspace_bytes": size}
        flat = self.values(named, shape)
        room = self.rooms.pop() if self.rooms else self._room()
        self.pack_into(room[0], flat)
        value = self.function._value(room[2], self.function._packed(room[1], room[3]))
        self.rooms.append(room)
        return value

    def usual(self, named, shape):
        words = {row.name: shape[row.role] for row in self.rows if row.is_of_launch and row.role in shape}
        for row in self.rows:
            if not row.is_of_launch and row.name in named:
                value = named[row.name]
                words[row.name] = null if value is None else value
        return self.function(**words)
