"""What pip calls (PEP 517): a wheel of the package and, out of the tree's build, of the command, its libraries
and headers. Needs no other package, so no network either. GRADWRIGHT_BUILD names another build folder. With
`-C clang=FOLDER`, the resource folder of Clang, its headers are in the wheel too, and what is said of the
licences of the libraries that auditwheel is about to add (scripts/wheel)."""
import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAME, VERSION = "gradwright", "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
# What runs needs; manual pages, CMake's files and Clang's plugin for builds do not.
PARTS = ("bin/", "include/", "lib/lib", "lib/GradwrightThunks", "share/gradwright/runtime/")


def _build_folder():
    folder = os.environ.get("GRADWRIGHT_BUILD") or os.path.join(HERE, "..", "..", "build")
    if not os.path.exists(os.path.join(folder, "lib", "libgradwright.so")):
        raise SystemExit(f"gradwright: there is no build in {os.path.abspath(folder)}: run scripts/build first")
    return os.path.abspath(folder)


def _files(folder):
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for name in sorted(names):
            yield os.path.relpath(os.path.join(where, name), folder)


def _native(to):
    """Installs the tree's build there; its libraries in lib, whatever the system calls that folder."""
    subprocess.run(["cmake", "--install", _build_folder(), "--prefix", to], check=True,
                   stdout=subprocess.DEVNULL)
    for name in _files(to):
        if name.startswith("lib") and os.path.basename(name).startswith("libgradwright"):
            return os.path.dirname(name)
    raise SystemExit("gradwright: the build installs no libgradwright")


def _licences(program):
    """The Debian packages that a program's libraries are from: their names, and the files."""
    said = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for path in sorted(set(re.findall(r"=> (/\S+)", said))):
        whole = os.path.realpath(path)  # of which Debian's lists may know the old name, without /usr
        owner = subprocess.run(["dpkg", "-S", whole, whole.replace("/usr", "", 1)], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True).stdout.split(":")[0]
        found[owner] = f"/usr/share/doc/{owner}/copyright"
    return found


def _add_clang(wheel, resources):
    """Clang's own headers, and the licences of it and of what else will be beside it."""
    include, own = os.path.join(resources, "include"), os.path.basename(resources)
    for name in _files(include):
        wheel.add_file(f"{NAME}/native/lib/clang/{own}/include/{name}", os.path.join(include, name))
    for owner, path in _licences(os.path.join(_build_folder(), "lib", "libgradwright.so")).items():
        wheel.add_file(f"{INFO}/licenses/{owner}.txt", path)


class _Wheel:
    def __init__(self, path):
        self.zip, self.record = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED), []

    def add(self, name, content, mode=0o644):
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.external_attr, info.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
        self.zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), 0o755 if os.access(path, os.X_OK) else 0o644)

    def end(self):
        name = f"{INFO}/RECORD"
        self.record.append(f"{name},,")
        self.add(name, ("\n".join(self.record) + "\n").encode())
        self.zip.close()


def _metadata():
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n"
            "Summary: Gradients of C, C++ and CUDA functions from Python\nRequires-Python: >=3.10\n"
            "License: Apache-2.0 WITH LLVM-exception\n"
            "Provides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"
            "Provides-Extra: torch\nRequires-Dist: torch; extra == 'torch'\n").encode()


def _write(folder, tag, fill):
    name = f"{NAME}-{VERSION}-py3-none-{tag}.whl"
    wheel = _Wheel(os.path.join(folder, name))
    fill(wheel)
    wheel.add(f"{INFO}/METADATA", _metadata())
    wheel.add(f"{INFO}/WHEEL", f"Wheel-Version: 1.0\nGenerator: gradwright\nRoot-Is-Purelib: "
                               f"{'true' if tag == 'any' else 'false'}\nTag: py3-none-{tag}\n".encode())
    wheel.end()
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    def fill(wheel):
        for name in _files(os.path.join(HERE, NAME)):
            if not name.startswith("native"):
                wheel.add_file(f"{NAME}/{name}", os.path.join(HERE, NAME, name))
        with tempfile.TemporaryDirectory() as root:
            libraries = _native(root)
            for name in _files(root):
                flat = name.replace(libraries + "/", "lib/", 1) if name.startswith(libraries + "/") else name
                if flat.startswith(PARTS):
                    wheel.add_file(f"{NAME}/native/{flat}", os.path.join(root, name))
        if (config_settings or {}).get("clang"):
            _add_clang(wheel, os.path.normpath(config_settings["clang"]))

    return _write(wheel_directory, sysconfig.get_platform().replace("-", "_").replace(".", "_"), fill)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, "any", lambda wheel: wheel.add("gradwright.pth", (HERE + "\n").encode()))


def build_sdist(sdist_directory, config_settings=None):
    name = f"{NAME}-{VERSION}"
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
        for file in ("pyproject.toml", "backend.py", NAME):
            archive.add(os.path.join(HERE, file), f"{name}/{file}",
                        filter=lambda one: None if "__pycache__" in one.name else one)
    return name + ".tar.gz"
