/*
 * temporary.h - where test programs put files of their own.
 *
 * A program that calls temporary_begin() at its start leaves nothing behind:
 * its files and those of the programs that it starts lie in a folder of their
 * own, which is gone when the program is, whatever ended it.
 */
#ifndef ASSAY_TESTS_TEMPORARY_H
#define ASSAY_TESTS_TEMPORARY_H

enum {
    TEMPORARY_SIZE = 512
};

// Makes the folder below $TMPDIR and sets $TMPDIR to it.
void temporary_begin(void);

// Fills `path` with a pattern for mkstemps or mkdtemp below $TMPDIR.
void temporary_pattern(char path[TEMPORARY_SIZE], const char *suffix);

// Removes a folder and all that is in it.
void temporary_remove(const char *folder);

#endif  // ASSAY_TESTS_TEMPORARY_H
