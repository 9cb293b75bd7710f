// file_kind.h - kinds of files that assay cannot use as they are.
#ifndef ASSAY_BASE_FILE_KIND_H
#define ASSAY_BASE_FILE_KIND_H

#include "base/str.h"

typedef enum file_kind {
    FILE_KIND_OTHER,  // text, or what assay knows nothing of
#define FILE_KIND(name, offset, bytes, what) FILE_KIND_##name,
#include "base/file_kind.def"
#undef FILE_KIND
} file_kind;

// By its first bytes; of an archive, by what lies in it.
file_kind file_kind_of(str bytes);

// "is a Parquet file; write it as CSV or JSON lines"; empty for OTHER.
str file_kind_text(file_kind kind);

#endif  // ASSAY_BASE_FILE_KIND_H
