/*
 * clauses_expr.c - expressions as keys: equal keys for what asks the same.
 *
 * NOT is carried down to comparisons; the operands of AND, OR, =, <>, + and *
 * are sorted; > turns into <; BETWEEN and IN (list) turn into comparisons.
 * A key without constants has `?` for each.
 */
#include "intent/clauses_internal.h"
#include "schema/schema.h"

#include <assert.h>
#include <string.h>

static void sort_keys(key_list *l)
{
    for (ptrdiff_t i = 1; i < l->len; i++) {
        str key = l->ptr[i];
        ptrdiff_t at = i;
        for (; at > 0 && str_compare(l->ptr[at - 1], key) > 0; at--) {
            l->ptr[at] = l->ptr[at - 1];
        }
        l->ptr[at] = key;
    }
}

void key_add(keyer *k, key_list *list, str key)
{
    str *place = vec_push(k->a, list);
    *place = key;
}

str key_join(keyer *k, const char *before, key_list *parts, bool sorts)
{
    enum {
        SORTED_MAX = 2000  // longer lists stay as they are written
    };
    if (sorts && parts->len <= SORTED_MAX) {
        sort_keys(parts);
    }
    buf out = buf_new(k->a);
    buf_add(&out, str_from(before));
    buf_char(&out, '(');
    for (ptrdiff_t i = 0; i < parts->len; i++) {
        buf_add(&out, i > 0 ? S(",") : S(""));
        buf_add(&out, parts->ptr[i]);
    }
    buf_char(&out, ')');
    k->bytes_left -= out.len;
    return buf_str(&out);
}

static str key_pair(keyer *k, const char *word, str left, str right, bool sorts)
{
    key_list parts = {0};
    key_add(k, &parts, left);
    key_add(k, &parts, right);
    return key_join(k, word, &parts, sorts);
}

static str key_one(keyer *k, const char *word, str of)
{
    key_list parts = {0};
    key_add(k, &parts, of);
    return key_join(k, word, &parts, false);
}

int32_t key_find_equal(const key_frame *f,
                       const bound_source *source,
                       int32_t column)
{
    for (int32_t i = 0; i < f->equals.len; i++) {
        if (f->equals.ptr[i].source == source
            && f->equals.ptr[i].column == column) {
            return i;
        }
    }
    return -1;
}

static str label_of(const key_frame *f, const bound_source *source)
{
    for (; f; f = f->around) {
        if (f->block == source->block && f->labels) {
            return f->labels[source->no];
        }
    }
    return source->name;
}

static int32_t rank_of(const key_frame *f,
                       const bound_source *source,
                       int32_t column)
{
    assert(column >= 0);
    for (; f; f = f->around) {
        if (f->block == source->block && f->ranks && f->ranks[source->no]) {
            return f->ranks[source->no][column];
        }
    }
    return column;
}

static str plain_column(keyer *k,
                        const key_frame *f,
                        const bound_source *source,
                        int32_t column,
                        str name)
{
    str label = label_of(f, source);
    if (column >= 0 && column < source->n_columns) {
        name = source->columns[column].name;
    }
    // A column of a derived table is known by what it is: its name is free.
    if (source->kind == SOURCE_QUERY && column >= 0) {
        return arena_printf(k->a, "%.*s.%d", STR_ARG(label),
                            rank_of(f, source, column));
    }
    char *text = arena_new(k->a, char, label.len + 1 + name.len);
    if (label.len > 0) {
        memcpy(text, label.ptr, (size_t)label.len);
    }
    text[label.len] = '.';
    for (ptrdiff_t i = 0; i < name.len; i++) {
        text[label.len + 1 + i] = to_lower(name.ptr[i]);
    }
    return (str){text, label.len + 1 + name.len};
}

str key_of_column(keyer *k,
                  const key_frame *f,
                  const bound_source *source,
                  int32_t column,
                  str name)
{
    const key_frame *own = f;
    while (own && own->block != source->block) {
        own = own->around;
    }
    int32_t place = own ? key_find_equal(own, source, column) : -1;
    str best = plain_column(k, f, source, column, name);
    if (place < 0) {
        return best;
    }
    int32_t first = partition_root(&own->classes, place);
    for (int32_t i = 0; i < own->equals.len; i++) {
        const equal_column *e = &own->equals.ptr[i];
        if (partition_root(&own->classes, i) == first) {
            str other = plain_column(k, f, e->source, e->column, (str){0});
            best = str_compare(other, best) < 0 ? other : best;
        }
    }
    return best;
}

static str key_of_place(keyer *k, int32_t output)
{
    return arena_printf(k->a, "output %d", output);
}

static key_frame *frame_of(key_frame *f, const bound_block *block)
{
    while (f && f->block != block) {
        f = f->around;
    }
    return f;
}

static bool is_open(const keyer *k, const bound_column *output)
{
    const key_open *open = k->open;
    while (open && open->output != output) {
        open = open->around;
    }
    return open != NULL;
}

str key_of_output(keyer *k,
                  key_frame *f,
                  const bound_block *block,
                  int32_t output)
{
    const bound_column *c = &block->outputs[output];
    key_frame *own = frame_of(f, block);
    if (c->expr && is_open(k, c)) {
        return key_of_place(k, output);
    }
    if (c->expr) {
        key_open open = {k->open, c};
        k->open = &open;
        str key = key_of(k, own ? own : f, c->expr);
        k->open = open.around;
        return key;
    }
    return c->source
               ? key_of_column(k, own ? own : f, c->source, c->column, c->name)
               : arena_lower(k->a, c->name);
}

// NULL: the columns of a set operation.
static const bound_block *block_at(const key_frame *f, int32_t depth)
{
    const bound_block *b = f && (depth > 0 || !f->is_tail) ? f->block : NULL;
    while (b && depth-- > 0) {
        b = b->outer;
    }
    return b;
}

static str key_text(keyer *k, str content)
{
    return k->has_constants ? arena_printf(k->a, "'%.*s'", STR_ARG(content))
                            : S("?");
}

static str key_name(keyer *k, key_frame *f, const ast *n)
{
    const bound_ref *ref = bind_ref(k->b, n);
    if (!ref || ref->kind == REF_NONE) {
        return arena_lower(k->a, n->text);
    }
    switch (ref->kind) {
    case REF_STRING: return key_text(k, n->text);
    case REF_COLUMN:
    case REF_ROWID: {
        str key = key_of_column(k, f, ref->source, ref->column, n->text);
        return ref->is_merged ? key_one(k, "any", key) : key;
    }
    case REF_OUTPUT:
    case REF_POSITION: {
        const bound_block *block = block_at(f, ref->depth);
        return block && ref->output < block->n_outputs
                   ? key_of_output(k, f, block, ref->output)
                   : key_of_place(k, ref->output);
    }
    case REF_NONE: break;
    }
    return arena_lower(k->a, n->text);
}

// 'it''s' -> it's
static str key_string(keyer *k, const ast *n)
{
    str typed = n->text;
    bool is_plain = typed.len >= 2 && typed.ptr[0] == '\'';
    if (!k->has_constants || !is_plain) {
        return k->has_constants ? typed : S("?");
    }
    return key_text(k, ast_string(k->a, n));
}

static bool is_constant(const keyer *k, const ast *n)
{
    const bound_ref *ref = n->kind == AST_DOUBT ? bind_ref(k->b, n) : NULL;
    return n->kind == AST_NUMBER || n->kind == AST_STRING || n->kind == AST_TRUE
           || n->kind == AST_FALSE || n->kind == AST_PARAMETER
           || (ref && ref->kind == REF_STRING);
}

static void key_each(keyer *k, key_frame *f, const ast *list, key_list *out)
{
    for (; list; list = list->next) {
        key_add(k, out, key_of(k, f, list));
    }
}

// COUNT(*): every row counts, too, where the argument is never NULL.
static bool counts_rows(const keyer *k, const key_frame *f, const ast *n)
{
    const ast *arg = n->kid[CALL_ARGS];
    if (!str_equal_fold(n->text, S("count")) || (n->flags & AST_FLAG_DISTINCT)
        || (arg && arg->next)) {
        return false;
    }
    const bound_ref *ref = arg ? bind_ref(k->b, arg) : NULL;
    bool is_column = ref && ref->kind == REF_COLUMN && ref->column >= 0
                     && ref->source->kind == SOURCE_TABLE && ref->depth == 0;
    if (is_column) {
        // On the empty side of an outer join the column is NULL.
        bool is_inner =
            f && f->block == ref->source->block && f->block->n_sources == 1;
        return is_inner
               && schema_never_null(&k->b->schema->tables[ref->source->table],
                                    ref->column);
    }
    return !arg || arg->kind == AST_STAR || is_constant(k, arg);
}

static str key_window(keyer *k, key_frame *f, const ast *w)
{
    key_list parts = {0};
    if (w->kind != AST_WINDOW) {
        return arena_lower(k->a, w->text);
    }
    key_list keys = {0};
    key_each(k, f, w->kid[WINDOW_PARTITION], &keys);
    key_add(k, &parts, key_join(k, "by", &keys, true));
    keys = (key_list){0};
    key_each(k, f, w->kid[WINDOW_ORDER], &keys);
    key_add(k, &parts, key_join(k, "order", &keys, false));
    const ast *frame = w->kid[WINDOW_FRAME];
    if (frame) {
        buf text = buf_new(k->a);
        ast_dump(&text, frame);
        key_add(k, &parts, buf_str(&text));
    }
    return key_join(k, "over", &parts, false);
}

static str key_call(keyer *k, key_frame *f, const ast *n)
{
    const char *distinct = (n->flags & AST_FLAG_DISTINCT)
                                   && !k->options.ignores_distinct
                                   && !str_equal_fold(n->text, S("min"))
                                   && !str_equal_fold(n->text, S("max"))
                               ? "distinct "
                               : "";
    key_list parts = {0};
    if (counts_rows(k, f, n)) {
        key_add(k, &parts, S("*"));
    } else {
        key_each(k, f, n->kid[CALL_ARGS], &parts);
        key_each(k, f, n->kid[CALL_ORDER], &parts);
        key_each(k, f, n->kid[CALL_WITHIN], &parts);
    }
    if (n->kid[CALL_FILTER]) {
        key_add(k, &parts,
                key_one(k, "filter", key_of(k, f, n->kid[CALL_FILTER])));
    }
    if (n->kid[CALL_OVER]) {
        key_add(k, &parts, key_window(k, f, n->kid[CALL_OVER]));
    }
    str name = arena_lower(k->a, n->text);
    str before = arena_printf(k->a, "%.*s%s", STR_ARG(name), distinct);
    return key_join(k, arena_cstr(k->a, before), &parts, false);
}

static str key_sort(keyer *k, key_frame *f, const ast *n)
{
    const char *word = n->form == SORT_FORM_DESC ? "desc" : "asc";
    bool first = n->flags & AST_FLAG_NULLS_FIRST;
    bool last = n->flags & AST_FLAG_NULLS_LAST;
    // What SQLite does unasked.
    bool is_odd = n->form == SORT_FORM_DESC ? first : last;
    const char *odd = n->form == SORT_FORM_DESC ? "desc first" : "asc last";
    return key_one(k, is_odd ? odd : word, key_of(k, f, n->kid[SORT_EXPR]));
}

static str key_case(keyer *k, key_frame *f, const ast *n)
{
    key_list parts = {0};
    if (n->kid[CASE_EXPR]) {
        key_add(k, &parts, key_of(k, f, n->kid[CASE_EXPR]));
    }
    for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
        str test = key_of(k, f, w->kid[WHEN_IF]);
        key_add(
            k, &parts,
            key_pair(k, "when", test, key_of(k, f, w->kid[WHEN_THEN]), false));
    }
    const ast *other = n->kid[CASE_ELSE];
    if (other && other->kind != AST_NULL) {
        key_add(k, &parts, key_one(k, "else", key_of(k, f, other)));
    }
    return key_join(k, "case", &parts, false);
}

static str negated(keyer *k, str key, bool is_negated)
{
    return is_negated ? key_one(k, "not", key) : key;
}

// a > b is b < a, NOT a > b is a <= b.
static str key_compare(keyer *k,
                       sql_operator o,
                       str left,
                       str right,
                       bool is_negated)
{
    bool is_unequal = o == OPERATOR_LESS_GREATER || o == OPERATOR_BANG_EQUAL;
    if (is_unequal || o == OPERATOR_EQUAL || o == OPERATOR_EQUAL_EQUAL) {
        return key_pair(k, is_unequal != is_negated ? "<>" : "=", left, right,
                        true);
    }
    bool is_strict = o == OPERATOR_LESS || o == OPERATOR_GREATER;
    bool is_upper = o == OPERATOR_LESS || o == OPERATOR_LESS_EQUAL;
    bool in_order = is_upper != is_negated;
    return key_pair(k, is_strict != is_negated ? "<" : "<=",
                    in_order ? left : right, in_order ? right : left, false);
}

// BETWEEN SYMMETRIC is none: which of its bounds is the lower is not known.
static bool is_range(const ast *n)
{
    return n->kind == AST_BETWEEN && !(n->flags & AST_FLAG_SYMMETRIC);
}

// Adds the operands of the AND, or of the OR, that the node is. NOT turns the
// one into the other; BETWEEN and NOT IN (list) are ANDs.
static void key_operands(keyer *k,
                         key_frame *f,
                         const ast *n,
                         bool is_negated,
                         bool is_and,
                         key_list *out)
{
    bool is_not = is_negated != !!(n->flags & AST_FLAG_NOT);
    bool is_logic =
        n->kind == AST_BINARY
        && n->form == (is_and != is_negated ? OPERATOR_AND : OPERATOR_OR);
    if (n->kind == AST_UNARY && n->form == OPERATOR_NOT) {
        key_operands(k, f, n->kid[UNARY_EXPR], !is_negated, is_and, out);
    } else if (is_logic) {
        key_operands(k, f, n->kid[BINARY_LEFT], is_negated, is_and, out);
        key_operands(k, f, n->kid[BINARY_RIGHT], is_negated, is_and, out);
    } else if (is_range(n) && is_and != is_not) {
        str x = key_of(k, f, n->kid[BETWEEN_EXPR]);
        str low = key_of(k, f, n->kid[BETWEEN_LOW]);
        str high = key_of(k, f, n->kid[BETWEEN_HIGH]);
        key_add(k, out, key_compare(k, OPERATOR_LESS_EQUAL, low, x, is_not));
        key_add(k, out, key_compare(k, OPERATOR_LESS_EQUAL, x, high, is_not));
    } else if (n->kind == AST_IN && !n->kid[IN_SOURCE] && is_and == is_not) {
        str x = key_of(k, f, n->kid[IN_EXPR]);
        for (const ast *i = n->kid[IN_LIST]; i; i = i->next) {
            key_add(k, out,
                    key_compare(k, OPERATOR_EQUAL, x, key_of(k, f, i), is_not));
        }
    } else {
        key_add(k, out, key_of_not(k, f, n, is_negated));
    }
}

void key_conjuncts(keyer *k,
                   key_frame *f,
                   const ast *n,
                   bool is_negated,
                   key_list *out)
{
    key_operands(k, f, n, is_negated, true, out);
}

// What is an AND or an OR.
static str key_logic(keyer *k,
                     key_frame *f,
                     const ast *n,
                     bool is_negated,
                     bool is_and)
{
    key_list parts = {0};
    key_operands(k, f, n, is_negated, is_and, &parts);
    return parts.len == 1 ? parts.ptr[0]
                          : key_join(k, is_and ? "and" : "or", &parts, true);
}

// x IS NULL in its spellings; *is_not: x IS NOT NULL.
static bool is_null_test(const ast *n, const ast **x, bool *is_not)
{
    bool is_is = n->kind == AST_BINARY && n->form == OPERATOR_IS
                 && n->kid[BINARY_RIGHT]
                 && n->kid[BINARY_RIGHT]->kind == AST_NULL;
    bool is_word =
        (n->kind == AST_UNARY || n->kind == AST_BINARY)
        && (n->form == OPERATOR_ISNULL || n->form == OPERATOR_NOTNULL);
    *x = n->kid[0];
    *is_not =
        (n->flags & AST_FLAG_NOT) || (is_word && n->form == OPERATOR_NOTNULL);
    return is_is || is_word;
}

static bool is_commutative(int o)
{
    return o == OPERATOR_ADD || o == OPERATOR_MULTIPLY
           || o == OPERATOR_AMPERSAND || o == OPERATOR_BAR;
}

static str key_binary(keyer *k, key_frame *f, const ast *n, bool is_negated)
{
    int o = n->form;
    const ast *x;
    bool is_not;
    if (o == OPERATOR_AND || o == OPERATOR_OR) {
        return key_logic(k, f, n, is_negated,
                         (o == OPERATOR_AND) != is_negated);
    }
    if (is_null_test(n, &x, &is_not)) {
        return negated(k, key_one(k, "null", key_of(k, f, x)),
                       is_not != is_negated);
    }
    str left = key_of(k, f, n->kid[BINARY_LEFT]);
    str right = key_of(k, f, n->kid[BINARY_RIGHT]);
    if (operator_compares(o)) {
        return key_compare(k, (sql_operator)o, left, right, is_negated);
    }
    key_list parts = {0};
    key_add(k, &parts, left);
    key_add(k, &parts, right);
    if (n->kid[BINARY_ESCAPE]) {
        key_add(k, &parts, key_of(k, f, n->kid[BINARY_ESCAPE]));
    }
    str word = arena_lower(k->a, operator_text((sql_operator)o));
    str key = key_join(k, arena_cstr(k->a, word), &parts, is_commutative(o));
    return negated(k, key, is_negated != !!(n->flags & AST_FLAG_NOT));
}

static str key_in(keyer *k, key_frame *f, const ast *n, bool is_negated)
{
    bool is_not = is_negated != !!(n->flags & AST_FLAG_NOT);
    const ast *source = n->kid[IN_SOURCE];
    if (!source) {
        return key_logic(k, f, n, is_negated, is_not);
    }
    str x = key_of(k, f, n->kid[IN_EXPR]);
    const ast *query =
        source->kind == AST_SUBQUERY ? source->kid[SUBQUERY_QUERY] : source;
    const bound_query *q = bind_query_at(k->b, query);
    str set = q ? key_of_query(k, f, q, KEY_SET) : key_of(k, f, source);
    return negated(k, key_pair(k, "in", x, set, false), is_not);
}

static str key_unary(keyer *k, key_frame *f, const ast *n, bool is_negated)
{
    const ast *x;
    bool is_not;
    if (n->form == OPERATOR_NOT) {
        return key_of_not(k, f, n->kid[UNARY_EXPR], !is_negated);
    }
    if (is_null_test(n, &x, &is_not)) {
        return negated(k, key_one(k, "null", key_of(k, f, x)),
                       is_not != is_negated);
    }
    x = n->kid[UNARY_EXPR];
    if (n->form == OPERATOR_NEGATE && x && is_constant(k, x)
        && !k->has_constants) {
        return negated(k, S("?"), is_negated);
    }
    str word = operator_text((sql_operator)n->form);
    return negated(k, key_one(k, arena_cstr(k->a, word), key_of(k, f, x)),
                   is_negated);
}

static str key_subquery(keyer *k, key_frame *f, const ast *query, key_use u)
{
    const bound_query *q = bind_query_at(k->b, query);
    return q ? key_of_query(k, f, q, u) : S("query");
}

static str key_cast(keyer *k, key_frame *f, const ast *n)
{
    static const char *const words[] = {
        [AFFINITY_BLOB] = "blob",       [AFFINITY_TEXT] = "text",
        [AFFINITY_NUMERIC] = "numeric", [AFFINITY_INTEGER] = "integer",
        [AFFINITY_REAL] = "real",
    };
    const ast *type = n->kid[CAST_TYPE];
    str text = type ? type->text : (str){0};
    str as = k->b->dialect == DIALECT_SQLITE
                 ? str_from(words[schema_affinity_of(text)])
                 : arena_lower(k->a, text);
    return key_pair(k, "cast", key_of(k, f, n->kid[CAST_EXPR]), as, false);
}

// Any other node: its kind, its words, its children.
static str key_other(keyer *k, key_frame *f, const ast *n)
{
    key_list parts = {0};
    int kids = ast_kid_count((ast_kind)n->kind);
    if (n->text.len > 0) {
        key_add(k, &parts, arena_lower(k->a, n->text));
    }
    for (int i = 0; i < kids; i++) {
        key_each(k, f, n->kid[i], &parts);
    }
    str word = ast_kind_word((ast_kind)n->kind);
    str before =
        arena_printf(k->a, "%.*s %d %d", STR_ARG(word), n->form, n->flags);
    return key_join(k, arena_cstr(k->a, before), &parts, false);
}

str key_of_not(keyer *k, key_frame *f, const ast *n, bool is_negated)
{
    if (!n || --k->steps_left < 0 || k->bytes_left < 0) {
        return S("-");
    }
    switch ((int)n->kind) {
    case AST_BINARY: return key_binary(k, f, n, is_negated);
    case AST_UNARY: return key_unary(k, f, n, is_negated);
    case AST_IN: return key_in(k, f, n, is_negated);
    case AST_BETWEEN:
        return is_range(n)
                   ? key_logic(k, f, n, is_negated,
                               is_negated == !!(n->flags & AST_FLAG_NOT))
                   : negated(k, key_other(k, f, n), is_negated);
    case AST_EXISTS:
        return negated(
            k,
            key_one(k, "exists",
                    key_subquery(k, f, n->kid[EXISTS_QUERY], KEY_EXISTS)),
            is_negated != !!(n->flags & AST_FLAG_NOT));
    default: return negated(k, key_of(k, f, n), is_negated);
    }
}

str key_of(keyer *k, key_frame *f, const ast *n)
{
    if (!n || --k->steps_left < 0 || k->bytes_left < 0) {
        return S("-");
    }
    switch ((int)n->kind) {
    case AST_BINARY:
    case AST_UNARY:
    case AST_IN:
    case AST_BETWEEN:
    case AST_EXISTS: return key_of_not(k, f, n, false);
    case AST_COLUMN:
    case AST_DOUBT: return key_name(k, f, n);
    case AST_NUMBER: {
        const bound_ref *ref = bind_ref(k->b, n);
        return ref                ? key_name(k, f, n)
               : k->has_constants ? arena_lower(k->a, n->text)
                                  : S("?");
    }
    case AST_STRING: return key_string(k, n);
    case AST_TRUE: return k->has_constants ? S("1") : S("?");
    case AST_FALSE: return k->has_constants ? S("0") : S("?");
    case AST_PARAMETER: return k->has_constants ? n->text : S("?");
    case AST_CALL: return key_call(k, f, n);
    case AST_CASE: return key_case(k, f, n);
    case AST_CAST: return key_cast(k, f, n);
    case AST_SORT: return key_sort(k, f, n);
    case AST_SUBQUERY:
        return key_subquery(k, f, n->kid[SUBQUERY_QUERY], KEY_ROWS);
    case AST_SELECT:
    case AST_SETOP:
    case AST_VALUES:
    case AST_NESTED: return key_subquery(k, f, n, KEY_ROWS);
    case AST_COLLATE:
        return key_pair(k, "collate", key_of(k, f, n->kid[COLLATE_EXPR]),
                        arena_lower(k->a, n->text), false);
    default: return key_other(k, f, n);
    }
}
