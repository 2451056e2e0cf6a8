"""The game for researchers: many games at once as arrays, and adapters for other libraries.

:class:`Batch` and :class:`ActionSpace` need nothing beyond triomino itself. The adapters,
``triomino.env.pettingzoo``, ``triomino.env.gymnasium`` and ``triomino.env.openspiel``, need the
libraries they are named after: ``pip install triomino[research]``.
"""

from triomino.env.actions import ActionSpace
from triomino.env.batch import AutoReset, Batch

__all__ = ["ActionSpace", "AutoReset", "Batch"]
