/*
 * other_meaning.c - see other_meaning.h.
 *
 * Method      One walk over the tree, as SQLite's binder understood it. What a
 *             point of semantics.def says of the dialect is looked for where
 *             the kinds of the values are known; what is of unknown kind is
 *             taken to be harmless, for most of it is.
 *
 * Cost        Linear in the tree; in a SELECT, names times items and keys.
 */
#include "check/other_meaning.h"

#include "relation/relation_term.h"
#include "sql/print.h"
#include "sql/semantics.h"

#include <assert.h>

typedef struct look {
    const binding *b;
    semantics means;
    arena *a;
    arena scratch;
    str_list out;
    const ast *select;         // whose names are looked at
    const bound_block *block;  // its own
    semantics_alias place;     // what an alias here takes
    bool is_whole;             // the name is all that there is of the key
} look;

// Qualifiers are left out: both queries may call a table otherwise.
static void add(look *l, const char *what, const ast *n)
{
    buf text = buf_new(l->a);
    buf_printf(&text, "%s: ", what);
    if (n->kind == AST_COLUMN) {
        buf_add(&text, n->text);
    } else {
        print_sql(&text, n, DIALECT_SQLITE, PRINT_ONE_LINE, l->scratch);
    }
    str s = buf_str(&text);
    ptrdiff_t at = 0;
    while (at < l->out.len && str_compare(l->out.ptr[at], s) < 0) {
        at++;
    }
    if (at < l->out.len && str_equal(l->out.ptr[at], s)) {
        return;
    }
    *vec_push(l->a, &l->out) = s;
    for (ptrdiff_t i = l->out.len - 1; i > at; i--) {
        l->out.ptr[i] = l->out.ptr[i - 1];
    }
    l->out.ptr[at] = s;
}

/* Values. */

static schema_kind kind_of(const look *l, const ast *n)
{
    return bind_type(l->b, n).kind;
}

static bool is_fraction(schema_kind k)
{
    return k == KIND_REAL || k == KIND_DECIMAL;
}

static bool is_number(schema_kind k)
{
    return k == KIND_INTEGER || is_fraction(k);
}

static bool spells_number(const ast *n)
{
    double d = 0;
    ptrdiff_t len = n->kind == AST_STRING ? n->text.len : 0;
    return len > 2 && str_to_double(str_sub(n->text, 1, len - 1), &d);
}

// A time and the text of one: the calendar's day for a day, the day and the
// time for a moment, but where its midnight and its day sort alike.
static bool is_other_time(const ast *n, schema_kind time, const ast *text)
{
    if (text->kind != AST_STRING
        || (time != KIND_DATE && time != KIND_TIMESTAMP)) {
        return false;
    }
    ptrdiff_t len = text->text.len - 2;
    bool sorts_alike =
        n->kind == AST_BINARY && n->kid[BINARY_RIGHT] == text
        && (n->form == OPERATOR_GREATER_EQUAL || n->form == OPERATOR_LESS);
    return time == KIND_DATE ? len != 10 : len < 19 && !sorts_alike;
}

// A day or a moment that is computed, as the translation writes it.
static bool is_computed_time(const ast *n)
{
    return n->kind == AST_CALL && str_among_fold(n->text, "date datetime");
}

static void look_at_sides(look *l,
                          const ast *n,
                          const ast *left,
                          const ast *right)
{
    schema_kind one = kind_of(l, left);
    schema_kind other = kind_of(l, right);
    bool is_mixed = (one == KIND_TEXT && is_number(other))
                    || (other == KIND_TEXT && is_number(one));
    // Beside a column of numbers '1' is 1 everywhere.
    bool is_read = (left->kind == AST_COLUMN && spells_number(right))
                   || (right->kind == AST_COLUMN && spells_number(left));
    if (is_mixed && !is_read) {
        add(l, "a text beside a number", n);
    }
    bool is_text = (is_computed_time(left) && right->kind == AST_COLUMN
                    && other == KIND_TEXT)
                   || (is_computed_time(right) && left->kind == AST_COLUMN
                       && one == KIND_TEXT);
    if (is_text || is_other_time(n, one, right)
        || is_other_time(n, other, left)) {
        add(l, "a time beside a text", n);
    }
}

static bool is_to_text(const ast *cast)
{
    const ast *type = cast->kid[CAST_TYPE];
    return type && schema_kind_of(type->text) == KIND_TEXT;
}

static bool find_julianday(void *context, const ast *n)
{
    bool *found = context;
    *found |= n->kind == AST_CALL && str_equal_fold(n->text, S("julianday"));
    return !*found;
}

// Of days only the translation of DATEDIFF makes whole numbers.
static bool is_of_days(const ast *n)
{
    bool found = false;
    ast_walk(n, find_julianday, &found);
    return found;
}

static void look_at_cast(look *l, const ast *n)
{
    const ast *type = n->kid[CAST_TYPE];
    schema_kind from = kind_of(l, n->kid[CAST_EXPR]);
    if (type && l->means.cast_rounds && is_fraction(from)
        && !is_of_days(n->kid[CAST_EXPR])
        && schema_kind_of(type->text) == KIND_INTEGER) {
        add(l, "a fraction that becomes whole", n);
    }
    if (is_to_text(n) && is_fraction(from)) {
        add(l, "a REAL as text", n);
    }
}

static void look_at_binary(look *l, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    if (!left || !right) {
        return;
    }
    bool has_fraction =
        is_fraction(kind_of(l, left)) || is_fraction(kind_of(l, right));
    if (operator_compares(n->form)) {
        look_at_sides(l, n, left, right);
    } else if (n->form == OPERATOR_REMAINDER && has_fraction) {
        add(l, "a fraction under %", n);
    } else if (n->form == OPERATOR_CONCAT && has_fraction) {
        add(l, "a REAL as text", n);
    }
}

static void look_at_call(look *l, const ast *n)
{
    const ast *first = n->kid[CALL_ARGS];
    const ast *start = first ? first->next : NULL;
    int64_t from = 1;
    bool is_minus = start && start->kind == AST_UNARY;
    if (str_among_fold(n->text, "substr substring") && start
        && (is_minus
            || (start->kind == AST_NUMBER && str_to_int(start->text, &from)
                && from < 1))) {
        add(l, "a part that begins before the text", n);
    }
    if (str_equal_fold(n->text, S("instr")) && l->means.texts_are_folded) {
        add(l, "the case of letters", n);
    }
}

/* Names. */

static const ast *item_called(const look *l, str name)
{
    for (const ast *i = l->select->kid[SELECT_ITEMS]; i; i = i->next) {
        if (i->kind == AST_ALIAS && str_equal_fold(i->text, name)) {
            return i->kid[ALIAS_EXPR];
        }
    }
    return NULL;
}

static bool has_column(const look *l, str name)
{
    for (ptrdiff_t s = 0; s < l->block->n_sources; s++) {
        const bound_source *of = l->block->sources[s];
        for (ptrdiff_t c = 0; c < of->n_columns; c++) {
            if (str_equal_fold(of->columns[c].name, name)) {
                return true;
            }
        }
    }
    return false;
}

static bool look_for_alias(void *context, const ast *n)
{
    look *l = context;
    if (ast_is_query(n)) {
        return false;
    }
    const ast *item = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH]
                          ? item_called(l, n->text)
                          : NULL;
    bool is_own =
        item && item->kind == AST_COLUMN && str_equal_fold(item->text, n->text);
    if (!item || is_own) {
        return true;
    }
    bool has_both = has_column(l, n->text);
    // Where no alias is seen, the column is meant, in SQLite as well.
    bool is_column = l->place == ALIAS_WHERE && l->means.alias < ALIAS_WHERE;
    bool is_order_key = l->is_whole && l->place == ALIAS_ORDER;
    bool is_seen = l->means.alias >= l->place
                   && (l->is_whole || l->means.alias >= ALIAS_HAVING);
    if (has_both ? !is_order_key && !is_column : !is_seen) {
        add(l, "a name of the select list", n);
    }
    return true;
}

static void look_for_aliases(look *l, const ast *list, semantics_alias place)
{
    for (const ast *n = list; n; n = n->next) {
        const ast *key = n->kind == AST_SORT ? n->kid[SORT_EXPR] : n;
        l->place = place;
        l->is_whole = place <= ALIAS_GROUP && key->kind == AST_COLUMN;
        ast_walk(key, look_for_alias, l);
    }
}

static void look_at_select(look *l, const ast *n)
{
    const bound_query *q = bind_query_at(l->b, n);
    if (!q || !q->block) {
        return;
    }
    l->select = n;
    l->block = q->block;
    look_for_aliases(l, n->kid[SELECT_WHERE], ALIAS_WHERE);
    look_for_aliases(l, n->kid[SELECT_GROUP], ALIAS_GROUP);
    look_for_aliases(l, n->kid[SELECT_HAVING], ALIAS_HAVING);
    look_for_aliases(l, n->kid[SELECT_ORDER], ALIAS_ORDER);
}

static void look_at_list(look *l, const ast *n)
{
    for (const ast *i = n->kid[IN_LIST]; i; i = i->next) {
        look_at_sides(l, n, n->kid[IN_EXPR], i);
    }
}

static bool look_at(void *context, const ast *n)
{
    look *l = context;
    switch ((int)n->kind) {
    case AST_SELECT: look_at_select(l, n); break;
    case AST_BINARY: look_at_binary(l, n); break;
    case AST_CAST: look_at_cast(l, n); break;
    case AST_CALL: look_at_call(l, n); break;
    case AST_IN: look_at_list(l, n); break;
    case AST_BETWEEN:
        look_at_sides(l, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW]);
        look_at_sides(l, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH]);
        break;
    default: break;
    }
    return true;
}

static str_list meanings_of(const binding *b,
                            dialect d,
                            arena *a,
                            arena scratch)
{
    look l = {
        .b = b, .means = dialect_semantics(d), .a = a, .scratch = scratch};
    if (l.means.has_static_types) {
        ast_walk(b->query->node, look_at, &l);
    }
    return l.out;
}

static bool is_other_type(const schema_column *c)
{
    switch ((int)c->kind) {
    case KIND_ANY:
    case KIND_TIME:
    case KIND_BYTES: return c->type.len > 0;
    case KIND_REAL: return !str_starts_fold(c->type, S("double"));
    case KIND_TEXT:
        return str_starts_fold(c->type, S("char"))
               && str_find(c->type, S("varying"), 0) < 0;
    default: return c->is_single;
    }
}

static bool find_single(void *context, const ast *n)
{
    bool *found = context;
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    *found |= type && str_among_fold(type->text, "real float4");
    return !*found;
}

bool casts_to_single(const binding *b)
{
    bool found = false;
    ast_walk(b->query->node, find_single, &found);
    return found;
}

bool reads_other_types(const binding *b)
{
    bool found = false;
    for (int32_t i = 1; i < b->n_nodes && !found; i++) {
        const bound_ref *ref = b->refs[i];
        const bound_source *s =
            ref && ref->kind == REF_COLUMN && ref->column >= 0 ? ref->source
                                                               : NULL;
        bound_place at = s ? bind_stored(s, ref->column)
                           : (bound_place){.table = -1, .column = -1};
        found =
            at.table >= 0 && at.column >= 0
            && is_other_type(&b->schema->tables[at.table].columns[at.column]);
    }
    return found;
}

static bool look_for_type(void *context, const ast *n)
{
    bool *found = context;
    *found |= n->kind == AST_CAST
              || (n->kind == AST_BINARY
                  && (n->form == OPERATOR_DIVIDE || n->form == OPERATOR_CONCAT
                      || n->form == OPERATOR_REMAINDER));
    return !*found;
}

bool shows_types(const binding *b)
{
    bool found = false;
    ast_walk(b->query->node, look_for_type, &found);
    return found;
}

static bool are_equal(const str_list *l, const str_list *r)
{
    bool same = l->len == r->len;
    for (ptrdiff_t i = 0; same && i < l->len; i++) {
        same = str_equal(l->ptr[i], r->ptr[i]);
    }
    return same;
}

void other_meaning_refuse(check_verdict *v, str what, arena *a)
{
    *v = (check_verdict){
        .answer = CHECK_UNKNOWN,
        .evidence = EVIDENCE_BOUND,
        .reason = S("dialect"),
        .detail =
            arena_printf(a, "SQLite has no equal for %.*s", STR_ARG(what)),
        .is_translated = true,
    };
}

void other_meaning_heed(check_verdict *v,
                        const binding *left,
                        const binding *right,
                        dialect d,
                        arena *a,
                        arena scratch)
{
    str_list none = {0};
    str_list l = left ? meanings_of(left, d, a, scratch) : none;
    str_list r = right ? meanings_of(right, d, a, scratch) : none;
    bool is_bare = str_equal(v->proof.obstacle, S(OBSTACLE_BARE));
    bool is_unread = !left || !right;
    bool is_refuted =
        v->evidence == EVIDENCE_WITNESS
        && (is_unread || l.len + r.len > 0 || (is_bare && v->is_stable));
    bool is_proved = v->answer == CHECK_EQUIVALENT && !are_equal(&l, &r);
    if (is_refuted || is_proved) {
        other_meaning_refuse(v,
                             l.len > 0   ? l.ptr[0]
                             : r.len > 0 ? r.ptr[0]
                             : is_unread ? S("names that assay cannot bind")
                                         : S(OBSTACLE_BARE),
                             a);
    }
}
