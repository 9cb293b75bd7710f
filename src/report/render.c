/*
 * render.c - reads journals twice: to count, and to write them in a format.
 *
 * Invariant   Each line is read, and redacted when that is asked for, in one
 *             place, next_line(): no format can forget it.
 */
#include "report/render.h"

#include "base/utf8.h"
#include "base/words.h"
#include "report/redact.h"

// Add a format: a row here, its functions in render.h and a file of its own.
static const render_format formats[] = {
    {S_INIT("html"), html_head, html_line, html_tail, html_count},
    {S_INIT("markdown"), markdown_head, NULL, NULL, NULL},
    {S_INIT("csv"), csv_head, csv_line, NULL, NULL},
    {S_INIT("jsonl"), NULL, jsonl_line, NULL, NULL},
    {S_INIT("junit"), junit_head, junit_line, junit_tail, NULL},
    {S_INIT("github"), NULL, github_line, github_tail, NULL},
};

const render_format *render_format_from_word(str word)
{
    ptrdiff_t i = words_at(formats, word, word);
    return i >= 0 ? &formats[i] : NULL;
}

render render_new(arena *a, const render_options *options)
{
    render r = {.o = *options, .tally = tally_new(a), .a = a};
    for (ptrdiff_t i = 0; i < options->keys.len; i++) {
        map_add(&r.tally.metrics, a, options->keys.ptr[i]);
    }
    return r;
}

// Of the queries of a journal: that of its engine, unless another is named.
static dialect dialect_at(const render *r, const journal_file *journal)
{
    static const struct {
        str engine;
        dialect dialect;
    } engines[] = {
        {S_INIT("PostgreSQL"), DIALECT_POSTGRES},
        {S_INIT("MariaDB"), DIALECT_MYSQL},
        {S_INIT("DuckDB"), DIALECT_DUCKDB},
    };
    str engine = json_get_text(journal->head, S("engine"));
    dialect d = r->o.dialect;
    for (ptrdiff_t i = 0; i < countof(engines); i++) {
        bool is_its =
            d == DIALECT_SQLITE && str_starts(engine, engines[i].engine);
        d = is_its ? engines[i].dialect : d;
    }
    return d;
}

// The next case of a journal; false at the end, or where a line is broken.
static bool next_line(const render *r,
                      ptrdiff_t journal,
                      case_lines *l,
                      render_line *out,
                      arena_store *lines)
{
    const journal_file *file = &r->journals.files.ptr[journal];
    if (!case_lines_next_case(l, arena_store_clear(lines))) {
        return false;
    }
    *out = (render_line){.journal = file, .c = &l->line};
    str text = l->text;
    if (r->o.redacts) {
        text = redact_line(&l->a, text, dialect_at(r, file));
        case_line_read(&l->line, &l->a, text);
    }
    l->line.run = journals_run_name(&r->journals, journal, l->line.run);
    out->j = json_parse(&l->a, text, NULL);
    // What was read of it may lie before what is no JSON.
    return out->j || case_line_refuse(l->place, l->d);
}

void render_members(buf *out, const render_line *l)
{
    for (const json *m = l->j->child; m; m = m->next) {
        json_key(out, m->key);
        if (str_equal(m->key, S("run"))) {
            json_add_text(out, l->c->run);
        } else {
            json_add(out, m);
        }
    }
}

bool render_count(render *r, arena_store *lines, diag *d)
{
    journals_name_runs(&r->journals, r->a, lines);
    for (ptrdiff_t i = 0; i < r->journals.files.len; i++) {
        case_lines l = case_lines_of(r->journals.files.ptr[i].file, d);
        render_line line;
        while (next_line(r, i, &l, &line, lines)) {
            tally_add(&r->tally, line.c);
            if (r->o.format->count) {
                r->o.format->count(r, &line);
            }
        }
        if (d->count > 0) {
            return false;
        }
    }
    if (map_count(&r->tally.runs) == 0) {
        return diag_add(
            d, (diag_place){.file = r->journals.files.ptr[0].file.path},
            "no case in it");
    }
    for (ptrdiff_t i = 0; i < map_count(&r->tally.metrics); i++) {
        *vec_push(r->a, &r->keys) = map_key_at(&r->tally.metrics, i);
    }
    return true;
}

static void write_text(const render *r,
                       FILE *to,
                       const buf *text,
                       arena scratch)
{
    str bytes = buf_str(text);
    bytes = r->o.is_for_terminal ? utf8_harmless(&scratch, bytes) : bytes;
    if (bytes.len > 0) {
        fwrite(bytes.ptr, 1, (size_t)bytes.len, to);
    }
}

// Half of the memory for the text, half for what making it needs.
static void write_part(render *r, render_end *part, FILE *to, arena a)
{
    if (part) {
        arena scratch = arena_half(&a);
        buf out = buf_new(&a);
        part(r, &out, scratch);
        write_text(r, to, &out, scratch);
    }
}

static void write_line(render *r, const render_line *line, FILE *to, arena a)
{
    arena scratch = arena_half(&a);
    buf out = buf_new(&a);
    r->o.format->line(r, &out, line, scratch);
    write_text(r, to, &out, scratch);
}

bool render_write(render *r, FILE *to, arena_store *lines)
{
    write_part(r, r->o.format->head, to, arena_store_clear(lines));
    diag ignored = diag_new(r->a);  // what is wrong was found before
    for (ptrdiff_t i = 0; i < r->journals.files.len && r->o.format->line; i++) {
        case_lines l = case_lines_of(r->journals.files.ptr[i].file, &ignored);
        render_line line;
        while (next_line(r, i, &l, &line, lines)) {
            write_line(r, &line, to, l.a);
        }
    }
    write_part(r, r->o.format->tail, to, arena_store_clear(lines));
    return fflush(to) == 0 && !ferror(to);
}

str render_title(const render *r, arena *a)
{
    if (r->o.title.len > 0) {
        return r->o.title;
    }
    ptrdiff_t n = map_count(&r->tally.runs);
    if (n > 3) {
        return arena_printf(a, "%td run%s", n, plural(n));
    }
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_list(&b, map_key_at(&r->tally.runs, i));
    }
    return buf_str(&b);
}
