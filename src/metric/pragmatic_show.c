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

// The stored column that a column of a source is; table -1 when it is none.
bound_place intent_own_place(intent_reader *r, const ast *e)
{
    return bind_stored_at(r->b, e);
}

str intent_show_own(intent_reader *r, const ast *e)
{
    bound_place c = intent_own_place(r, e);
    return c.table >= 0 ? intent_show_place(r, c) : intent_show(r, e);
}

bound_place intent_place(intent_reader *r, const ast *e)
{
    bound_place c = intent_own_place(r, e);
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
    const bound_block *block = r->block;
    const bound_column *item = bind_item(r->b, &block, e);
    return item && item->expr ? item->expr : e;
}

bool intent_is_call(const ast *e, const char *name)
{
    return e && e->kind == AST_CALL && str_equal_fold(e->text, str_from(name));
}

// x of x * 100 and 100 * x; NULL: it is another thing.
static const ast *unscaled(const ast *e)
{
    condition c = condition_of(e, false);
    if (c.node != e || c.how != OPERATOR_MULTIPLY) {
        return NULL;
    }
    const ast *left = c.left;
    const ast *right = c.right;
    bool by_left = left && left->kind == AST_NUMBER;
    const ast *factor = by_left ? left : right;
    double x = 0;
    bool is_percent = factor && factor->kind == AST_NUMBER
                      && str_to_double(factor->text, &x)
                      && (x == 100 || x == 1);
    return !is_percent ? NULL : by_left ? right : left;
}

static bool is_any_call(const ast *e, const char *const *names, ptrdiff_t n)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < n && !found; i++) {
        found = intent_is_call(e, names[i]);
    }
    return found && e->kid[CALL_ARGS];
}

// What e is but for one thing around it; NULL: nothing is.
static const ast *without_one(const intent_reader *r, const ast *e)
{
    static const char *const rounds[] = {"round"};
    static const char *const cases[] = {"lower", "upper"};
    static const char *const trims[] = {"trim", "ltrim", "rtrim"};
    bool is_rounded = intent_passes(r, LENIENCY_BIT(ROUNDING));
    if (is_rounded && e->kind == AST_CAST) {
        return e->kid[CAST_EXPR];
    }
    bool is_dressed = (is_rounded && is_any_call(e, rounds, countof(rounds)))
                      || (intent_passes(r, LENIENCY_BIT(LETTER_CASE))
                          && is_any_call(e, cases, countof(cases)))
                      || (intent_passes(r, LENIENCY_BIT(VALUE_SPELLING))
                          && is_any_call(e, trims, countof(trims)));
    return is_dressed ? e->kid[CALL_ARGS] : is_rounded ? unscaled(e) : NULL;
}

const ast *intent_plain(intent_reader *r, const ast *e)
{
    for (int step = 0; e && step < KEY_STEPS_MAX; step++) {
        const ast *inner = without_one(r, e);
        if (!inner) {
            break;
        }
        e = inner;
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
    bound_place c = intent_own_place(r, e);
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
    bound_place own = intent_own_place(r, e);
    bound_place root = own.table >= 0 ? intent_root(r->s, own) : own;
    return root.table >= 0 && root.table != own.table
           && intent_is_key(r->s, root);
}

// COUNT in its forms.
static str show_count(intent_reader *r, const ast *call)
{
    const ast *arg = call->kid[CALL_ARGS];
    bool is_star = !arg || arg->kind == AST_STAR || arg->kind == AST_NUMBER;
    bool is_distinct = (call->flags & AST_FLAG_DISTINCT) != 0;
    bool is_passed = intent_passes(r, LENIENCY_BIT(COUNT_FORM));
    bool counts_rows = is_star || !is_distinct || lists(r, arg)
                       || (is_passed && refers_to_list(r, arg));
    r->counts_rows |= !is_distinct;
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
    if (intent_is_call(e, "count") && !e->kid[CALL_OVER]) {
        return show_count(r, e);
    }
    str name = arena_lower(r->a, e->text);
    r->counts_rows |= !e->kid[CALL_OVER] && !(e->flags & AST_FLAG_DISTINCT)
                      && str_among(name, "sum avg total");
    buf args = buf_new(r->a);
    str parts[8];
    ptrdiff_t n = 0;
    for (const ast *x = e->kid[CALL_ARGS]; x && n < countof(parts);
         x = x->next) {
        parts[n++] = intent_show(r, x);
    }
    args = buf_new(r->a);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_char(&args, ' ');
        buf_add(&args, parts[i]);
    }
    str all = buf_str(&args);
    bool is_distinct = (e->flags & AST_FLAG_DISTINCT) != 0;
    return arena_printf(r->a, "%.*s%s%.*s", STR_ARG(name),
                        is_distinct ? " distinct" : "", STR_ARG(all));
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

static str show_any(intent_reader *r, const ast *e)
{
    buf b = buf_new(r->a);
    print_sql(&b, e, r->b->dialect, PRINT_ONE_LINE, r->scratch);
    return arena_lower(r->a, buf_str(&b));
}

str intent_show(intent_reader *r, const ast *e)
{
    e = intent_plain(r, intent_meant(r, e));
    if (r->depth > INTENT_DEPTH_MAX) {
        return S("?");
    }
    r->depth++;
    str text = {0};
    bound_place c = intent_place(r, e);
    if (c.table >= 0) {
        text = intent_show_place(r, c);
    } else if (e->kind == AST_CALL) {
        text = show_call(r, e);
    } else if (e->kind == AST_STRING || e->kind == AST_DOUBT) {
        text = show_text(r, e);
    } else if (e->kind == AST_NUMBER) {
        text = show_number(r, e);
    } else if (e->kind == AST_ALIAS) {
        text = intent_show(r, e->kid[ALIAS_EXPR]);
    } else if (e->kind == AST_BINARY) {
        condition pair = condition_of(e, false);
        str left = intent_show(r, pair.left);
        str right = intent_show(r, pair.right);
        str op = operator_text((sql_operator)e->form);
        text = arena_printf(r->a, "%.*s %.*s %.*s", STR_ARG(left), STR_ARG(op),
                            STR_ARG(right));
    } else {
        text = show_any(r, e);
    }
    r->depth--;
    return text;
}
