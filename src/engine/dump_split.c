/*
 * dump_split.c - statements of a dump, cut by the lexer.
 *
 * Method      The lexer finds the `;` outside of strings, names and comments.
 *             psql's own lines begin with a backslash; the rows of COPY end
 *             with a line `\.`.
 *
 * Invariant   Each call moves on or returns false, and stays within the text.
 *
 * Cost        Linear in the statement.
 */
#include "engine/dump_split.h"

#include "sql/lex.h"

#include <assert.h>

static const char optional_verbs[] = "SET GRANT REVOKE COMMENT";

dump_split dump_split_new(str text, dialect d)
{
    return (dump_split){.text = text, .dialect = d};
}

// Skips white space and lines that begin with a backslash.
static void skip_commands(dump_split *d)
{
    for (;;) {
        while (d->at < d->text.len && is_space(d->text.ptr[d->at])) {
            d->at++;
        }
        if (d->at == d->text.len || d->text.ptr[d->at] != '\\') {
            return;
        }
        ptrdiff_t end = str_find(d->text, S("\n"), d->at);
        d->at = end < 0 ? d->text.len : end;
    }
}

static bool is_optional(str sql)
{
    ptrdiff_t n = 0;
    while (n < sql.len && is_alpha(sql.ptr[n])) {
        n++;
    }
    str verb = str_sub(sql, 0, n);
    if (str_among_fold(verb, optional_verbs)) {
        return true;
    }
    return str_equal_fold(verb, S("ALTER"))
           && str_find_fold(sql, S(" OWNER TO "), 0) >= 0;
}

// Is it COPY ... FROM stdin?
static bool is_copy(str sql)
{
    ptrdiff_t from = str_find_fold(sql, S("FROM stdin"), 0);
    return from > 0 && str_starts_fold(sql, S("COPY "));
}

static void take_rows(dump_split *d, dump_statement *out)
{
    ptrdiff_t line = str_find(d->text, S("\n"), d->at);
    ptrdiff_t from = line < 0 ? d->text.len : line + 1;
    ptrdiff_t end = str_starts(str_skip(d->text, from), S("\\."))
                        ? from - 1
                        : str_find(d->text, S("\n\\."), from);
    out->has_rows = true;
    out->rows = str_sub(d->text, from, end < 0 ? d->text.len : end + 1);
    d->at = end < 0 ? d->text.len : end + 3;
}

bool dump_split_next(dump_split *d, dump_statement *out)
{
    *out = (dump_statement){0};
    skip_commands(d);
    lexer l = lex_begin(str_skip(d->text, d->at), d->dialect);
    ptrdiff_t from = -1;
    ptrdiff_t to = 0;
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        bool is_end = t.kind == TOKEN_OP && t.id == (int32_t)OP_SEMICOLON;
        if (is_end && from < 0) {
            continue;  // nothing before it
        }
        if (is_end) {
            to = t.pos;
            break;
        }
        from = from < 0 ? t.pos : from;
        to = t.pos + t.len;
    }
    if (from < 0) {
        return false;
    }
    out->sql = str_sub(d->text, d->at + from, d->at + to);
    out->offset = d->at + from;
    out->is_optional = is_optional(out->sql);
    bool has_end = d->at + to < d->text.len && d->text.ptr[d->at + to] == ';';
    d->at += to + has_end;
    if (is_copy(out->sql)) {
        take_rows(d, out);
    }
    assert(d->at > out->offset && d->at <= d->text.len);
    return true;
}
