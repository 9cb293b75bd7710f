// script.c - see script.h; the drivers do the work.
#include "engine/script.h"

#include "base/clock.h"
#include "engine/engine_driver.h"
#include "sql/lex.h"
#include "sql/name.h"
#include "sql/outline.h"

bool script_make_model(engine *e, str url, str name, diag *d, arena scratch)
{
    engine_dump copy = {.name = arena_printf(d->a, "%.*s.model", STR_ARG(name)),
                        .model = name};
    str made = {0};
    return !e->driver->script
           || engine_make_database(e, url, &copy, &made, d->a, d, scratch);
}

// A script that runs, on its copy.
typedef struct running {
    const script_driver *driver;
    database *copy;
    int64_t deadline_ns;
    script_outcome *out;
    arena *a;
} running;

static execution run(const running *r, str sql)
{
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    if (r->driver->now() > r->deadline_ns) {
        x.status = REASON_TIMEOUT;
    } else {
        x = r->driver->run(r->copy, sql, r->deadline_ns, r->a);
    }
    if (x.status == REASON_TIMEOUT) {
        x.message = S("the script ran into the limit of time");
    }
    return x;
}

// Runs the statements of a text in order. False when one failed.
static bool run_text(const running *r, str text)
{
    dialect d = r->copy->owner->driver->dialect;
    script_outcome *out = r->out;
    bool ok = true;
    while (ok && text.len > 0) {
        ptrdiff_t end = r->driver->end ? r->driver->end(text, *r->a)
                                       : sql_statement_end(text, 0, d);
        str statement = str_sub(text, 0, end);
        text = str_skip(text, end);
        if (sql_outline_of(statement, d).n_statements == 0) {
            continue;
        }
        execution x = run(r, statement);
        int64_t work = out->run.work + x.work;
        ok = x.status == REASON_NONE;
        bool has_rows = ok && x.result.n_columns > 0;
        if (has_rows || !ok) {
            out->run = x;
        }
        out->run.work = work;
        out->has_rows |= has_rows;
        out->n_done += ok;
    }
    return ok;
}

static void run_all(const running *r, const script *s)
{
    for (ptrdiff_t i = 0; i < s->n_first && !r->out->is_first; i++) {
        r->out->is_first = !run_text(r, s->first[i]);
    }
    r->out->n_done = 0;
    bool ok = !r->out->is_first;
    for (ptrdiff_t i = 0; i < s->n && ok; i++) {
        ok = run_text(r, s->texts[i]);
    }
}

void script_names(map *named, const script *s, dialect d, arena *a)
{
    for (ptrdiff_t i = 0; i < s->n_first + s->n; i++) {
        str sql = i < s->n_first ? s->first[i] : s->texts[i - s->n_first];
        lexer l = lex_begin(sql, d);
        for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
             t = lex_next_solid(&l)) {
            map_add(named, a, arena_str(a, token_content(a, sql, t, d)));
        }
    }
}

bool script_has_name(const map *named, str name)
{
    ptrdiff_t dot = str_find(name, S("."), 0);
    return map_find(named, name) >= 0
           || (dot >= 0 && script_has_name(named, str_skip(name, dot + 1)));
}

// All rows of a table.
static script_table read_table(const running *r, str name)
{
    const str home = str_find(name, S("."), 0) < 0 ? r->driver->home : (str){0};
    str sql = name_statement(r->a, "SELECT * FROM #0@1", (str[]){home, name},
                             r->copy->owner->driver->dialect);
    return (script_table){name, run(r, sql)};
}

// What is there now; tables that were, or may have been, written to with their
// rows.
static bool read_outcome(const running *r, const script *s)
{
    script_outcome *out = r->out;
    catalogue_rows rows = {0};
    if (!r->driver->look(r->copy, s, out, &rows, r->a)) {
        return false;
    }
    ptrdiff_t n = rows.len / CATALOGUE_MOST_COLUMNS;
    script_object *objects = arena_new(r->a, script_object, n);
    script_table *tables = arena_new(r->a, script_table, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        const str *of = &rows.ptr[i * CATALOGUE_MOST_COLUMNS];
        objects[i] = (script_object){of[0], of[1], of[2], of[3]};
        if (str_equal(of[0], S("table"))
            && str_equal(of[SCRIPT_IS_WRITTEN], S("1"))) {
            tables[out->n_tables++] = read_table(r, of[1]);
        }
    }
    out->objects = objects;
    out->n_objects = n;
    out->tables = tables;
    return true;
}

script_outcome engine_run_script(database *db, const script *s, arena *a)
{
    const engine *e = db->owner;
    const script_driver *driver = e->driver->script;
    script_outcome out = {.run = {.offset = -1}};
    if (!driver) {
        engine_fails(&out.run, REASON_NO_REFERENCE,
                     arena_printf(a, "scripts are not run on %.*s",
                                  STR_ARG(e->driver->title)));
        return out;
    }
    int64_t start = clock_ns();
    running r = {.driver = driver,
                 .copy = driver->open(db, &out.run, a),
                 .out = &out,
                 .a = a};
    if (r.copy) {
        r.deadline_ns = driver->now() + e->options.limits.timeout_ms * 1000000;
        run_all(&r, s);
        if (out.run.status == REASON_NONE && !read_outcome(&r, s)) {
            engine_fails(&out.run, REASON_NO_DATABASE,
                         S("the database that the script left cannot be read"));
        }
        driver->close(r.copy, *a);
    }
    out.run.ns = clock_ns() - start;
    out.run = engine_within(&out.run, e->options.limits.work);
    return out;
}
