"""Other spellings of the same function: transformations of C, C++ and CUDA source that keep its meaning.

Each looks at one node of Clang's tree and returns edits, (begin, end, text) on the source's bytes, or nothing
where it does not apply. None knows what Gradwright does: the condition of each is that the language says it is
the same. What a macro made is left as it is.
"""
import re

from clang.cindex import CursorKind as Kind, TypeKind

SIGNED = {TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.SHORT}
SCALAR = SIGNED | {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.UINT, TypeKind.BOOL, TypeKind.ULONG}
NAMES = ["{0}_2", "d_{0}", "t_{0}", "{0}_{0}", "tape", "workspace", "gw_{0}", "seed", "log"]
LOOPS = (Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.CXX_FOR_RANGE_STMT)


class Source:
    """Text of a file, its tree, and where macros are."""

    def __init__(self, path, text, unit):
        self.path, self.text, self.unit = path, text, unit
        self.macros = [self.span(c) for c in unit.cursor.get_children()
                       if c.kind == Kind.MACRO_INSTANTIATION and self.is_here(c)]
        self.words = set(re.findall(rb"\w+", text))
        self.marked = {word for of in re.findall(rb"GW_[A-Z]+\(([^)]*)\)", text)
                       for word in re.findall(rb"\w+", of)}  # what marks name

    def is_here(self, cursor):
        file = cursor.location.file
        return file is not None and file.name == self.path

    @staticmethod
    def span(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def of(self, cursor):
        begin, end = self.span(cursor)
        return self.text[begin:end].decode()

    def plain(self, begin, end):
        """Neither end lies within what a macro made."""
        return begin < end and not any(b < begin < e or b < end < e or b == begin and e > end
                                       for b, e in self.macros)

    def whole(self, cursor):
        """A statement with its semicolon; nothing if it does not end in one of its own."""
        begin, end = self.span(cursor)
        if self.text[end - 1:end] not in (b";", b"}"):
            rest = re.match(rb"\s*;", self.text[end:])
            end = end + rest.end() if rest else begin
        return (begin, end) if self.plain(begin, end) else None

    def fresh(self, name, chance):
        """A name that the file does not have."""
        for _ in range(8):
            made = chance.choice(NAMES).format(name)
            if made.encode() not in self.words:
                self.words.add(made.encode())
                return made
        return None


def inside(cursor, *kinds):
    return [c for c in cursor.walk_preorder() if c.kind in kinds]


def children(cursor):
    return list(cursor.get_children())


def bare(cursor):
    """Without parentheses and implicit conversions."""
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR) and len(children(cursor)) == 1:
        cursor = children(cursor)[0]
    return cursor


def is_simple(cursor):
    """Has no effect, so that it may be computed earlier, later or twice."""
    effects = (Kind.CALL_EXPR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.LAMBDA_EXPR, Kind.CXX_NEW_EXPR,
               Kind.StmtExpr)
    return not inside(cursor, *effects) and not re.search(r"\+\+|--|[^=<>!]=[^=]", " ".join(
        t.spelling for t in cursor.get_tokens()))


def names_in(cursor):
    return {c.spelling for c in inside(cursor, Kind.DECL_REF_EXPR)}


def references(source, function, declaration):
    """The places of all uses; nothing if one of them is not written as the name."""
    name, places = declaration.spelling, []
    for use in inside(function, Kind.DECL_REF_EXPR):
        if use.referenced and use.referenced == declaration:
            begin, end = source.span(use)
            if source.text[begin:end].decode() != name or not source.plain(begin, end):
                return None
            places.append((begin, end))
    captured = any(name in {t.spelling for t in c.get_tokens()} for c in inside(function, Kind.LAMBDA_EXPR))
    return None if captured else sorted(set(places))


def single(source, statement):
    """The one variable that a statement declares, with its first value, if it is a scalar of plain spelling."""
    if statement.kind != Kind.DECL_STMT or len(children(statement)) != 1 or not source.whole(statement):
        return None
    variable = children(statement)[0]
    text = source.of(statement)
    plain = re.fullmatch(r"[\w ]+?\b" + re.escape(variable.spelling) + r" = .*;?", text, re.S)
    words = text.split("=")[0].split()
    if variable.kind != Kind.VAR_DECL or not plain or {"static", "const", "auto", "volatile"} & set(words):
        return None
    if variable.type.get_canonical().kind not in SCALAR or variable.type.is_const_qualified():
        return None
    value = [c for c in children(variable) if c.kind.is_expression()]
    return (variable, value[0]) if len(value) == 1 else None


def neighbours(source, node, chance):
    """Two declarations of a block, one after the other: each statement, its variable and its value."""
    body = children(node) if node.kind == Kind.COMPOUND_STMT else []
    pairs = [(a, b) for a, b in zip(body, body[1:]) if single(source, a) and single(source, b)]
    return pairs and [(statement, *single(source, statement)) for statement in chance.choice(pairs)]


# ---- of a function ----

def rename(source, function, node, chance):
    if node.kind != Kind.VAR_DECL or not node.spelling or node.spelling.encode() in source.marked:
        return None
    places = references(source, function, node)
    own = node.location.offset
    if places is None or source.text[own:own + len(node.spelling)].decode() != node.spelling:
        return None
    if not source.plain(own, own + len(node.spelling)):
        return None
    made = source.fresh(node.spelling, chance)
    return made and [(b, e, made) for b, e in [(own, own + len(node.spelling)), *places]]


def swap(source, function, node, chance):
    """Two declarations, one after the other, of which neither looks at the other."""
    pair = neighbours(source, node, chance)
    if not pair:
        return None
    (first, one, value), (second, other, more) = pair
    if one.spelling in names_in(more) or not is_simple(value) or not is_simple(more):
        return None
    if other.spelling in names_in(value): # an outer variable of the same name
        return None
    (b1, e1), (b2, e2) = source.whole(first), source.whole(second)
    return [(b1, e1, source.text[b2:e2].decode()), (b2, e2, source.text[b1:e1].decode())]


def apart(source, function, node, chance):
    """T v = e;  ->  T v; v = e;"""
    if node.kind != Kind.COMPOUND_STMT:
        return None
    declared = [s for s in children(node) if single(source, s)]
    if not declared:
        return None
    node = chance.choice(declared)
    variable, value = single(source, node)
    begin, end = source.span(value)
    head = source.text[source.span(node)[0]:begin].decode()
    if not source.plain(begin, end) or not head.rstrip().endswith("="):
        return None
    name = variable.spelling
    text = source.of(value)
    choice = bare(value)
    if choice.kind == Kind.CONDITIONAL_OPERATOR and len(children(choice)) == 3:
        condition, yes, no = (source.of(c) for c in children(choice))
        text = f"if ({condition}) {name} = {yes}; else {name} = {no};"
    else:
        text = f"{name} = {text};"
    return [(*source.whole(node), f"{head.rstrip()[:-1].rstrip()}; {text}")]


def together(source, function, node, chance):
    """T a = e, then T b = f: members of one struct."""
    pair = neighbours(source, node, chance)
    if not pair:
        return None
    (first, one, value), (second, other, more) = pair
    if one.spelling in names_in(more) or other.spelling in names_in(value):
        return None
    made = source.fresh(one.spelling, chance)
    uses = [references(source, function, v) for v in (one, other)]
    if not made or uses[0] is None or uses[1] is None:
        return None
    kinds = [re.match(r"(.*?)\b" + re.escape(v.spelling) + r"\s*=", source.of(s)).group(1).strip()
             for v, s in ((one, first), (other, second))]
    text = (f"struct {{ {kinds[0]} {one.spelling}; {kinds[1]} {other.spelling}; }} {made};\n"
            f"{made}.{one.spelling} = {source.of(value)}; {made}.{other.spelling} = {source.of(more)};")
    edits = [(source.whole(first)[0], source.whole(second)[1], text)]
    return edits + [(b, b, made + ".") for places in uses for b, _ in places]


def negated(source, function, node, chance):
    """if (c) A else B  ->  if (!(c)) B else A, or of a && b two conditions, one inside of the other."""
    if node.kind != Kind.IF_STMT or len(children(node)) not in (2, 3):
        return None
    condition, yes, *no = children(node)
    spans = [source.whole(s) if s.kind != Kind.COMPOUND_STMT else source.span(s) for s in (yes, *no)]
    begin = source.span(node)[0]
    if not condition.kind.is_expression() or None in spans or not source.plain(*source.span(condition)):
        return None
    if not source.plain(begin, spans[-1][1]) or "constexpr" in source.text[begin:begin + 14].decode():
        return None
    texts = [source.text[b:e].decode() for b, e in spans]
    both = bare(condition)
    if not no and both.kind == Kind.BINARY_OPERATOR and len(children(both)) == 2 and chance.random() < 0.7:
        left, right = children(both)
        between = source.text[source.span(left)[1]:source.span(right)[0]].decode()
        if between.strip() == "&&":
            return [(begin, spans[0][1],
                     f"if ({source.of(left)}) {{ if ({source.of(right)}) {{ {texts[0]} }} }}")]
    return [(begin, spans[-1][1], f"if (!({source.of(condition)})) {{ {texts[1] if no else ''} }} "
                                  f"else {{ {texts[0]} }}")]


def parts_of(source, node):
    """The texts of a for's clauses and body, and its span; the body has no way to the increment but its end."""
    begin, (_, end) = source.span(node)[0], source.whole(node) or (0, 0)
    head = re.match(r"for \(([^;]*);([^;]*);(.*)$", source.text[begin:end].decode(), re.S) if end else None
    body = children(node)[-1] if children(node) else None
    before = source.text[:begin].decode(errors="replace").rstrip()
    if not head or body is None or before.endswith(")") or re.search(r"#[^\n]*$", before):
        return None # what stands in front may be about the loop
    where = source.span(body)[0]
    clause = source.text[begin:where].decode().rstrip()
    if not clause.endswith(")") or any(inside(body, Kind.CONTINUE_STMT, Kind.LABEL_STMT)):
        return None
    step = clause[:-1].split(";", 2)[2] if clause.count(";") >= 2 else None
    if step is None or not source.plain(begin, end):
        return None
    return head.group(1).strip(), head.group(2).strip(), step.strip(), \
        source.text[where:end].decode(), (begin, end)


def by_while(source, function, node, chance):
    parts = parts_of(source, node) if node.kind == Kind.FOR_STMT else None
    if not parts:
        return None
    first, condition, step, body, span = parts
    loop = f"while ({condition or 'true'}) {{ {body} {step + ';' if step else ''} }}"
    return [(*span, f"{{ {first + ';' if first else ''} {loop} }}")]


def split(source, function, node, chance):
    """for (int i = 0; i < n; i++)  ->  the first two iterations, then the others."""
    parts = parts_of(source, node) if node.kind == Kind.FOR_STMT else None
    if not parts:
        return None
    first, condition, step, body, span = parts
    start = re.fullmatch(r"int (\w+) = (\d)", first)
    if not start or not re.fullmatch(rf"{start.group(1)} < (\w+)", condition):
        return None
    name, bound = start.group(1), condition.split()[-1]
    inner = children(node)[-1]
    changed = {n for c in inside(inner, Kind.BINARY_OPERATOR, Kind.UNARY_OPERATOR,
                                 Kind.COMPOUND_ASSIGNMENT_OPERATOR) if not is_simple(c)
               for n in names_in(children(c)[0])}
    calls = {n for c in inside(inner, Kind.CALL_EXPR) for n in names_in(c)}
    leaves = inside(inner, Kind.BREAK_STMT, Kind.RETURN_STMT, Kind.LAMBDA_EXPR)
    if step not in (f"{name}++", f"++{name}") or {name, bound} & (changed | calls) or leaves:
        return None
    middle = int(start.group(2)) + 2
    return [(*span, f"for ({first}; {name} < ({bound} < {middle} ? {bound} : {middle}); {step}) {body} "
                    f"for (int {name} = {middle}; {condition}; {step}) {body}")]


def as_row(source, function, node, chance):
    """x[a + b]  ->  (x + (a))[b], where the sum is of signed integers and x a pointer."""
    if node.kind != Kind.ARRAY_SUBSCRIPT_EXPR or len(children(node)) != 2:
        return None
    base, index = children(node)
    total = bare(index)
    if bare(base).type.get_canonical().kind != TypeKind.POINTER or total.kind != Kind.BINARY_OPERATOR:
        return None
    left, right = children(total)
    between = source.text[source.span(left)[1]:source.span(right)[0]].decode()
    kinds = {bare(c).type.get_canonical().kind for c in (left, right)}
    spans = [source.span(c) for c in (node, base, left, right)]
    if between.strip() != "+" or not kinds <= SIGNED or not all(source.plain(*s) for s in spans):
        return None
    return [(*source.span(node), f"({source.of(base)} + ({source.of(left)}))[{source.of(right)}]")]


def longhand(source, function, node, chance):
    """x += e  ->  x = x + (e), where naming x twice is the same."""
    if node.kind != Kind.COMPOUND_ASSIGNMENT_OPERATOR or len(children(node)) != 2:
        return None
    left, right = children(node)
    between = source.text[source.span(left)[1]:source.span(right)[0]].decode().strip()
    kinds = {bare(c).type.get_canonical().kind for c in (left, right)}
    if not re.fullmatch(r"[-+*/]=", between) or not is_simple(left) or not kinds <= SCALAR:
        return None
    spans = [source.span(c) for c in (node, left, right)]
    if not all(source.plain(*s) for s in spans):
        return None
    name, what = source.of(left), source.of(right)
    return [(*source.span(node), f"{name} = {name} {between[0]} ({what})")]


def unsigned(source, function, node, chance):
    """for (int i = 0; i < 4; i++)  ->  unsigned, where i is used as an index as it is, and nowhere else."""
    parts = parts_of(source, node) if node.kind == Kind.FOR_STMT else None
    start = parts and re.fullmatch(r"int (\w+) = \d+", parts[0])
    if not start or not re.fullmatch(rf"{start.group(1)} <=? \d+", parts[1]):
        return None
    name = start.group(1)
    if parts[2] not in (f"{name}++", f"++{name}", f"{name} += 2"):
        return None
    used = re.sub(rf"\[{name}\]", "", parts[3])
    begin = parts[4][0]
    at = source.text.find(b"int", begin)
    return None if re.search(rf"\b{name}\b", used) else [(at, at + 3, "unsigned int")]


ALL = [rename, swap, apart, together, negated, by_while, split, as_row, longhand, unsigned]


def variants(source, functions, chance, share):
    """Edits that do not overlap, of a random part of all places, by transformation; and how many were taken."""
    taken, counts = [], {}
    for function in functions:
        nodes = list(function.walk_preorder())
        chance.shuffle(nodes)
        for node in nodes:
            if chance.random() > share or not source.is_here(node):
                continue
            for make in chance.sample(ALL, len(ALL)):
                edits = make(source, function, node, chance)
                if edits and fits(edits, taken):
                    taken += edits
                    counts.setdefault(function.spelling, []).append(make.__name__)
                    break
    return taken, counts


def fits(edits, taken):
    """No edit overlaps another, its own among them; an insertion lies within none."""
    every = sorted([*taken, *edits])
    return all(a[1] <= b[0] and not (a[0] == b[0] and a[1] == b[1]) for a, b in zip(every, every[1:]))


def applied(text, edits):
    for begin, end, made in sorted(edits, reverse=True):
        text = text[:begin] + made.encode() + text[end:]
    return text
