"""Draw the rooms and their imports into docs/images/architecture.svg.

The layers are those of the import contract in pyproject.toml; the numbers count pairs of modules of which one imports
the other, without tests.
"""

import sys
import tomllib
from collections import Counter
from html import escape
from itertools import chain
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/images/architecture.svg"

Layers = list[list[str]]
Arrows = dict[tuple[str, str], int]

MARGIN, ROW, GAP = 16, 40, 14
BOX_WIDTH, BOX_HEIGHT = 132, 30
LANE, LANES_FROM = 23, MARGIN + BOX_WIDTH + 16
HEAD = 40  # for the line above the rooms

STYLE = """
  svg { color: #1f2328; font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; }
  @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } }
  text { fill: currentColor; }
  .room { font-weight: 600; text-anchor: middle; }
  .number { font-size: 11px; text-anchor: middle; font-variant-numeric: tabular-nums; }
  .note { font-size: 12px; opacity: 0.75; }
  .box { fill: currentColor; fill-opacity: 0.07; stroke: currentColor; stroke-opacity: 0.55; }
  .row { stroke: currentColor; stroke-opacity: 0.16; }
  .layer { fill: none; stroke: currentColor; stroke-opacity: 0.4; stroke-dasharray: 3 3; }
  .arrow { fill: none; stroke: currentColor; stroke-width: 1.4; }
  .end { fill: currentColor; }
"""


def read_layers() -> Layers:
    """Return the rooms from the top; rooms of one layer do not import each other."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip() for room in layer.split("|")] for layer in layers]


def count_imports(rooms: list[str]) -> Arrows:
    """Return how many imports lead from one room to another."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph(*rooms, cache_dir=None)
    counts: Counter[tuple[str, str]] = Counter()
    for importer in graph.modules:
        if "tests" in importer.split("."):
            continue
        for imported in graph.find_modules_directly_imported_by(importer):
            pair = importer.partition(".")[0], imported.partition(".")[0]
            if pair[0] != pair[1]:
                counts[pair] += 1
    return counts


def lanes_of(rooms: list[str], arrows: Arrows) -> list[tuple[str, str]]:
    """Return the arrows from left to right: by the room they leave, the shortest first."""
    return sorted(arrows, key=lambda pair: (rooms.index(pair[0]), rooms.index(pair[1])))


def draw() -> str:
    """Return the picture as SVG."""
    layers = read_layers()
    rooms = list(chain.from_iterable(layers))
    arrows = count_imports(rooms)
    lanes = lanes_of(rooms, arrows)
    middle = row_middles(layers)
    width = LANES_FROM + LANE * len(lanes) + MARGIN
    height = max(middle.values()) + BOX_HEIGHT // 2 + MARGIN
    shapes = [
        f'<text class="note" x="{MARGIN}" y="{MARGIN + 8}">'
        "Arrows lead from a room to a room that it imports; the number counts the imports.</text>",
        *(layer_outline(layer, middle) for layer in layers if len(layer) > 1),
        *(room_box(room, middle[room], width) for room in rooms),
    ]
    for number, pair in enumerate(lanes):
        shapes.append(arrow(LANES_FROM + LANE * number + LANE // 2, middle[pair[0]], middle[pair[1]], arrows[pair]))
    title = "The rooms of Précis and their imports"
    body = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-labelledby="title">\n'
        f'<title id="title">{title}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n'
    )


def row_middles(layers: Layers) -> dict[str, int]:
    """Return the height at which each room stands; between layers there is a gap."""
    middle, y = {}, HEAD + BOX_HEIGHT // 2
    for layer in layers:
        for room in layer:
            middle[room] = y
            y += ROW
        y += GAP
    return middle


def layer_outline(layer: list[str], middle: dict[str, int]) -> str:
    top = middle[layer[0]] - BOX_HEIGHT // 2 - 5
    bottom = middle[layer[-1]] + BOX_HEIGHT // 2 + 5
    return f'<rect class="layer" x="{MARGIN - 5}" y="{top}" width="{BOX_WIDTH + 10}" height="{bottom - top}" rx="8"/>'


def room_box(room: str, y: int, width: int) -> str:
    return (
        f'<line class="row" x1="{MARGIN + BOX_WIDTH}" y1="{y}" x2="{width - MARGIN}" y2="{y}"/>'
        f'<rect class="box" x="{MARGIN}" y="{y - BOX_HEIGHT // 2}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        f'<text class="room" x="{MARGIN + BOX_WIDTH // 2}" y="{y + 5}">{escape(room)}</text>'
    )


def arrow(x: int, start: int, end: int, count: int) -> str:
    """Draw an arrow down, with its number above."""
    return (
        f'<circle class="end" cx="{x}" cy="{start}" r="2.5"/>'
        f'<path class="arrow" d="M{x} {start}V{end - 7}"/>'
        f'<path class="end" d="M{x - 4} {end - 8}h8l-4 8z"/>'
        f'<text class="number" x="{x}" y="{start - 6}">{count}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
