"""What holds for the whole suite."""

from numba.core import config as numba_config


def pytest_configure(config):
    """Let 64-bit words wrap around without a warning where numpy, for want of compilation, would give one."""
    if numba_config.DISABLE_JIT:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")
