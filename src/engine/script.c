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
    return !e->driver->run_script
           || engine_make_database(e, url, &copy, &made, d->a, d, scratch);
}

// Runs the statements of a text in order. False when one failed.
static bool run_text(script_outcome *out,
                     str text,
                     script_step *run,
                     database *db,
                     int64_t deadline_ns,
                     arena *a)
{
    dialect d = db->owner->driver->dialect;
    bool ok = true;
    while (ok && text.len > 0) {
        ptrdiff_t end = sql_statement_end(text, 0, d);
        str statement = str_sub(text, 0, end);
        text = str_skip(text, end);
        if (sql_outline_of(statement, d).n_statements == 0) {
            continue;
        }
        execution x = run(db, statement, deadline_ns, a);
        ok = x.status == REASON_NONE;
        bool has_rows = ok && x.result.n_columns > 0;
        if (has_rows || !ok) {
            out->run = x;
        }
        out->has_rows |= has_rows;
        out->n_done += ok;
    }
    return ok;
}

void script_run(script_outcome *out,
                const script *s,
                script_step *run,
                database *db,
                int64_t deadline_ns,
                arena *a)
{
    for (ptrdiff_t i = 0; i < s->n_first && !out->is_first; i++) {
        out->is_first = !run_text(out, s->first[i], run, db, deadline_ns, a);
    }
    out->n_done = 0;
    bool ok = !out->is_first;
    for (ptrdiff_t i = 0; i < s->n && ok; i++) {
        ok = run_text(out, s->texts[i], run, db, deadline_ns, a);
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

void script_read(script_outcome *out,
                 script_table *tables,
                 str name,
                 str home,
                 script_step *run,
                 database *db,
                 int64_t deadline_ns,
                 arena *a)
{
    const str names[] = {str_find(name, S("."), 0) < 0 ? home : (str){0}, name};
    str sql = name_statement(a, "SELECT * FROM #0@1", names,
                             db->owner->driver->dialect);
    tables[out->n_tables++] =
        (script_table){name, run(db, sql, deadline_ns, a)};
}

void script_objects(script_outcome *out, const catalogue_rows *rows, arena *a)
{
    out->n_objects = rows->len / CATALOGUE_MOST_COLUMNS;
    script_object *list = arena_new(a, script_object, out->n_objects);
    for (ptrdiff_t i = 0; i < out->n_objects; i++) {
        const str *of = &rows->ptr[i * CATALOGUE_MOST_COLUMNS];
        list[i] = (script_object){of[0], of[1], of[2], of[3]};
    }
    out->objects = list;
}

script_outcome engine_run_script(database *db, const script *s, arena *a)
{
    const engine *e = db->owner;
    if (!e->driver->run_script) {
        return (script_outcome){
            .run = {.status = REASON_NO_REFERENCE,
                    .message = arena_printf(a, "scripts are not run on %.*s",
                                            STR_ARG(e->driver->title)),
                    .offset = -1}};
    }
    int64_t start = clock_ns();
    script_outcome out = e->driver->run_script(db, s, a);
    out.run.ns = clock_ns() - start;
    out.run = engine_within(&out.run, e->options.limits.work);
    return out;
}
