/*
 * fact_read.c - facts from a file: assay's own, and the constraints of SpotIt+.
 *
 * Method      Which of the two a text is shows the member `assay_facts`. Names
 *             are looked up in the schema without regard to letter case; those
 *             of SpotIt+ are one word TABLE__COLUMN, in which all but letters
 *             and digits may have become `_`.
 *
 * Source      definitions/facts.md#files
 */
#include "base/json.h"
#include "facts/fact.h"
#include "table/table.h"

#include <assert.h>

static const int64_t COUNT_MOST = INT64_MAX / 100;  // so that per cent fit

typedef struct fact_reader {
    arena *a;
    facts *out;
    const schema *s;
    str file;
    diag *d;
} fact_reader;

static bool refuse(fact_reader *r, ptrdiff_t no, const char *what, str name)
{
    return diag_add(r->d, (diag_place){.file = r->file}, "fact %td: %s '%.*s'",
                    no + 1, what, STR_ARG(name));
}

static bool read_value(arena *a, const json *j, value *out)
{
    bool ok = value_of_json(out, j)
              && (out->kind == VALUE_TEXT || value_is_number(*out));
    if (ok && out->kind == VALUE_TEXT) {
        *out = value_text(arena_str(a, value_bytes(*out)));
    }
    return ok;
}

// Those of the list that are values; *is_whole: all are.
static const value *read_values(arena *a,
                                const json *first,
                                ptrdiff_t *n,
                                bool *is_whole)
{
    vec_of(value) values = {0};
    *is_whole = true;
    for (const json *j = first; j; j = j->next) {
        value v;
        bool is_value = read_value(a, j, &v);
        *is_whole &= is_value;
        if (is_value) {
            *vec_push(a, &values) = v;
        }
    }
    *n = values.len;
    return values.ptr;
}

/* assay's own. */

static bool read_columns(fact_reader *r,
                         ptrdiff_t no,
                         const json *list,
                         int32_t in,
                         const int32_t **columns,
                         ptrdiff_t *n)
{
    assert(in >= 0 && in < r->s->n_tables);
    int32_t *places = arena_new(r->a, int32_t, list ? list->n : 0);
    *columns = places;
    *n = 0;
    for (const json *j = list ? list->child : NULL; j; j = j->next) {
        places[*n] = schema_find_column(&r->s->tables[in], j->text);
        if (places[*n] < 0) {
            return refuse(r, no, "no such column", j->text);
        }
        ++*n;
    }
    return true;
}

// How many columns and targets a kind has; -1: one or more.
static bool has_its_parts(const fact *f)
{
    switch (f->kind) {
    case FACT_NOT_EMPTY: return f->n_columns == 0;
    case FACT_UNIQUE: return f->n_columns > 0;
    case FACT_FOREIGN_KEY:
        return f->n_columns > 0 && f->n_targets == f->n_columns;
    case FACT_DETERMINES: return f->n_columns > 0 && f->n_targets > 0;
    case FACT_RANGE:
        return f->n_columns == 1 && f->n_values == 2
               && value_is_number(f->values[0])
               && value_is_number(f->values[1]);
    case FACT_VALUES: return f->n_columns == 1 && f->n_values > 0;
    case FACT_NEVER_NULL:
    case FACT_ONE_SPELLING:
    case FACT_FORMAT: return f->n_columns == 1;
    case FACT_KIND_COUNT: break;
    }
    return false;
}

// A file may claim more rows than shares can be computed of.
static int64_t read_count(const json *j, str key)
{
    const json *n = json_get(j, key);
    int64_t i = n && n->kind == JSON_KIND_INT && n->i > 0 ? n->i : 0;
    return i < COUNT_MOST ? i : COUNT_MOST;
}

static bool read_fact(fact_reader *r, ptrdiff_t no, const json *j)
{
    fact f = {.rows = read_count(j, S("rows")),
              .broken = read_count(j, S("broken"))};
    str word = json_get_text(j, S("fact"));
    str name = json_get_text(j, S("table"));
    if (!fact_kind_from_word(word, &f.kind)) {
        return refuse(r, no, "unknown kind", word);
    }
    f.table = schema_find_table(r->s, name);
    if (f.table < 0) {
        return refuse(r, no, "no such table", name);
    }
    f.parent = f.table;
    if (f.kind == FACT_FOREIGN_KEY) {
        name = json_get_text(j, S("parent"));
        f.parent = schema_find_table(r->s, name);
        if (f.parent < 0) {
            return refuse(r, no, "no such table", name);
        }
    }
    const json *values = json_get(j, S("values"));
    bool is_whole = true;
    f.values = read_values(r->a, values ? values->child : NULL, &f.n_values,
                           &is_whole);
    word = json_get_text(j, S("format"));
    if (f.kind == FACT_FORMAT && !fact_format_from_word(word, &f.format)) {
        return refuse(r, no, "unknown format", word);
    }
    if (!read_columns(r, no, json_get(j, S("columns")), f.table, &f.columns,
                      &f.n_columns)
        || !read_columns(r, no, json_get(j, S("targets")), f.parent, &f.targets,
                         &f.n_targets)) {
        return false;
    }
    if (!is_whole || !has_its_parts(&f)) {
        return refuse(r, no, "columns, targets or values do not fit",
                      fact_kind_word(f.kind));
    }
    *vec_push(r->a, &r->out->list) = f;
    return true;
}

static bool read_own(fact_reader *r, const json *root)
{
    const json *list = json_get(root, S("facts"));
    if (!list || list->kind != JSON_KIND_ARRAY) {
        return diag_add(r->d, (diag_place){.file = r->file},
                        "expected a list 'facts'");
    }
    r->out->db = arena_str(r->a, json_get_text(root, S("db")));
    bool ok = true;
    ptrdiff_t no = 0;
    for (const json *j = list->child; j; j = j->next) {
        ok &= read_fact(r, no++, j);
    }
    return ok;
}

/* The constraints of SpotIt+. */

static bool is_word_of(str word, str name)
{
    bool same = word.len == name.len;
    for (ptrdiff_t i = 0; same && i < name.len; i++) {
        char c = name.ptr[i];
        same = is_alpha(c) || is_digit(c)
                   ? to_lower(word.ptr[i]) == to_lower(c)
                   : word.ptr[i] == '_' || word.ptr[i] == c;
    }
    return same;
}

static int32_t find_column_word(const schema_table *t, str word)
{
    for (int32_t c = 0; c < t->n_columns; c++) {
        if (is_word_of(word, t->columns[c].name)) {
            return c;
        }
    }
    return -1;
}

// TABLE__COLUMN, cut at `at`.
static bool find_parts(const schema *s,
                       str word,
                       ptrdiff_t at,
                       int32_t *in,
                       int32_t *column)
{
    *column = -1;
    for (int32_t t = 0; *column < 0 && t < s->n_tables; t++) {
        if (is_word_of(str_sub(word, 0, at), s->tables[t].name)) {
            *in = t;
            *column = find_column_word(&s->tables[t], str_skip(word, at + 2));
        }
    }
    return *column >= 0;
}

// Likewise, wherever it can be cut.
static bool find_word(const schema *s, str word, int32_t *in, int32_t *column)
{
    bool found = false;
    for (ptrdiff_t at = str_find(word, S("__"), 0); !found && at >= 0;
         at = str_find(word, S("__"), at + 1)) {
        found = find_parts(s, word, at, in, column);
    }
    return found;
}

// The name of {"value": NAME}, or a bare NAME.
static str word_of(const json *j)
{
    return j->kind == JSON_KIND_OBJECT ? json_get_text(j, S("value")) : j->text;
}

typedef struct place_list {
    int32_t tables[8];
    int32_t columns[8];
    ptrdiff_t n;
} place_list;

// The columns that a constraint names; false when one is unknown.
static bool find_places(const schema *s, const json *body, place_list *out)
{
    const json *j = json_get(body, S("values"));
    j = j ? j->child : body->kind == JSON_KIND_OBJECT ? body : body->child;
    bool is_one = j == body;
    for (out->n = 0; j && out->n < countof(out->tables); out->n++) {
        str word = word_of(j);
        if (word.len == 0) {
            break;  // numbers and lists come behind the names
        }
        if (!find_word(s, word, &out->tables[out->n], &out->columns[out->n])) {
            return false;
        }
        j = is_one ? NULL : j->next;
    }
    return out->n > 0;
}

static const int32_t *keep_columns(arena *a,
                                   const place_list *p,
                                   ptrdiff_t from,
                                   ptrdiff_t to)
{
    return arena_copy(a, p->columns + from, to - from, 0);
}

static void push(fact_reader *r, fact f)
{
    if (has_its_parts(&f)) {
        *vec_push(r->a, &r->out->list) = f;
    }
}

static void add_primary(fact_reader *r, const place_list *p)
{
    push(r, (fact){.kind = FACT_UNIQUE,
                   .table = p->tables[0],
                   .parent = p->tables[0],
                   .columns = keep_columns(r->a, p, 0, p->n),
                   .n_columns = p->n});
    for (ptrdiff_t i = 0; i < p->n; i++) {
        push(r, (fact){.kind = FACT_NEVER_NULL,
                       .table = p->tables[i],
                       .parent = p->tables[i],
                       .columns = keep_columns(r->a, p, i, i + 1),
                       .n_columns = 1});
    }
}

// Of the names the first half are the columns, the others the targets.
static void add_with_targets(fact_reader *r,
                             const place_list *p,
                             fact_kind kind)
{
    ptrdiff_t half = kind == FACT_FOREIGN_KEY ? p->n / 2 : 1;
    push(r, (fact){.kind = kind,
                   .table = p->tables[0],
                   .columns = keep_columns(r->a, p, 0, half),
                   .n_columns = half,
                   .parent = p->tables[p->n - 1],
                   .targets = keep_columns(r->a, p, half, p->n),
                   .n_targets = p->n - half});
}

// "between": two numbers behind the name; "in": a list behind it.
static void add_with_values(fact_reader *r,
                            const place_list *p,
                            fact_kind kind,
                            const json *behind)
{
    bool is_whole = true;
    ptrdiff_t n = 0;
    const json *first =
        behind && behind->kind == JSON_KIND_ARRAY ? behind->child : behind;
    const value *values = read_values(r->a, first, &n, &is_whole);
    if (is_whole) {
        push(r, (fact){.kind = kind,
                       .table = p->tables[0],
                       .parent = p->tables[0],
                       .columns = keep_columns(r->a, p, 0, 1),
                       .n_columns = 1,
                       .values = values,
                       .n_values = n});
    }
}

// Are the columns from `from` to before `to` of one table? Only then do their
// numbers make sense together.
static bool are_in_one_table(const place_list *p, ptrdiff_t from, ptrdiff_t to)
{
    bool same = true;
    for (ptrdiff_t i = from + 1; i < to; i++) {
        same = same && p->tables[i] == p->tables[from];
    }
    return same;
}

static void add_constraint(fact_reader *r, const json *body)
{
    place_list p;
    if (!find_places(r->s, body, &p)) {
        return;
    }
    const json *behind = body->child ? body->child->next : NULL;
    bool is_one = are_in_one_table(&p, 0, p.n);
    if (str_equal(body->key, S("foreign"))) {
        if (are_in_one_table(&p, 0, p.n / 2)
            && are_in_one_table(&p, p.n / 2, p.n)) {
            add_with_targets(r, &p, FACT_FOREIGN_KEY);
        }
    } else if (str_equal(body->key, S("primary")) && is_one) {
        add_primary(r, &p);
    } else if (str_equal(body->key, S("dependency")) && is_one && p.n > 1) {
        add_with_targets(r, &p, FACT_DETERMINES);
    } else if (str_equal(body->key, S("between"))) {
        add_with_values(r, &p, FACT_RANGE, behind);
    } else if (str_equal(body->key, S("in"))) {
        add_with_values(r, &p, FACT_VALUES, behind);
    } else if (str_equal(body->key, S("not_null"))) {
        push(r, (fact){.kind = FACT_NEVER_NULL,
                       .table = p.tables[0],
                       .parent = p.tables[0],
                       .columns = keep_columns(r->a, &p, 0, 1),
                       .n_columns = 1});
    }
}

// How many of the constraints of a database name columns of the schema.
static ptrdiff_t count_known(const schema *s, const json *of_db)
{
    ptrdiff_t n = 0;
    place_list p;
    for (const json *list = of_db->child; list; list = list->next) {
        for (const json *one = list->child; one; one = one->next) {
            n += one->child && find_places(s, one->child, &p);
        }
    }
    return n;
}

static bool read_foreign(fact_reader *r, const json *root)
{
    const json *best = NULL;
    ptrdiff_t most = 0;
    for (const json *j = root->child; j; j = j->next) {
        ptrdiff_t n = count_known(r->s, j);
        if (n > most) {
            most = n;
            best = j;
        }
    }
    if (!best) {
        return diag_add(r->d, (diag_place){.file = r->file},
                        "no facts about the tables of this schema");
    }
    r->out->db = arena_str(r->a, best->key);
    for (const json *list = best->child; list; list = list->next) {
        for (const json *one = list->child; one; one = one->next) {
            if (one->child) {
                add_constraint(r, one->child);
            }
        }
    }
    return true;
}

bool facts_from_text(facts *out,
                     arena *a,
                     const schema *s,
                     str file,
                     str text,
                     diag *d,
                     arena scratch)
{
    json_error e;
    *out = (facts){.schema = s};
    const json *root = json_parse(&scratch, text, &e);
    if (!root) {
        return diag_add(d, diag_locate(file, text, e.offset), "%s", e.message);
    }
    if (root->kind != JSON_KIND_OBJECT) {
        return diag_add(d, (diag_place){.file = file},
                        "expected an object, as assay facts writes it");
    }
    fact_reader r = {.a = a, .out = out, .s = s, .file = file, .d = d};
    return json_get(root, S("assay_facts")) ? read_own(&r, root)
                                            : read_foreign(&r, root);
}
