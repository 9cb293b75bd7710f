/*
 * satisfied.c - see satisfied.h: one query for each constraint, that finds a
 * row which breaks it.
 *
 * Method      SQLite checks little of what is declared, so that each key, NOT
 *             NULL, CHECK and foreign key is asked of the rows; the first row
 *             that breaks one ends its query. The types of all columns of a
 *             table are asked in one query, and one by one only if a row breaks
 *             any. NULL is asked by its type: SQLite does not look where a
 *             column is declared NOT NULL. A typed system has checked them
 *             itself: there columns of types that nobody models change, and
 *             PostgreSQL's foreign keys are asked, whose triggers whoever loads
 *             a dump may switch off.
 *
 * Invariants  A query that fails or runs into a limit breaks nothing: what
 *             cannot be found out counts as held.
 */
#include "check/satisfied.h"

#include "schema/schema_ddl.h"
#include "schema/schema_draft.h"
#include "sql/name.h"
#include "sql/print.h"

#include <assert.h>

enum {
    COLUMNS_AT_ONCE = 200,  // SQLite takes expressions 1,000 deep
};

// Does the query return a row? What cannot be found out counts as held.
static bool finds_row(database *db, str sql, arena scratch)
{
    execution x = engine_run(db, sql, (engine_stop){0, -1}, &scratch);
    return x.status == REASON_NONE && x.result.n_rows > 0;
}

static void add_columns(buf *sql,
                        const schema_table *t,
                        const int32_t *columns,
                        ptrdiff_t n,
                        const char *between,
                        const char *form,
                        dialect d)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(sql, i == 0 ? S("") : str_from(between));
        name_fill(sql, form, &t->columns[columns[i]].name, d);
    }
}

static bool repeats(database *db,
                    const schema_table *t,
                    const schema_unique *u,
                    arena scratch)
{
    buf sql = buf_new(&scratch);
    name_fill(&sql, "SELECT 1 FROM $0 WHERE ", &t->name, DIALECT_SQLITE);
    add_columns(&sql, t, u->columns, u->n, " AND ", "$0 IS NOT NULL",
                DIALECT_SQLITE);
    buf_add(&sql, S(" GROUP BY "));
    add_columns(&sql, t, u->columns, u->n, ", ", "$0", DIALECT_SQLITE);
    buf_add(&sql, S(" HAVING count(*) > 1 LIMIT 1"));
    return finds_row(db, buf_str(&sql), scratch);
}

static bool has_null(database *db,
                     const schema_table *t,
                     const int32_t *columns,
                     ptrdiff_t n,
                     arena scratch)
{
    buf sql = buf_new(&scratch);
    name_fill(&sql, "SELECT 1 FROM $0 WHERE ", &t->name, DIALECT_SQLITE);
    add_columns(&sql, t, columns, n, " OR ", "typeof($0) = 'null'",
                DIALECT_SQLITE);
    buf_add(&sql, S(" LIMIT 1"));
    return finds_row(db, buf_str(&sql), scratch);
}

// Of these columns, at least one.
static bool has_misfit(database *db,
                       const schema_table *t,
                       ptrdiff_t from,
                       ptrdiff_t to,
                       arena scratch)
{
    buf sql = buf_new(&scratch);
    name_fill(&sql, "SELECT 1 FROM $0", &t->name, DIALECT_SQLITE);
    ptrdiff_t n = 0;
    for (ptrdiff_t c = from; c < to; c++) {
        if (schema_may_misfit(&t->columns[c])) {
            buf_add(&sql, n++ == 0 ? S(" WHERE ") : S(" OR "));
            schema_add_misfit(&sql, &t->columns[c]);
        }
    }
    buf_add(&sql, S(" LIMIT 1"));
    return n > 0 && finds_row(db, buf_str(&sql), scratch);
}

static bool has_orphan(database *db,
                       const schema *s,
                       const schema_key *k,
                       arena scratch)
{
    assert(k->parent >= 0);  // the key is complete
    const schema_table *child = &s->tables[k->child];
    const schema_table *parent = &s->tables[k->parent];
    buf sql = buf_new(&scratch);
    name_fill(&sql, "SELECT 1 FROM $0 AS child WHERE ", &child->name,
              s->dialect);
    add_columns(&sql, child, k->columns, k->n, " AND ", "$0 IS NOT NULL",
                s->dialect);
    name_fill(&sql, " AND NOT EXISTS (SELECT 1 FROM $0 AS parent WHERE ",
              &parent->name, s->dialect);
    for (ptrdiff_t i = 0; i < k->n; i++) {
        const str sides[] = {i == 0 ? S("") : S(" AND "),
                             parent->columns[k->targets[i]].name,
                             child->columns[k->columns[i]].name};
        name_fill(&sql, "#0parent.$1 = child.$2", sides, s->dialect);
    }
    buf_add(&sql, S(") LIMIT 1"));
    return finds_row(db, buf_str(&sql), scratch);
}

static bool breaks(database *db,
                   const schema_table *t,
                   const ast *check,
                   arena scratch)
{
    buf sql = buf_new(&scratch);
    name_fill(&sql, "SELECT 1 FROM $0", &t->name, DIALECT_SQLITE);
    arena rest = arena_half(&scratch);
    str text = print_line(&rest, check, DIALECT_SQLITE, scratch);
    buf_printf(&sql, " WHERE NOT (%.*s) LIMIT 1", STR_ARG(text));
    return finds_row(db, buf_str(&sql), scratch);
}

static void say(diag *broken,
                const schema_table *t,
                const int32_t *columns,
                ptrdiff_t n,
                const char *what)
{
    buf names = buf_new(broken->a);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(&names, i == 0 ? S("") : S(", "));
        name_add(&names, t->columns[columns[i]].name, DIALECT_SQLITE);
    }
    str list = buf_str(&names);
    diag_add(broken, (diag_place){0},
             "%.*s (%.*s): %s in the data; not assumed", STR_ARG(t->name),
             STR_ARG(list), what);
}

static void find_misfits(schema_column *columns,
                         database *db,
                         const schema_table *t,
                         diag *broken,
                         arena scratch)
{
    ptrdiff_t n = t->n_columns;
    bool any = false;
    for (ptrdiff_t c = 0; c < n; c += COLUMNS_AT_ONCE) {
        ptrdiff_t to = c + COLUMNS_AT_ONCE < n ? c + COLUMNS_AT_ONCE : n;
        any = any || has_misfit(db, t, c, to, scratch);
    }
    for (int32_t c = 0; any && c < n; c++) {
        if (has_misfit(db, t, c, c + 1, scratch)) {
            say(broken, t, &c, 1, "a value of another type");
            columns[c].is_off_type = true;
        }
    }
}

// SQLite tests a CHECK when a row is written, unless it is told not to.
static void keep_checks(arena *a,
                        schema_table *t,
                        database *db,
                        diag *broken,
                        arena scratch)
{
    const ast **kept = (const ast **)arena_alloc(
        a, sizeof *kept, _Alignof(max_align_t), t->n_checks + 1);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        const ast *check = t->checks[i];
        if (breaks(db, t, check, scratch)) {
            str text = print_line(broken->a, check, DIALECT_SQLITE, scratch);
            diag_add(broken, (diag_place){0},
                     "%.*s: CHECK (%.*s) is false in the data; not assumed",
                     STR_ARG(t->name), STR_ARG(text));
        } else {
            kept[n++] = check;
        }
    }
    t->checks = kept;
    t->n_checks = n;
}

static void hold_table(schema_draft *d,
                       ptrdiff_t no,
                       arena *a,
                       database *db,
                       diag *broken,
                       arena scratch)
{
    schema_table *t = &d->tables[no];
    const schema_table from = *t;
    t->n_uniques = 0;
    for (ptrdiff_t u = 0; u < from.n_uniques; u++) {
        schema_unique one = from.uniques[u];
        bool is_twice = repeats(db, t, &one, scratch);
        bool is_null = !is_twice && one.is_primary
                       && has_null(db, t, one.columns, one.n, scratch);
        if (is_twice || is_null) {
            say(broken, t, one.columns, one.n,
                is_twice ? "the key repeats" : "the key is NULL");
        } else {
            d->uniques[no][t->n_uniques++] = one;
        }
    }
    for (int32_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].is_not_null && has_null(db, t, &c, 1, scratch)) {
            say(broken, t, &c, 1, "a NULL");
            d->columns[no][c].is_not_null = false;
        }
    }
    keep_checks(a, t, db, broken, scratch);
    find_misfits(d->columns[no], db, t, broken, scratch);
}

// A column of a type that scratch tables cannot have is one of a type that we
// know there, and holds no value. The type stays what it is declared: NAME
// beside TEXT is another type in a union.
static void type_table(schema_draft *d, ptrdiff_t t, dialect as, diag *broken)
{
    schema_table *own = &d->tables[t];
    for (ptrdiff_t c = 0; c < own->n_columns; c++) {
        schema_column *column = &d->columns[t][c];
        if (!schema_is_foreign_type(column, as)) {
            continue;
        }
        str type = schema_type_in(column, as);
        // Fields of a struct are reached by names of their own.
        own->is_virtual |= as == DIALECT_DUCKDB;
        if (as != DIALECT_DUCKDB) {
            diag_add(broken, (diag_place){0},
                     "%.*s (%.*s): of type %.*s; NULL alone is tried",
                     STR_ARG(own->name), STR_ARG(column->name),
                     STR_ARG(column->type));
        }
        column->kind = schema_kind_of(type);
    }
}

static schema_draft *modelled(arena *a, database *db, diag *changed)
{
    const schema *s = engine_schema(db);
    dialect as = engine_driver_dialect(engine_driver_at(db));
    schema_draft *d = schema_draft_of(a, s, 0);
    if (dialect_follows_postgres(as)) {
        d->s.dialect = as;
        for (ptrdiff_t t = 0; t < s->n_tables; t++) {
            type_table(d, t, as, changed);
        }
    }
    return d;
}

const schema *modelled_schema(arena *a, database *db, diag *changed)
{
    return &modelled(a, db, changed)->s;
}

const schema *satisfied_schema(arena *a,
                               database *db,
                               diag *broken,
                               arena scratch)
{
    const schema *s = engine_schema(db);
    schema_draft *d = modelled(a, db, broken);
    // A typed system sees to it that what was declared of a row holds.
    bool is_typed = dialect_follows_postgres(d->s.dialect);
    for (ptrdiff_t t = 0; t < s->n_tables && !is_typed; t++) {
        if (!s->tables[t].view) {
            hold_table(d, t, a, db, broken, scratch);
        }
    }
    d->s.n_keys = 0;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        schema_key key = s->keys[k];
        bool is_complete = schema_key_is_complete(&key);
        if (is_complete && d->s.dialect != DIALECT_DUCKDB
            && has_orphan(db, &d->s, &key, scratch)) {
            say(broken, &s->tables[key.child], key.columns, key.n,
                "a foreign key finds no parent");
            continue;
        }
        // Its target may be no key any more.
        key.is_sound = key.is_sound && is_complete
                       && d->tables[key.parent].n_uniques
                              == s->tables[key.parent].n_uniques;
        d->keys[d->s.n_keys++] = key;
    }
    return &d->s;
}
