#!/usr/bin/env python3
"""The notebooks of the examples: their cells run, in order, and say what is stored in them. Without Jupyter;
exits with 77 where what a notebook imports is not there.

usage: notebook_test.py NOTEBOOK [--write]
"""
import ast
import contextlib
import difflib
import io
import json
import os
import sys
import tempfile
import traceback


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    """As Jupyter shows what a cell ends in."""
    data = {"text/plain": lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        data = {"text/html": lines(value._repr_html_()), **data}
    return data


def run(source, names):
    """The outputs of a cell."""
    tree, said, outputs = ast.parse(source), io.StringIO(), []
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
    if said.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(said.getvalue())})
    return outputs, shown(value) if value is not None else None


def main():
    path, writes = os.path.abspath(sys.argv[1]), sys.argv[2:] == ["--write"]
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    names, faults, count = {"__name__": "__main__"}, [], 0
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        try:
            outputs, data = run("".join(cell["source"]), names)
        except ImportError as error:
            print(error)
            sys.exit(77)
        except Exception:
            sys.exit(f"{path}: cell {count}:\n{traceback.format_exc()}")
        if data:
            outputs.append({"data": data, "execution_count": count, "metadata": {},
                            "output_type": "execute_result"})
        if outputs != cell["outputs"] and not writes:
            told = [json.dumps(one, indent=1).splitlines() for one in (cell["outputs"], outputs)]
            differs = difflib.unified_diff(*told, "stored", "said", n=0, lineterm="")
            faults.append(f"cell {count}:\n" + "\n".join(differs))
        cell["outputs"], cell["execution_count"] = outputs, count
    if not count or faults:
        sys.exit(f"{path}: " + ("\n".join(faults) or "there are no cells"))
    if writes:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(book, file, indent=1, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        main()
