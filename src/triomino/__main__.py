"""``python -m triomino``: the command line."""

from triomino.cli import main

if __name__ == "__main__":
    main()
