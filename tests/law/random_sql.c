/*
 * random_sql.c - see random_sql.h.
 *
 * Method      A grammar with a die in each rule. The columns in sight are kept,
 *             so that most queries are accepted; types do not matter to SQLite.
 *             White space, the case of letters, parentheses that change nothing
 *             and comments are drawn, too.
 */
#include "random_sql.h"

const char random_sql_schema[] =
    "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL, d);"
    "INSERT INTO t VALUES(1,'one',1.5,NULL),(2,'Two',-2.0,'2'),(3,NULL,0.0,3),"
    "(4,'',NULL,x'34'),(7,'one',1e3,'x'),(8,'a''b',2.5,-8),(9,'%',3,NULL);"
    "CREATE TABLE u(a INT, e INTEGER, f TEXT COLLATE NOCASE);"
    "INSERT INTO u VALUES(1,10,'ONE'),(2,NULL,'two'),(2,20,'TWO'),(3,30,NULL),"
    "(9,-1,'x'),(NULL,5,'y');"
    "CREATE TABLE \"v w\"(\"x y\" INTEGER, g BLOB, \"order\" TEXT);"
    "INSERT INTO \"v w\" "
    "VALUES(1,x'00','b'),(2,'g','a'),(3,NULL,'B'),(5,1,'c');"
    "CREATE VIEW u_one AS SELECT a FROM u WHERE e > 0;";

enum {
    SCOPE_MAX = 48,
    DEPTH_MAX = 5,
};

typedef struct gen {
    buf *out;
    arena *names;
    rng *r;
    str scope[SCOPE_MAX];  // columns in sight, as they are written
    int n_scope;
    int n_names;  // aliases given out
    int depth;
    bool aggregates;  // may stand here
    bool windows;
} gen;

static bool chance(gen *g, int percent)
{
    return rng_below(g->r, 100) < percent;
}

static int roll(gen *g, int n)
{
    return (int)rng_below(g->r, n);
}

static void gap(gen *g)
{
    static const char *const gaps[] = {" ",  " ",  " ",         "  ",
                                       "\n", "\t", " /* c */ ", " -- c\n"};
    buf_add(g->out,
            str_from(chance(g, 85) ? " " : gaps[roll(g, countof(gaps))]));
}

// Words, with gaps around; sometimes in lower case.
static void words(gen *g, const char *words)
{
    bool lower = chance(g, 30);
    gap(g);
    for (const char *p = words; *p; p++) {
        if (*p == ' ') {
            gap(g);
        } else {
            buf_char(g->out, lower ? to_lower(*p) : *p);
        }
    }
    gap(g);
}

static void text(gen *g, const char *text)
{
    buf_add(g->out, str_from(text));
}

static void pick(gen *g, const char *const *list, int n)
{
    words(g, list[roll(g, n)]);
}

#define PICK(g, ...)                              \
    pick((g), (const char *const[]){__VA_ARGS__}, \
         (int)countof(((const char *const[]){__VA_ARGS__})))

static void expr(gen *g);
static void query(gen *g, int n_columns);
static void select(gen *g, int n_columns);

static void literal(gen *g)
{
    PICK(g, "0", "1", "2", "3", "10", "0x1F", "1.5", ".5", "2.", "1e1", "'one'",
         "'TWO'", "''", "'a''b'", "'%'", "'_n%'", "x'34'", "X''", "NULL",
         "TRUE", "FALSE", "'2'", "9223372036854775807", "\"no such column\"",
         "'2020-01-31'");
}

static void column(gen *g)
{
    if (g->n_scope == 0) {
        literal(g);
        return;
    }
    buf_add(g->out, g->scope[roll(g, g->n_scope)]);
}

static void exprs(gen *g, int n)
{
    for (int i = 0; i < n; i++) {
        text(g, i > 0 ? "," : "");
        gap(g);
        expr(g);
    }
}

static void subquery(gen *g, int n_columns)
{
    bool aggregates = g->aggregates;
    bool windows = g->windows;
    text(g, "(");
    query(g, n_columns);
    text(g, ")");
    g->aggregates = aggregates;
    g->windows = windows;
}

static void in(gen *g)
{
    expr(g);
    words(g, chance(g, 30) ? "NOT IN" : "IN");
    if (chance(g, 40)) {
        subquery(g, 1);
    } else if (chance(g, 5)) {
        text(g, "u_one");
    } else {
        text(g, "(");
        exprs(g, roll(g, 4));
        text(g, ")");
    }
}

static void case_when(gen *g)
{
    words(g, "CASE");
    if (chance(g, 40)) {
        expr(g);
    }
    for (int n = 1 + roll(g, 2); n > 0; n--) {
        words(g, "WHEN");
        expr(g);
        words(g, "THEN");
        expr(g);
    }
    if (chance(g, 60)) {
        words(g, "ELSE");
        expr(g);
    }
    words(g, "END");
}

static void order(gen *g)
{
    words(g, "ORDER BY");
    for (int n = 1 + roll(g, 2); n > 0; n--) {
        expr(g);
        if (chance(g, 40)) {
            PICK(g, "ASC", "DESC");
        }
        if (chance(g, 15)) {
            PICK(g, "NULLS FIRST", "NULLS LAST");
        }
        text(g, n > 1 ? "," : "");
    }
}

static void window(gen *g)
{
    bool windows = g->windows;
    bool aggregates = g->aggregates;
    g->windows = false;
    PICK(g, "row_number()", "rank()", "dense_rank()", "count(*)", "sum(1)",
         "ntile(2)", "percent_rank()");
    words(g, "OVER");
    text(g, "(");
    if (chance(g, 60)) {
        words(g, "PARTITION BY");
        exprs(g, 1 + roll(g, 2));
    }
    if (chance(g, 70)) {
        order(g);
    }
    if (chance(g, 40)) {
        PICK(g, "ROWS UNBOUNDED PRECEDING",
             "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
             "GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
             "ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE TIES",
             "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW");
    }
    text(g, ")");
    g->windows = windows;
    g->aggregates = aggregates;
}

static void aggregate(gen *g)
{
    g->aggregates = false;
    if (chance(g, 30)) {
        PICK(g, "count(*)", "COUNT( * )", "count()");
    } else {
        PICK(g, "sum(", "count(", "avg(", "min(", "max(", "total(",
             "group_concat(");
        if (chance(g, 30)) {
            words(g, "DISTINCT");
        }
        expr(g);
        text(g, ")");
    }
    if (chance(g, 15)) {
        words(g, "FILTER");
        text(g, "(");
        words(g, "WHERE");
        expr(g);
        text(g, ")");
    }
    g->aggregates = true;
}

static void function(gen *g)
{
    static const struct {
        const char *name;
        int n;
    } functions[] = {
        {"length", 1}, {"upper", 1},   {"lower", 1},    {"abs", 1},
        {"typeof", 1}, {"hex", 1},     {"coalesce", 2}, {"ifnull", 2},
        {"nullif", 2}, {"max", 2},     {"min", 3},      {"substr", 3},
        {"instr", 2},  {"replace", 3}, {"round", 1},    {"quote", 1},
        {"trim", 2},   {"iif", 3},     {"char", 1},     {"like", 2},
    };
    int k = roll(g, countof(functions));
    text(g, functions[k].name);
    text(g, chance(g, 20) ? " (" : "(");
    exprs(g, functions[k].n);
    text(g, ")");
}

static void operators(gen *g)
{
    expr(g);
    switch (roll(g, 5)) {
    case 0:
        PICK(g, "=", "==", "<>", "!=", "<", "<=", ">", ">=", "IS", "IS NOT",
             "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
        break;
    case 1: PICK(g, "AND", "OR", "AND", "OR"); break;
    case 2: PICK(g, "+", "-", "*", "/", "%", "||"); break;
    case 3: PICK(g, "&", "|", "<<", ">>"); break;
    default:
        PICK(g, "LIKE", "NOT LIKE", "GLOB", "NOT GLOB", "||", "-", "=");
        break;
    }
    expr(g);
}

static void row(gen *g)
{
    int n = 2 + roll(g, 2);
    text(g, "(");
    exprs(g, n);
    text(g, ")");
    PICK(g, "=", "<", ">=", "<>", "IS");
    if (chance(g, 30)) {
        subquery(g, n);
        return;
    }
    text(g, "(");
    exprs(g, n);
    text(g, ")");
}

static void between(gen *g)
{
    expr(g);
    words(g, chance(g, 30) ? "NOT BETWEEN" : "BETWEEN");
    expr(g);
    words(g, "AND");
    expr(g);
}

static void prefix(gen *g)
{
    PICK(g, "NOT", "-", "+", "~", "NOT", "- -");
    expr(g);
}

static void postfix(gen *g)
{
    expr(g);
    PICK(g, "ISNULL", "NOTNULL", "NOT NULL", "IS NULL", "IS NOT NULL",
         "COLLATE NOCASE", "COLLATE binary", "LIKE 'a%' ESCAPE '\\'", "IS TRUE",
         "IS NOT FALSE");
}

static void cast(gen *g)
{
    words(g, "CAST");
    text(g, "(");
    expr(g);
    words(g, "AS");
    PICK(g, "INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "VARCHAR(10)",
         "DECIMAL(10, 2)", "double precision", "unsigned big int");
    text(g, ")");
}

static void compound(gen *g)
{
    switch (roll(g, 21)) {
    case 20:
        PICK(g, "'[1, {\"a\": 2}]' -> 1", "'{\"b\": [3]}' ->> '$.b'",
             "'[4, 5]' -> '$[1]' ->> '$'", "?", "?2", ":p", "@q", "$r");
        break;
    case 0: in(g); break;
    case 1: case_when(g); break;
    case 2: between(g); break;
    case 3: row(g); break;
    case 4: cast(g); break;
    case 5:
        words(g, chance(g, 40) ? "NOT EXISTS" : "EXISTS");
        subquery(g, 1 + roll(g, 2));
        break;
    case 6: subquery(g, 1); break;
    case 7:
    case 8: prefix(g); break;
    case 9:
    case 10: postfix(g); break;
    case 11:
    case 12: function(g); break;
    default: operators(g); break;
    }
}

static void expr(gen *g)
{
    bool parens = chance(g, 25);
    text(g, parens ? "(" : "");
    g->depth++;
    if (g->aggregates && chance(g, 30)) {
        aggregate(g);
    } else if (g->windows && chance(g, 15)) {
        window(g);
    } else if (g->depth > DEPTH_MAX || chance(g, 45)) {
        if (chance(g, 65)) {
            column(g);
        } else {
            literal(g);
        }
    } else {
        compound(g);
    }
    g->depth--;
    text(g, parens ? ")" : "");
}

static void see(gen *g, str column)
{
    if (g->n_scope < SCOPE_MAX) {
        g->scope[g->n_scope++] = column;
    }
}

// A column of the source `alias`, quoted in one of SQLite's ways.
static void see_column(gen *g, str alias, const char *name)
{
    static const char open[] = {'"', '[', '`'};
    static const char shut[] = {'"', ']', '`'};
    str s = str_from(name);
    bool plain = !str_equal(s, S("x y")) && !str_equal(s, S("order"));
    bool only = alias.len == 0;
    if (plain && chance(g, 70)) {
        see(g, arena_printf(g->names, "%.*s%s%s", STR_ARG(alias),
                            only ? "" : ".", name));
        return;
    }
    int k = roll(g, countof(open));
    see(g, arena_printf(g->names, "%.*s%s%c%s%c", STR_ARG(alias),
                        only ? "" : ".", open[k], name, shut[k]));
}

static str new_name(gen *g)
{
    return arena_printf(g->names, "x%d", g->n_names++);
}

static void alias(gen *g, str name)
{
    if (chance(g, 70)) {
        words(g, "AS");
    } else {
        gap(g);
    }
    buf_add(g->out, name);
    gap(g);
}

static void table_source(gen *g)
{
    static const struct {
        const char *written;
        const char *columns[5];
    } tables[] = {
        {"t", {"a", "b", "c", "d"}},        {"u", {"a", "e", "f"}},
        {"\"v w\"", {"x y", "g", "order"}}, {"[v w]", {"x y", "g", "order"}},
        {"main.t", {"a", "b", "c", "d"}},
    };
    if (chance(g, 5)) {
        text(g, "json_each('[1, \"a\", null]')");
        str name = new_name(g);
        alias(g, name);
        see_column(g, name, "key");
        see_column(g, name, "value");
        return;
    }
    int k = roll(g, countof(tables));
    text(g, tables[k].written);
    str name = new_name(g);
    alias(g, name);
    for (int i = 0; tables[k].columns[i]; i++) {
        see_column(g, name, tables[k].columns[i]);
    }
    if (chance(g, 5)) {
        words(g, "NOT INDEXED");
    }
}

// A query in FROM; its columns have no names that we know but by a CTE.
static void query_source(gen *g)
{
    int n_scope = g->n_scope;
    int n = 1 + roll(g, 2);
    text(g, "(");
    g->n_scope = 0;
    words(g, "SELECT");
    for (int i = 0; i < n; i++) {
        text(g, i > 0 ? "," : "");
        expr(g);
        words(g, "AS");
        buf_add(g->out, i == 0 ? S("k0") : S("k1"));
    }
    bool from = chance(g, 60);
    if (from) {
        g->n_scope = 0;
        words(g, "FROM");
        table_source(g);
    }
    text(g, ")");
    g->n_scope = n_scope;
    str name = new_name(g);
    alias(g, name);
    see_column(g, name, "k0");
    if (n > 1) {
        see_column(g, name, "k1");
    }
}

static void sources(gen *g);

static void one_source(gen *g)
{
    if (g->depth < 3 && chance(g, 20)) {
        query_source(g);
    } else if (g->depth < 4 && chance(g, 6)) {
        g->depth++;
        text(g, "(");
        sources(g);
        text(g, ")");
        g->depth--;
    } else {
        table_source(g);
    }
}

static void condition(gen *g)
{
    if (chance(g, 10)) {
        words(g, "USING");
        text(g, chance(g, 50) ? "(a)" : "( \"a\" )");
        return;
    }
    words(g, "ON");
    expr(g);
}

// source { join source }
static void sources(gen *g)
{
    int n = 1 + (chance(g, 40) ? roll(g, 3) : 0);
    for (int i = 0; i < n; i++) {
        bool comma = i > 0 && chance(g, 25);
        bool natural = i > 0 && !comma && chance(g, 10);
        if (comma) {
            text(g, ",");
        } else if (i > 0) {
            words(g, natural ? "NATURAL" : "");
            PICK(g, "JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN",
                 "CROSS JOIN", "RIGHT JOIN", "FULL OUTER JOIN");
        }
        one_source(g);
        if (i > 0 && !natural && chance(g, 60)) {
            condition(g);
        }
    }
}

static void items(gen *g, int n)
{
    for (int i = 0; i < n; i++) {
        text(g, i > 0 ? "," : "");
        gap(g);
        expr(g);
        if (chance(g, 20)) {
            words(g, "AS");
            PICK(g, "p", "\"q q\"", "[r]", "'s'", "`t`");
        }
    }
}

// The columns in sight are known after FROM: it is written first, and moved.
static void select(gen *g, int n_columns)
{
    int outer = g->n_scope;
    bool grouped = chance(g, 20);
    buf *whole = g->out;
    buf from = buf_new(g->names);
    g->aggregates = false;
    g->windows = false;
    g->out = &from;
    if (chance(g, 90)) {
        words(g, "FROM");
        sources(g);
    }
    if (chance(g, 50)) {
        words(g, "WHERE");
        expr(g);
    }
    if (grouped) {
        words(g, "GROUP BY");
        exprs(g, 1 + roll(g, 2));
    }
    g->aggregates = grouped || chance(g, 10);
    if (grouped && chance(g, 40)) {
        words(g, "HAVING");
        expr(g);
    }
    bool named = chance(g, 4);
    if (named) {
        words(g, "WINDOW win AS");
        text(g, "(");
        words(g, "PARTITION BY");
        expr(g);
        order(g);
        text(g, ")");
    }
    str tail = buf_str(&from);
    g->out = whole;
    words(g, "SELECT");
    if (chance(g, 20)) {
        PICK(g, "DISTINCT", "ALL");
    }
    if (named) {
        PICK(g, "sum(1) OVER win,", "rank() OVER (win),",
             "count(*) OVER (win ROWS 1 PRECEDING),");
    }
    g->windows = chance(g, 15);
    if (g->depth == 1 && chance(g, 5)) {
        text(g, "*,");
    }
    items(g, n_columns);
    buf_add(g->out, tail);
    g->aggregates = false;
    g->windows = false;
    g->n_scope = outer;
}

static void values(gen *g, int n_columns)
{
    words(g, "VALUES");
    for (int n = 1 + roll(g, 2); n > 0; n--) {
        text(g, "(");
        exprs(g, n_columns);
        text(g, n > 1 ? ")," : ")");
    }
}

static void tail(gen *g)
{
    if (chance(g, 30)) {
        words(g, "ORDER BY");
        PICK(g, "1", "1 DESC", "1 ASC NULLS LAST", "1 COLLATE NOCASE");
    }
    if (chance(g, 20)) {
        PICK(g, "LIMIT 3", "LIMIT 2 OFFSET 1", "LIMIT 1, 2", "LIMIT - 1",
             "LIMIT (1 + 1)");
    }
}

static void query(gen *g, int n_columns)
{
    g->depth++;
    bool with = g->depth < 4 && chance(g, 8);
    if (with) {
        words(g, chance(g, 30) ? "WITH RECURSIVE" : "WITH");
        PICK(g, "cte(m)", "cte (m)", "\"cte\"(m)");
        PICK(g, "AS", "AS MATERIALIZED", "AS NOT MATERIALIZED");
        subquery(g, 1);
    }
    int terms = chance(g, 85) ? 1 : 2 + roll(g, 2);
    for (int i = 0; i < terms; i++) {
        if (i > 0) {
            PICK(g, "UNION", "UNION ALL", "INTERSECT", "EXCEPT");
        }
        if (chance(g, 5)) {
            values(g, n_columns);
        } else {
            select(g, n_columns);
        }
    }
    if (with && chance(g, 50)) {
        PICK(g, "UNION ALL", "EXCEPT");
        words(g, "SELECT");
        for (int i = 0; i < n_columns; i++) {
            text(g, i > 0 ? ", m" : "m");
        }
        words(g, "FROM cte");
    }
    if (chance(g, 40)) {
        tail(g);
    }
    g->depth--;
}

str random_sql(arena *a, rng *r, arena scratch)
{
    buf out = buf_new(a);
    gen g = {.out = &out, .names = &scratch, .r = r};
    query(&g, 1 + roll(&g, 3));
    return buf_str(&out);
}
