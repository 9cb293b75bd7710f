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
    for (ptrdiff_t i = 0; i < options->n_keys; i++) {
        map_add(&r.tally.metrics, a, options->keys[i]);
    }
    return r;
}

void render_add(render *r, const file_map *file)
{
    str rest = file->bytes;
    json *head = json_parse(r->a, str_cut(&rest, '\n'), NULL);
    bool is_head = head && json_get(head, S("journal"));
    *vec_push(r->a, &r->journals) =
        (render_journal){*file, is_head ? head : NULL};
}

enum {
    READ_BYTES = 8 << 20,  // are kept of what was read
};

typedef struct line_reader {
    ptrdiff_t journal;
    str rest;
    diag_place place;
    bool has_json;  // formats want it; counting does not
    diag *d;        // counting finds what is wrong; NULL: it was looked for
    ptrdiff_t forgotten;
} line_reader;

static void forget(const render *r, line_reader *at)
{
    const file_map *file = &r->journals.ptr[at->journal].file;
    ptrdiff_t read = file->bytes.len - at->rest.len;
    if (read - at->forgotten >= READ_BYTES) {
        at->forgotten = read;
        file_forget(file, read);
    }
}

// Of the queries of a journal: that of its engine, unless another is named.
static dialect dialect_at(const render *r, ptrdiff_t journal)
{
    static const struct {
        str engine;
        dialect dialect;
    } engines[] = {
        {S_INIT("PostgreSQL"), DIALECT_POSTGRES},
        {S_INIT("MariaDB"), DIALECT_MYSQL},
        {S_INIT("DuckDB"), DIALECT_DUCKDB},
    };
    const json *head = r->journals.ptr[journal].head;
    str engine = head ? json_get_text(head, S("engine")) : (str){0};
    dialect d = r->o.dialect;
    for (ptrdiff_t i = 0; i < countof(engines); i++) {
        bool is_its =
            d == DIALECT_SQLITE && str_starts(engine, engines[i].engine);
        d = is_its ? engines[i].dialect : d;
    }
    return d;
}

// The next case; CASE_LINE_OTHER at the end.
static case_line_kind next_line(render *r,
                                line_reader *at,
                                render_line *out,
                                arena *a)
{
    while (at->rest.len > 0) {
        forget(r, at);
        str text = str_trim(str_cut(&at->rest, '\n'));
        at->place.line++;
        arena local = *a;
        if (r->o.redacts && text.len > 0) {
            text = redact_line(&local, text, dialect_at(r, at->journal));
        }
        *out = (render_line){.journal = &r->journals.ptr[at->journal]};
        case_line_kind kind = text.len > 0
                                  ? case_line_read(&out->c, &local, text)
                                  : CASE_LINE_OTHER;
        if (kind == CASE_LINE_OTHER && at->d
            && !case_line_is_of_one_journal(text, at->place, at->d)) {
            return CASE_LINE_BROKEN;
        }
        if (kind == CASE_LINE_OTHER) {
            continue;
        }
        if (kind == CASE_LINE_CASE) {
            out->c.run = run_names_at(&r->run_names, at->journal, out->c.run);
            out->j = at->has_json ? json_parse(&local, text, NULL) : NULL;
            // What was read of it may lie before what is no JSON.
            kind = at->has_json && !out->j ? CASE_LINE_BROKEN : kind;
        }
        *a = local;
        return kind;
    }
    return CASE_LINE_OTHER;
}

static line_reader begin(const render *r, ptrdiff_t journal, bool has_json)
{
    const render_journal *j = &r->journals.ptr[journal];
    return (line_reader){.journal = journal,
                         .rest = j->file.bytes,
                         .place = {.file = j->file.path},
                         .has_json = has_json};
}

static void name_runs(render *r, arena_store *lines)
{
    bool are_several = r->journals.len > 1;
    for (ptrdiff_t i = 0; i < r->journals.len && are_several; i++) {
        const file_map *file = &r->journals.ptr[i].file;
        run_names_add(&r->run_names, r->a, file->path, file->bytes,
                      arena_store_clear(lines));
        file_forget(file, file->bytes.len);
    }
    run_names_end(&r->run_names, r->a, arena_store_clear(lines));
}

bool render_count(render *r, arena_store *lines, diag *d)
{
    name_runs(r, lines);
    for (ptrdiff_t i = 0; i < r->journals.len; i++) {
        line_reader at = begin(r, i, true);
        at.d = d;
        render_line line;
        for (;;) {
            arena local = arena_store_clear(lines);
            case_line_kind kind = next_line(r, &at, &line, &local);
            if (kind == CASE_LINE_OTHER) {
                break;
            }
            if (kind == CASE_LINE_BROKEN) {
                return d->count == 0 && case_line_refuse(at.place, d);
            }
            tally_add(&r->tally, &line.c);
            if (r->o.format->count) {
                r->o.format->count(r, &line);
            }
        }
    }
    if (r->tally.n_lines == 0) {
        return diag_add(d, (diag_place){.file = r->journals.ptr[0].file.path},
                        "no case in it");
    }
    r->n_keys = map_count(&r->tally.metrics);
    str *keys = arena_new(r->a, str, r->n_keys);
    for (ptrdiff_t i = 0; i < r->n_keys; i++) {
        keys[i] = map_key_at(&r->tally.metrics, i);
    }
    r->keys = keys;
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
    for (ptrdiff_t i = 0; i < r->journals.len && r->o.format->line; i++) {
        line_reader at = begin(r, i, true);
        render_line line;
        arena local = arena_store_clear(lines);
        while (next_line(r, &at, &line, &local) == CASE_LINE_CASE) {
            write_line(r, &line, to, local);
            local = arena_store_clear(lines);
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
