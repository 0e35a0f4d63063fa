#!/usr/bin/env python3
"""Writes archives as NumPy does: arrays.py GOOD PACKED SHORT OTHER."""
import struct
import sys
import zipfile


def array(kind, shape, numbers):
    letter = {"<f8": "d", "<f4": "f", "<i4": "i"}[kind]
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(
        f"<{len(numbers)}{letter}", *numbers)


def write(path, method, **arrays):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, (kind, shape, numbers) in arrays.items():
            archive.writestr(name + ".npy", array(kind, shape, numbers))


def main():
    good, packed, short, other = sys.argv[1:]
    numbers = [0.5, 1, 1.5, 2, 2.5, 3]
    for path, method in ((good, zipfile.ZIP_STORED), (packed, zipfile.ZIP_DEFLATED)):
        write(path, method, x=("<f4", "(2, 3)", numbers), n=("<i4", "()", [6]), k=("<f8", "()", [2.5]),
              y=("<f8", "(6,)", numbers))
    write(short, zipfile.ZIP_STORED, x=("<f8", "(3,)", [1, 2, 3]), n=("<i4", "()", [3]))
    write(other, zipfile.ZIP_STORED, z=("<f8", "(1,)", [1]))


main()
