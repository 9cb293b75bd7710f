/*
 * read_yaml.c - YAML as the JSON that says the same.
 *
 * Why         People write questions by hand in YAML: SQL over several lines
 *             needs no quotes there.
 *
 * Method      libyaml's events are printed as JSON, in which each value begins
 *             on the line that it has in the YAML; read_json.c then reads that
 *             in all the shapes it knows, and its lines are right. Scalars
 *             become texts but for null. libyaml is loaded when the first such
 *             file is read.
 *
 * Invariants  (1) The text is not much longer than the YAML: an alias, which
 *                 could stand for ever more, is refused.
 *             (2) Lists in lists go MAX_DEPTH deep.
 */
#include "base/json.h"
#include "base/library.h"
#include "read/reader.h"

#include <yaml.h>

enum {
    MAX_DEPTH = 64,
};

typedef struct yaml_api {
#define YAML_FUNCTION(name) __typeof__(yaml_##name) *(name);
#include "read/yaml_api.def"
#undef YAML_FUNCTION
} yaml_api;

typedef struct yaml_level {
    bool is_mapping;
    ptrdiff_t n;  // keys and values begun, or items
} yaml_level;

typedef struct yaml_walk {
    yaml_api yaml;
    yaml_parser_t parser;
    const dataset *set;
    diag *d;
    buf out;
    size_t line;     // of the end of `out`, from 0
    str source;      // the YAML behind `here`
    str here;        // line `n_passed` of it, from 1
    ptrdiff_t sign;  // of the first " #" in it; -1: none
    size_t n_passed;
    yaml_level levels[MAX_DEPTH];
    ptrdiff_t depth;  // 0: outside of all lists
} yaml_walk;

static bool load(void **library, yaml_api *yaml, diag *d)
{
    static const char *const names[] = {
#define YAML_FUNCTION(name) "yaml_" #name,
#include "read/yaml_api.def"
#undef YAML_FUNCTION
    };
    const library_spec spec = {
        .file = "libyaml-0.so.2",
        .needed = "YAML needs the library libyaml-0.so.2 (Debian: libyaml-0-2)",
        .names = names,
        .n_names = countof(names),
    };
    return library_load(library, (void **)yaml, &spec, d);
}

static bool fail(yaml_walk *w, yaml_mark_t mark, const char *what)
{
    diag_place place = {.file = w->set->file.path,
                        .line = (int64_t)mark.line + 1,
                        .column = (int64_t)mark.column + 1};
    return diag_add(w->d, place, "not YAML that assay reads: %s", what);
}

static bool is_key_due(const yaml_walk *w)
{
    const yaml_level *in = &w->levels[w->depth];
    return in->is_mapping && in->n % 2 == 0;
}

// What stands between the last value and this one.
static void begin_value(yaml_walk *w, yaml_mark_t mark)
{
    yaml_level *in = &w->levels[w->depth];
    bool is_value = in->is_mapping && in->n % 2 == 1;
    if (is_value) {
        buf_char(&w->out, ':');
    } else if (w->depth > 0 && in->n > 0) {
        buf_char(&w->out, ',');
    }
    for (; w->line < mark.line; w->line++) {
        buf_char(&w->out, '\n');
    }
    in->n++;
}

static bool is_null(const yaml_event_t *e, str text)
{
    return e->data.scalar.plain_implicit
           && (text.len == 0 || str_equal(text, S("~"))
               || str_equal_fold(text, S("null")));
}

// Does a quote open before the place and close behind it?
static bool is_in_quotes(str line, ptrdiff_t at, char quote)
{
    int n[2] = {0};
    for (ptrdiff_t i = 0; i < line.len; i++) {
        n[i > at] += line.ptr[i] == quote;
    }
    return n[0] % 2 == 1 && n[1] % 2 == 1;
}

// A value without quotes around it ends at a comment, as YAML has it; but
// `SELECT ' #1'` holds none.
static bool is_cut(yaml_walk *w, const yaml_event_t *e, str text)
{
    for (; w->n_passed <= e->end_mark.line; w->n_passed++) {
        w->here = str_cut(&w->source, '\n');
        w->sign = str_find(w->here, S(" #"), 0);
    }
    str before = str_trim(str_sub(w->here, 0, w->sign));
    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && w->sign >= 0
           && (str_ends(before, text) || str_ends(text, before))
           && (is_in_quotes(w->here, w->sign, '\'')
               || is_in_quotes(w->here, w->sign, '"'));
}

static bool add_scalar(yaml_walk *w, const yaml_event_t *e)
{
    str text = {(const char *)e->data.scalar.value,
                (ptrdiff_t)e->data.scalar.length};
    bool is_key = is_key_due(w);
    begin_value(w, e->start_mark);
    if (!is_key && is_null(e, text)) {
        buf_add(&w->out, S("null"));
    } else {
        json_add_text(&w->out, text);
    }
    return !is_cut(w, e, text)
           || fail(w, e->start_mark,
                   "a value ends at a # inside of quotes; put the whole value "
                   "in quotes, or below a |");
}

static bool begin_list(yaml_walk *w, const yaml_event_t *e, bool is_mapping)
{
    if (is_key_due(w)) {
        return fail(w, e->start_mark, "a key is not a word");
    }
    if (w->depth + 1 == MAX_DEPTH) {
        return fail(w, e->start_mark, "lists in lists go too deep");
    }
    begin_value(w, e->start_mark);
    w->levels[++w->depth] = (yaml_level){.is_mapping = is_mapping};
    buf_char(&w->out, is_mapping ? '{' : '[');
    return true;
}

static void end_list(yaml_walk *w)
{
    buf_char(&w->out, w->levels[w->depth--].is_mapping ? '}' : ']');
}

static bool add_event(yaml_walk *w, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT: return add_scalar(w, e);
    case YAML_SEQUENCE_START_EVENT: return begin_list(w, e, false);
    case YAML_MAPPING_START_EVENT: return begin_list(w, e, true);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: end_list(w); return true;
    case YAML_DOCUMENT_END_EVENT: buf_char(&w->out, ' '); return true;
    case YAML_ALIAS_EVENT:
        return fail(w, e->start_mark, "an alias; write its value out");
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT: break;
    }
    return true;
}

static bool walk(yaml_walk *w)
{
    bool goes_on = true;
    bool ok = true;
    while (ok && goes_on) {
        yaml_event_t e;
        if (!w->yaml.parser_parse(&w->parser, &e)) {
            const char *problem = w->parser.problem;
            return fail(w, w->parser.problem_mark,
                        problem ? problem : "memory is exhausted");
        }
        ok = add_event(w, &e);
        goes_on = e.type != YAML_STREAM_END_EVENT;
        w->yaml.event_delete(&e);
    }
    return ok;
}

static bool to_json(dataset *set, buf *out, diag *d)
{
    yaml_walk w = {.set = set, .d = d, .out = *out, .source = set->text};
    void *library = NULL;
    if (!load(&library, &w.yaml, d)) {
        return false;
    }
    bool ok = w.yaml.parser_initialize(&w.parser) != 0;
    if (ok) {
        w.yaml.parser_set_input_string(&w.parser,
                                       (const unsigned char *)set->text.ptr,
                                       (size_t)set->text.len);
        ok = walk(&w);
        w.yaml.parser_delete(&w.parser);
    } else {
        diag_add(d, (diag_place){.file = set->file.path},
                 "libyaml has no memory");
    }
    library_close(library);
    *out = w.out;
    return ok;
}

static bool yaml_open(dataset *set, arena *a, diag *d, arena scratch)
{
    buf text = buf_new(a);
    if (!to_json(set, &text, d)) {
        return false;
    }
    set->text = buf_str(&text);
    return reader_json.open(set, a, d, scratch);
}

const reader reader_yaml = {yaml_open, reader_json_value};
