/*
 * kind_query.c - kind `query`: what an engine returns for one query, on a
 * database made by `setup`. Sections `sql 1`, `sql 2`, ... run one after the
 * other on one connection.
 *
 * Output: names of the columns, rows, and what went wrong.
 */
#include "base/trust.h"
#include "case_database.h"

static void add_result(buf *b, const execution *x)
{
    const table *t = &x->result;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        buf_printf(b, "%s%.*s", c > 0 ? " | " : "", STR_ARG(t->names[c]));
    }
    buf_char(b, '\n');
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            buf_add(b, c > 0 ? S(" | ") : S(""));
            value_show(b, table_at(t, r, c), 200);
        }
        buf_char(b, '\n');
    }
    if (t->is_cut) {
        buf_add(b, S("...\n"));
    }
}

// Without the name of the database, which is another one each time.
static str without_name(str text, str name, arena *a)
{
    buf b = buf_new(a);
    for (ptrdiff_t from = 0, at = 0; name.len > 0 && at >= 0;) {
        at = str_find(text, name, from);
        buf_add(&b, str_sub(text, from, at < 0 ? text.len : at));
        if (at >= 0) {
            buf_add(&b, S("DB"));
            from = at + name.len;
        }
    }
    return name.len > 0 ? buf_str(&b) : text;
}

static void add_execution(buf *b, const execution *x)
{
    if (x->status == REASON_NONE) {
        add_result(b, x);
    } else {
        str word = reason_word(x->status);
        buf_printf(b, "%.*s", STR_ARG(word));
        if (x->message.len > 0) {
            buf_printf(b, ": %.*s", STR_ARG(x->message));
        }
        if (x->offset >= 0) {
            buf_printf(b, " (byte %td)", x->offset);
        }
        buf_char(b, '\n');
    }
    if (x->has_unknown_types) {
        buf_add(b, S("[type_unknown]\n"));
    }
}

static void run_query(test_case *c)
{
    str allowed = case_key(c, "allow");
    trust_set((trust_given){&allowed, allowed.len > 0, false});
    engine_options options = {
        .limits = {.timeout_ms = case_key_int(c, "timeout_ms", 2000),
                   .max_rows = case_key_int(c, "max_rows", 100000),
                   .max_bytes = case_key_int(c, "max_bytes", 64 << 20)}};
    case_database made;
    diag d = diag_new(case_arena(c));
    if (case_database_open(&made, c, &options)) {
        engine *e = engine_open(&options, &d);
        database *db =
            e ? engine_database(e, made.path, &d, case_scratch(c)) : NULL;
        buf b = buf_new(case_arena(c));
        str sql = {0};
        for (ptrdiff_t i = 0; db && case_section_at(c, "sql", i, NULL, &sql);
             i++) {
            arena a = case_scratch(c);
            execution x = engine_run(db, sql, ENGINE_READ_ALL, &a);
            add_execution(&b, &x);
        }
        if (!db) {
            case_broken(c, "no connection");
        }
        case_output(c, "", without_name(buf_str(&b), made.name, case_arena(c)));
        engine_close(e);
    }
    case_database_close(&made, c);
}

const test_kind kind_query = {
    .name = "query",
    .sections = "setup sql",
    .keys = "timeout_ms max_rows max_bytes allow",
    .run = run_query,
};
