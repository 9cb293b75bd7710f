/*
 * state_diff.c - see state_diff.h.
 *
 * Method      Definitions are compared as our parser prints them, so that
 *             blanks, comments, and the letter case of keywords and names do
 *             not count, but that of texts does; an index without its name.
 *             Rows are compared as results are, each table by itself; of a
 *             table that only one side wrote to, the other one's rows are those
 *             of the database. The first difference speaks: tables and columns,
 *             rows, other objects, returned rows.
 */
#include "metric/state_diff.h"

#include "base/map.h"
#include "base/words.h"
#include "sql/lex.h"
#include "sql/name.h"
#include "sql/print.h"

// PostgreSQL says what a name is, letter by letter.
static bool is_exact(const evidence *e)
{
    return e->options->dialect == DIALECT_POSTGRES;
}

// How a definition is written.
typedef enum definition_form {
    FORM_SHOWN,     // for people
    FORM_COMPARED,  // in lower case, except for what stands in quotes as a text
} definition_form;

// The tokens of the text, keywords in upper case, names without quotes that
// they do not need.
static str plain_tokens(const evidence *e, str sql, definition_form form)
{
    dialect d = e->options->dialect;
    buf b = buf_new(e->a);
    lexer l = lex_begin(sql, d);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        arena a = e->scratch;
        bool is_quoted =
            t.kind == TOKEN_QUOTED_NAME || t.kind == TOKEN_STRING_OR_NAME;
        str text =
            is_quoted ? token_content(&a, sql, t, d) : token_text(sql, t);
        text = t.kind == TOKEN_KEYWORD ? keyword_text((keyword)t.id) : text;
        bool is_text = t.kind == TOKEN_STRING && str_starts(text, S("'"));
        buf_add(&b, b.len > 0 ? S(" ") : S(""));
        buf_add(&b, form == FORM_SHOWN || is_text || is_exact(e)
                        ? text
                        : arena_lower(&a, text));
    }
    return buf_str(&b);
}

// A definition as our parser prints it; a trigger, or what we do not read, as
// it stands.
static str canonical(const evidence *e,
                     const script_object *o,
                     definition_form form)
{
    dialect d = e->options->dialect;
    parse_result r = parse_ddl(e->a, o->sql, d, e->scratch);
    if (r.errors.len > 0 || !r.statements || r.statements->next) {
        return plain_tokens(e, o->sql, form);
    }
    return plain_tokens(e, print_line(e->a, r.statements, d, e->scratch), form);
}

// The same without the name of an index, which bears on nothing.
static str definition(const evidence *e,
                      const script_object *o,
                      definition_form form)
{
    str text = canonical(e, o, form);
    if (!str_equal(o->kind, S("index"))) {
        return text;
    }
    ptrdiff_t on = str_find_fold(text, S(" ON "), 0);
    bool is_unique = str_starts_fold(text, S("CREATE UNIQUE"));
    return on < 0 ? text
                  : arena_printf(e->a, "%s%.*s", is_unique ? "UNIQUE" : "",
                                 STR_ARG(str_skip(text, on)));
}

// What a script left: an index is known by its definition, all else by name.
typedef struct described {
    const script_object *objects;
    ptrdiff_t n;
    str *definitions;  // by object, as they are compared
    str *keys;         // by object
    map places;        // of keys
    vec_of(ptrdiff_t) of_places;
} described;

static described describe(const evidence *e, const script_outcome *s)
{
    described d = {.objects = s->objects,
                   .n = s->n_objects,
                   .definitions = arena_new(e->a, str, s->n_objects),
                   .keys = arena_new(e->a, str, s->n_objects)};
    for (ptrdiff_t i = 0; i < d.n; i++) {
        const script_object *o = &d.objects[i];
        d.definitions[i] = definition(e, o, FORM_COMPARED);
        str name = str_equal(o->kind, S("index")) ? d.definitions[i]
                   : is_exact(e)                  ? o->name
                                                  : arena_lower(e->a, o->name);
        d.keys[i] =
            arena_printf(e->a, "%.*s %.*s", STR_ARG(o->kind), STR_ARG(name));
        if (map_add(&d.places, e->a, d.keys[i]) == d.of_places.len) {
            *vec_push(e->a, &d.of_places) = i;
        }
    }
    return d;
}

// Where object i of `like` is in the other one; < 0: it is not there.
static ptrdiff_t find_object(const described *in,
                             const described *like,
                             ptrdiff_t i)
{
    ptrdiff_t place = map_find(&in->places, like->keys[i]);
    return place < 0 ? -1 : in->of_places.ptr[place];
}

static verdict differs(const evidence *e,
                       const script_object *o,
                       const char *how,
                       str more)
{
    return verdict_no(REASON_SCHEMA_DIFFERS,
                      arena_printf(e->a, "%.*s %.*s %s%.*s", STR_ARG(o->kind),
                                   STR_ARG(o->name), how, STR_ARG(more)));
}

// Where the two definitions begin to differ, of each so many bytes.
static str both_shown(const evidence *e, str gold, str pred)
{
    enum {
        SHOWN = 60,
        BEFORE = 20,
    };
    ptrdiff_t at = 0;
    while (at < gold.len && at < pred.len && gold.ptr[at] == pred.ptr[at]) {
        at++;
    }
    at = at > BEFORE ? at - BEFORE : 0;
    return arena_printf(e->a, ": ...%.*s != ...%.*s",
                        STR_ARG(str_sub(gold, at, at + SHOWN)),
                        STR_ARG(str_sub(pred, at, at + SHOWN)));
}

// Objects of the kinds: those of the gold are there and the same, and there are
// no others. Yes where nothing differs.
static verdict diff_objects(const evidence *e,
                            const described *gold,
                            const described *pred,
                            bool are_tables)
{
    for (ptrdiff_t i = 0; i < gold->n; i++) {
        const script_object *o = &gold->objects[i];
        ptrdiff_t at = find_object(pred, gold, i);
        if (str_equal(o->kind, S("table")) != are_tables) {
            continue;
        }
        if (at < 0) {
            return differs(e, o, "is missing", (str){0});
        }
        if (!str_equal(gold->definitions[i], pred->definitions[at])) {
            return differs(
                e, o, "is defined otherwise",
                both_shown(e, definition(e, o, FORM_SHOWN),
                           definition(e, &pred->objects[at], FORM_SHOWN)));
        }
    }
    for (ptrdiff_t i = 0; i < pred->n; i++) {
        const script_object *o = &pred->objects[i];
        if (str_equal(o->kind, S("table")) == are_tables
            && find_object(gold, pred, i) < 0) {
            return differs(e, o, "is not in the gold", (str){0});
        }
    }
    return verdict_yes();
}

static const script_table *find_table(const evidence *e,
                                      const script_outcome *in,
                                      str name)
{
    ptrdiff_t i =
        in->n_tables == 0
            ? -1
            : (is_exact(e) ? words_find : words_find_fold)(
                &in->tables->name, in->n_tables, sizeof *in->tables, name);
    return i < 0 ? NULL : &in->tables[i];
}

// All rows of the table as a script left them.
static execution rows_of(const evidence *e, const script_outcome *in, str name)
{
    const script_table *t = find_table(e, in, name);
    return t ? t->rows
             : evidence_run(e,
                            name_statement(e->a, "SELECT * FROM @0", &name,
                                           e->options->dialect),
                            ENGINE_READ_ALL, EVIDENCE_GOLD);
}

static verdict compare_rows(const evidence *e,
                            const execution *gold,
                            const execution *pred,
                            compare_options o,
                            str where)
{
    const execution *bad = gold->status != REASON_NONE ? gold : pred;
    if (bad->status != REASON_NONE) {
        return verdict_unknown(bad->status,
                               arena_printf(e->a, "%.*s: %.*s", STR_ARG(where),
                                            STR_ARG(bad->message)));
    }
    verdict v = compare_exec(e->options->rules[0], &gold->result, &pred->result,
                             &o, e->a, e->scratch);
    if (v.v != ANSWER_YES) {
        v.detail =
            arena_printf(e->a, "%.*s: %.*s", STR_ARG(where), STR_ARG(v.detail));
    }
    return v;
}

static verdict diff_rows(const evidence *e,
                         const script_outcome *gold,
                         const script_outcome *pred)
{
    for (ptrdiff_t i = 0; i < gold->n_objects; i++) {
        const script_object *o = &gold->objects[i];
        if (!str_equal(o->kind, S("table"))
            || (!find_table(e, gold, o->name)
                && !find_table(e, pred, o->name))) {
            continue;
        }
        execution left = rows_of(e, gold, o->name);
        execution right = rows_of(e, pred, o->name);
        compare_options how = {
            .same_column_order = true,
            .has_tolerance = e->options->has_tolerance,
            .tolerance = e->options->tolerance,
        };
        verdict v =
            compare_rows(e, &left, &right, how,
                         arena_printf(e->a, "table %.*s", STR_ARG(o->name)));
        if (v.v != ANSWER_YES) {
            return v;
        }
    }
    return verdict_yes();
}

// Rows that the gold returns must be returned; others are passed over.
static verdict diff_returned(const evidence *e,
                             const script_outcome *gold,
                             const script_outcome *pred)
{
    if (!gold->has_rows) {
        return verdict_yes();
    }
    if (!pred->has_rows) {
        return verdict_no(REASON_MISSING_ROWS,
                          S("rows returned: the prediction returns none"));
    }
    compare_options how = {
        .same_column_order = e->options->same_column_order,
        .is_ordered = e->options->ordered == ORDERED_ALWAYS,
        .rows_are_sets = e->options->distinct == DISTINCT_IGNORE,
        .has_tolerance = e->options->has_tolerance,
        .tolerance = e->options->tolerance,
    };
    return compare_rows(e, &gold->run, &pred->run, how, S("rows returned"));
}

verdict state_diff(const evidence *e,
                   const script_outcome *gold,
                   const script_outcome *pred)
{
    described left = describe(e, gold);
    described right = describe(e, pred);
    verdict v = diff_objects(e, &left, &right, true);
    v = v.v == ANSWER_YES ? diff_rows(e, gold, pred) : v;
    v = v.v == ANSWER_YES ? diff_objects(e, &left, &right, false) : v;
    v = v.v == ANSWER_YES ? diff_returned(e, gold, pred) : v;
    if (v.v == ANSWER_NO && v.reason != REASON_SCHEMA_DIFFERS
        && (gold->tells_time || pred->tells_time)) {
        v = verdict_unknown(
            REASON_NONDETERMINISTIC,
            arena_printf(e->a, "the clock may tell the two apart: %.*s",
                         STR_ARG(v.detail)));
    }
    v.columns = NULL;
    v.n_columns = 0;
    return v;
}
