"""One run of the README's first command, which several tests look at."""

from __future__ import annotations

import pytest
from clone import Clone, cloned


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """Never to be changed."""
    return cloned(tmp_path_factory.mktemp("clone"))
