/*
 * schema_given.c - what is given as a schema: CREATE statements, or what was
 *                  taken for them.
 */
#include "base/file_kind.h"
#include "schema/schema_ddl.h"

// A word without blanks: "shop.sql".
static bool is_path(str text)
{
    bool has_blank = text.len == 0;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        has_blank |= is_space(text.ptr[i]);
    }
    return !has_blank;
}

bool schema_from_given(schema *s,
                       arena *a,
                       str file,
                       str sql,
                       dialect from,
                       dialect home,
                       diag *d,
                       arena scratch)
{
    diag_place place = {.file = file};
    file_kind kind = file_kind_of(sql);
    bool is_database = kind == FILE_KIND_SQLITE || kind == FILE_KIND_DUCKDB;
    str text = str_trim(sql);
    if (kind != FILE_KIND_OTHER) {
        return diag_add(d, place, "the file %.*s%s",
                        STR_ARG(file_kind_text(kind)),
                        is_database ? ": give it with --db" : "");
    }
    if (str_starts(text, S("{")) || str_starts(text, S("["))) {
        return diag_add(d, place,
                        "this is JSON; a schema is CREATE TABLE "
                        "statements");
    }
    if (is_path(text)) {
        return diag_add(d, place,
                        "'%.*s' looks like a path; a schema is CREATE "
                        "TABLE statements",
                        STR_ARG(text));
    }
    return schema_from_ddl(s, a, file, sql, from, home, d, scratch)
           && (s->n_tables > 0 || text.len == 0
               || diag_add(d, place, "there is no CREATE TABLE in it"));
}
