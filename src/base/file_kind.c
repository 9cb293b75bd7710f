/*
 * file_kind.c - see file_kind.h.
 *
 * Method      A table of first bytes. A spreadsheet is a zip archive with a
 *             folder xl/ in it, whose names stand near the beginning or, in the
 *             directory, at the end.
 */
#include "base/file_kind.h"

enum {
    LOOK_BYTES = 1 << 16,
};

static const struct {
    ptrdiff_t offset;
    str bytes;
    str what;
} kinds[] = {
    [FILE_KIND_OTHER] = {0},
#define FILE_KIND(name, offset, bytes, what) \
    [FILE_KIND_##name] = {offset, S_INIT(bytes), S_INIT(what)},
#include "base/file_kind.def"
#undef FILE_KIND
};

static bool is_workbook(str bytes)
{
    str head = str_sub(bytes, 0, LOOK_BYTES);
    ptrdiff_t rest = bytes.len > LOOK_BYTES ? bytes.len - LOOK_BYTES : 0;
    return str_find(head, S("xl/"), 0) >= 0
           || str_find(str_skip(bytes, rest), S("xl/"), 0) >= 0;
}

// A text may say 'DUCK' there; the number of a version has NULs in it.
static bool is_binary(str bytes)
{
    return str_find(str_sub(bytes, 0, 32), (str){"\0", 1}, 0) >= 0;
}

file_kind file_kind_of(str bytes)
{
    file_kind found = FILE_KIND_OTHER;
    for (int i = FILE_KIND_OTHER + 1; i < countof(kinds); i++) {
        bool fits =
            kinds[i].offset < bytes.len
            && str_starts(str_skip(bytes, kinds[i].offset), kinds[i].bytes)
            && (i != FILE_KIND_XLSX || is_workbook(bytes))
            && (i != FILE_KIND_DUCKDB || is_binary(bytes));
        found = fits ? (file_kind)i : found;
    }
    return found;
}

str file_kind_text(file_kind kind)
{
    return kinds[kind].what;
}
