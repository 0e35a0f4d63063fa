#!/usr/bin/env python3
"""What emitted text includes comes behind the user's macros, so it has no names that macros of a user's may
have.

usage: header_names.py INCLUDE

Every identifier of the headers is reserved (gw_, GW_, _Gw, __), or the language's, the C library's or CUDA's,
or the parameter of a macro, where no other macro is looked for. What callers look into, of reduce.h and tape.h,
keeps its names.
"""
import re
import sys

HEADERS = ["runtime.h", "tape.h", "atomic.cuh", "status.def", "read/launch_bounds.h"] + [
    f"emitted/{name}" for name in """device.cuh functions.h collectives.cuh warp_variants.cuh records.cuh
    slots.cuh list_slots.cuh copies.cuh exact.cuh reduce.cuh reduce.h half.cuh claims.cuh""".split()]
KNOWN = set("""alignas asm auto bool break case char class const const_cast constexpr continue default do double
else enum extern false float for if inline int long new nullptr operator return short signed sizeof static
static_assert static_cast reinterpret_cast struct switch template this true typedef typename union unsigned
using void volatile while _Noreturn define defined undef ifdef ifndef elif endif include pragma unroll once
error size_t ptrdiff_t int32_t int64_t uint32_t uint64_t uintptr_t NULL SIZE_MAX UINT32_MAX LLONG_MAX printf
fprintf stderr abort memcpy memcmp
memset cos sin sqrt erfc floor frexp modf remquo pow log dim3 uint3 float2 ulonglong2 blockDim blockIdx
threadIdx gridDim x y z clock64 atomicAdd atomicAdd_block atomicCAS atomicExch atomicOr maxThreadsPerBlock
sharedSizeBytes
numRegs cub DeviceRadixSort SortPairs CUDART_VERSION launch_bounds annotate rows columns cells stride key_bytes
value_bytes contiguous base top end owned blocks""".split())
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|#\s*include[^\n]*|'
                   r'\d[\w.]*|[A-Za-z_]\w*', re.S)
RESERVED = re.compile(r"gw_|GW_|_Gw|__|cuda|GRADWRIGHT_")
DEFINE = re.compile(r"^#\s*define\s+\w+\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*)", re.M)


def words(text):
    return [t for t in TOKEN.findall(text) if re.match(r"[A-Za-z_]", t)]


def unreserved(text):
    """A macro's body is looked at without its parameters, and what it pastes to names (##f, f32)."""
    found = set()

    def body(match):
        own = {p.strip() for p in match[1].split(",")}
        found.update(w for w in words(re.sub(r"row\([^)]*\)|(\w+\s*)?##\s*\w+(\s*##\s*\w+)*", " ", match[2]))
                     if w not in own)
        return ""

    rest = DEFINE.sub(body, text)
    rest = re.sub(r"^GW_\w+\(.*\)$", "", rest, flags=re.M)  # rows of the tables that such macros make
    found.update(words(rest))
    return sorted(w for w in found if w not in KNOWN and not RESERVED.match(w))


def main():
    bad = 0
    for header in HEADERS:
        for name in unreserved(open(f"{sys.argv[1]}/gradwright/{header}", encoding="utf-8").read()):
            print(f"{header}: '{name}' may be a macro of the user's")
            bad += 1
    print(f"{len(HEADERS)} headers, {bad} names that are not reserved")
    return bad != 0


sys.exit(main())
