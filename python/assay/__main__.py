"""python -m assay: the program."""
import os
import sys

from ._program import program


def main() -> None:
    """Becomes the program assay, with the words of the command line."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
