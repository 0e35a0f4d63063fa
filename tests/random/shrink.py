"""Makes a failing kernel small: applies edits to its tree as long as it fails in the same way."""
import copy

from tree import Expr, Stmt, copy_tree, integer_literal, real_literal

BATCH = 10
WISHES = ("wishes", "promises", "kept", "packed")  # of a kernel


def all_bodies(kernel):
    """Every list of statements, outer before inner."""
    todo, found = [kernel.helpers, kernel.body], []
    while todo:
        body = todo.pop(0)
        found.append(body)
        for statement in body:
            todo.extend(statement.bodies())
    return found


def places(kernel):
    """Every expression, as (holder, key) so that it can be replaced."""
    found = []

    def visit(holder, key, e):
        found.append((holder, key))
        for k, argument in enumerate(e.args):
            visit(e.args, k, argument)
    for body in all_bodies(kernel):
        for statement in body:
            for k, part in enumerate(statement.parts):
                if isinstance(part, Expr):
                    visit(statement.parts, k, part)
    return found


def smaller(e):
    """Expressions that may stand in e's place: a value of its interval, and its own parts."""
    if e.kind == "real":
        value = real_literal(e.lo + 0.37 * (e.hi - e.lo))
        if e.args and e.within(-1e3, 1e3):
            yield value
    elif e.kind in ("int", "unsigned", "long", "bool") and e.args:
        yield integer_literal(int(e.lo), e.kind if e.kind != "bool" else "int")
        yield integer_literal(int(e.hi), e.kind if e.kind != "bool" else "int")
    else:
        return
    for argument in e.args:
        same = argument.kind == e.kind or (e.kind == "int" and argument.kind == "int")
        if same and argument.within(e.lo, e.hi):
            yield argument


def edited(kernel, edit, *arguments):
    """A copy of the kernel with the edit made in it, or None if the edit does nothing."""
    made = copy.copy(kernel)
    made.helpers, made.body = copy_tree(kernel.helpers), copy_tree(kernel.body)
    made.parameters = list(kernel.parameters)
    made.inputs, made.outputs = list(kernel.inputs), list(kernel.outputs)
    for words in WISHES:
        setattr(made, words, list(getattr(kernel, words, [])))
    return made if edit(made, *arguments) else None


def drop(kernel, body, first, count):
    here = all_bodies(kernel)[body]
    if any(s.fixed for s in here[first:first + count]):
        return False
    del here[first:first + count]
    return True


def unwrap(kernel, body, at):
    here = all_bodies(kernel)[body]
    statement = here[at]
    if statement.prefix is None or statement.fixed or not statement.bodies():
        return False
    inside = [s for inner in statement.bodies() for s in inner]
    here[at:at + 1] = ([Stmt(statement.prefix)] if statement.prefix else []) + inside
    return True


def replace(kernel, place, alternative):
    holder, key = places(kernel)[place]
    options = list(smaller(holder[key]))
    if alternative >= len(options):
        return False
    holder[key] = options[alternative]
    return True


def drop_parameter(kernel, at):
    name = kernel.parameters[at].name
    taken = [count for _, count in getattr(kernel, "counts", [])]
    if kernel.outputs == [name] or kernel.inputs == [name] or name in taken:
        return False
    del kernel.parameters[at]
    kernel.outputs = [n for n in kernel.outputs if n != name]
    kernel.inputs = [n for n in kernel.inputs if n != name]
    kernel.kept, kernel.packed = ([n for n in names if n != name] for names in (kernel.kept, kernel.packed))
    kernel.promises = [pair for pair in kernel.promises if pair[1] != name]
    kernel.facts = [fact for fact in kernel.facts if not fact.startswith(name + " ")]
    return True


def drop_request(kernel, side, at):
    names = getattr(kernel, side)
    if len(names) < 2:
        return False
    del names[at]
    return True


def drop_struct(kernel):
    had = bool(kernel.struct_text)
    kernel.struct_text, kernel.struct_cells = "", []
    return had


def drop_wish(kernel, words, at):
    del getattr(kernel, words)[at]
    return True


def drop_other(kernel):
    kernel.other = None
    return True


def drop_halves(kernel):
    kernel.split, kernel.kept = "", []
    return True


def wish_edits(kernel):
    if getattr(kernel, "other", None):
        yield (drop_other,)
    if getattr(kernel, "split", "") == "both":
        yield (drop_halves,)
    for words in WISHES:
        for at in range(len(getattr(kernel, words, []))):
            yield drop_wish, words, at


def edits(kernel):
    """Large cuts first."""
    bodies = all_bodies(kernel)
    yield from wish_edits(kernel)
    for size in (8, 4, 2, 1):
        for b, body in enumerate(bodies):
            for first in range(0, len(body) - size + 1, max(size // 2, 1)):
                yield drop, b, first, size
    for b, body in enumerate(bodies):
        for at in range(len(body)):
            yield unwrap, b, at
    yield (drop_struct,)
    for at in range(len(kernel.parameters)):
        yield drop_parameter, at
    for side in ("outputs", "inputs"):
        for at in range(len(getattr(kernel, side))):
            yield drop_request, side, at
    for place in range(len(places(kernel))):
        for alternative in range(6):
            yield replace, place, alternative


def next_batch(kernel, at):
    """The kernels that some edits from number `at` on make, each with its edit's number."""
    batch = []
    for number, (edit, *arguments) in enumerate(edits(kernel)):
        made = edited(kernel, edit, *arguments) if number >= at else None
        if made:
            batch.append((number, made))
        if len(batch) == BATCH:
            break
    return batch


def shrink(kernel, fails, limit=120):
    """fails(kernels) -> for each, whether it fails in the same way; limit: how many batches may be tried."""
    at, progress = 0, False
    while limit > 0:
        batch = next_batch(kernel, at)
        if not batch and not progress:
            break
        if not batch:
            at, progress = 0, False
            continue
        limit -= 1
        good = [pair for pair, failed in zip(batch, fails([made for _, made in batch])) if failed]
        if good:
            (at, kernel), progress = good[0], True
        else:
            at = batch[-1][0] + 1
    return kernel
