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

typedef struct once {
    api_work *w;
    void *(*work)(api_work *w);
    void *answer;
} once;

static void do_once(void *context)
{
    once *o = context;
    o->answer = o->work(o->w);
}

void *api_once(api_work *w, void *(*work)(api_work *w), ptrdiff_t bytes)
{
    once o = {.w = w, .work = work};
    arena_store stores[API_ARENAS];
    bool ok = arena_stores_open(stores, API_ARENAS, bytes);
    for (int i = 0; ok && i < API_ARENAS; i++) {
        w->memory[i] = arena_store_clear(&stores[i]);
    }
    ok = ok && api_call(do_once, &o);
    arena_stores_close(stores, API_ARENAS);
    if (!ok || (!o.answer && w->status == ASSAY_OK)) {
        w->status = api_fail(w->err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    return o.answer;
}

assay_str api_keep(api_texts *t, str s)
{
    assay_str kept = {t->ptr ? t->ptr + t->n : NULL, (size_t)s.len};
    if (t->ptr && s.len > 0) {
        memcpy(t->ptr + t->n, s.ptr, (size_t)s.len);
    }
    t->n += (size_t)s.len;
    return kept;
}

void *api_answer(size_t bytes, api_fill *fill, const void *from)
{
    api_texts texts = {0};
    void *head = calloc(1, bytes);
    if (head) {
        fill(head, &texts, from);
    }
    char *whole = head ? realloc(head, bytes + texts.n) : NULL;
    if (!whole) {
        free(head);
        return NULL;
    }
    memset(whole, 0, bytes);
    texts = (api_texts){whole + bytes, 0};
    fill(whole, &texts, from);
    return whole;
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

assay_mistake api_mistake(api_texts *t,
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
                           .text = api_keep(t, text)};
}
