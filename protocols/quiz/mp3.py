"""The frames of an MP3, so that any part of it can be played: each frame is some hundredths of a second."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RATES = (44_100, 48_000, 32_000)
KBITS = {
    1: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
SMALLER = {3: 1, 2: 2, 0: 4}
"""By the bits of the version (1, 2 and 2.5): the number that the rates of samples are divided by."""
HEADER, ID3_HEADER = 4, 10
TAGS = (b"TAG", b"APETAGEX", b"LYRICSBEGIN")
ABOUT_ITSELF = (b"Xing", b"Info", b"VBRI")
NONE = "this is no MP3"
VARIES = "the bit rate changes at second {second}: it must be constant"
BROKEN = "it is broken at second {second}"


@dataclass(frozen=True)
class Frames:
    """Where the frames of a sound begin in its file, and where the last one ends. Tags before and after are none."""

    starts: Sequence[int]
    frame_seconds: float

    @property
    def seconds(self) -> float:
        return (len(self.starts) - 1) * self.frame_seconds

    @property
    def whole(self) -> range:
        return range(self.starts[0], self.starts[-1])

    def between(self, start: float, end: float) -> range:
        """Return the bytes of the frames in which some seconds are."""
        last = len(self.starts) - 1
        first = min(last, math.floor(start / self.frame_seconds))
        return range(self.starts[first], self.starts[min(last, math.ceil(end / self.frame_seconds))])


def joined(parts: Iterable[range]) -> list[range]:
    """Return the same bytes in ascending order, each once, and parts that touch as one."""
    found: list[range] = []
    for each in sorted((part for part in parts if part), key=lambda part: part.start):
        if found and each.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, each.stop))
        else:
            found.append(each)
    return found


def frames_of(content: bytes) -> Frames:
    """Read all frames of an MP3 of a constant bit rate; raise ValueError with the reason if it is none."""
    place = _after_tag(content)
    first = _frame(content, place)
    if first is None:
        raise ValueError(NONE)
    length, kind, frame_seconds = first
    if any(sign in content[place : place + length] for sign in ABOUT_ITSELF):
        place += length  # what it says of the whole would be wrong of a part
    starts = [place]
    while (found := _frame(content, place)) is not None:
        length, own, _seconds = found
        if own != kind:
            raise ValueError(VARIES.format(second=round((len(starts) - 1) * frame_seconds)))
        if place + length > len(content):
            break  # it was cut off
        place += length
        starts.append(place)
    if len(starts) < 2:
        raise ValueError(NONE)
    left = content[place:]
    if left.strip(b"\0") and found is None and not left.startswith(TAGS):
        raise ValueError(BROKEN.format(second=round((len(starts) - 1) * frame_seconds)))
    return Frames(starts, frame_seconds)


def _after_tag(content: bytes) -> int:
    """Return where the frames begin: after a tag of the kind ID3v2, if there is one."""
    if not content.startswith(b"ID3") or len(content) < ID3_HEADER:
        return 0
    size = 0
    for each in content[6:ID3_HEADER]:
        size = size << 7 | each & 0x7F
    return ID3_HEADER + size + (ID3_HEADER if content[5] & 0x10 else 0)


def _frame(content: bytes, place: int) -> tuple[int, tuple[int, int], float] | None:
    """Return the bytes of the frame at a place, its rates, and its seconds; None if there is none of layer III."""
    header = content[place : place + HEADER]
    if len(header) < HEADER or header[0] != 0xFF or header[1] & 0xE6 != 0xE2:
        return None
    version, kbits, rate = header[1] >> 3 & 3, header[2] >> 4, header[2] >> 2 & 3
    if version not in SMALLER or not 0 < kbits < 15 or rate == 3:
        return None
    generation = 1 if version == 3 else 2
    samples, hertz, bits = 1152 // generation, RATES[rate] // SMALLER[version], 1000 * KBITS[generation][kbits - 1]
    return samples // 8 * bits // hertz + (header[2] >> 1 & 1), (bits, hertz), samples / hertz
