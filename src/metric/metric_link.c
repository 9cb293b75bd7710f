/*
 * metric_link.c - link: the tables and columns that the two queries use, as
 * sets. (definitions/link.md)
 *
 * Method      A query uses the tables of its FROMs, and the columns that its
 *             names mean, through aliases, derived tables, CTEs and views; of
 *             `*` those that the result shows, of USING and NATURAL both
 *             sides. A name of the prediction that nothing in the schema
 *             answers to is an element that the gold does not have. Of several
 *             variants the best counts.
 */
#include "base/buf.h"
#include "metric/evidence.h"
#include "metric/metric.h"

typedef enum link_part {
    LINK_ALL,
    LINK_TABLES,
    LINK_COLUMNS,
    LINK_PRECISION,
    LINK_RECALL,
    LINK_PARTS,
} link_part;

void metric_keys_link(metric_keys *keys,
                      const score_options *o,
                      str word,
                      arena *a)
{
    (void)o;
    static const char *const words[LINK_PARTS] = {"", ":tables", ":columns",
                                                  ":precision", ":recall"};
    metric_keys_parts(keys, word, words, LINK_PARTS, a);
}

// What a query uses: a bit for each table, then one for each of its columns.
typedef struct used {
    bool *at;
    ptrdiff_t n;           // of the schema
    ptrdiff_t n_invented;  // names that nothing answers to
} used;

// Where table t, or with `column` >= 0 its column, stands among the bits.
static ptrdiff_t place_of(const schema *s, int32_t t, int32_t column)
{
    ptrdiff_t at = column < 0 ? t : s->n_tables + column;
    for (int32_t i = 0; i < t && column >= 0; i++) {
        at += s->tables[i].n_columns;
    }
    return at;
}

static void use(used *u, const schema *s, const bound_source *source, int32_t c)
{
    bound_place p =
        source && c >= 0 ? bind_stored(source, c) : (bound_place){-1, -1};
    if (p.table >= 0 && p.column >= 0) {
        u->at[place_of(s, p.table, p.column)] = true;
    }
}

static void use_merges(used *u, const schema *s, const bound_block *block)
{
    for (ptrdiff_t i = 0; block && i < block->n_merges; i++) {
        const bound_merge *m = &block->merges[i];
        use(u, s, m->left, m->left_column);
        use(u, s, m->right, m->right_column);
    }
}

static used used_by(const binding *b, link_part part, arena *a)
{
    const schema *s = b->schema;
    used u = {.n = place_of(s, (int32_t)s->n_tables, 0)};
    u.at = arena_new(a, bool, u.n);
    for (int32_t id = 1; id < b->n_nodes; id++) {
        const bound_source *source = b->sources[id];
        const bound_ref *ref = b->refs[id];
        if (source && source->kind == SOURCE_TABLE) {
            u.at[source->table] = true;
        }
        if (ref && ref->kind == REF_COLUMN) {
            use(&u, s, ref->source, ref->column);
        }
        use_merges(&u, s, b->queries[id] ? b->queries[id]->block : NULL);
    }
    for (ptrdiff_t i = 0; i < b->query->n_outputs; i++) {
        const bound_column *c = &b->query->outputs[i];
        use(&u, s, c->source, c->column);
    }
    for (ptrdiff_t i = 0; i < b->problems.len; i++) {
        bind_problem_kind kind = b->problems.ptr[i].kind;
        u.n_invented += (kind == BIND_NO_TABLE && part != LINK_COLUMNS)
                        || (kind == BIND_NO_COLUMN && part != LINK_TABLES);
    }
    for (ptrdiff_t i = 0; i < u.n; i++) {
        u.at[i] &= part == LINK_TABLES    ? i < s->n_tables
                   : part == LINK_COLUMNS ? i >= s->n_tables
                                          : true;
    }
    return u;
}

// "singer", "singer.age"
static void add_name(buf *out, const schema *s, ptrdiff_t at)
{
    buf_add(out, out->len > 0 ? S(", ") : S(""));
    if (at < s->n_tables) {
        buf_add(out, s->tables[at].name);
        return;
    }
    at -= s->n_tables;
    ptrdiff_t t = 0;
    while (at >= s->tables[t].n_columns) {
        at -= s->tables[t++].n_columns;
    }
    buf_printf(out, "%.*s.%.*s", STR_ARG(s->tables[t].name),
               STR_ARG(s->tables[t].columns[at].name));
}

static void add_names(buf *out,
                      const char *title,
                      const schema *s,
                      const used *has,
                      const used *lacks,
                      arena scratch)
{
    buf names = buf_new(&scratch);
    for (ptrdiff_t i = 0; i < has->n && names.len < 200; i++) {
        if (has->at[i] && !lacks->at[i]) {
            add_name(&names, s, i);
        }
    }
    if (names.len > 0) {
        buf_printf(out, "; %s: %.*s", title, STR_ARG(buf_str(&names)));
    }
}

static double share(ptrdiff_t part, ptrdiff_t of)
{
    return of > 0 ? (double)part / (double)of : 1;
}

static verdict compare(const binding *gold,
                       const binding *pred,
                       link_part part,
                       arena *a,
                       arena scratch)
{
    used g = used_by(gold, part, &scratch);
    used p = used_by(pred, part, &scratch);
    ptrdiff_t n_gold = 0;
    ptrdiff_t n_pred = p.n_invented;
    ptrdiff_t n_both = 0;
    for (ptrdiff_t i = 0; i < g.n; i++) {
        n_gold += g.at[i];
        n_pred += p.at[i];
        n_both += g.at[i] && p.at[i];
    }
    verdict v = verdict_scored(verdict_yes(),
                               part == LINK_PRECISION ? share(n_both, n_pred)
                               : part == LINK_RECALL
                                   ? share(n_both, n_gold)
                                   : share(2 * n_both, n_gold + n_pred));
    if (v.score < 1) {
        buf b = buf_new(a);
        buf_printf(&b, "%td of %td found, %td of %td right", n_both, n_gold,
                   n_both, n_pred);
        add_names(&b, "missing", gold->schema, &g, &p, scratch);
        add_names(&b, "too much", gold->schema, &p, &g, scratch);
        if (p.n_invented > 0) {
            buf_printf(&b, "; not in the schema: %td", p.n_invented);
        }
        v.v = ANSWER_NO;
        v.reason = REASON_LINK_DIFFERS;
        v.detail = buf_str(&b);
    }
    return v;
}

verdict metric_judge_link(const evidence *e, metric_key key)
{
    const bound_text *pred = evidence_pred_tree(e);
    verdict best =
        verdict_unknown(REASON_GOLD_FAILED, S("assay cannot read the gold"));
    str no_schema = {0};
    if (!evidence_schema(e, &no_schema)) {
        return verdict_unknown(REASON_NO_DATABASE, no_schema);
    }
    if (e->pred->sql.len == 0) {
        return verdict_scored(verdict_no(REASON_NO_PREDICTION, (str){0}), 0);
    }
    for (ptrdiff_t i = 0; i < e->families[FAMILY_PLAIN].n; i++) {
        const bound_text *gold = evidence_gold_tree(e, i);
        if (!gold->binding || gold->binding->problems.len > 0) {
            best.detail = best.v != ANSWER_UNKNOWN ? best.detail
                          : gold->binding ? gold->binding->problems.ptr[0].text
                                          : gold->error;
            continue;
        }
        if (!pred->binding) {
            verdict v = verdict_failed(pred->status, pred->error);
            v.has_score = v.v == ANSWER_NO;
            return v;
        }
        verdict v = compare(gold->binding, pred->binding, (link_part)key.part,
                            e->a, e->scratch);
        v.variant = i;
        best = best.v == ANSWER_UNKNOWN || v.score > best.score ? v : best;
    }
    return best;
}
