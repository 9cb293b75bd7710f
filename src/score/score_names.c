/*
 * score_names.c - the trees of a case, and what is wrong with names in words.
 *
 * The engine says which name stopped it; the binder also knows what was meant.
 * Its words are used where it found the same name wrong.
 */
#include "score/score_names.h"

#include "sql/parse.h"

bound_text score_bind(judging *j, str sql)
{
    str no_schema;
    const schema *s = score_schema(j, &no_schema);
    dialect d = j->s->options->dialect;
    bound_text t = {.is_tried = true, .status = REASON_SYNTAX_ERROR};
    if (!s) {
        t.status = REASON_NO_DATABASE;
        t.error = no_schema;
        return t;
    }
    parse_result r = parse_sql(j->a, sql, d, j->s->scratch);
    if (r.errors.len > 0) {
        bool is_depth = r.errors.ptr[0].is_depth;
        t.status = is_depth ? REASON_TOO_DEEP : REASON_SYNTAX_ERROR;
        t.error = r.errors.ptr[0].text;
    } else if (r.statements && r.statements->next) {
        t.status = REASON_SEVERAL_STATEMENTS;
        t.error = S("more than one statement");
    } else if (!r.statements || !ast_is_query(r.statements)) {
        t.error = S("not a query");
    } else {
        t.binding = bind_query(j->a, r.statements, s, d, j->s->scratch);
    }
    return t;
}

const bound_text *score_gold_tree(judging *j, ptrdiff_t variant)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    if (!j->gold_trees) {
        j->gold_trees = arena_new(j->a, bound_text, set->n);
    }
    bound_text *t = &j->gold_trees[variant];
    if (!t->is_tried) {
        *t = score_bind(j, set->variants[variant].sql);
    }
    return t;
}

const bound_text *score_pred_tree(judging *j)
{
    if (!j->pred_tree.is_tried) {
        j->pred_tree = score_bind(j, j->pred->sql);
    }
    return &j->pred_tree;
}

static bool is_about(reason status, bind_problem_kind kind)
{
    switch (kind) {
    case BIND_NO_TABLE: return status == REASON_NO_SUCH_TABLE;
    case BIND_NO_COLUMN:
        return status == REASON_NO_SUCH_COLUMN
               || status == REASON_INVALID_QUERY;
    case BIND_AMBIGUOUS: return status == REASON_AMBIGUOUS_COLUMN;
    case BIND_NO_POSITION:
    case BIND_COLUMN_COUNT:
    case BIND_DUPLICATE_NAME: return false;
    }
    return false;
}

// The name at fault: the last of T1.name, without quotes.
static str name_at(str sql, const bind_problem *p)
{
    str span = str_sub(sql, p->pos, (ptrdiff_t)p->pos + p->len);
    ptrdiff_t from = span.len;
    while (from > 0 && span.ptr[from - 1] != '.') {
        from--;
    }
    span = str_skip(span, from);
    bool is_quoted =
        span.len > 2
        && (span.ptr[0] == '"' || span.ptr[0] == '`' || span.ptr[0] == '[');
    return is_quoted ? str_sub(span, 1, span.len - 1) : span;
}

str score_failure(judging *j, const execution *pred)
{
    bool is_name = pred->status == REASON_NO_SUCH_COLUMN
                   || pred->status == REASON_NO_SUCH_TABLE
                   || pred->status == REASON_AMBIGUOUS_COLUMN;
    const binding *b = is_name ? score_pred_tree(j)->binding : NULL;
    for (ptrdiff_t i = 0; b && i < b->problems.len; i++) {
        const bind_problem *p = &b->problems.ptr[i];
        str name = name_at(j->pred->sql, p);
        if (is_about(pred->status, p->kind) && name.len > 0
            && str_find_fold(pred->message, name, 0) >= 0) {
            return p->text;
        }
    }
    return pred->message;
}
