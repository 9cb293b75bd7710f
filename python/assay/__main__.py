"""python -m assay: the program."""
import os
import sys

from ._program import program


def main() -> None:
    """Replaces this process with the program assay, with the same arguments."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
