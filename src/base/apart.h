/*
 * apart.h - different names for files, and for their contents, that have the
 * same name.
 *
 * Two experiments keep their predictions in exp1/predictions.jsonl and
 * exp2/predictions.jsonl; the runs are called exp1/predictions and
 * exp2/predictions.
 */
#ifndef ASSAY_BASE_APART_H
#define ASSAY_BASE_APART_H

#include "base/arena.h"

// "folder/name.ext" -> "name"
str path_stem(str path);

// "folder/name.ext" -> "folder"; "." where there is none.
str path_folder(str path);

// Names that several share get in front of them as much of their file's path
// as tells them apart: its folders, from the last one on, and before these its
// stem, where the stems differ. What is in one file twice gets its number.
void names_tell_apart(str *names,
                      const str *files,
                      ptrdiff_t n,
                      arena *a,
                      arena scratch);

#endif  // ASSAY_BASE_APART_H
