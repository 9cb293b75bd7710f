/*
 * spider_parse.c - see spider_query.h.
 *
 * Method      Recursive descent over the words, as the evaluator does it, step
 *             by step: what it accepts by accident is accepted, what it trips
 *             over fails. A failure anywhere fails the whole query; `failed` in
 *             the parser says so and everybody returns.
 *
 * Not here    What the tree is compared for: spider_set.c, hardness.c.
 */
#include "base/map.h"
#include "base/words.h"
#include "evaluators/spider_canon.h"
#include "evaluators/spider_word.h"

#include <assert.h>
#include <string.h>

enum {
    DEPTH_MOST = 200
};

typedef struct spider_parser {
    str_list words;
    ptrdiff_t at;
    const schema *schema;
    const map *aliases;     // of the whole text
    const int32_t *tables;  // by alias; -1: it stands for no table
    const int32_t *scope;   // tables of the FROM list at hand
    ptrdiff_t n_scope;
    int depth;
    bool failed;
    arena *a;
} spider_parser;

static spider_query *parse_sql(spider_parser *p);
static void parse_conds(spider_parser *p, spider_conds *out);

static const str clause_words[] = {
    S_INIT("select"), S_INIT("from"),      S_INIT("where"),
    S_INIT("group"),  S_INIT("order"),     S_INIT("limit"),
    S_INIT("union"),  S_INIT("intersect"), S_INIT("except"),
};

static const str agg_words[] = {S_INIT("none"),  S_INIT("max"), S_INIT("min"),
                                S_INIT("count"), S_INIT("sum"), S_INIT("avg")};

static const str op_words[] = {S_INIT("none"), S_INIT("-"), S_INIT("+"),
                               S_INIT("*"), S_INIT("/")};

static const str test_words[] = {
    S_INIT("not"), S_INIT("between"), S_INIT("="),  S_INIT(">"),
    S_INIT("<"),   S_INIT(">="),      S_INIT("<="), S_INIT("!="),
    S_INIT("in"),  S_INIT("like"),    S_INIT("is"), S_INIT("exists"),
};

static const str branch_words[] = {S_INIT("intersect"), S_INIT("union"),
                                   S_INIT("except")};

static bool has_word(const spider_parser *p)
{
    return !p->failed && p->at < p->words.len;
}

// The word at hand; empty at the end.
static str word(const spider_parser *p)
{
    return has_word(p) ? p->words.ptr[p->at] : (str){0};
}

static bool is_word(const spider_parser *p, str w)
{
    return has_word(p) && str_equal(word(p), w);
}

static bool take(spider_parser *p, str w)
{
    bool is_there = is_word(p, w);
    p->at += is_there;
    return is_there;
}

// Takes the word at hand when it is among these: which one, or -1.
static ptrdiff_t take_of(spider_parser *p, const str *words, ptrdiff_t n)
{
    ptrdiff_t i = has_word(p) ? words_in(words, n, word(p)) : -1;
    p->at += i >= 0;
    return i;
}

static void expect(spider_parser *p, str w)
{
    if (!take(p, w)) {
        p->failed = true;
    }
}

static bool is_clause(str w)
{
    return words_in(clause_words, countof(clause_words), w) >= 0;
}

static bool is_join_word(str w)
{
    return str_among(w, "join on as");
}

static bool is_closing(str w)
{
    return str_among(w, ") ;");
}

// Spider knows tables only: views are not there.
static int32_t find_table(const schema *s, str name)
{
    int32_t t = schema_find_table(s, name);
    return t >= 0 && !s->tables[t].view ? t : -1;
}

static int32_t first_column(const schema *s, ptrdiff_t table)
{
    ptrdiff_t id = 1;
    for (ptrdiff_t t = 0; t < table; t++) {
        id += s->tables[t].n_columns;
    }
    return (int32_t)id;
}

static int32_t column_of(const schema *s, int32_t table, str column)
{
    if (table < 0) {
        return -1;
    }
    int32_t c = schema_find_column(&s->tables[table], column);
    return c >= 0 ? first_column(s, table) + c : -1;
}

int32_t spider_column_id(const schema *s, str table, str column)
{
    return column_of(s, find_table(s, table), column);
}

int32_t spider_column_table(const schema *s, int32_t id)
{
    ptrdiff_t first = 1;
    for (ptrdiff_t t = 0; t < s->n_tables && id > 0; t++) {
        if (id >= first && id < first + s->tables[t].n_columns) {
            return (int32_t)t;
        }
        first += s->tables[t].n_columns;
    }
    return -1;
}

str spider_column_name(const schema *s, int32_t id)
{
    int32_t t = spider_column_table(s, id);
    return t < 0 ? (str){0}
                 : s->tables[t].columns[id - first_column(s, t)].name;
}

// The table that a word stands for, by alias or by name; -1: none.
static int32_t table_of(const spider_parser *p, str w)
{
    ptrdiff_t id = map_find(p->aliases, w);
    return id >= 0 ? p->tables[id] : -1;
}

// column -> "*" | ALIAS "." NAME | NAME
static int32_t parse_column(spider_parser *p)
{
    str w = word(p);
    if (!has_word(p)) {
        p->failed = true;
        return -1;
    }
    p->at++;
    if (str_equal(w, S("*"))) {
        return SPIDER_ALL;
    }
    int32_t id = -1;
    ptrdiff_t dot = str_find(w, S("."), 0);
    if (dot >= 0) {
        bool is_one = str_find(w, S("."), dot + 1) < 0;
        str column = str_skip(w, dot + 1);
        id = is_one
                 ? column_of(p->schema, table_of(p, str_sub(w, 0, dot)), column)
                 : -1;
    }
    for (ptrdiff_t i = 0; dot < 0 && id < 0 && i < p->n_scope; i++) {
        id = column_of(p->schema, p->scope[i], w);
    }
    p->failed |= id < 0;
    return id;
}

// col -> ["("] AGG "(" ["distinct"] column ")" | ["("] ["distinct"] column [")"]
static spider_col parse_col(spider_parser *p)
{
    spider_col col = {0};
    bool in_block = take(p, S("("));
    ptrdiff_t agg = take_of(p, agg_words, countof(agg_words));
    if (agg >= 0) {
        expect(p, S("("));
        col.agg = (spider_agg)agg;
        col.is_distinct = take(p, S("distinct"));
        col.column = parse_column(p);
        expect(p, S(")"));
        return col;  // the block stays open: the evaluator forgets it
    }
    col.is_distinct = take(p, S("distinct"));
    col.column = parse_column(p);
    if (in_block) {
        expect(p, S(")"));
    }
    return col;
}

// val -> ["("] col [OP col] [")"]
static spider_val parse_val(spider_parser *p)
{
    spider_val val = {.second.column = -1};
    bool in_block = take(p, S("("));
    val.first = parse_col(p);
    ptrdiff_t op = take_of(p, op_words, countof(op_words));
    if (op >= 0) {
        val.op = (spider_op)op;
        val.second = parse_col(p);
    }
    if (in_block) {
        expect(p, S(")"));
    }
    return val;
}

static bool is_number_word(str w)
{
    // Python's float(): underscores between digits are allowed, hexadecimal
    // is not.
    char text[64];
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < w.len; i++) {
        char c = w.ptr[i];
        if (n == countof(text) - 1 || c == 'x') {
            return false;
        }
        bool joins = c == '_' && i > 0 && i + 1 < w.len
                     && is_digit(w.ptr[i - 1]) && is_digit(w.ptr[i + 1]);
        if (!joins) {
            text[n++] = c;
        }
    }
    return str_to_double((str){text, n}, NULL) && str_find(w, S("nan("), 0) < 0;
}

// A right-hand column swallows all words up to the next end of a condition,
// and only the first column of them counts.
static spider_col parse_swallowing_col(spider_parser *p, ptrdiff_t start)
{
    ptrdiff_t end = p->at;
    while (end < p->words.len) {
        str w = p->words.ptr[end];
        if (str_among(w, ", ) and") || is_clause(w) || is_join_word(w)) {
            break;
        }
        end++;
    }
    spider_parser inner = *p;
    inner.words.len = end;
    inner.at = start;
    spider_col col = parse_col(&inner);
    p->failed |= inner.failed;
    p->at = end;
    return col;
}

// value -> ["("] ( sql | LITERAL | NUMBER | column... ) [")"]
static spider_value parse_value(spider_parser *p)
{
    spider_value value = {0};
    ptrdiff_t start = p->at;
    bool in_block = take(p, S("("));
    str w = word(p);
    if (!has_word(p)) {
        p->failed = true;
    } else if (str_equal(w, S("select"))) {
        const spider_query *q = parse_sql(p);
        value.kind = SPIDER_VALUE_QUERY;
        value.key = spider_query_key(q);
        value.bare = spider_query_key(spider_bare(p->a, q));
    } else if (str_find(w, S("\""), 0) >= 0 || is_number_word(w)) {
        value.kind = SPIDER_VALUE_LITERAL;
        value.key = hash_bytes(w);
        p->at++;
    } else {
        value.kind = SPIDER_VALUE_COLUMN;
        value.column = parse_swallowing_col(p, start);
    }
    if (in_block) {
        expect(p, S(")"));
    }
    return value;
}

static spider_cond parse_cond(spider_parser *p)
{
    spider_cond cond = {.left = parse_val(p)};
    cond.is_not = take(p, S("not"));
    ptrdiff_t test = take_of(p, test_words, countof(test_words));
    if (test < 0) {
        p->failed = true;
        return cond;
    }
    cond.test = (spider_test)test;
    cond.first = parse_value(p);
    if (cond.test == SPIDER_TEST_BETWEEN) {
        expect(p, S("and"));
        cond.second = parse_value(p);
    }
    return cond;
}

// conds -> cond { [and|or] cond }, until a clause, ")", ";", join, on or as
static void parse_conds(spider_parser *p, spider_conds *out)
{
    while (has_word(p)) {
        spider_cond cond = parse_cond(p);
        *vec_push(p->a, out) = cond;
        str w = word(p);
        if (has_word(p) && (is_clause(w) || is_closing(w) || is_join_word(w))) {
            break;
        }
        bool is_and = is_word(p, S("and"));
        if (is_and || is_word(p, S("or"))) {
            *vec_push(p->a, out) = (spider_cond){
                .link = is_and ? SPIDER_LINK_AND : SPIDER_LINK_OR};
            p->at++;
        }
    }
}

static void parse_select(spider_parser *p, spider_query *q)
{
    expect(p, S("select"));
    q->is_distinct = take(p, S("distinct"));
    while (has_word(p) && !is_clause(word(p))) {
        ptrdiff_t agg = take_of(p, agg_words, countof(agg_words));
        spider_item item = {agg < 0 ? SPIDER_AGG_NONE : (spider_agg)agg,
                            parse_val(p)};
        *vec_push(p->a, &q->select) = item;
        take(p, S(","));
    }
}

typedef vec_of(int32_t) table_list;

// unit -> ["("] ( sql | ["join"] TABLE ["as" ALIAS] ) ["on" conds] [")"]
static void parse_unit(spider_parser *p, spider_query *q, table_list *scope)
{
    bool in_block = take(p, S("("));
    spider_unit unit = {.table = -1};
    if (is_word(p, S("select"))) {
        unit.key = spider_query_key(parse_sql(p));
    } else {
        take(p, S("join"));
        int32_t table = has_word(p) ? table_of(p, word(p)) : -1;
        p->failed |= table < 0;
        p->at++;
        if (take(p, S("as"))) {
            p->at++;
        }
        unit.table = table;
        *vec_push(p->a, scope) = table;
    }
    *vec_push(p->a, &q->from) = unit;
    if (take(p, S("on"))) {
        // The tables named so far are the ones a bare column is looked for in.
        p->scope = scope->ptr;
        p->n_scope = scope->len;
        spider_conds on = {0};
        parse_conds(p, &on);
        if (q->on.len > 0 && on.len > 0) {
            *vec_push(p->a, &q->on) = (spider_cond){.link = SPIDER_LINK_AND};
        }
        for (ptrdiff_t i = 0; i < on.len; i++) {
            *vec_push(p->a, &q->on) = on.ptr[i];
        }
    }
    if (in_block) {
        expect(p, S(")"));
    }
}

static table_list parse_from(spider_parser *p, spider_query *q)
{
    table_list scope = {0};
    while (has_word(p) && !is_word(p, S("from"))) {
        p->at++;
    }
    expect(p, S("from"));
    while (has_word(p)) {
        parse_unit(p, q, &scope);
        if (has_word(p) && (is_clause(word(p)) || is_closing(word(p)))) {
            break;
        }
    }
    return scope;
}

static void parse_group(spider_parser *p, spider_query *q)
{
    if (!take(p, S("group"))) {
        return;
    }
    expect(p, S("by"));
    while (has_word(p) && !is_clause(word(p)) && !is_closing(word(p))) {
        spider_col col = parse_col(p);
        *vec_push(p->a, &q->group) = col;
        if (!take(p, S(","))) {
            break;
        }
    }
}

static void parse_order(spider_parser *p, spider_query *q)
{
    if (!take(p, S("order"))) {
        return;
    }
    q->has_order = true;
    expect(p, S("by"));
    while (has_word(p) && !is_clause(word(p)) && !is_closing(word(p))) {
        spider_val val = parse_val(p);
        *vec_push(p->a, &q->order) = val;
        if (take(p, S("desc"))) {
            q->is_descending = true;
        } else if (take(p, S("asc"))) {
            q->is_descending = false;
        }
        if (!take(p, S(","))) {
            break;
        }
    }
}

static void skip_semicolons(spider_parser *p)
{
    while (take(p, S(";"))) {
    }
}

static void parse_clauses(spider_parser *p, spider_query *q)
{
    if (take(p, S("where"))) {
        parse_conds(p, &q->where);
    }
    parse_group(p, q);
    if (take(p, S("having"))) {
        parse_conds(p, &q->having);
    }
    parse_order(p, q);
    if (take(p, S("limit"))) {
        p->failed |= !has_word(p);
        p->at++;
        q->has_limit = true;
    }
}

// sql -> ["("] select from [where] [group] [having] [order] [limit] {";"}
//        [")"] {";"} [(intersect|union|except) sql]
static spider_query *parse_sql(spider_parser *p)
{
    spider_query *q = arena_new(p->a, spider_query, 1);
    if (p->failed || ++p->depth > DEPTH_MOST) {
        p->failed = true;
        return q;
    }
    const int32_t *outer_scope = p->scope;
    ptrdiff_t n_outer = p->n_scope;
    bool in_block = take(p, S("("));
    ptrdiff_t select_at = p->at;
    table_list scope = parse_from(p, q);
    ptrdiff_t from_end = p->at;
    p->scope = scope.ptr;
    p->n_scope = scope.len;
    p->at = select_at;
    parse_select(p, q);
    p->at = from_end;
    parse_clauses(p, q);
    skip_semicolons(p);
    if (in_block) {
        expect(p, S(")"));
    }
    skip_semicolons(p);
    ptrdiff_t op = take_of(p, branch_words, countof(branch_words));
    if (op >= 0) {
        q->branches[op] = parse_sql(p);
    }
    p->scope = outer_scope;
    p->n_scope = n_outer;
    p->depth--;
    return q;
}

// The word that an alias stands for may be an alias again; the evaluator
// follows one step only, and a table's name always means the table.
static bool read_aliases(spider_parser *p,
                         const str_list *words,
                         map *names,
                         arena *scratch)
{
    table_list tables = {0};
    for (ptrdiff_t i = 0; i < words->len; i++) {
        if (!str_equal(words->ptr[i], S("as"))) {
            continue;
        }
        if (i + 1 == words->len) {
            return false;
        }
        str meant = words->ptr[i > 0 ? i - 1 : words->len - 1];
        ptrdiff_t id = map_add(names, scratch, words->ptr[i + 1]);
        while (tables.len <= id) {
            *vec_push(scratch, &tables) = -1;
        }
        assert(tables.ptr);
        tables.ptr[id] = find_table(p->schema, meant);
    }
    for (ptrdiff_t t = 0; t < p->schema->n_tables; t++) {
        str name = p->schema->tables[t].name;
        if (p->schema->tables[t].view) {
            continue;
        }
        str key = arena_lower(scratch, name);
        if (map_find(names, key) >= 0) {
            return false;  // an alias that is a table's name
        }
        map_add(names, scratch, key);
        *vec_push(scratch, &tables) = (int32_t)t;
    }
    p->aliases = names;
    p->tables = tables.ptr;
    return true;
}

spider_query *spider_query_of(arena *a, str sql, const schema *s, arena scratch)
{
    str_list words;
    // A NUL ends the text for some who read it, and for others it does not.
    bool has_nul = sql.len > 0 && memchr(sql.ptr, '\0', (size_t)sql.len);
    if (has_nul || !spider_words_of(&words, a, sql, scratch)) {
        return NULL;
    }
    spider_parser p = {.words = words, .schema = s, .a = a};
    map names = {0};
    if (!read_aliases(&p, &words, &names, &scratch)) {
        return NULL;
    }
    spider_query *q = parse_sql(&p);
    return p.failed ? NULL : q;
}

spider_query *spider_query_empty(arena *a)
{
    return arena_new(a, spider_query, 1);
}
