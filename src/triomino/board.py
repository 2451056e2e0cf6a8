"""The tiles on the table, and what fits next to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import PositionError, Why
from triomino.grid import ORIGIN, SITES, Cell, Vertex, cell_at, ring_keys, vertex_keys
from triomino.moves import Place
from triomino.rules import BridgeRule
from triomino.tile import NUMBERS, SET_76, Numbers, mask_of, tile_of, tiles_in

if TYPE_CHECKING:
    from collections.abc import Iterable

_CELLS_CACHED: Final = 1 << 12

Corners: TypeAlias = tuple[int | None, int | None, int | None]
"""The numbers at a cell's three vertices; ``None`` where no tile lies yet."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The tiles that fit an open cell, and the orientation each must have."""

    mask: int
    oriented: dict[int, Numbers]
    """The numbers at the cell's vertices, keyed by the tile's bit, in ascending order."""
    missing: int | None
    """The index of the vertex that has no number yet, or ``None``."""


class Fits(dict[Corners, Fit]):
    """The tiles that agree with given corners, of which two or three are known; made on demand."""

    def __missing__(self, corners: Corners) -> Fit:
        first, second, third = (NUMBERS if have is None else (have,) for have in corners)
        every = [(a, b, c) for a in first for b in second for c in third]
        oriented = dict(sorted((tile_of(numbers).bit, numbers) for numbers in every))
        missing = corners.index(None) if None in corners else None
        self[corners] = found = Fit(sum(oriented), oriented, missing)
        return found


FITS: Final = Fits()
"""The shared table of fits."""


class PlacesAt(dict[Numbers, Place]):
    """The placements on one cell, by their numbers; made on demand."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    def __missing__(self, numbers: Numbers) -> Place:
        self[numbers] = place = Place(self._cell, numbers)
        return place


class Places(dict[int, PlacesAt]):
    """Placements by the key of their cell: lists of moves share them instead of making new ones."""

    def __missing__(self, key: int) -> PlacesAt:
        if len(self) >= _CELLS_CACHED:
            self.clear()
        self[key] = places = PlacesAt(cell_at(key))
        return places


PLACES: Final = Places()
"""The shared table of placements."""


class Board:
    """A layout of tiles. Each vertex has one number, shared by all the tiles that touch it.

    >>> from triomino.tile import Tile
    >>> board = Board.of([Place.parse("U(0,0)=1-3-4")])
    >>> board.why_not(Place.parse("D(-1,0)=1-2-2"))
    <Why.CORNER_MISMATCH: 'corner_mismatch'>
    >>> [str(place) for place in board.placements(Tile.parse("1-2-3").bit)]
    ['D(-1,0)=1-2-3']
    """

    # Cells and vertices are stored by their integer keys (see grid), in the order laid.
    __slots__ = ("_live", "_numbers", "_open", "_remaining", "_tiles", "laid")

    def __init__(self, tiles: int = -1) -> None:
        """Make an empty board for *tiles*, a mask; each may be laid once. -1 allows any tile."""
        self._remaining = tiles
        self._tiles: dict[int, Numbers] = {}
        self._numbers: dict[int, int] = {}
        self._open: dict[int, Fit] = {}
        # The open cells that fit a remaining tile, with a mask of those tiles.
        self._live: dict[int, int] = {}
        self.laid = 0
        """The tiles on the table, as a mask."""

    @classmethod
    def of(cls, places: Iterable[Place], *, repeats: bool = False) -> Board:
        """Return a board with these tiles, given in any order, connected or not.

        Raises :class:`PositionError` if corners disagree or, unless *repeats*, if a tile appears
        twice.
        """
        board = cls()
        for place in places:
            if place.cell in board:
                raise PositionError(f"{place}: two tiles on one cell")
            if not board.agrees(place):
                raise PositionError(f"{place}: the corners disagree with the tiles around")
            if not repeats and place.tile.bit & board.laid:
                raise PositionError(f"{place}: tile {place.tile} lies on the board twice")
            board._put(place)
            board._number(place)
        beside = {key for cell in board._tiles for key in SITES[cell].neighbours}
        board._update_open(beside - board._tiles.keys())
        return board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._tiles == other._tiles

    __hash__ = None  # type: ignore[assignment]  # a board changes

    def __repr__(self) -> str:
        return f"<Board {' '.join(map(str, self.places))}>"

    def __len__(self) -> int:
        return len(self._tiles)

    def __contains__(self, cell: Cell) -> bool:
        return cell.key in self._tiles

    def copy(self) -> Board:
        """Return an independent copy."""
        board = Board.__new__(Board)
        board._tiles = self._tiles.copy()
        board._numbers = self._numbers.copy()
        board._open = self._open.copy()
        board._live = self._live.copy()
        board._remaining = self._remaining
        board.laid = self.laid
        return board

    @property
    def places(self) -> list[Place]:
        """Every tile with its cell, in the order laid."""
        return [Place(cell_at(cell), numbers) for cell, numbers in self._tiles.items()]

    @property
    def numbers(self) -> dict[Vertex, int]:
        """The number of every vertex that has one."""
        return {Vertex.at(vertex): number for vertex, number in self._numbers.items()}

    @property
    def open_cells(self) -> list[Cell]:
        """The empty cells next to a tile, row by row."""
        return [cell_at(cell) for cell in sorted(self._open)]

    # --- Legality --------------------------------------------------------------------------------

    def why_not(self, place: Place) -> Why | None:
        """Return the reason *place* cannot be laid, or ``None`` if it can.

        Any cell of an empty board will do. Whether the tile is already on the board is not
        checked here.
        """
        cell = place.cell.key
        if cell in self._tiles:
            return Why.OCCUPIED
        if cell not in self._open:
            return Why.NO_SHARED_EDGE if self._tiles else None
        # Two corners are known, so a tile that fits does so in one orientation.
        if self._open[cell].oriented.get(place.tile.bit) != place.numbers:
            return Why.CORNER_MISMATCH
        return None

    def agrees(self, place: Place) -> bool:
        """Whether every corner that has a number already has the one *place* shows."""
        have = self.corners(place.cell.key)
        return all(old in (None, new) for old, new in zip(have, place.numbers, strict=True))

    def corners(self, cell: int) -> Corners:
        """Return the numbers at the vertices of a cell, given by its key."""
        a, b, c = vertex_keys(cell)
        get = self._numbers.get
        return get(a), get(b), get(c)

    @property
    def playable(self) -> int:
        """The tiles that fit somewhere, as a mask."""
        if not self._tiles:
            return _ALL
        mask = 0
        for fitting in self._live.values():
            mask |= fitting
        return mask

    def placements(self, tiles: int) -> list[Place]:
        """Return every legal placement of *tiles* (a mask), by cell row by row, then by tile.

        On an empty board all are on ``U(0,0)``, by tile and orientation.
        """
        if not self._tiles:
            return [Place(ORIGIN, how) for tile in tiles_in(tiles) for how in tile.orientations]
        live = self._live
        found = []
        for key in sorted([key for key, fitting in live.items() if fitting & tiles]):
            places, oriented, hits = PLACES[key], self._open[key].oriented, live[key] & tiles
            if hits in oriented:  # one tile, as in most cells
                found.append(places[oriented[hits]])
                continue
            for bit, numbers in oriented.items():
                if bit & hits:
                    found.append(places[numbers])
        return found

    def fits_after(self, place: Place, tiles: int) -> bool:
        """Whether any of *tiles* (a mask) fits somewhere after *place*, which must be legal."""
        # Most open cells do not change: if a tile fits one of those, there is no need to copy.
        at, here = place.cell.key, self._open.get(place.cell.key)
        changed = {at}
        if here is not None and here.missing is not None:
            changed.update(ring_keys(vertex_keys(at)[here.missing]))
        for cell, fitting in self._live.items():
            if fitting & tiles and cell not in changed:
                return True
        board = self.copy()
        board.lay(place)
        return bool(board.playable & tiles)

    # --- Bridges and hexagons --------------------------------------------------------------------

    def hexagons(self, cell: Cell) -> int:
        """Return how many hexagons a tile on *cell*, which must be empty, would complete."""
        if not self.meets_every_corner(cell):
            return 0
        tiles, key, closed = self._tiles, cell.key, 0
        a, b, c = SITES[key].neighbours
        if (a in tiles) + (b in tiles) + (c in tiles) < 2:
            return 0  # a hexagon holds both neighbours that meet at its vertex
        for vertex in vertex_keys(key):
            missing = 0
            for other in ring_keys(vertex):
                if other not in tiles:
                    missing += 1
                    if missing > 1:
                        break
            closed += missing == 1
        return closed

    def is_bridge(self, cell: Cell, rule: BridgeRule) -> bool:
        """Whether a tile on *cell*, which must be empty, would make a bridge."""
        if not self.meets_every_corner(cell):
            return False
        tiles, key = self._tiles, cell.key
        a, b, c = beside = SITES[key].neighbours
        shared = (a in tiles, b in tiles, c in tiles)
        match rule:
            case BridgeRule.STRICT:
                return sum(shared) == 1
            case BridgeRule.ONE_FREE_SIDE:
                return sum(shared) < 3
            case BridgeRule.THREE_CORNERS:
                return True
            case BridgeRule.APEX_CONTACT:
                return any(
                    other in tiles and other not in beside
                    for edge in range(3)
                    if shared[edge]
                    for other in ring_keys(vertex_keys(key)[_apex(edge)])
                )

    def meets_every_corner(self, cell: Cell) -> bool:
        """Whether a tile on *cell* shares an edge and all its corners have a number already.

        Every bridge, under any rule, and every hexagon requires this.
        """
        fits = self._open.get(cell.key)
        return fits is not None and fits.missing is None

    # --- Laying tiles ----------------------------------------------------------------------------

    def lay(self, place: Place) -> None:
        """Lay a tile. Nothing is checked: ask :meth:`why_not` first."""
        key, is_open = place.cell.key, self._open
        site = SITES[key]
        self._put(place)
        self._live.pop(key, None)
        fits = is_open.pop(key, None)
        if fits is None:  # it shares no edge with another tile
            self._number(place)
            changed = {*site.neighbours} - self._tiles.keys()
            changed.update(cell for ring in site.beyond for cell in ring if cell in is_open)
            self._update_open(changed)
        elif (new := fits.missing) is None:
            # All corners had their number, so nothing changes for the cells that were open.
            tiles = self._tiles
            self._update_open([n for n in site.neighbours if n not in tiles and n not in is_open])
        else:
            # The other two corners belong to tiles already laid. At the new one there was none, so
            # both cells across its edges are empty.
            self._numbers[site.vertices[new]] = place.numbers[new]
            beyond = [cell for cell in site.beyond[new] if cell in is_open]
            self._update_open((*site.across[new], *beyond))

    def _put(self, place: Place) -> None:
        """Store a tile, but not the numbers at its vertices."""
        bit = place.tile.bit
        self._tiles[place.cell.key] = place.numbers
        self.laid |= bit
        if self._remaining > 0:
            self._remaining &= ~bit

    def _number(self, place: Place) -> None:
        """Store the numbers of a tile."""
        self._numbers.update(zip(vertex_keys(place.cell.key), place.numbers, strict=True))

    def _update_open(self, cells: Iterable[int]) -> None:
        """Work out again what fits into *cells*, which are empty and next to a tile."""
        number, is_open, live = self._numbers.get, self._open, self._live
        remaining = self._remaining
        for cell in cells:
            a, b, c = SITES[cell].vertices
            fits = is_open[cell] = FITS[number(a), number(b), number(c)]
            fitting = fits.mask & remaining
            if fitting:
                live[cell] = fitting
            elif cell in live:
                del live[cell]


def _apex(edge: int) -> int:
    """Return the vertex opposite an edge."""
    return (edge + 2) % 3


_ALL = mask_of(SET_76)
