/*
 * api_call.c - see api_call.h.
 *
 * Method      One hook for all arenas of the process, set with the first call,
 *             jumps to where the call of its thread began. No function of
 *             SQLite's stands between: what it calls back takes no memory from
 *             arenas.
 */
#include "api_call.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a call goes on when an arena is full.
static _Thread_local jmp_buf *way_out;

static void leave_call(void)
{
    if (!way_out) {
        abort();
    }
    longjmp(*way_out, 1);
}

bool api_call(void (*work)(void *context), void *context)
{
    jmp_buf here;
    jmp_buf *before = way_out;
    way_out = &here;
    arena_when_full(leave_call);
    bool ok = setjmp(here) == 0;
    if (ok) {
        work(context);
    }
    way_out = before;
    return ok;
}

assay_status api_fail(assay_error *err, assay_status status, str message)
{
    if (err) {
        *err = (assay_error){.status = status};
        snprintf(err->message, sizeof err->message, "%.*s", STR_ARG(message));
    }
    return status;
}

assay_status api_fail_diag(assay_error *err, assay_status status, const diag *d)
{
    arena local = *d->a;
    str message = d->messages.len > 0 ? diag_format(&local, d->messages.ptr[0])
                                      : S("out of memory");
    return api_fail(err, status, message);
}

str api_str(assay_str s)
{
    return (str){s.ptr, (ptrdiff_t)s.len};
}

assay_str api_keep(char **end, str s)
{
    assay_str kept = {*end, (size_t)s.len};
    if (s.len > 0) {
        memcpy(*end, s.ptr, (size_t)s.len);
    }
    *end += s.len;
    return kept;
}

dialect api_dialect(assay_dialect d)
{
    static const dialect known[] = {
        [ASSAY_DIALECT_SQLITE] = DIALECT_SQLITE,
        [ASSAY_DIALECT_POSTGRES] = DIALECT_POSTGRES,
        [ASSAY_DIALECT_MYSQL] = DIALECT_MYSQL,
        [ASSAY_DIALECT_BIGQUERY] = DIALECT_BIGQUERY,
        [ASSAY_DIALECT_TSQL] = DIALECT_TSQL,
        [ASSAY_DIALECT_SNOWFLAKE] = DIALECT_SNOWFLAKE,
        [ASSAY_DIALECT_DUCKDB] = DIALECT_DUCKDB,
    };
    return (unsigned)d < countof(known) ? known[d] : DIALECT_COUNT;
}

assay_mistake api_mistake(char **end,
                          str sql,
                          ptrdiff_t pos,
                          ptrdiff_t len,
                          str text)
{
    diag_place at = diag_locate((str){0}, sql, pos);
    return (assay_mistake){.offset = (size_t)pos,
                           .len = (size_t)len,
                           .line = (size_t)at.line,
                           .column = (size_t)at.column,
                           .text = api_keep(end, text)};
}
