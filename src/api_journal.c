/*
 * api_journal.c - assay_journal_open() and what belongs to it:
 * include/assay/assay.h on top of src/report, as `assay show` reads a journal.
 */
#include "api_said.h"
#include "base/arena.h"
#include "report/case_lines.h"

#include <stdlib.h>

// Address space, of which little is used.
static const ptrdiff_t OPEN_BYTES = (ptrdiff_t)1 << 20;
static const ptrdiff_t LEAST_BYTES = (ptrdiff_t)64 << 20;
enum {
    TIMES_LINE = 4,
};

struct assay_journal {
    arena_store store;  // of the file
    arena_store room;   // of one line
    file_map file;
    case_lines lines;  // that are not read yet
    str head;          // empty: none
};

struct assay_case {
    api_said said;
};

// One block: the case, its verdicts, the texts of both, the line.
static void fill(void *to, api_texts *t, const void *from)
{
    assay_case *c = to;
    api_said_fill(&c->said, c + 1, t, from);
}

/* The file. */

typedef struct journal_call {
    assay_journal *j;
    const char *path;
    assay_error *err;
    assay_status status;
    assay_case *out;
} journal_call;

// The message with the number of its line.
static void refuse(journal_call *call, const diag *d, arena *a)
{
    const diag_message *m = &d->messages.ptr[0];
    str text = m->place.line > 0
                   ? arena_printf(a, "line %lld: %.*s",
                                  (long long)m->place.line, STR_ARG(m->text))
                   : m->text;
    call->status = api_fail(call->err, ASSAY_ERR_ENGINE, text);
}

static void open_journal(void *context)
{
    journal_call *call = context;
    assay_journal *j = call->j;
    arena a = arena_store_clear(&j->store);
    diag d = diag_new(&a);
    if (!file_open(&j->file, &a, str_from(call->path), &d)) {
        refuse(call, &d, &a);
        return;
    }
    ptrdiff_t bytes = LEAST_BYTES + TIMES_LINE * j->file.bytes.len;
    if (!arena_store_open(&j->room, bytes)) {
        call->status = api_fail(call->err, ASSAY_ERR_LIMIT, S("out of memory"));
        return;
    }
    j->lines = case_lines_of(j->file, &d);
    case_lines first = j->lines;
    if (case_lines_next(&first, arena_store_clear(&j->room))
        && first.kind == CASE_LINE_OTHER) {
        j->lines = first;
        j->head = first.text;
    } else if (d.count > 0) {
        refuse(call, &d, &a);
    }
}

assay_status assay_journal_open(assay_journal **out,
                                const char *path,
                                assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !path) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("out and path must not be NULL"));
    }
    assay_journal *j = calloc(1, sizeof *j);
    journal_call call = {.j = j, .path = path, .err = err};
    if (!j || !arena_store_open(&j->store, OPEN_BYTES)
        || !api_call(open_journal, &call)) {
        call.status = api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    if (call.status != ASSAY_OK) {
        assay_journal_close(j);
        return call.status;
    }
    *out = j;
    return ASSAY_OK;
}

void assay_journal_close(assay_journal *j)
{
    if (j) {
        file_close(&j->file);
        arena_store_close(&j->store);
        arena_store_close(&j->room);
        free(j);
    }
}

assay_str assay_journal_head(const assay_journal *j)
{
    return (assay_str){j->head.ptr, (size_t)j->head.len};
}

static void read_case(void *context)
{
    journal_call *call = context;
    assay_journal *j = call->j;
    arena a = arena_on_stack(4096);  // for the one message that there may be
    diag d = diag_new(&a);
    j->lines.d = &d;
    if (case_lines_next_case(&j->lines, arena_store_clear(&j->room))) {
        api_line read = {.c = j->lines.line, .text = j->lines.text};
        call->out = api_said_new(sizeof *call->out, fill, &read);
        call->status = call->out ? ASSAY_OK
                                 : api_fail(call->err, ASSAY_ERR_LIMIT,
                                            S("out of memory"));
    }
    if (d.count > 0) {
        refuse(call, &d, &a);
    }
}

assay_status assay_journal_next(assay_journal *j,
                                assay_case **out,
                                assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !j) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out and j must not be NULL"));
    }
    journal_call call = {.j = j, .err = err};
    if (!api_call(read_case, &call)) {
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    *out = call.out;
    return call.status;
}

/* A case. */

void assay_case_free(assay_case *c)
{
    free(c);
}

assay_str assay_case_text(const assay_case *c, const char *name)
{
    return api_said_text(&c->said, str_from(name));
}

assay_answer assay_case_answer(const assay_case *c, const char *key)
{
    return api_said_verdict(&c->said, key)->answer;
}

assay_str assay_case_reason(const assay_case *c, const char *key)
{
    return api_said_verdict(&c->said, key)->reason;
}

assay_str assay_case_detail(const assay_case *c, const char *key)
{
    return api_said_verdict(&c->said, key)->detail;
}

double assay_case_score(const assay_case *c, const char *key)
{
    return api_said_verdict(&c->said, key)->score;
}

assay_str assay_case_json(const assay_case *c)
{
    return c->said.json;
}
