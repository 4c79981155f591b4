"""Which build is measured."""

import os
import re
import shlex
import subprocess
import sysconfig

from banqi.core import _cpu


def compiler() -> str:
    """Return the C compiler's name and version, such as `gcc 12.2.0`."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    text = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"\d+\.\d+(\.\d+)?", re.sub(r"\(.*?\)", "", text))
    return f"{'clang' if 'clang' in text else 'gcc'} {version[0] if version else 'unknown'}"


def build() -> str:
    """Return the compiler and the instruction set, such as `gcc 12.2.0 v3`."""
    return f"{compiler()} {f'v{_cpu.needed}' if _cpu.needed else 'base'}"
