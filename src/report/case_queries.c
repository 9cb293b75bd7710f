// case_queries.c - see case_queries.h.
#include "report/case_queries.h"

#include "sql/print.h"
#include "sql/template.h"

static str laid_out(arena *a, str sql, dialect d, arena scratch)
{
    parse_result r = parse_sql(a, sql, d, scratch);
    if (r.errors.len > 0 || !r.statements || r.statements->next) {
        return str_trim(sql);
    }
    buf b = buf_new(a);
    print_sql(&b, r.statements, d, PRINT_PRETTY, scratch);
    return str_trim(buf_str(&b));
}

static void read_golds(case_queries *q, arena *a, const json *line)
{
    const json *gold = json_get(line, S("gold"));
    bool is_list = gold && gold->kind == JSON_KIND_ARRAY;
    str *written = arena_new(a, str, is_list ? gold->n : 1);
    q->golds = written;
    if (!is_list) {
        written[q->n_golds++] = json_get_text(line, S("gold"));
    }
    for (const json *j = is_list ? gold->child : NULL; j; j = j->next) {
        written[q->n_golds++] = j->text;
    }
}

// Of a gold that cannot be expanded as it is written.
static str nearest_gold(case_queries *q,
                        arena *a,
                        const json *verdict,
                        dialect d,
                        arena scratch)
{
    template_variants texts = template_queries(
        a, q->golds, q->n_golds, (template_options){.dialect = d}, scratch);
    q->n_queries = texts.n > 0 ? texts.n : q->n_queries;
    const json *variant = json_get(verdict, S("variant"));
    ptrdiff_t i = variant ? (ptrdiff_t)variant->i : 0;
    return i >= 0 && i < q->n_queries ? texts.sql[i]
           : q->n_golds > 0           ? q->golds[0]
                                      : (str){0};
}

case_queries case_queries_of(arena *a,
                             const json *line,
                             str metric,
                             dialect d,
                             arena scratch)
{
    case_queries q = {0};
    read_golds(&q, a, line);
    const json *verdict = json_get(json_get(line, S("verdicts")), metric);
    str gold = nearest_gold(&q, a, verdict, d, scratch);
    q.gold = laid_out(a, gold, d, scratch);
    q.pred = laid_out(a, json_get_text(line, S("pred")), d, scratch);
    return q;
}
