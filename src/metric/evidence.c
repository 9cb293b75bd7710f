/*
 * evidence.c - what follows from evidence for every metric: the trees of a
 * case, what is wrong with names in words, whether there is anything to
 * compare.
 *
 * The engine says which name stopped it; the binder also knows what was meant.
 * Its words are used where it found the same name wrong.
 */
#include "metric/evidence.h"

#include "sql/query_text.h"

bool evidence_uses_family(const evidence *e, family_id f)
{
    return (f == FAMILY_PLAIN && evidence_needs(e, NEEDS_SUITE))
           || evidence_compares_family(e, f);
}

bool evidence_compares_family(const evidence *e, family_id f)
{
    const score_options *o = e->options;
    if (f == FAMILY_PLAIN && evidence_needs(e, NEEDS_ALL_ROWS)) {
        return true;
    }
    bool compares = evidence_needs(e, NEEDS_RULED_ROWS);
    for (ptrdiff_t k = 0; compares && k < o->n_rules; k++) {
        if (evaluator_of(o->rules[k])->family == f) {
            return true;
        }
    }
    return false;
}

const schema *evidence_schema(const evidence *e, str *error)
{
    return e->source->schema(e->of, error);
}

execution evidence_run(const evidence *e,
                       str sql,
                       engine_stop stop,
                       int32_t who)
{
    return e->source->run(e->of, sql, stop, who);
}

bound_text evidence_bind(const evidence *e, str sql)
{
    str no_schema;
    const schema *s = evidence_schema(e, &no_schema);
    dialect d = e->options->dialect;
    bound_text t = {.is_tried = true, .status = REASON_SYNTAX_ERROR};
    if (!s) {
        t.status = REASON_NO_DATABASE;
        t.error = no_schema;
        return t;
    }
    query_text q = query_text_of(e->a, sql, d, e->scratch);
    t.error = q.error.text;
    if (q.tree) {
        t.binding = bind_query(e->a, q.tree, s, d, e->scratch);
    } else if (q.obstacle == QUERY_TOO_DEEP) {
        t.status = REASON_TOO_DEEP;
    } else if (q.obstacle == QUERY_SEVERAL) {
        t.status = REASON_SEVERAL_STATEMENTS;
    }
    return t;
}

bound_text *evidence_gold_tree(const evidence *e, ptrdiff_t variant)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    if (!e->trees->golds) {
        e->trees->golds = arena_new(e->a, bound_text, set->n);
    }
    bound_text *t = &e->trees->golds[variant];
    if (!t->is_tried) {
        *t = evidence_bind(e, set->variants[variant].sql);
    }
    return t;
}

const bound_text *evidence_pred_tree(const evidence *e)
{
    if (!e->trees->pred.is_tried) {
        e->trees->pred = evidence_bind(e, e->pred->sql);
    }
    return &e->trees->pred;
}

reason evidence_reason_of(const bind_problem *p)
{
    switch (p->kind) {
    case BIND_NO_TABLE: return REASON_NO_SUCH_TABLE;
    case BIND_NO_COLUMN: return REASON_NO_SUCH_COLUMN;
    case BIND_AMBIGUOUS: return REASON_AMBIGUOUS_COLUMN;
    case BIND_NO_POSITION:
    case BIND_COLUMN_COUNT:
    case BIND_DUPLICATE_NAME: break;
    }
    return REASON_INVALID_QUERY;
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

// Why a name stopped the prediction, in the binder's words where it has some.
static str evidence_failure(const evidence *e, const execution *pred)
{
    bool is_name = pred->status == REASON_NO_SUCH_COLUMN
                   || pred->status == REASON_NO_SUCH_TABLE
                   || pred->status == REASON_AMBIGUOUS_COLUMN;
    const binding *b = is_name ? evidence_pred_tree(e)->binding : NULL;
    for (ptrdiff_t i = 0; b && i < b->problems.len; i++) {
        const bind_problem *p = &b->problems.ptr[i];
        str name = name_at(e->pred->sql, p);
        if (pred->status == evidence_reason_of(p) && name.len > 0
            && str_find_fold(pred->message, name, 0) >= 0) {
            return p->text;
        }
    }
    return pred->message;
}

bool evidence_settles(const evidence *e, family_id f, verdict *v)
{
    const execution *pred = &e->runs[f];
    const gold_set *set = &e->families[f];
    if (!e->has_db) {
        *v = verdict_unknown(e->db_status, e->db_error);
    } else if (set->n_ran == 0) {
        *v = verdict_unknown(REASON_GOLD_FAILED, set->error);
    } else if (pred->status == REASON_NO_DATABASE) {
        *v = verdict_unknown(pred->status,
                             arena_printf(e->a, "%.*s: %.*s", STR_ARG(e->path),
                                          STR_ARG(pred->message)));
    } else if (pred->status != REASON_NONE) {
        *v = verdict_failed(pred->status, evidence_failure(e, pred));
    } else {
        return false;
    }
    return true;
}

family_options evidence_family_options(const score_options *o)
{
    return (family_options){
        .dialect = o->dialect,
        .keeps_distinct = o->distinct == DISTINCT_KEEP,
    };
}

str evidence_text_of(family_id f, const score_pred *pred)
{
    return text_family_of(f)->takes_lines ? pred->line : pred->sql;
}
