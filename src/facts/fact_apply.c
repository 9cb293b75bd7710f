/*
 * fact_apply.c - the schema that demands facts, too.
 *
 * Why         Sampler, prover and engine obey what a schema says. A fact that
 *             is written as NOT NULL, key or check needs no further code there.
 */
#include "facts/fact.h"
#include "schema/schema_draft.h"
#include "sql/name.h"
#include "sql/query_text.h"

#include <assert.h>
#include <string.h>

typedef struct grower {
    arena *a;
    schema_draft *to;
    arena scratch;
} grower;

static schema_column *column_of(const grower *g, const fact *f)
{
    assert(f->n_columns == 1);
    return &g->to->columns[f->table][f->columns[0]];
}

static void add_unique(grower *g, const fact *f)
{
    schema_table *t = &g->to->tables[f->table];
    if (schema_find_unique(t, f->columns, f->n_columns)) {
        return;
    }
    schema_unique *more = arena_copy(g->a, t->uniques, t->n_uniques, 1);
    more[t->n_uniques++] =
        (schema_unique){.columns = f->columns, .n = f->n_columns};
    t->uniques = more;
}

static bool has_foreign(const schema *s, const fact *f)
{
    bool found = false;
    for (ptrdiff_t k = 0; !found && k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        found = key->child == f->table && key->parent == f->parent
                && key->n == f->n_columns
                && memcmp(key->columns, f->columns,
                          (size_t)key->n * sizeof *key->columns)
                       == 0;
    }
    return found;
}

static void add_foreign(grower *g, const fact *f)
{
    if (f->broken * 100 > f->rows * (100 - FACT_FOREIGN_SHARE)
        || has_foreign(&g->to->s, f)) {
        return;
    }
    assert(f->n_columns == f->n_targets);
    g->to->keys[g->to->s.n_keys++] = (schema_key){
        .child = f->table,
        .parent = f->parent,
        .columns = f->columns,
        .targets = f->targets,
        .n = f->n_columns,
        .parent_name = g->to->tables[f->parent].name,
        .is_sound = schema_find_unique(&g->to->tables[f->parent], f->targets,
                                       f->n_targets)
                    != NULL,
    };
}

// The condition of a range or a list, as it would stand in CHECK (...).
static const ast *condition_of(grower *g, const fact *f)
{
    const schema_table *t = &g->to->tables[f->table];
    buf sql = buf_new(g->a);
    name_add_quoted(&sql, t->columns[f->columns[0]].name, DIALECT_SQLITE);
    buf_add(&sql, f->kind == FACT_RANGE ? S(" BETWEEN ") : S(" IN ("));
    for (ptrdiff_t i = 0; i < f->n_values; i++) {
        buf_add(&sql, i == 0                  ? S("")
                      : f->kind == FACT_RANGE ? S(" AND ")
                                              : S(", "));
        instance_add_value(&sql, f->values[i]);
    }
    buf_add(&sql, f->kind == FACT_RANGE ? S("") : S(")"));
    return expression_text_of(g->a, buf_str(&sql), DIALECT_SQLITE, g->scratch);
}

static void add_check(grower *g, const fact *f)
{
    schema_table *t = &g->to->tables[f->table];
    const ast *condition = condition_of(g, f);
    if (!condition) {
        return;
    }
    const ast **more = arena_copy(g->a, t->checks, t->n_checks, 1);
    more[t->n_checks++] = condition;
    t->checks = more;
}

static void add_format(grower *g, const fact *f)
{
    schema_column *c = column_of(g, f);
    if (f->format == FORMAT_DATE || f->format == FORMAT_TIMESTAMP) {
        c->kind = f->format == FORMAT_DATE ? KIND_DATE : KIND_TIMESTAMP;
        c->is_off_type = false;  // every value is known to be of this one
    }
}

static void add_fact(grower *g, const fact *f)
{
    switch (f->kind) {
    case FACT_NOT_EMPTY: g->to->tables[f->table].is_filled = true; break;
    case FACT_NEVER_NULL: column_of(g, f)->is_not_null = true; break;
    case FACT_UNIQUE: add_unique(g, f); break;
    case FACT_FOREIGN_KEY: add_foreign(g, f); break;
    case FACT_RANGE:
    case FACT_VALUES: add_check(g, f); break;
    case FACT_ONE_SPELLING: column_of(g, f)->has_one_spelling = true; break;
    case FACT_FORMAT: add_format(g, f); break;
    case FACT_DETERMINES:
    case FACT_KIND_COUNT: break;
    }
}

// The columns by their names in another table; NULL: one is missing.
static const int32_t *move_columns(arena *a,
                                   const schema_table *from,
                                   const schema_table *to,
                                   const int32_t *columns,
                                   ptrdiff_t n)
{
    int32_t *moved = arena_new(a, int32_t, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        moved[i] = schema_find_column(to, from->columns[columns[i]].name);
        if (moved[i] < 0) {
            return NULL;
        }
    }
    return moved;
}

facts facts_move(arena *a, const facts *f, const schema *to)
{
    facts out = {.schema = to, .db = f->db};
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        fact one = f->list.ptr[i];
        const schema_table *t = &f->schema->tables[one.table];
        const schema_table *p = &f->schema->tables[one.parent];
        one.table = schema_find_table(to, t->name);
        one.parent = schema_find_table(to, p->name);
        if (one.table < 0 || one.parent < 0) {
            continue;
        }
        one.columns = move_columns(a, t, &to->tables[one.table], one.columns,
                                   one.n_columns);
        one.targets = move_columns(a, p, &to->tables[one.parent], one.targets,
                                   one.n_targets);
        if (one.columns && one.targets) {
            *vec_push(a, &out.list) = one;
        }
    }
    return out;
}

bool fact_is_demanded(const fact *f, const schema *s)
{
    const schema_table *t = &s->tables[f->table];
    switch (f->kind) {
    case FACT_NOT_EMPTY: return t->is_filled;
    case FACT_NEVER_NULL: return schema_never_null(t, f->columns[0]);
    case FACT_ONE_SPELLING: return t->columns[f->columns[0]].has_one_spelling;
    case FACT_FOREIGN_KEY: return has_foreign(s, f);
    case FACT_UNIQUE:
    case FACT_RANGE:
    case FACT_VALUES:
    case FACT_FORMAT:
    case FACT_DETERMINES:
    case FACT_KIND_COUNT: break;
    }
    return false;  // it is not asked
}

const schema *facts_apply(arena *a,
                          const schema *s,
                          const facts *f,
                          unsigned kinds,
                          arena scratch)
{
    grower g = {a, schema_draft_of(a, s, f->list.len), scratch};
    // Keys before those that refer to them.
    for (int pass = 0; pass < 2; pass++) {
        for (ptrdiff_t i = 0; i < f->list.len; i++) {
            const fact *one = &f->list.ptr[i];
            bool is_late = one->kind == FACT_FOREIGN_KEY;
            if ((kinds & 1u << one->kind) && is_late == (pass == 1)) {
                add_fact(&g, one);
            }
        }
    }
    assert(g.to->s.n_keys <= s->n_keys + f->list.len);
    return &g.to->s;
}
