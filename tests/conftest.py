"""What holds for the whole suite."""

import shutil
import tempfile

from hypothesis.configuration import set_hypothesis_home_dir
from numba.core import config as numba_config

OWN_FOLDER = tempfile.mkdtemp()


def pytest_unconfigure(config):
    """Leave nothing behind."""
    shutil.rmtree(OWN_FOLDER, ignore_errors=True)


def pytest_configure(config):
    """Let 64-bit words wrap around without a warning where numpy, for want of compilation, would give one."""
    set_hypothesis_home_dir(OWN_FOLDER)  # which it would make where the tests are started
    if numba_config.DISABLE_JIT:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")
