/*
 * clauses_expr.c - expressions as keys: equal keys for what asks the same.
 *
 * NOT is carried down to comparisons; the operands of AND, OR, =, <>, + and *
 * are sorted; > turns into <; BETWEEN and IN (list) turn into comparisons.
 * A key without constants has `?` for each.
 */
#include "relation/clauses_internal.h"
#include "relation/relation_values.h"
#include "schema/schema.h"

#include <assert.h>
#include <string.h>

void key_add(keyer *k, key_list *list, str key)
{
    *vec_push(k->a, list) = key;
}

str key_join(keyer *k, const char *before, key_list *parts, bool sorts)
{
    if (sorts) {
        str_sort(parts->ptr, parts->len);
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

static str key_pair(keyer *k, const char *word, str left, str right)
{
    str parts[] = {left, right};
    return key_join(k, word, &(key_list){parts, 2, 2}, false);
}

static str key_one(keyer *k, const char *word, str of)
{
    return key_join(k, word, &(key_list){&of, 1, 1}, false);
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

static key_frame *frame_of(key_frame *f, const bound_block *block)
{
    while (f && f->block != block) {
        f = f->around;
    }
    return f;
}

static str label_of(keyer *k, const key_frame *own, const bound_source *source)
{
    bool is_table = source->node && source->node->kind == AST_TABLE;
    return own && own->labels ? own->labels[source->no]
           : is_table && k->kind != CLAUSE_KEY_FACT
               ? arena_lower(k->a, source->node->text)
               : source->name;
}

static str plain_column(keyer *k,
                        const key_frame *own,
                        const bound_source *source,
                        int32_t column,
                        str name)
{
    str label = label_of(k, own, source);
    if (k->kind == CLAUSE_KEY_NAMES) {
        return arena_lower(k->a, name);
    }
    if (column >= 0 && column < source->n_columns) {
        name = source->columns[column].name;
    }
    // A column of a derived table is known by what it is: its name is free.
    if (source->kind == SOURCE_QUERY && column >= 0) {
        bool has_ranks = own && own->ranks && own->ranks[source->no];
        return arena_printf(k->a, "%.*s.%d", STR_ARG(label),
                            has_ranks ? own->ranks[source->no][column]
                                      : column);
    }
    name = arena_lower(k->a, name);
    return arena_printf(k->a, "%.*s.%.*s", STR_ARG(label), STR_ARG(name));
}

str key_of_column(keyer *k,
                  key_frame *f,
                  const bound_source *source,
                  int32_t column,
                  str name)
{
    const key_frame *own = frame_of(f, source->block);
    const bound_block *inner = k->kind != CLAUSE_KEY_FACT
                                       && source->kind == SOURCE_QUERY
                                       && !source->is_recursive
                                   ? bind_leftmost(source->query)
                                   : NULL;
    if (inner && column >= 0 && column < inner->n_outputs) {
        return key_of_output(k, &(key_frame){.block = inner}, inner, column);
    }
    int32_t place = own ? key_find_equal(own, source, column) : -1;
    str best = plain_column(k, own, source, column, name);
    for (int32_t i = 0; place >= 0 && i < own->equals.len; i++) {
        const equal_column *e = &own->equals.ptr[i];
        if (partition_root(&own->classes, i)
            == partition_root(&own->classes, place)) {
            str other = plain_column(k, own, e->source, e->column, (str){0});
            best = str_compare(other, best) < 0 ? other : best;
        }
    }
    return best;
}

static str key_of_place(keyer *k, int32_t output)
{
    return arena_printf(k->a, "output %d", output);
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
    return arena_printf(k->a, "'%.*s'", STR_ARG(content));
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
    return !arg || arg->kind == AST_STAR || relation_is_constant(k->b, arg);
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

// Adds the operands of the AND, or of the OR, that the condition stands in.
static void key_operands(keyer *k,
                         key_frame *f,
                         condition c,
                         condition_kind in,
                         key_list *out)
{
    if (c.kind != in) {
        key_add(k, out, key_of_condition(k, f, c));
        return;
    }
    for (condition part = {0}; condition_next(&c, &part);) {
        key_operands(k, f, part, in, out);
    }
}

void key_conjuncts(keyer *k, key_frame *f, condition c, key_list *out)
{
    key_operands(k, f, c, CONDITION_ALL, out);
}

static bool commutes(sql_operator o)
{
    return o == OPERATOR_EQUAL || o == OPERATOR_LESS_GREATER
           || o == OPERATOR_ADD || o == OPERATOR_MULTIPLY
           || o == OPERATOR_AMPERSAND || o == OPERATOR_BAR;
}

// a > b is b < a.
static str key_of_pair(keyer *k, key_frame *f, condition c)
{
    bool turns = c.how == OPERATOR_GREATER || c.how == OPERATOR_GREATER_EQUAL;
    sql_operator how = turns ? operator_turned(c.how) : c.how;
    if (how == OPERATOR_IS && c.right && c.right->kind == AST_NULL) {
        return key_one(k, "null", key_of(k, f, c.left));
    }
    key_list parts = {0};
    key_add(k, &parts, key_of(k, f, turns ? c.right : c.left));
    key_add(k, &parts, key_of(k, f, turns ? c.left : c.right));
    if (c.node->kind == AST_BINARY) {
        key_each(k, f, c.node->kid[BINARY_ESCAPE], &parts);
    }
    str word = arena_lower(k->a, operator_text(how));
    return key_join(k, arena_cstr(k->a, word), &parts, commutes(how));
}

static str key_subquery(keyer *k, key_frame *f, const ast *query, key_use u)
{
    const bound_query *q = bind_query_at(k->b, query);
    return q ? key_of_query(k, f, q, u) : S("query");
}

static str key_in(keyer *k, key_frame *f, const ast *n)
{
    const ast *source = n->kid[IN_SOURCE];
    str x = key_of(k, f, n->kid[IN_EXPR]);
    const bound_query *q = bind_query_at(k->b, operand_query(source));
    str set = q ? key_of_query(k, f, q, KEY_SET) : key_of(k, f, source);
    return key_pair(k, "in", x, set);
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
    return key_pair(k, "cast", key_of(k, f, n->kid[CAST_EXPR]), as);
}

// What stands in one field of a node. ELSE NULL is meant anyway; partitions of
// a window have no order.
static void key_field(keyer *k,
                      key_frame *f,
                      const ast *n,
                      int field,
                      key_list *out)
{
    key_list keys = {0};
    const ast *list = n->kid[field];
    str label = ast_field_word((ast_kind)n->kind, field);
    bool is_unsaid = n->kind == AST_CASE && field == CASE_ELSE && list
                     && list->kind == AST_NULL;
    bool sorts = n->kind == AST_WINDOW && field == WINDOW_PARTITION;
    if (n->kind == AST_CALL && field == CALL_ARGS && counts_rows(k, f, n)) {
        key_add(k, out, S("*"));
    } else if (!is_unsaid) {
        key_each(k, f, list, label.len > 0 ? &keys : out);
    }
    if (keys.len > 0) {
        key_add(k, out, key_join(k, arena_cstr(k->a, label), &keys, sorts));
    }
}

// Any other node: what it is, its words, what is in its fields.
static str key_node(keyer *k, key_frame *f, const ast *n)
{
    bool ignores = k->options.ignores_distinct || ast_calls(n, "min max");
    int flags = n->flags & ~(AST_FLAG_NOT | (ignores ? AST_FLAG_DISTINCT : 0));
    bool is_sign = n->kind == AST_UNARY;
    str word = n->kind == AST_CALL ? arena_lower(k->a, n->text)
               : is_sign           ? operator_text((sql_operator)n->form)
                                   : ast_kind_word((ast_kind)n->kind);
    bool has_form = !is_sign && !ast_has_name((ast_kind)n->kind);
    int marks = flags << 8 | (has_form ? n->form : 0);
    key_list parts = {0};
    if (n->text.len > 0 && n->kind != AST_CALL) {
        key_add(k, &parts, arena_lower(k->a, n->text));
    }
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        key_field(k, f, n, i, &parts);
    }
    word = marks ? arena_printf(k->a, "%.*s.%d", STR_ARG(word), marks) : word;
    return key_join(k, arena_cstr(k->a, word), &parts, false);
}

// What is no condition.
static str key_of_opaque(keyer *k, key_frame *f, const ast *n)
{
    if (!k->has_constants && relation_is_constant(k->b, n)) {
        return S("?");
    }
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT:
    case AST_NUMBER: return key_name(k, f, n);
    case AST_STRING:  // 'it''s' is it's; others stay as they are typed
        return str_starts(n->text, S("'")) ? key_text(k, ast_string(k->a, n))
                                           : n->text;
    case AST_TRUE: return S("1");
    case AST_FALSE: return S("0");
    case AST_PARAMETER: return n->text;
    case AST_IN: return key_in(k, f, n);
    case AST_CAST: return key_cast(k, f, n);
    case AST_SORT: return key_sort(k, f, n);
    case AST_EXISTS:
        return key_one(k, "exists",
                       key_subquery(k, f, n->kid[EXISTS_QUERY], KEY_EXISTS));
    case AST_SELECT:
    case AST_SETOP:
    case AST_VALUES:
    case AST_NESTED: return key_subquery(k, f, n, KEY_ROWS);
    default: return key_node(k, f, n);
    }
}

str key_of_condition(keyer *k, key_frame *f, condition c)
{
    if (--k->steps_left < 0 || k->bytes_left < 0) {
        return S("-");
    }
    key_list parts = {0};
    str key = {0};
    switch (c.kind) {
    case CONDITION_ALL:
    case CONDITION_ANY:
        key_operands(k, f, c, c.kind, &parts);
        return parts.len == 1
                   ? parts.ptr[0]
                   : key_join(k, c.kind == CONDITION_ALL ? "and" : "or", &parts,
                              true);
    case CONDITION_PAIR: key = key_of_pair(k, f, c); break;
    case CONDITION_OPAQUE: key = key_of_opaque(k, f, c.node); break;
    }
    return c.is_denied ? key_one(k, "not", key) : key;
}

str clause_key(arena *a,
               const binding *b,
               const bound_block *block,
               const ast *n,
               clause_key_kind kind)
{
    enum {
        STEPS_MAX = 1000
    };
    keyer k = {.a = a,
               .b = b,
               .kind = kind,
               .has_constants = kind != CLAUSE_KEY_PLACE,
               .steps_left = STEPS_MAX,
               .bytes_left = KEY_BYTES};
    return key_of(&k, &(key_frame){.block = block}, n);
}

str key_of(keyer *k, key_frame *f, const ast *n)
{
    return n ? key_of_condition(k, f, condition_of(n, false)) : S("-");
}
