/*
 * pragmatic_show.c - columns and expressions as intents write them.
 *
 * Method      Two expressions mean the same to whoever asks when they are
 *             written alike here: names are resolved, a foreign key is written
 *             as the key that it leads to, numbers by their value, and what
 *             the profile passes over (letter case, DISTINCT, a CAST) is left
 *             out. What has no form of its own is printed in lower case.
 */
#include "metric/pragmatic_internal.h"
#include "relation/relation_condition.h"
#include "relation/relation_values.h"
#include "sql/print.h"

enum {
    KEY_STEPS_MAX = 10,  // along foreign keys
};

bool intent_passes(const intent_reader *r, uint32_t bit)
{
    return (r->lenient & bit) != 0;
}

/* Columns. */

// The column that foreign keys of one column lead to.
bound_place intent_root(const schema *s, bound_place c)
{
    for (int step = 0; step < KEY_STEPS_MAX; step++) {
        const schema_key *found = NULL;
        for (ptrdiff_t i = 0; i < s->n_keys && !found; i++) {
            const schema_key *k = &s->keys[i];
            bool leads = k->child == c.table && k->parent >= 0 && k->n == 1
                         && k->columns[0] == c.column && k->targets[0] >= 0
                         && k->parent != c.table;
            found = leads ? k : NULL;
        }
        if (!found) {
            return c;
        }
        c = (bound_place){found->parent, found->targets[0]};
    }
    return c;
}

str intent_show_own(intent_reader *r, const ast *e)
{
    bound_place c = bind_stored_at(r->b, e);
    return c.table >= 0 ? intent_show_place(r, c) : intent_show(r, e);
}

bound_place intent_place(intent_reader *r, const ast *e)
{
    bound_place c = bind_stored_at(r->b, e);
    return c.table >= 0 ? intent_root(r->s, c) : c;
}

str intent_show_place(intent_reader *r, bound_place c)
{
    const schema_table *t = &r->s->tables[c.table];
    str table_name = arena_lower(r->a, t->name);
    str name = arena_lower(r->a, t->columns[c.column].name);
    return arena_printf(r->a, "%.*s.%.*s", STR_ARG(table_name), STR_ARG(name));
}

bool intent_is_key(const schema *s, bound_place c)
{
    return c.table >= 0 && schema_is_key(&s->tables[c.table], c.column);
}

/* Expressions. */

// What an alias or a position of the select list stands for.
const ast *intent_meant(intent_reader *r, const ast *e)
{
    const bound_column *item = bind_item(r->b, e);
    return item && item->expr ? item->expr : e;
}

// x of x * 100 and 100 * x; NULL: it is another thing.
static const ast *unscaled(const ast *e)
{
    condition c = condition_of(e, false);
    if (c.node != e || c.how != OPERATOR_MULTIPLY) {
        return NULL;
    }
    const ast *factor = c.left->kind == AST_NUMBER ? c.left : c.right;
    double x = 0;
    bool is_percent = factor->kind == AST_NUMBER
                      && str_to_double(factor->text, &x)
                      && (x == 100 || x == 1);
    return !is_percent ? NULL : factor == c.left ? c.right : c.left;
}

// What e is but for one thing around it; NULL: nothing is.
static const ast *without_one(const intent_reader *r, const ast *e)
{
    bool is_rounded = intent_passes(r, LENIENCY_BIT(ROUNDING));
    bool is_dressed = (is_rounded && ast_calls(e, "round"))
                      || (intent_passes(r, LENIENCY_BIT(LETTER_CASE))
                          && ast_calls(e, "lower upper"))
                      || (intent_passes(r, LENIENCY_BIT(VALUE_SPELLING))
                          && ast_calls(e, "trim ltrim rtrim"));
    str word;
    return is_dressed || (is_rounded && e->kind == AST_CAST)
               ? operand_within(e, &word)
           : is_rounded ? unscaled(e)
                        : NULL;
}

const ast *intent_plain(intent_reader *r, const ast *e)
{
    const ast *inner = e;
    for (int step = 0; inner && step < KEY_STEPS_MAX; step++) {
        e = inner;
        inner = without_one(r, e);
    }
    return e;
}

bool intent_is_identifying(const schema *s, int32_t table_no, int32_t column)
{
    str name = s->tables[table_no].columns[column].name;
    return intent_is_key(s, (bound_place){table_no, column})
           || str_find_fold(name, S("name"), 0) >= 0;
}

// Is the column what its table is a list of? Its key, its own name, or a word
// of the table's name: maker in car_makers. A column that refers to another
// table is repeated, and is not.
static bool lists(intent_reader *r, const ast *e)
{
    bound_place c = bind_stored_at(r->b, e);
    if (c.table < 0) {
        return false;
    }
    const schema_table *t = &r->s->tables[c.table];
    str name = t->columns[c.column].name;
    bound_place root = intent_root(r->s, c);
    bool is_own = root.table == c.table;
    return intent_is_key(r->s, c)
           || (is_own && intent_is_identifying(r->s, c.table, c.column))
           || (is_own && str_find_fold(t->name, name, 0) >= 0);
}

// Does it refer to what another table is a list of?
static bool refers_to_list(intent_reader *r, const ast *e)
{
    bound_place own = bind_stored_at(r->b, e);
    bound_place root = own.table >= 0 ? intent_root(r->s, own) : own;
    return root.table >= 0 && root.table != own.table
           && intent_is_key(r->s, root);
}

// COUNT in its forms.
static str show_count(intent_reader *r, const ast *call)
{
    str word;
    const ast *arg = operand_within(call, &word);
    bool is_star = !arg || arg->kind == AST_STAR || arg->kind == AST_NUMBER;
    bool is_distinct = (call->flags & AST_FLAG_DISTINCT) != 0;
    bool is_passed = intent_passes(r, LENIENCY_BIT(COUNT_FORM));
    bool counts_rows = is_star || !is_distinct || lists(r, arg)
                       || (is_passed && refers_to_list(r, arg));
    r->in.counts_rows |= !is_distinct;
    if (counts_rows && is_distinct) {
        intent_count_distinct(r, arg);
    }
    if (counts_rows && is_passed) {
        return S("count");
    }
    if (is_star) {
        return S("count *");
    }
    str what = intent_show(r, arg);
    return arena_printf(r->a, "count %s%.*s", is_distinct ? "distinct " : "",
                        STR_ARG(what));
}

static str show_call(intent_reader *r, const ast *e)
{
    enum {
        SHOWN_MAX = 8  // arguments
    };
    str word;
    bool is_total = relation_totals(r->b, e);
    bool is_distinct = (e->flags & AST_FLAG_DISTINCT) != 0;
    if (ast_calls(e, "count") && is_total) {
        return show_count(r, e);
    }
    r->in.counts_rows |=
        is_total && !is_distinct && ast_calls(e, "sum avg total");
    str name = arena_lower(r->a, e->text);
    str out = arena_printf(r->a, "%.*s%s", STR_ARG(name),
                           is_distinct ? " distinct" : "");
    int n = 0;
    const ast *x = operand_within(e, &word);
    for (; x && n < SHOWN_MAX; x = x->next) {
        str arg = intent_show(r, x);
        out = arena_printf(r->a, "%.*s %.*s", STR_ARG(out), STR_ARG(arg));
        n++;
    }
    return out;
}

static str show_text(intent_reader *r, const ast *e)
{
    str text = e->text;
    bool is_quoted = text.len >= 2
                     && (text.ptr[0] == '\'' || text.ptr[0] == '"')
                     && text.ptr[text.len - 1] == text.ptr[0];
    text = is_quoted ? str_sub(text, 1, text.len - 1) : text;
    if (intent_passes(r, LENIENCY_BIT(VALUE_SPELLING))) {
        text = str_trim(text);
    }
    return intent_passes(r, LENIENCY_BIT(LETTER_CASE)) ? arena_lower(r->a, text)
                                                       : text;
}

// '2014', 2014 and 2014.0 are one value.
static str show_number(intent_reader *r, const ast *e)
{
    double x = 0;
    return str_to_double(e->text, &x) ? arena_printf(r->a, "%.10g", x)
                                      : e->text;
}

static str show_pair(intent_reader *r, const ast *e)
{
    condition pair = condition_of(e, false);
    str left = intent_show(r, pair.left);
    str right = intent_show(r, pair.right);
    str op = operator_text((sql_operator)e->form);
    return arena_printf(r->a, "%.*s %.*s %.*s", STR_ARG(left), STR_ARG(op),
                        STR_ARG(right));
}

static str show_node(intent_reader *r, const ast *e)
{
    switch ((int)e->kind) {
    case AST_CALL: return show_call(r, e);
    case AST_STRING:
    case AST_DOUBT: return show_text(r, e);
    case AST_NUMBER: return show_number(r, e);
    case AST_ALIAS: return intent_show(r, ast_unaliased(e));
    case AST_BINARY: return show_pair(r, e);
    default:
        return arena_lower(r->a,
                           print_line(r->a, e, r->b->dialect, r->scratch));
    }
}

str intent_show(intent_reader *r, const ast *e)
{
    if (r->depth > INTENT_DEPTH_MAX) {
        return S("?");
    }
    r->depth++;
    e = intent_plain(r, intent_meant(r, e));
    bound_place c = intent_place(r, e);
    str text = c.table >= 0 ? intent_show_place(r, c) : show_node(r, e);
    r->depth--;
    return text;
}
