/*
 * fact_mine.c - what the rows of a database show.
 *
 * Method      One query counts for all columns of a table at once: rows, NULLs,
 *             distinct values, extremes, texts by how they are written. It
 *             decides what further queries are worth asking: lists of few
 *             values, rows without a parent, keys of two columns, dependencies.
 *             What few rows show by chance is not concluded from less than
 *             FACT_ROWS_LEAST of them.
 *
 * Invariant   A fact holds on the database it was found in (law_facts), but for
 *             the rows that a foreign key says break it.
 *
 * Cost        A scan of each table with one hash a column; at most PAIRS_MOST
 *             further scans a table for what concerns two columns.
 *
 * Source      definitions/facts.md#mining
 */
#include "base/utf8.h"
#include "engine/engine.h"
#include "facts/fact.h"
#include "facts/fact_refer.h"
#include "sql/name.h"

#include <assert.h>

enum {
    COLUMNS_AT_ONCE = 24,
    PAIRS_MOST = 60,         // of columns of a table that are looked at
    PAIR_COLUMNS_MOST = 16,  // of a table whose pairs are
    PAIR_ROWS_MOST = 200000,
    KEYS_MOST = 3,        // of two columns, of a table
    REPEATS_LEAST = 3,    // pairs of rows that would agree by chance in both
    ROWS_PER_VALUE = 3,   // that a list of values takes
    ROWS_PER_PARENT = 2,  // that a value that determines another has
};

static const double COUNT_MOST = 9e15;  // doubles count up to there

// What one query says of a column.
typedef struct column_count {
    bool is_known;
    int64_t filled;    // rows without NULL
    int64_t distinct;  // values
    int64_t texts;
    int64_t numbers;
    int64_t reals;
    int64_t folded;  // values but for letter case and outer blanks
    int64_t formats[FACT_FORMAT_COUNT];
    value low;
    value high;
} column_count;

typedef struct miner {
    arena *a;
    database *db;
    dialect d;
    facts out;
    unsigned kinds;
    int32_t table;
    int64_t rows;
    column_count *columns;  // of the table
    arena scratch;
} miner;

static const schema_table *table_of(const miner *m)
{
    return &m->out.schema->tables[m->table];
}

static table ask(miner *m, str sql, arena *a)
{
    execution x = engine_run(m->db, sql, ENGINE_READ_ALL, a);
    return x.status == REASON_NONE ? x.result : (table){0};
}

// The only number that the query returns; -1: there is none.
static int64_t ask_count(miner *m, const char *form, const str *names)
{
    arena a = m->scratch;
    table t = ask(m, name_statement(&a, form, names, m->d), &a);
    bool is_one =
        t.n_rows == 1 && t.n_columns == 1 && t.cells[0].kind == VALUE_INT;
    return is_one ? t.cells[0].i : -1;
}

static fact *add_fact(miner *m, fact_kind kind)
{
    fact *f = vec_push(m->a, &m->out.list);
    *f = (fact){
        .kind = kind, .table = m->table, .parent = m->table, .rows = m->rows};
    return f;
}

static fact *add_of_columns(miner *m,
                            fact_kind kind,
                            const int32_t *columns,
                            ptrdiff_t n)
{
    fact *f = add_fact(m, kind);
    f->columns = arena_copy(m->a, columns, n, 0);
    f->n_columns = n;
    return f;
}

/* What one scan tells. */

// What of the column fits the pattern; of days and moments what is one of the
// calendar, too, and has no zone. Some SQLites take the 30th of February as it
// is, unless they count.
static const char *format_count(int format)
{
    switch (format) {
    case FORMAT_DATE:
        return ", total(CASE WHEN typeof($0) = 'text' AND $0 GLOB '#1' THEN"
               " date($0, '+0 days') IS substr($0, 1, 10) END)";
    case FORMAT_TIMESTAMP:
        return ", total(CASE WHEN typeof($0) = 'text' AND $0 GLOB '#1' THEN"
               " date($0, '+0 days') IS substr($0, 1, 10)"
               " AND substr($0, 20) NOT GLOB '*[^0-9.]*' END)";
    case FORMAT_INTEGER:
        return ", total(typeof($0) = 'text' AND $0 GLOB '*[0-9]*'"
               " AND $0 NOT GLOB '*[^0-9]*')";
    default:
        return fact_format_pattern((fact_format)format).len > 0
                   ? ", total(typeof($0) = 'text' AND $0 GLOB '#1')"
                   : ", total(typeof($0) = 'text' AND $0 GLOB '*[0-9]*'"
                     " AND $0 NOT GLOB '*[^0-9.-]*')";
    }
}

enum {
    PLAIN_COUNTS = 4,  // of a column, on any system
    SQLITE_COUNTS = PLAIN_COUNTS + 4 + FACT_FORMAT_COUNT,
};

// Numbers are hardly spelled.
static bool is_spelled(const miner *m, int32_t c)
{
    schema_affinity affinity = table_of(m)->columns[c].affinity;
    return affinity != AFFINITY_INTEGER && affinity != AFFINITY_REAL;
}

enum {
    DISTINCT = 1  // of the plain counts
};

// Firm facts take no values of a column, but for its spellings.
static bool needs_count(const miner *m, int32_t c, int no)
{
    return no < DISTINCT || (m->kinds & ~(unsigned)FACTS_FIRM)
           || (no == DISTINCT && is_spelled(m, c));
}

static void add_counts(const miner *m, buf *sql, int32_t c)
{
    static const char *const plain[] = {", count($0)", ", count(DISTINCT $0)",
                                        ", min($0)", ", max($0)"};
    str names[2] = {table_of(m)->columns[c].name};
    bool is_sqlite = m->d == DIALECT_SQLITE;
    for (int i = 0; i < PLAIN_COUNTS; i++) {
        name_fill(sql,
                  !needs_count(m, c, i) ? ", 0"
                  : i == DISTINCT && is_sqlite
                      ? ", count(DISTINCT $0 COLLATE BINARY)"
                      : plain[i],
                  names, m->d);
    }
    if (!is_sqlite) {
        return;
    }
    unsigned kinds = is_spelled(m, c) ? m->kinds : 0;
    name_fill(sql,
              ", total(typeof($0) IN ('text'))"
              ", total(typeof($0) IN ('integer', 'real'))"
              ", total(typeof($0) IN ('real'))",
              names, m->d);
    name_fill(sql,
              kinds & 1u << FACT_ONE_SPELLING
                  ? ", count(DISTINCT lower(trim($0)))"
                  : ", 0",
              names, m->d);
    for (int f = 0; f < FACT_FORMAT_COUNT; f++) {
        names[1] = fact_format_pattern((fact_format)f);
        name_fill(sql, kinds & 1u << FACT_FORMAT ? format_count(f) : ", 0",
                  names, m->d);
    }
}

// A server may say anything: what is no count is 0.
static int64_t count_in(value v)
{
    double real = v.kind == VALUE_INT    ? (double)v.i
                  : v.kind == VALUE_REAL ? v.real
                                         : 0;
    return real >= 0 && real <= COUNT_MOST ? (int64_t)real : 0;
}

static value keep_value(miner *m, value v)
{
    return v.kind == VALUE_TEXT ? value_text(arena_str(m->a, value_bytes(v)))
                                : v;
}

static void read_counts(miner *m, column_count *out, const value *cells)
{
    const schema_affinity affinity =
        table_of(m)->columns[out - m->columns].affinity;
    *out = (column_count){
        .is_known = true,
        .filled = count_in(cells[0]),
        .distinct = count_in(cells[1]),
        .low = keep_value(m, cells[2]),
        .high = keep_value(m, cells[3]),
    };
    if (m->d != DIALECT_SQLITE) {
        bool is_number = value_is_number(cells[2]);
        out->numbers = is_number ? out->filled : 0;
        out->reals = is_number && affinity != AFFINITY_INTEGER ? 1 : 0;
        return;
    }
    out->texts = count_in(cells[PLAIN_COUNTS]);
    out->numbers = count_in(cells[PLAIN_COUNTS + 1]);
    out->reals = count_in(cells[PLAIN_COUNTS + 2]);
    out->folded = count_in(cells[PLAIN_COUNTS + 3]);
    for (int f = 0; f < FACT_FORMAT_COUNT; f++) {
        out->formats[f] = count_in(cells[PLAIN_COUNTS + 4 + f]);
    }
}

static void count_columns(miner *m, int32_t from, int32_t to)
{
    assert(from < to && to - from <= COLUMNS_AT_ONCE);
    arena a = m->scratch;
    buf sql = buf_new(&a);
    buf_add(&sql, S("SELECT count(*)"));
    for (int32_t c = from; c < to; c++) {
        add_counts(m, &sql, c);
    }
    name_fill(&sql, " FROM @0", &table_of(m)->name, m->d);
    table t = ask(m, buf_str(&sql), &a);
    int width = m->d == DIALECT_SQLITE ? SQLITE_COUNTS : PLAIN_COUNTS;
    if (t.n_rows != 1 || t.n_columns != 1 + (to - from) * width) {
        return;
    }
    m->rows = count_in(t.cells[0]);
    for (int32_t c = from; c < to; c++) {
        read_counts(m, &m->columns[c],
                    t.cells + 1 + (ptrdiff_t)(c - from) * width);
    }
}

/* What it means. */

// Is the column, by itself, a key: declared or found?
static bool is_key_column(const miner *m, int32_t c)
{
    const column_count *n = &m->columns[c];
    return n->is_known && n->filled > 0 && n->distinct == n->filled;
}

// Is equal, to a key, what is equal byte by byte?
static bool compares_bytes(const miner *m, int32_t c)
{
    return table_of(m)->columns[c].collation == COLLATION_BINARY;
}

static bool is_countable(const miner *m, int32_t c)
{
    const column_count *n = &m->columns[c];
    return n->is_known && n->filled >= FACT_ROWS_LEAST
           && (n->texts == n->filled || n->numbers == n->filled
               || m->d != DIALECT_SQLITE);
}

static void note_list(miner *m, int32_t c)
{
    arena a = m->scratch;
    const str names[] = {table_of(m)->columns[c].name, table_of(m)->name};
    str sql = name_statement(
        &a, "SELECT DISTINCT $0 FROM @1 WHERE $0 IS NOT NULL ORDER BY 1", names,
        m->d);
    table t = ask(m, sql, &a);
    if (t.n_rows == 0 || t.n_columns != 1 || t.n_rows > FACT_VALUES_MOST) {
        return;
    }
    value *values = arena_new(m->a, value, t.n_rows);
    for (ptrdiff_t r = 0; r < t.n_rows; r++) {
        values[r] = keep_value(m, t.cells[r]);
        bool is_plain = values[r].kind == VALUE_INT
                        || (values[r].kind == VALUE_TEXT
                            && utf8_is_valid(value_bytes(values[r])));
        if (!is_plain) {
            return;
        }
    }
    fact *f = add_of_columns(m, FACT_VALUES, &c, 1);
    f->values = values;
    f->n_values = t.n_rows;
}

static void note_range(miner *m, int32_t c)
{
    const column_count *n = &m->columns[c];
    bool has_both =
        (n->low.kind == VALUE_INT || n->low.kind == VALUE_REAL)
        && (n->high.kind == VALUE_INT || n->high.kind == VALUE_REAL);
    if (n->numbers != n->filled || !has_both) {
        return;
    }
    value *values = arena_new(m->a, value, 2);
    values[0] = n->low;
    values[1] = n->high;
    fact *f = add_of_columns(m, FACT_RANGE, &c, 1);
    f->values = values;
    f->n_values = 2;
}

// Lists and ranges: of what is no key and refers to none.
static void note_values(miner *m, int32_t c)
{
    const column_count *n = &m->columns[c];
    if (!is_countable(m, c) || is_key_column(m, c)
        || schema_is_reference(m->out.schema, m->table, c)
        || table_of(m)->columns[c].is_rowid) {
        return;
    }
    bool is_short = n->distinct <= FACT_VALUES_MOST
                    && n->filled >= ROWS_PER_VALUE * n->distinct
                    && n->reals == 0;
    if (is_short) {
        note_list(m, c);
    } else {
        note_range(m, c);
    }
}

static void note_writing(miner *m, int32_t c)
{
    const column_count *n = &m->columns[c];
    if (n->texts == 0 || n->texts != n->filled || n->folded == 0) {
        return;
    }
    if (n->folded == n->distinct) {
        add_of_columns(m, FACT_ONE_SPELLING, &c, 1);
    }
    for (int f = 0; f < FACT_FORMAT_COUNT; f++) {
        if (n->formats[f] == n->filled && n->filled >= FACT_ROWS_LEAST) {
            add_of_columns(m, FACT_FORMAT, &c, 1)->format = (fact_format)f;
            break;
        }
    }
}

static void note_column(miner *m, int32_t c)
{
    assert(c >= 0 && c < table_of(m)->n_columns);
    const column_count *n = &m->columns[c];
    if (!n->is_known || n->filled == 0) {
        return;
    }
    if (n->filled == m->rows) {
        add_of_columns(m, FACT_NEVER_NULL, &c, 1);
    }
    // Measured numbers are unlike by chance.
    if ((m->kinds & 1u << FACT_UNIQUE) && is_countable(m, c)
        && is_key_column(m, c) && n->reals == 0 && compares_bytes(m, c)
        && !schema_is_key(table_of(m), c)) {
        add_of_columns(m, FACT_UNIQUE, &c, 1);
    }
    if (m->kinds & (1u << FACT_VALUES | 1u << FACT_RANGE)) {
        note_values(m, c);
    }
    note_writing(m, c);
}

/* What takes a further look. */

static int64_t count_pairs(miner *m, int32_t one, int32_t two)
{
    assert(one != two);
    const schema_table *t = table_of(m);
    return ask_count(
        m, "SELECT count(*) FROM (SELECT DISTINCT $0, $1 FROM @2) AS pairs",
        (str[]){t->columns[one].name, t->columns[two].name, t->name});
}

// Two columns that may be a key, or one of which may determine the other.
static bool may_be_key(const miner *m, int32_t one, int32_t two)
{
    assert(one != two);
    const column_count *a = &m->columns[one];
    const column_count *b = &m->columns[two];
    return a->reals == 0 && b->reals == 0 && a->distinct > 1 && b->distinct > 1
           && !is_key_column(m, one) && !is_key_column(m, two)
           && (double)m->rows * (double)(m->rows - 1) / 2
                  >= REPEATS_LEAST * (double)a->distinct * (double)b->distinct;
}

static bool may_determine(const miner *m, int32_t one, int32_t two)
{
    assert(one != two);  // a column determines itself
    const column_count *a = &m->columns[one];
    const column_count *b = &m->columns[two];
    return a->distinct > 1 && b->distinct > 1 && a->distinct >= b->distinct
           && m->rows >= ROWS_PER_PARENT * a->distinct;
}

static void note_pair(miner *m, int32_t one, int32_t two, int *n_keys)
{
    const int32_t columns[] = {one, two};
    int64_t n = count_pairs(m, one, two);
    if (n == m->rows && *n_keys < KEYS_MOST && may_be_key(m, one, two)
        && !schema_find_unique(table_of(m), columns, 2)) {
        add_of_columns(m, FACT_UNIQUE, columns, 2);
        ++*n_keys;
    }
    for (int way = 0; way < 2; way++) {
        int32_t from = columns[way];
        int32_t to = columns[1 - way];
        if (n == m->columns[from].distinct && may_determine(m, from, to)) {
            fact *f = add_of_columns(m, FACT_DETERMINES, &from, 1);
            f->targets = arena_copy(m->a, &to, 1, 0);
            f->n_targets = 1;
        }
    }
}

static bool is_full(const miner *m, int32_t c)
{
    return m->columns[c].is_known && m->columns[c].filled == m->rows
           && compares_bytes(m, c);
}

static void note_pairs(miner *m)
{
    int32_t n = (int32_t)table_of(m)->n_columns;
    int n_tried = 0;
    int n_keys = 0;
    if (!(m->kinds & 1u << FACT_DETERMINES) || n > PAIR_COLUMNS_MOST
        || m->rows > PAIR_ROWS_MOST || m->rows < FACT_ROWS_LEAST) {
        return;
    }
    for (int32_t one = 0; one < n; one++) {
        for (int32_t two = one + 1; two < n && n_tried < PAIRS_MOST; two++) {
            if (is_full(m, one) && is_full(m, two)
                && (may_be_key(m, one, two) || may_determine(m, one, two)
                    || may_determine(m, two, one))) {
                n_tried++;
                note_pair(m, one, two, &n_keys);
            }
        }
    }
}

// Rows that lack their parent; -1: it cannot be found out.
static int64_t count_orphans(miner *m, const schema_key *key)
{
    arena a = m->scratch;
    const schema_table *child = &m->out.schema->tables[key->child];
    const schema_table *parent = &m->out.schema->tables[key->parent];
    buf pairs = buf_new(&a);
    buf filled = buf_new(&a);
    for (ptrdiff_t i = 0; i < key->n; i++) {
        const str sides[] = {i == 0 ? S("") : S(" AND "),
                             child->columns[key->columns[i]].name,
                             parent->columns[key->targets[i]].name};
        name_fill(&pairs, "#0child.$1 = parent.$2", sides, m->d);
        name_fill(&filled, "#0child.$1 IS NOT NULL", sides, m->d);
    }
    miner at = *m;
    at.scratch = a;
    return ask_count(&at,
                     "SELECT count(*) FROM @0 AS child LEFT JOIN @1 AS parent"
                     " ON #2 WHERE #3 AND parent.$4 IS NULL",
                     (str[]){child->name, parent->name, buf_str(&pairs),
                             buf_str(&filled),
                             parent->columns[key->targets[0]].name});
}

static void add_reference(miner *m, const schema_key *key, int64_t broken)
{
    fact *f = add_of_columns(m, FACT_FOREIGN_KEY, key->columns, key->n);
    f->parent = key->parent;
    f->targets = arena_copy(m->a, key->targets, key->n, 0);
    f->n_targets = key->n;
    f->broken = broken;
}

// Is the column of another table a key of its rows?
static bool is_shown_key(miner *m, int32_t parent, int32_t c)
{
    const schema_unique *key = schema_primary(&m->out.schema->tables[parent]);
    if (key) {
        return key->n == 1 && key->columns[0] == c;
    }
    const schema_table *t = &m->out.schema->tables[parent];
    return ask_count(m, "SELECT count(*) - count(DISTINCT $0) FROM @1",
                     (str[]){t->columns[c].name, t->name})
           == 0;
}

// A column that is called after the key of another table, in which all its
// values occur, without saying so. Where two tables fit, nobody knows which is
// meant.
static void note_undeclared(miner *m, int32_t c)
{
    const schema *s = m->out.schema;
    if (schema_is_reference(m->out.schema, m->table, c) || !is_countable(m, c)
        || is_key_column(m, c) || m->columns[c].reals > 0) {
        return;
    }
    schema_key found = {.child = m->table, .columns = &c, .n = 1};
    int32_t meant = -1;
    int n_found = 0;
    for (int32_t p = 0; p < s->n_tables; p++) {
        int32_t target = fact_named_target(s, m->table, c, p);
        const schema_key key = {.child = m->table,
                                .parent = p,
                                .columns = &c,
                                .targets = &target,
                                .n = 1};
        if (target >= 0 && is_shown_key(m, p, target)
            && count_orphans(m, &key) == 0) {
            n_found++;
            found.parent = p;
            meant = target;
        }
    }
    found.targets = &meant;
    if (n_found == 1) {
        add_reference(m, &found, 0);
    }
}

static void note_keys(miner *m)
{
    const schema *s = m->out.schema;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        if (s->keys[k].child == m->table
            && schema_key_is_complete(&s->keys[k])) {
            int64_t broken = count_orphans(m, &s->keys[k]);
            if (broken >= 0) {
                add_reference(m, &s->keys[k], broken);
            }
        }
    }
    bool has_keys = m->kinds & 1u << FACT_UNIQUE;
    for (int32_t c = 0; has_keys && c < table_of(m)->n_columns; c++) {
        note_undeclared(m, c);
    }
}

void fact_mine_table(facts *out,
                     arena *a,
                     database *db,
                     int32_t no,
                     unsigned kinds,
                     arena scratch)
{
    const schema_table *t = &out->schema->tables[no];
    int32_t n = (int32_t)t->n_columns;
    miner m = {.a = a, .db = db, .out = *out, .kinds = kinds, .table = no};
    m.d = engine_driver_dialect(engine_driver_at(db));
    m.columns = arena_new(&scratch, column_count, n);
    m.scratch = scratch;
    if (t->view || str_starts_fold(t->name, S("sqlite_"))) {
        return;
    }
    for (int32_t c = 0; c < n; c += COLUMNS_AT_ONCE) {
        count_columns(&m, c, c + COLUMNS_AT_ONCE < n ? c + COLUMNS_AT_ONCE : n);
    }
    if (m.rows > 0) {
        add_fact(&m, FACT_NOT_EMPTY);
        for (int32_t c = 0; c < n; c++) {
            note_column(&m, c);
        }
        note_pairs(&m);
        note_keys(&m);
    }
    *out = m.out;
}

facts fact_mine(arena *a, database *db, str name, unsigned kinds, arena scratch)
{
    facts out = {.schema = engine_schema(db), .db = arena_str(a, name)};
    for (int32_t t = 0; t < out.schema->n_tables; t++) {
        fact_mine_table(&out, a, db, t, kinds, scratch);
    }
    return out;
}
