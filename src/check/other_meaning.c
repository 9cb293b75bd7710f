/*
 * other_meaning.c - see other_meaning.h.
 *
 * Method      One walk over the tree in the words it was written in. What a
 *             row of meaning.def and one of function.def say of the dialect is
 *             looked for where the kinds of the values are known;
 *             what is of unknown kind is taken to be harmless, for most of it
 *             is. What SQLite has no equal for is a text; a quotient of exact
 *             numbers is known by the digits that it has.
 *
 * Cost        Linear in the tree; in a SELECT, names times items and keys.
 */
#include "check/other_internal.h"
#include "relation/relation_type.h"
#include "sample/type_value.h"
#include "sql/print.h"
#include "sql/translate.h"

#include <assert.h>
#include <math.h>

static void add_once(arena *a, str_list *to, str s)
{
    for (ptrdiff_t i = 0; i < to->len; i++) {
        if (str_equal(to->ptr[i], s)) {
            return;
        }
    }
    *vec_push(a, to) = s;
    str_sort(to->ptr, to->len);
}

enum {
    MEANT_DEPTH = 4,  // derived tables in each other
};

// What a column of a derived table is there, and the name that a column of a
// table has: both queries may call it otherwise. What it cannot be said of is
// in no other query alike.
static const ast *meant(other_look *l, const ast *n, str *name, int *depth)
{
    const bound_ref *ref = n->kind == AST_COLUMN ? bind_ref(l->b, n) : NULL;
    const bound_source *s =
        ref && ref->kind == REF_COLUMN && ref->column >= 0 ? ref->source : NULL;
    int32_t c = s ? ref->column : -1;
    *name = n->text;
    while (s && c >= 0 && s->kind == SOURCE_QUERY) {
        const bound_query *of = s->query;
        bool is_open = s->is_recursive || *depth >= MEANT_DEPTH
                       || of->node->kind != AST_SELECT || c >= of->n_outputs;
        if (is_open) {
            l->out.is_absent = true;
            return n;
        }
        const bound_column *out = &of->outputs[c];
        ++*depth;
        if (out->expr && out->expr->kind != AST_COLUMN) {
            return out->expr;
        }
        s = out->source;
        c = out->column;
    }
    *name = s && c >= 0 && c < s->n_columns ? s->columns[c].name : *name;
    return n;
}

// Which side of + or * is written first says nothing: names before numbers.
static void sort_sides(ast *n, arena scratch)
{
    arena half = arena_half(&scratch);
    ast *left = n->kid[BINARY_LEFT];
    ast *right = n->kid[BINARY_RIGHT];
    str first = print_line(&half, left, DIALECT_SQLITE, scratch);
    if (str_compare(print_line(&half, right, DIALECT_SQLITE, scratch), first)
        > 0) {
        n->kid[BINARY_LEFT] = right;
        n->kid[BINARY_RIGHT] = left;
    }
}

static ast *one_way(other_look *l, arena *a, const ast *n, int depth)
{
    str name;
    const ast *of = meant(l, n, &name, &depth);
    ast *copy = ast_new(a, (ast_kind)of->kind);
    copy->form = of->kind == AST_COLUMN ? QUOTE_NONE
                 : of->kind == AST_CAST ? CAST_FORM_CAST
                                        : of->form;
    copy->flags = of->flags;
    copy->text = of->kind == AST_TYPE
                     ? arena_upper(a, type_name_of(of->text, l->d))
                 : of == n ? name
                           : of->text;
    for (int i = 0; i < ast_kid_count((ast_kind)of->kind); i++) {
        ast **last = &copy->kid[i];
        bool is_path = of->kind == AST_COLUMN && i == COLUMN_PATH;
        for (const ast *kid = is_path ? NULL : of->kid[i]; kid;
             kid = kid->next) {
            *last = one_way(l, a, kid, depth);
            last = &(*last)->next;
        }
    }
    if (copy->kind == AST_BINARY
        && (copy->form == OPERATOR_ADD || copy->form == OPERATOR_MULTIPLY)) {
        sort_sides(copy, *a);
    }
    return copy;
}

static str meant_text(other_look *l, const ast *n)
{
    arena scratch = l->scratch;
    ast *copy = one_way(l, &scratch, n, 0);
    return print_line(l->a, copy, DIALECT_SQLITE, scratch);
}

static str text_of(other_look *l, const char *what, const ast *n)
{
    str text = meant_text(l, n);
    return arena_printf(l->a, "%s: %.*s", what, STR_ARG(text));
}

void other_add(other_look *l, const char *what, const ast *n)
{
    add_once(l->a, &l->out.words, text_of(l, what, n));
}

void other_add_scale(other_look *l, const char *what, const operand *column)
{
    bound_place at = bind_stored_at(l->b, column->node);
    str of = at.table < 0 ? S("") : l->b->schema->tables[at.table].name;
    add_once(l->a, &l->out.words,
             arena_printf(l->a, "%s: of %.*s", what, STR_ARG(of)));
    l->out.shows_scale |= l->means.decimals == DECIMALS_ENOUGH
                          && str_find(column->type.declared, S("("), 0) < 0;
}

// Whichever of both is written first.
void other_add_pair(other_look *l,
                    const char *what,
                    const ast *one,
                    const ast *other)
{
    str first = meant_text(l, one);
    str second = meant_text(l, other);
    bool is_sorted = str_compare(first, second) > 0;
    add_once(l->a, &l->out.words,
             arena_printf(l->a, "%s: %.*s with %.*s", what,
                          STR_ARG(is_sorted ? first : second),
                          STR_ARG(is_sorted ? second : first)));
}

void other_add_shown(other_look *l, const char *what, const ast *n)
{
    add_once(l->a, &l->out.digits, text_of(l, what, n));
}

/* Functions. */

unsigned other_kind(const other_look *l, const ast *n)
{
    return meet_operand(&l->meets, n).kind;
}

static int digits(const other_look *l, const ast *n)
{
    return bind_type(l->b, n).digits;
}

static semantics_argument argument_of(const other_look *l, const ast *n)
{
    if (!n || n->kind == AST_STAR) {
        return ARGUMENT_ANY;
    }
    switch (other_kind(l, n)) {
    case IS_ANY: return ARGUMENT_ANY;
    case IS_WHOLE:
    case IS_DECIMAL: return ARGUMENT_EXACT;
    case IS_REAL: return ARGUMENT_REAL;
    case IS_TEXT: return l->is_plain ? ARGUMENT_PLAIN : ARGUMENT_TEXT;
    case IS_TRUTH: return ARGUMENT_TRUTH;
    default: return ARGUMENT_OTHER;
    }
}

// Is it a column of the result?
static bool is_shown_alone(const other_look *l, const ast *n)
{
    const bound_query *q = l->b->query;
    bool found = false;
    for (ptrdiff_t i = 0; q->block && i < q->block->n_outputs; i++) {
        found |= q->block->outputs[i].expr == n;
    }
    return found;
}

static void add_digits(other_look *l, str what, int digits)
{
    double slack = pow(10, digits == DIGITS_OPEN ? -4 : -digits);
    l->out.slack = l->out.slack > slack ? l->out.slack : slack;
    add_once(l->a, &l->out.digits, what);
}

static void look_at_function(other_look *l, const ast *n)
{
    const ast *first = n->kid[CALL_ARGS];
    semantics_argument of = argument_of(l, first);
    semantics_call call = dialect_call(l->d, n->text, ast_list_len(first), of);
    // What has no row was translated.
    bool is_known =
        dialect_call(l->d, n->text, ast_list_len(first), ARGUMENT_ANY);
    bool is_shown = is_shown_alone(l, n) && str_equal_fold(n->text, S("round"))
                    && !(other_kind(l, first) & IS_TIME);
    if (is_known && call == CALL_OTHER && is_shown) {
        // Of halves.
        add_digits(l, text_of(l, "this function", n), digits(l, n));
    } else if (is_known && call != CALL_SAME && call != CALL_OWN) {
        other_add(l, "this function", n);
        l->out.is_absent |= call == CALL_UNKNOWN;
    }
}

// Of exact numbers, or of what may be exact: a truth, a function of a system.
static bool is_quotient(const other_look *l, const ast *n)
{
    if (n->kind == AST_CALL) {
        return str_equal_fold(n->text, S("avg"))
               && other_kind(l, n) == IS_DECIMAL;
    }
    bool is_exact = n->kind == AST_BINARY && n->form == OPERATOR_DIVIDE;
    for (int i = BINARY_LEFT; is_exact && i <= BINARY_RIGHT; i++) {
        is_exact = !(other_kind(l, n->kid[i]) & (IS_REAL | IS_TEXT));
    }
    return is_exact;
}

// MySQL computes a quotient with more digits than it shows, and cuts it: what
// is rounded to no more than it shows is the same for all.
static const ast *rounded_in(const other_look *l, const ast *n)
{
    while (n && n->kind == AST_CALL
           && str_among_fold(n->text, "coalesce ifnull")) {
        n = n->kid[CALL_ARGS];
    }
    bool scales = n && n->kind == AST_BINARY && n->form == OPERATOR_MULTIPLY;
    if (scales && n->kid[BINARY_RIGHT]->kind == AST_NUMBER) {
        n = n->kid[BINARY_LEFT];
    } else if (scales && n->kid[BINARY_LEFT]->kind == AST_NUMBER) {
        n = n->kid[BINARY_RIGHT];
    }
    return n && is_quotient(l, n) ? n : NULL;
}

static void look_at_digits(other_look *l, const ast *n)
{
    bool counts = l->means.decimals > DECIMALS_ENOUGH;
    bool is_cast = n->kind == AST_CAST && other_kind(l, n) == IS_DECIMAL;
    bool rounds =
        is_cast || (n->kind == AST_CALL && str_equal_fold(n->text, S("round")));
    if (rounds && l->means.decimals == DECIMALS_FOUR) {
        int places = digits(l, n);
        const ast *of = n->kid[is_cast ? (int)CAST_EXPR : (int)CALL_ARGS];
        l->rounded = places >= 0 && places <= 4 ? rounded_in(l, of) : NULL;
    }
    if (!counts || n == l->rounded || !is_quotient(l, n)) {
        return;
    }
    int count = digits(l, n);
    add_digits(l,
               count == DIGITS_OPEN
                   ? text_of(l, "the digits of a quotient", n)
                   : arena_printf(l->a, "a quotient of %d digits", count),
               count);
}

/* Names. */

static const ast *item_called(const other_look *l, str name)
{
    for (const ast *i = l->select->kid[SELECT_ITEMS]; i; i = i->next) {
        if (i->kind == AST_ALIAS && str_equal_fold(i->text, name)) {
            return i;
        }
    }
    return NULL;
}

static bool has_column(const other_look *l, str name)
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
    other_look *l = context;
    if (ast_is_query(n)) {
        return false;
    }
    const ast *item = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH]
                          ? item_called(l, n->text)
                          : NULL;
    const ast *of = item ? item->kid[ALIAS_EXPR] : NULL;
    bool is_own =
        of && of->kind == AST_COLUMN && str_equal_fold(of->text, n->text);
    if (!item || is_own) {
        return true;
    }
    bool is_seen = l->means.alias >= l->place
                   && (l->is_whole || l->means.alias >= ALIAS_HAVING);
    // Of two that it may mean SQLite takes the column, but alone in ORDER BY.
    bool is_known = (l->is_whole && l->place == ALIAS_ORDER) || !is_seen
                    || (l->place == ALIAS_GROUP && !l->means.key_is_open);
    if (has_column(l, n->text) ? !is_known : !is_seen) {
        // With what it names, for the system may mean that.
        other_add(l, "a name of the select list", item);
        l->out.is_open = true;
    }
    return true;
}

static void look_for_aliases(other_look *l,
                             const ast *list,
                             semantics_alias place)
{
    for (const ast *n = list; n; n = n->next) {
        const ast *key = ast_unaliased(n);
        l->place = place;
        l->is_whole = place <= ALIAS_GROUP && key->kind == AST_COLUMN;
        ast_walk(key, look_for_alias, l);
    }
}

static void look_at_select(other_look *l, const ast *n)
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
    look_for_aliases(l, n->kid[SELECT_QUALIFY], ALIAS_HAVING);
    look_for_aliases(l, n->kid[SELECT_ORDER], ALIAS_ORDER);
}

static bool look_at(void *context, const ast *n)
{
    other_look *l = context;
    look_at_digits(l, n);
    meet_at(&l->meets, n);
    if (n->kind == AST_SELECT) {
        look_at_select(l, n);
    } else if (n->kind == AST_CALL) {
        look_at_function(l, n);
    }
    return true;
}

// Parts of a second are none that a moment has when it is computed.
static bool has_letters(const void *about, const ast *n)
{
    (void)about;
    ptrdiff_t point = n->kind == AST_STRING ? str_find(n->text, S("."), 0) : -1;
    bool has_parts =
        point >= 9 && type_is_time(str_sub(n->text, point - 8, point));
    return n->kind == AST_STRING && (has_parts || !text_is_plain(n->text));
}

bool other_is_plain(const ast *query)
{
    return !query || !ast_find(query, has_letters, NULL);
}

other_meaning other_meaning_of(const binding *b,
                               dialect d,
                               bool is_plain,
                               arena *a,
                               arena scratch)
{
    other_look l = {.b = b,
                    .d = d,
                    .means = dialect_semantics(d),
                    .is_plain = is_plain,
                    .a = a,
                    .scratch = scratch};
    l.meets = (meeting){b, l.means, other_met, &l};
    l.out.is_unread = !b;
    if (b && l.means.values != VALUES_DYNAMIC) {
        ast_walk(b->query->node, look_at, &l);
    }
    for (ptrdiff_t i = 0; b && i < b->query->n_outputs; i++) {
        schema_kind k = b->query->outputs[i].kind;
        l.out.n_truths += k == KIND_BOOLEAN && l.means.truths_are_typed;
        l.out.n_days += k == KIND_DATE;
        l.out.n_moments += k == KIND_TIMESTAMP;
    }
    return l.out;
}

// INTERVAL, BIT(3), UUID and the like are kept as texts, for want of better.
static bool is_plain_text(str declared)
{
    bool is_text = str_starts_fold(declared, S("text"))
                   || str_starts_fold(declared, S("string"))
                   || str_starts_fold(declared, S("varchar"))
                   || str_find_fold(declared, S("varying"), 0) >= 0;
    return is_text && str_find_fold(declared, S("bit"), 0) < 0
           && !schema_type_is_array(declared);
}

static bool is_other_type(const bound_column *c)
{
    if (c->declared.len == 0) {
        return false;
    }
    switch ((int)c->kind) {
    case KIND_ANY:
    case KIND_TIME:
    case KIND_BYTES: return true;
    case KIND_REAL: return !str_starts_fold(c->declared, S("double"));
    case KIND_TEXT: return !is_plain_text(c->declared);
    default: return c->is_single;
    }
}

static bool is_single_cast(const void *about, const ast *n)
{
    const dialect *d = about;
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    return type && schema_cast_is_single(type, *d);
}

bool casts_to_single(const binding *b)
{
    return ast_find(b->query->node, is_single_cast, &b->dialect);
}

bool reads_other_types(const binding *b)
{
    bool found = false;
    for (int32_t i = 1; i < b->n_nodes && !found; i++) {
        const bound_ref *ref = b->refs[i];
        found = ref && ref->kind == REF_COLUMN && ref->column >= 0
                && is_other_type(&ref->source->columns[ref->column]);
    }
    return found;
}

static bool makes_type(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_CAST
           || (n->kind == AST_BINARY
               && (n->form == OPERATOR_DIVIDE || n->form == OPERATOR_CONCAT
                   || n->form == OPERATOR_REMAINDER));
}

bool shows_types(const binding *b)
{
    return ast_find(b->query->node, makes_type, NULL);
}

static bool are_equal(const str_list *l, const str_list *r)
{
    bool same = l->len == r->len;
    for (ptrdiff_t i = 0; same && i < l->len; i++) {
        same = str_equal_fold(l->ptr[i], r->ptr[i]);
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
            arena_printf(a, "SQLite has no equivalent for %.*s", STR_ARG(what)),
        .is_translated = true,
    };
}

void other_meaning_refuse_bare(check_verdict *v, arena *a)
{
    other_meaning_refuse(v, S(OBSTACLE_BARE), a);
}

void other_meaning_heed(check_verdict *v,
                        const other_meaning sides[2],
                        bool is_native,
                        arena *a)
{
    const other_meaning *l = &sides[0];
    const other_meaning *r = &sides[1];
    bool is_bare = str_equal(v->proof.obstacle, S(OBSTACLE_BARE));
    bool is_unread = l->is_unread || r->is_unread;
    // A day and its midnight are one where a server shows them.
    bool is_day = l->n_days != r->n_days && l->n_moments != r->n_moments;
    bool is_refuted = v->evidence == EVIDENCE_WITNESS
                      && (is_unread || is_day || l->words.len + r->words.len > 0
                          || (is_bare && v->is_stable));
    bool is_doubted =
        (!is_native || l->is_open || r->is_open)
        && (l->shows_scale || r->shows_scale || is_day
            || l->n_truths != r->n_truths || !are_equal(&l->words, &r->words)
            || !are_equal(&l->digits, &r->digits));
    bool is_proved = v->answer == CHECK_EQUIVALENT
                     && (l->is_absent || r->is_absent || is_doubted);
    if (is_refuted || is_proved) {
        other_meaning_refuse(
            v,
            l->words.len > 0             ? l->words.ptr[0]
            : r->words.len > 0           ? r->words.ptr[0]
            : is_unread                  ? S("names that assay cannot bind")
            : is_day                     ? S("a moment that is a day")
            : is_refuted                 ? S(OBSTACLE_BARE)
            : l->n_truths != r->n_truths ? S("a truth that is a number")
            : l->digits.len > 0          ? l->digits.ptr[0]
            : r->digits.len > 0          ? r->digits.ptr[0]
                                         : S("equal values of two types"),
            a);
    }
}
