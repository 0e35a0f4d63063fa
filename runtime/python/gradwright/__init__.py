"""Gradients of C, C++ and CUDA functions, made when they are asked for.

    import gradwright as gw
    m = gw.load("double f(double x, double y) { return x * x * y; }", gradients=["f: wrt x, y"])
    m.f(3, 2)        # 18.0
    m.f_grad(3, 2)   # (12.0, 9.0)

`load` generates the gradient, compiles it together with its source, and keeps the result in a cache.
Arrays are NumPy's, or any that speak the buffer protocol, `__cuda_array_interface__` or DLPack.
"""
from ._functions import Error, Function, null
from ._library import CompileError, build, managed
from ._matrix import Sparse
from ._module import Module, load
from . import jax, torch

__version__ = "0.1.0"
__all__ = ["CompileError", "Error", "Function", "Module", "Sparse", "build", "jax", "load", "managed", "null",
           "torch"]
