"""What random_exact.cuh writes down of a gradient's exact sums, against rational arithmetic."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../contract"))
import exact  # noqa: E402

FORMATS = {f.name[0]: f for f in exact.FORMATS}


def wrong(line):
    """line: exact TYPE HELD RESULT VALUE..., bits in hexadecimal. What is wrong with it, if anything."""
    words = line.split()
    f, (before, result, *values) = FORMATS[words[1]], [int(word, 16) for word in words[2:]]
    values = [value for value in values if value & ~f.sign]
    if not values:
        want = {before}
    else:
        total = f.total([before, *values])
        # a zero may keep the bits that it had
        want = {total, before} if not total and not before & ~f.sign else {total}
    nan = all(bits & f.infinite == f.infinite and bits & (f.infinite ^ f.nan) for bits in (result, *want))
    return None if result in want or nan else (
        f"an exact sum of {f.name}s is {result:x} and not {min(want):x}: {before:x} and "
        + " ".join(f"{value:x}" for value in values))
