"""Builds the extension modules; everything else about the package stands in pyproject.toml.

The build reads these environment variables (CONTRIBUTING.md tells when to use them):

    BANQI_ISA       v3, v2 or base: the instruction set. Default: the best that this machine has, v3 at most.
    BANQI_PORTABLE  1: plain C in place of compiler builtins, for the platform's base.
    BANQI_SANITIZE  address, undefined or thread.
    CC, CFLAGS      as ever.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from glob import glob
from pathlib import Path

from Cython.Build import cythonize
from Cython.Compiler import Errors, ExprNodes, PyrexTypes, Symtab
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, SetupError

# One extension module for each board.
BOARDS = ["_banqi32", "_banqi64", "_junqi"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

# For each instruction set: the level that csrc/cpu.h compares with the processor, and the compiler's flags.
ISAS = {"v3": (3, ["-march=x86-64-v3"]), "v2": (2, ["-march=x86-64-v2"]), "base": (0, [])}

# A sanitized build keeps its asserts. -fwrapv, which Python itself is built with, would hide signed overflow.
WATCHFUL = ["-g", "-fno-omit-frame-pointer", "-UNDEBUG"]
SANITIZERS = {
    "address": ["-fsanitize=address", *WATCHFUL],
    "undefined": ["-fsanitize=undefined", "-fno-sanitize-recover=all", "-fno-wrapv", *WATCHFUL],
    "thread": ["-fsanitize=thread", *WATCHFUL],
}


def refuse_hint(position, message, env):
    """Stand in for Cython's performance hint: code that Cython finds slow does not build."""
    if env.directives["show_performance_hints"]:
        Errors.error(position, f"performance hint: {message}")


# Cython has no switch for this, and each of these modules holds the function under its name.
for module in (Errors, ExprNodes, PyrexTypes, Symtab):
    module.performance_hint = refuse_hint


def chosen(variable, known):
    """The value of an environment variable, empty if it is not set."""
    value = os.environ.get(variable, "")
    if value and value not in known:
        raise SetupError(f"{variable}={value} is not one of {', '.join(known)}")
    return value


def compiler():
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if shutil.which(command[0]) is None:
        raise SetupError(f"no C compiler: {command[0]} is not installed")
    return command


def machine_isa():
    """The best instruction set that this processor has and this compiler knows."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return "base"
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "level.c"), Path(folder, "level")
        source.write_text('#include "cpu.h"\nint main(void) { return cpu_level(); }\n')
        probe = [*compiler(), "-Icsrc", str(source), "-o", str(program)]
        for isa, (level, flags) in ISAS.items():
            known = subprocess.run([*probe, *flags], stderr=subprocess.DEVNULL).returncode == 0
            if known and subprocess.run(probe).returncode == 0 and subprocess.run([program]).returncode >= level:
                return isa
    return "base"


class Build(build_ext):
    """Writes the C text into build/cython and compiles the variant that the environment asks for."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.inplace:
            # `pip install -e` and `build_ext --inplace` share their work.
            self.build_lib, self.build_temp = "build/inplace/lib", "build/inplace/temp"

    def run(self):
        portable = chosen("BANQI_PORTABLE", ["0", "1"]) == "1"
        sanitizer = chosen("BANQI_SANITIZE", SANITIZERS)
        isa = chosen("BANQI_ISA", ISAS) or ("base" if portable else machine_isa())
        level, flags = ISAS[isa]
        for extension in self.extensions:
            extension.define_macros = [("BANQI_ISA_LEVEL", str(level))]
            # Wide vectors are passed among static functions only: how, on a processor without them, is no concern.
            extension.extra_compile_args = ["-O3", "-Wno-psabi"]
            if extension.name == "banqi.core._tablebase_build":
                # It takes the rules as a whole, and plays no games.
                extension.extra_compile_args.append("-Wno-unused-function")
            if extension.name != "banqi.core._cpu":
                extension.define_macros += [("BANQI_PORTABLE", "1")] * portable
                extension.extra_compile_args += flags + SANITIZERS.get(sanitizer, [])
                extension.extra_link_args = [f"-fsanitize={sanitizer}"] if sanitizer else []

        # Objects are older than no source, but of another variant, when the environment changed.
        record = Path(self.build_temp, "variant.txt")
        variant = f"{isa} {portable} {sanitizer} {compiler()} {os.environ.get('CFLAGS', '')}"
        asked = f"{variant}\n{Path(__file__).read_text()}"
        if not record.exists() or record.read_text() != asked:
            self.force = True
            record.unlink(missing_ok=True)
        super().run()
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(asked)

    def build_extensions(self):
        plain = [Extension(e.name, e.sources, depends=e.depends) for e in self.extensions]
        try:
            translated = cythonize(plain, build_dir="build/cython", compiler_directives=DIRECTIVES)
        except Errors.CompileError as fault:
            # The message stands above; Cython's own traceback would only bury it.
            raise CompileError(f"cannot translate {fault}") from fault
        for extension, c_text in zip(self.extensions, translated, strict=True):
            extension.sources = c_text.sources
        super().build_extensions()


headers = glob("csrc/*.h")
setup(
    ext_modules=[
        Extension(f"banqi.core.{name}", [f"banqi/core/{name}.pyx"], include_dirs=["csrc"], depends=headers)
        for name in ["_cpu", "_table", "_tablebase", "_tablebase_build", *BOARDS]
    ],
    cmdclass={"build_ext": Build},
)
