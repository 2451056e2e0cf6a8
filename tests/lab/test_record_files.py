"""Writing whole lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triomino.lab.record_files import LineWriter

if TYPE_CHECKING:
    from pathlib import Path


class FullDisk:
    """A file that takes a part of the second line, and then nothing."""

    def __init__(self) -> None:
        self.content = bytearray()

    def write(self, data: memoryview) -> int:
        if len(self.content) >= 15:
            raise OSError(28, "No space left on device")
        part = data[: 15 - len(self.content)]
        self.content += part
        return len(part)

    def truncate(self, size: int) -> int:
        del self.content[size:]
        return size

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        pass


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = FullDisk()
    monkeypatch.setattr("pathlib.Path.open", lambda *_, **__: disk)
    with LineWriter(tmp_path / "out.jsonl") as writer:
        writer.write("the first")
        with pytest.raises(OSError, match="No space left"):
            writer.write("the second")
        assert writer.count == 1
    assert disk.content == b"the first\n"
