/*
 * relation_sql.c - see relation_sql.h.
 *
 * Method      Sources are called s0, s1, ... by their number, which is one in
 *             the whole query, so that a subquery can name those around it;
 *             columns of a derived table c0, c1, ... Inner sources come first,
 *             then each outer one with its ON. All is in brackets.
 *             A value without the type of its column is CASE WHEN 1 THEN x END:
 *             that has neither affinity nor collation.
 *
 * Cost        Linear in the terms.
 */
#include "relation_sql.h"

#include "sql/name.h"

#include <assert.h>

typedef struct writer {
    buf out;
    bool is_unsayable;
} writer;

static void add_block(writer *w, const block *b);
static void add_term(writer *w, const term *t);

static void add(writer *w, const char *text)
{
    buf_add(&w->out, str_from(text));
}

static void add_list(writer *w,
                     const term *const *list,
                     ptrdiff_t n,
                     const char *between)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        add(w, i > 0 ? between : "");
        add_term(w, list[i]);
    }
}

static void add_column(writer *w, const term *t)
{
    const instance *i = t->source;
    buf_printf(&w->out, "s%d.", (int)i->no);
    if (t->column < 0) {
        add(w, "rowid");
    } else if (i->body) {
        buf_printf(&w->out, "c%d", (int)t->column);
    } else {
        name_add_quoted(&w->out, i->columns_of->columns[t->column].name,
                        DIALECT_SQLITE);
    }
}

static void add_text(writer *w, str text)
{
    name_add_between(&w->out, text, '\'', '\'');
}

static void add_collation(writer *w, schema_collation c)
{
    static const char *const names[] = {
        [COLLATION_BINARY] = " COLLATE BINARY",
        [COLLATION_NOCASE] = " COLLATE NOCASE",
        [COLLATION_RTRIM] = " COLLATE RTRIM",
    };
    w->is_unsayable |= c == COLLATION_OTHER;
    add(w, c == COLLATION_OTHER ? "" : names[c]);
}

// Of a value with another type there is only the collation to be said.
static void add_as(writer *w, const term *t)
{
    term_type type = term_type_of(t);
    w->is_unsayable |= type.has_affinity;
    add(w, "(CASE WHEN 1 THEN ");
    add_term(w, t->args[0]);
    add(w, " END");
    if (type.has_collation) {
        add_collation(w, type.collation);
    }
    add(w, ")");
}

static void add_cast(writer *w, const term *t)
{
    static const char *const types[] = {
        [AFFINITY_INTEGER] = "INTEGER", [AFFINITY_REAL] = "REAL",
        [AFFINITY_NUMERIC] = "NUMERIC", [AFFINITY_TEXT] = "TEXT",
        [AFFINITY_BLOB] = "BLOB",
    };
    add(w, "CAST(");
    add_term(w, t->args[0]);
    buf_printf(&w->out, " AS %s)", types[t->column]);
}

static void add_case(writer *w, const term *t)
{
    add(w, "(CASE");
    for (int32_t i = 0; i + 1 < t->n; i += 2) {
        add(w, " WHEN ");
        add_term(w, t->args[i]);
        add(w, " THEN ");
        add_term(w, t->args[i + 1]);
    }
    if (t->n % 2 == 1) {
        add(w, " ELSE ");
        add_term(w, t->args[t->n - 1]);
    }
    add(w, " END)");
}

static bool is_operator(str name)
{
    return str_among(name, "like glob regexp match -> ->> & | << >>");
}

static void add_call(writer *w, const term *t)
{
    if (is_operator(t->text) && t->n >= 2) {
        add(w, "(");
        add_term(w, t->args[0]);
        buf_printf(&w->out, " %.*s ", STR_ARG(t->text));
        add_term(w, t->args[1]);
        if (t->n == 3) {
            add(w, " ESCAPE ");
            add_term(w, t->args[2]);
        }
        add(w, ")");
        return;
    }
    if (str_among(t->text, "is_true is_false ~")) {
        bool is_tilde = str_equal(t->text, S("~"));
        add(w, is_tilde ? "(~" : "(");
        add_term(w, t->args[0]);
        add(w, is_tilde                           ? ")"
               : str_equal(t->text, S("is_true")) ? " IS TRUE)"
                                                  : " IS FALSE)");
        return;
    }
    buf_printf(&w->out, "%.*s(", STR_ARG(t->text));
    add(w, t->flag ? "DISTINCT " : "");
    bool counts_rows = t->n == 0 && str_equal(t->text, S("count"));
    add(w, counts_rows ? "*" : "");
    add_list(w, t->args, t->n, ", ");
    add(w, ")");
}

// The keys of a window stand beside their directions.
static void add_window(writer *w, const term *t)
{
    const term *by = t->args[1];
    const term *keys = t->args[2];
    term call = *t->args[0];
    ptrdiff_t frame = str_find(call.text, S(" "), 0);
    call.text = frame >= 0 ? str_sub(call.text, 0, frame) : call.text;
    add_call(w, &call);
    add(w, by->n > 0 ? " OVER (PARTITION BY " : " OVER (");
    add_list(w, by->args, by->n, ", ");
    for (int32_t i = 0; i + 1 < keys->n; i += 2) {
        int64_t how = keys->args[i + 1]->number;
        bool falls = how & 1;
        bool is_other = how & 2;
        add(w, i > 0 ? ", " : " ORDER BY ");
        add_term(w, keys->args[i]);
        add(w, falls ? " DESC" : "");
        add(w, falls != is_other ? " NULLS LAST" : " NULLS FIRST");
    }
    buf_add(&w->out, frame >= 0 ? str_skip(t->args[0]->text, frame) : S(""));
    add(w, ")");
}

// Where one side is taken as REAL so is the other.
static void add_arithmetic(writer *w, const term *t, const char *sign)
{
    add(w, t->flag ? "(CAST(" : "(");
    add_term(w, t->args[0]);
    add(w, t->flag ? " AS REAL)" : "");
    add(w, sign);
    add_term(w, t->args[1]);
    add(w, ")");
}

static const char *sign_of(const term *t)
{
    switch ((int)t->kind) {
    case TERM_EQUAL: return " = ";
    case TERM_UNEQUAL: return " <> ";
    case TERM_LESS: return " < ";
    case TERM_LESS_EQUAL: return " <= ";
    case TERM_GREATER: return " > ";
    case TERM_GREATER_EQUAL: return " >= ";
    case TERM_IS: return " IS ";
    case TERM_AND: return " AND ";
    case TERM_OR: return " OR ";
    case TERM_CONCAT: return " || ";
    case TERM_ADD: return " + ";
    case TERM_SUBTRACT: return " - ";
    case TERM_MULTIPLY: return " * ";
    case TERM_DIVIDE: return " / ";
    case TERM_REMAINDER: return " % ";
    default: return NULL;
    }
}

static bool is_arithmetic(const term *t)
{
    return t->kind >= TERM_ADD && t->kind <= TERM_REMAINDER;
}

static void add_in(writer *w, const term *t)
{
    add(w, "(");
    add_term(w, t->args[0]);
    add(w, " IN (");
    if (t->block) {
        add_block(w, t->block);
    } else {
        add_list(w, t->args + 1, t->n - 1, ", ");
    }
    add(w, "))");
}

static void add_nested(writer *w, const char *before, const block *b)
{
    add(w, before);
    add_block(w, b);
    add(w, ")");
}

static void add_leaf(writer *w, const term *t)
{
    switch ((int)t->kind) {
    case TERM_NULL: add(w, "NULL"); break;
    case TERM_INTEGER: buf_printf(&w->out, "%lld", (long long)t->number); break;
    case TERM_TEXT: add_text(w, t->text); break;
    case TERM_REAL:
    case TERM_OPAQUE: buf_add(&w->out, t->text); break;
    case TERM_COLUMN: add_column(w, t); break;
    case TERM_OUTPUT: buf_printf(&w->out, "%d", (int)t->column + 1); break;
    default: w->is_unsayable = true; break;
    }
}

static void add_term(writer *w, const term *t)
{
    if (is_arithmetic(t)) {
        add_arithmetic(w, t, sign_of(t));
        return;
    }
    if (sign_of(t)) {
        add(w, "(");
        add_list(w, t->args, t->n, sign_of(t));
        add(w, t->n == 1 ? " AND 1)" : ")");  // of a value: whether it is true
        return;
    }
    switch ((int)t->kind) {
    case TERM_NOT:
    case TERM_NEGATE:
        add(w, t->kind == TERM_NOT ? "(NOT " : "(- ");
        add_term(w, t->args[0]);
        add(w, ")");
        break;
    case TERM_IN_LIST:
    case TERM_IN: add_in(w, t); break;
    case TERM_EXISTS: add_nested(w, "EXISTS (", t->block); break;
    case TERM_SCALAR: add_nested(w, "(", t->block); break;
    case TERM_ROW:
        add(w, "(");
        add_list(w, t->args, t->n, ", ");
        add(w, ")");
        break;
    case TERM_AGGREGATE:
    case TERM_CALL: add_call(w, t); break;
    case TERM_WINDOW: add_window(w, t); break;
    case TERM_AS: add_as(w, t); break;
    case TERM_CAST: add_cast(w, t); break;
    case TERM_CASE: add_case(w, t); break;
    default: add_leaf(w, t); break;
    }
}

// A key of GROUP BY or ORDER BY, where SQLite does not find columns from
// outside and takes a number for the place of an item: by such a place, or as
// what is no number.
static void add_key(writer *w, const block *b, const term *t)
{
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        if (term_bare(b->select.ptr[i]) == term_bare(t)) {
            buf_printf(&w->out, "%td", i + 1);
            return;
        }
    }
    bool may_be_place = t->kind == TERM_INTEGER || t->kind == TERM_OPAQUE;
    add(w, may_be_place ? "CASE WHEN 1 THEN " : "");
    add_term(w, t);
    add(w, may_be_place ? " END" : "");
}

static void add_all(writer *w, const char *before, const term_list *l)
{
    if (l->len > 0) {
        add(w, before);
        add_list(w, l->ptr, l->len, " AND ");
    }
}

static void add_source(writer *w, const instance *i)
{
    if (i->body) {
        add_nested(w, "(", i->body);
    } else {
        name_add_quoted(&w->out, i->columns_of->name, DIALECT_SQLITE);
    }
    buf_printf(&w->out, " AS s%d", (int)i->no);
}

static void add_from(writer *w, const block *b)
{
    int n = 0;
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (!b->sources.ptr[i]->is_outer) {
            add(w, n++ > 0 ? " CROSS JOIN " : " FROM ");
            add_source(w, b->sources.ptr[i]);
        }
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        const instance *source = b->sources.ptr[i];
        if (source->is_outer) {
            add(w, n++ > 0 ? "" : " FROM (SELECT 1)");
            add(w, " LEFT JOIN ");
            add_source(w, source);
            add_all(w, " ON ", &source->on);
        }
    }
}

// One row of groups, of which nothing is asked but how many there are.
static bool hides_group(const block *b)
{
    return b->is_grouped && !b->has_group && !block_has(b, HAS_AGGREGATE);
}

static void add_items(writer *w, const block *b)
{
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        bool shows_group = i == 0 && hides_group(b);
        add(w, i > 0 ? ", " : "");
        add(w, shows_group ? "CASE WHEN count(*) >= 0 THEN " : "");
        add_term(w, b->select.ptr[i]);
        buf_printf(&w->out, "%s AS c%d", shows_group ? " END" : "", (int)i);
    }
}

static void add_select(writer *w, const block *b)
{
    add(w, b->repeats == REPEATS_KEPT ? "SELECT " : "SELECT DISTINCT ");
    add_items(w, b);
    add_from(w, b);
    add_all(w, " WHERE ", &b->where);
    if (b->has_group) {
        add(w, b->group.len > 0 ? " GROUP BY " : " GROUP BY NULL");
    }
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        add(w, i > 0 ? ", " : "");
        add_key(w, b, b->group.ptr[i]);
    }
    add_all(w, " HAVING ", &b->having);
}

static void add_set(writer *w, const block *b);

static bool has_tail(const block *b)
{
    return b->order.len > 0 || b->limit || b->offset;
}

// A side with a tail of its own, or a right one that is made of sides, is a
// derived table.
static void add_side(writer *w, const block *b, bool is_left)
{
    if (has_tail(b) || (b->set && !is_left)) {
        add_nested(w, "SELECT * FROM (", b);
    } else if (b->set) {
        add_set(w, b);
    } else {
        add_select(w, b);
    }
}

static void add_set(writer *w, const block *b)
{
    static const char *const words[] = {
        [SET_UNION] = " UNION ",
        [SET_INTERSECT] = " INTERSECT ",
        [SET_EXCEPT] = " EXCEPT ",
    };
    assert(b->set != SET_NONE);
    add_side(w, b->left, true);
    add(w, words[b->set]);
    add(w, b->is_all ? "ALL " : "");
    add_side(w, b->right, false);
}

static void add_tail(writer *w, const block *b)
{
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        const sort_term *key = &b->order.ptr[i];
        add(w, i > 0 ? ", " : " ORDER BY ");
        add_key(w, b, key->term);
        add(w, key->is_descending ? " DESC" : "");
        add(w, key->nulls_last ? " NULLS LAST" : " NULLS FIRST");
    }
    if (b->limit || b->offset) {
        add(w, " LIMIT ");
        add_term(w, b->limit ? b->limit : b->offset);
        add(w, b->limit ? "" : " * 0 - 1");
    }
    if (b->offset) {
        add(w, " OFFSET ");
        add_term(w, b->offset);
    }
}

static void add_block(writer *w, const block *b)
{
    if (b->set) {
        add_set(w, b);
    } else {
        add_select(w, b);
    }
    add_tail(w, b);
}

str relation_sql(arena *a, const relation *r)
{
    writer w = {.out = buf_new(a), .is_unsayable = !r->top};
    if (r->top) {
        add_block(&w, r->top);
    }
    return w.is_unsayable ? (str){0} : buf_str(&w.out);
}
