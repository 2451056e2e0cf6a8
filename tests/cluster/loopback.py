"""Run a command in a network namespace whose loopback device is switched on.

``unshare --net python -m tests.cluster.loopback COMMAND``: nothing outside can be reached, and
nothing there listens to the outside.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def switch_on(device: str = "lo") -> None:
    with socket.socket() as any_socket:
        request = struct.pack("16sh22x", device.encode(), 0)
        answer = fcntl.ioctl(any_socket, _GET_FLAGS, request)
        flags = struct.unpack_from("16sh", answer)[1] | _UP
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh22x", device.encode(), flags))


def devices() -> list[str]:
    return [name for _, name in socket.if_nameindex()]


def main() -> None:
    if devices() != ["lo"]:
        sys.exit("this is not a network of its own; call it by unshare --net")
    switch_on()
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606


if __name__ == "__main__":
    main()
