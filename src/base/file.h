/*
 * file.h - the bytes of a file, without reading all of it into memory.
 *
 * A regular file is mapped read-only. What cannot be mapped (a pipe, "-" for
 * standard input) is first copied to an unnamed temporary file, so that
 * everything downstream sees one kind of thing: bytes at addresses that the
 * system may drop and fetch again at will.
 */
#ifndef ASSAY_BASE_FILE_H
#define ASSAY_BASE_FILE_H

#include "base/diag.h"

typedef struct file_map {
    str bytes;       // empty for an empty file
    str path;        // as the user named it
    bool is_mapped;  // they are a file's, not memory that was made
} file_map;

// False with a message when it cannot be opened or is a folder.
bool file_open(file_map *f, arena *a, str path, diag *d);

// The same for an open descriptor, which stays open; messages call it f->path.
bool file_map_of(file_map *f, int fd, diag *d);
void file_close(file_map *f);

// The bytes of a small file, in `a`. False with a message.
bool file_text(str *out, arena *a, str path, diag *d);

// The hash of all bytes of a file. False with a message.
bool file_hash(uint64_t *hash, arena *a, str path, diag *d);

// Of one that is open, piece by piece, and another number: a file larger than
// memory can be hashed too.
uint64_t file_hash_pieces(const file_map *f);

// Tells the system that the bytes before `offset` are not needed for now.
// They stay readable. Nothing where they are no file's.
void file_forget(const file_map *f, ptrdiff_t offset);

// The same from time to time, for who goes on from one offset to the next.
void file_pass(const file_map *f, ptrdiff_t from, ptrdiff_t to);

// Cuts the next line off `rest`, what is left of the file; false at its end.
// Lines far before it may leave memory, as after file_forget().
bool file_line(const file_map *f, str *rest, str *line);

// Writes all of `text` to the descriptor; false with errno when it cannot.
bool file_write_all(int fd, str text);

bool file_exists(const char *path);
bool file_is_folder(const char *path);

// The folder is there, or is made; false with a message.
bool file_make_folder(str path, diag *d, arena scratch);

bool file_is_regular(const char *path);

// A device or a pipe: it is written to, never replaced by a file.
bool file_is_special(const char *path);

// What a symbolic link points to, so that the link stays when the file is
// replaced; else `path` itself.
char *file_target(arena *a, str path);

// Writes `text` to `path` as a whole: readers see the old file or the new one,
// never a part. What is there keeps its mode. False with a message.
bool file_write(str path, str text, diag *d, arena scratch);

// The names in the folder that do not begin with a dot, sorted by bytes. False
// with a message when it cannot be listed.
bool file_names(str_list *names, arena *a, str folder, diag *d);

// The path of `name` seen from the folder ("" is the current one), with a NUL.
str file_in_folder(arena *a, str folder, str name);

// The file that `name` is in the folder ("" is the current one), when it is a
// regular one and lies there or below, links followed: data is not to choose
// paths. False with a message when it does not.
bool file_below(str *found, arena *a, str folder, str name, diag *d);

#endif  // ASSAY_BASE_FILE_H
