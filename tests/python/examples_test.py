#!/usr/bin/env python3
"""The examples in Python, small, on the CPU device. Exits with 77 without torch.

usage: examples_test.py EXAMPLES
"""
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

try:
    import torch
except ImportError:
    print("there is no torch")
    sys.exit(77)

EXAMPLES = sys.argv.pop(1)


def start(name, *words, **variables):
    return subprocess.Popen([sys.executable, os.path.join(EXAMPLES, name), *words], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, env={**os.environ, **variables})


def said(process):
    text, _ = process.communicate()
    assert process.returncode == 0, text
    return text


class Splatting(unittest.TestCase):
    def test_against_plain(self):
        text = said(start("splatting.py", "--compare"))
        self.assertRegex(text, r"by pixels +\d")
        self.assertEqual(len(re.findall(r"from plain: picture \S+, d_scene \d", text)), 2)
        alone = said(start("splatting.py", "--compare", "--no-plain", "--repeats", "2"))
        self.assertRegex(alone, r"operations from by pixels: picture 0.0e\+00, d_scene \d")

    @unittest.skipUnless(torch.distributed.is_available(), "this PyTorch has no torch.distributed")
    def test_ranks(self):
        """Two ranks, a view each, have the bits of one that has both."""
        with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
            path = lambda name: os.path.join(folder, name)
            words = ["--deterministic", "--rounds", "5", "--save"]
            said(start("splatting.py", *words, path("one")))
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
            free.close()
            both = [start("splatting.py", *words, path("two"), RANK=rank, LOCAL_RANK=rank, WORLD_SIZE="2",
                          MASTER_ADDR="127.0.0.1", MASTER_PORT=port) for rank in "01"]
            for each in both:
                said(each)
            one, two = torch.load(path("one")), torch.load(path("two"))
            for name, value in one.items():
                self.assertTrue(torch.equal(value, two[name]), name)


class Fits(unittest.TestCase):
    def losses(self, text):
        return [float(one) for one in re.findall(r"\d\.\d+e[-+]\d+", text)]

    def test_image(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["--width", "24", "--height", "16", "--gaussians", "12", "--steps", "120", "--out", folder]
            first, last = self.losses(said(start("fit_image.py", *words)))
            self.assertLess(last, first / 5)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["fit_00000.png", "fit_00100.png", "fit_00119.png", "goal.png"])
            with open(os.path.join(folder, "fit_00119.png"), "rb") as file:
                png = file.read()
            self.assertEqual((png[:8], struct.unpack(">II", png[16:24])), (b"\x89PNG\r\n\x1a\n", (24, 16)))
            size, = struct.unpack(">I", png[33:37])
            self.assertEqual(len(zlib.decompress(png[41:41 + size])), 16 * (1 + 3 * 24))

    def test_neural_ode(self):
        self.assertIn("d_theta differ by", said(start("neural_ode.py", "--compare")))
        first, last = self.losses(said(start("neural_ode.py", "--trajectories", "8", "--rounds", "80")))
        self.assertLess(last, first / 100)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
