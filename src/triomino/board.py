"""The tiles on the table: which lie where, and what fits beside them."""

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
"""What a cell's three vertices show; ``None`` where nothing lies yet."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Which tiles go into an open cell, and how each is turned for it."""

    mask: int
    turned: dict[int, Numbers]
    """The numbers at the cell's vertices, by the tile's bit; in the order of tiles."""
    missing: int | None
    """Which of the cell's vertices has no number yet, if one has none."""


class Fits(dict[Corners, Fit]):
    """The tiles that agree with three corners, of which two or three are known."""

    def __missing__(self, corners: Corners) -> Fit:
        first, second, third = (NUMBERS if have is None else (have,) for have in corners)
        every = [(a, b, c) for a in first for b in second for c in third]
        turned = dict(sorted((tile_of(numbers).bit, numbers) for numbers in every))
        missing = corners.index(None) if None in corners else None
        self[corners] = found = Fit(sum(turned), turned, missing)
        return found


FITS: Final = Fits()


class PlacesAt(dict[Numbers, Place]):
    """The placements on one cell, by their numbers."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    def __missing__(self, numbers: Numbers) -> Place:
        self[numbers] = place = Place(self._cell, numbers)
        return place


class Places(dict[int, PlacesAt]):
    """Placements by the key of their cell, so that a list of moves need not make them anew."""

    def __missing__(self, key: int) -> PlacesAt:
        if len(self) >= _CELLS_CACHED:
            self.clear()
        self[key] = places = PlacesAt(cell_at(key))
        return places


PLACES: Final = Places()


class Board:
    """A growing layout of tiles. Every vertex has one number, shared by all tiles that touch it.

    >>> from triomino.tile import Tile
    >>> board = Board.of([Place.parse("U(0,0)=1-3-4")])
    >>> board.why_not(Place.parse("D(-1,0)=1-2-2"))
    <Why.CORNER_MISMATCH: 'corner_mismatch'>
    >>> [str(place) for place in board.placements(Tile.parse("1-2-3").bit)]
    ['D(-1,0)=1-2-3']
    """

    # Cells and vertices are keyed by their integers (see grid), in the order laid.
    __slots__ = ("_left", "_live", "_numbers", "_open", "_tiles", "laid")

    def __init__(self, tiles: int = -1) -> None:
        """With *tiles*, a mask, each of these is laid once at most, and no other."""
        self._left = tiles
        self._tiles: dict[int, Numbers] = {}
        self._numbers: dict[int, int] = {}
        self._open: dict[int, Fit] = {}
        # Of these, those where a tile fits that could still come, with a mask of such tiles.
        self._live: dict[int, int] = {}
        self.laid = 0
        """The tiles on the table, as a mask."""

    @classmethod
    def of(cls, places: Iterable[Place], *, repeats: bool = False) -> Board:
        """A board as it stands, in any order, connected or not.

        Refuses one whose corners disagree and, unless *repeats*, one that shows a tile twice.
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
        board._reopen(beside - board._tiles.keys())
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
        """A board that changes on its own."""
        board = Board.__new__(Board)
        board._tiles = self._tiles.copy()
        board._numbers = self._numbers.copy()
        board._open = self._open.copy()
        board._live = self._live.copy()
        board._left = self._left
        board.laid = self.laid
        return board

    @property
    def places(self) -> list[Place]:
        """Every tile as it lies, in the order laid."""
        return [Place(cell_at(cell), numbers) for cell, numbers in self._tiles.items()]

    @property
    def numbers(self) -> dict[Vertex, int]:
        """The number of every vertex that has one."""
        return {Vertex.at(vertex): number for vertex, number in self._numbers.items()}

    @property
    def open_cells(self) -> list[Cell]:
        """The empty cells beside a tile, row by row."""
        return [cell_at(cell) for cell in sorted(self._open)]

    # --- May it be laid? -------------------------------------------------------------------------

    def why_not(self, place: Place) -> Why | None:
        """The reason *place* cannot be laid, or ``None`` if it can. An empty board takes any cell.

        Whether the tile lies on the board already is not asked here.
        """
        cell = place.cell.key
        if cell in self._tiles:
            return Why.OCCUPIED
        if cell not in self._open:
            return Why.NO_SHARED_EDGE if self._tiles else None
        # Two corners are known, so there is one way to turn a tile that fits.
        if self._open[cell].turned.get(place.tile.bit) != place.numbers:
            return Why.CORNER_MISMATCH
        return None

    def agrees(self, place: Place) -> bool:
        """Whether every corner that is numbered already has the number of *place*."""
        have = self.corners(place.cell.key)
        return all(old in (None, new) for old, new in zip(have, place.numbers, strict=True))

    def corners(self, cell: int) -> Corners:
        """The numbers round a cell (its key), clockwise; ``None`` where nothing lies yet."""
        a, b, c = vertex_keys(cell)
        get = self._numbers.get
        return get(a), get(b), get(c)

    @property
    def playable(self) -> int:
        """The tiles that fit somewhere, as a mask over the 76."""
        if not self._tiles:
            return _ALL
        mask = 0
        for fitting in self._live.values():
            mask |= fitting
        return mask

    def placements(self, tiles: int) -> list[Place]:
        """Every way to lay one of *tiles* (a mask): by cell row by row, then by tile.

        On an empty board that is ``U(0,0)``, by tile and turn.
        """
        if not self._tiles:
            return [Place(ORIGIN, turn) for tile in tiles_in(tiles) for turn in tile.turns]
        live = self._live
        found = []
        for key in sorted([key for key, fitting in live.items() if fitting & tiles]):
            places, turned, hits = PLACES[key], self._open[key].turned, live[key] & tiles
            if hits in turned:  # one tile, as in most cells
                found.append(places[turned[hits]])
                continue
            for bit, numbers in turned.items():
                if bit & hits:
                    found.append(places[numbers])
        return found

    def fits_after(self, place: Place, tiles: int) -> bool:
        """Whether one of *tiles* (a mask) fits somewhere once *place*, which is legal, is laid."""
        # Most places stay as they are; where one of them has a taker, nothing need be laid.
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

    # --- What would it close? --------------------------------------------------------------------

    def hexagons(self, cell: Cell) -> int:
        """How many of its vertices a tile on *cell*, which is still empty, closes to a ring."""
        if not self.touches_all_round(cell):
            return 0
        tiles, key, closed = self._tiles, cell.key, 0
        a, b, c = SITES[key].neighbours
        if (a in tiles) + (b in tiles) + (c in tiles) < 2:
            return 0  # a ring holds both neighbours beside its vertex
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
        """Whether a tile on *cell*, which is still empty, makes a bridge."""
        if not self.touches_all_round(cell):
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

    def touches_all_round(self, cell: Cell) -> bool:
        """Whether a tile on *cell* shares an edge and meets a number at every corner.

        Nothing else makes a bridge of any kind, or a hexagon.
        """
        fits = self._open.get(cell.key)
        return fits is not None and fits.missing is None

    # --- Change ----------------------------------------------------------------------------------

    def lay(self, place: Place) -> None:
        """Put a tile down. Ask :meth:`why_not` first: nothing is checked here."""
        key, is_open = place.cell.key, self._open
        site = SITES[key]
        self._put(place)
        self._live.pop(key, None)
        fits = is_open.pop(key, None)
        if fits is None:  # it touches nothing along an edge
            self._number(place)
            changed = {*site.neighbours} - self._tiles.keys()
            changed.update(cell for ring in site.beyond for cell in ring if cell in is_open)
            self._reopen(changed)
        elif (new := fits.missing) is None:
            # Every corner had its number, so nothing changes where a tile could go before.
            tiles = self._tiles
            self._reopen([n for n in site.neighbours if n not in tiles and n not in is_open])
        else:
            # The other two corners are shared with tiles that lie there, and at the new one
            # nothing lay: both cells across its edges are empty.
            self._numbers[site.vertices[new]] = place.numbers[new]
            beyond = [cell for cell in site.beyond[new] if cell in is_open]
            self._reopen((*site.across[new], *beyond))

    def _put(self, place: Place) -> None:
        """Note a tile, without its numbers."""
        bit = place.tile.bit
        self._tiles[place.cell.key] = place.numbers
        self.laid |= bit
        if self._left > 0:
            self._left &= ~bit

    def _number(self, place: Place) -> None:
        """Note the numbers of a tile."""
        self._numbers.update(zip(vertex_keys(place.cell.key), place.numbers, strict=True))

    def _reopen(self, cells: Iterable[int]) -> None:
        """Work out anew what fits into *cells*, which are empty and beside a tile."""
        number, is_open, live, left = self._numbers.get, self._open, self._live, self._left
        for cell in cells:
            a, b, c = SITES[cell].vertices
            fits = is_open[cell] = FITS[number(a), number(b), number(c)]
            fitting = fits.mask & left
            if fitting:
                live[cell] = fitting
            elif cell in live:
                del live[cell]


def _apex(edge: int) -> int:
    """The vertex opposite an edge."""
    return (edge + 2) % 3


_ALL = mask_of(SET_76)
