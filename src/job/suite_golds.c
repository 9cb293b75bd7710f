/*
 * suite_golds.c - golds expanded and collected.
 *
 * Method      Golds are expanded (templates have several variants) and put into
 *             the set of their database, in the order of the file: equal texts
 *             once. A database that cannot be found keeps its error.
 *
 * Cost        Linear in the golds.
 */
#include "job/suite_golds.h"

#include "base/apart.h"
#include "engine/url.h"
#include "plan/filter.h"
#include "read/abstention.h"

static str url_name(str url, arena *a)
{
    url_parts u;
    diag ignored = diag_new(a);
    return url_parse(&u, a, url, &ignored) ? u.database : (str){0};
}

static gold_group *group_of(gold_groups *g, arena *a, str db, arena scratch)
{
    const source *from = &g->from;
    str file = source_file(from, from->path);
    str name = from->is_folder || url_wants_database(from->path) ? db
               : file.len > 0 ? path_stem(file)
                              : url_name(from->path, a);
    for (ptrdiff_t i = 0; i < g->len; i++) {
        if (str_equal(g->ptr[i].db, name)) {
            return &g->ptr[i];
        }
    }
    gold_group *group = vec_push(a, g);
    *group = (gold_group){.db = arena_str(a, name)};
    diag why = diag_new(a);
    if (!source_database(from, a, db, &group->path, &why, (diag_place){0},
                         scratch)) {
        group->path = (str){0};
        group->error = diag_first(&why);
    }
    return group;
}

static void add_golds(gold_groups *g, arena *a, const record *r, arena scratch)
{
    gold_group *group = group_of(g, a, r->db, scratch);
    arena b = arena_half(&scratch);
    template_variants texts = queries_of_gold(r, g->dialect, &b, scratch);
    g->n_cases++;
    group->n_cases++;
    for (ptrdiff_t i = 0; i < texts.n; i++) {
        map_add(&group->seen, a, texts.sql[i]);
    }
}

static void take_shard(gold_groups *g, shard s)
{
    ptrdiff_t n = g->len;
    g->len = 0;
    g->n_cases = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (shard_has(s, (str){0}, g->ptr[i].db)) {
            g->n_cases += g->ptr[i].n_cases;
            g->ptr[g->len++] = g->ptr[i];
        }
    }
}

engine_options gold_groups_engine(const gold_groups *g,
                                  engine_options o,
                                  str path)
{
    o.driver = g->from.driver;
    o.scratch_url = g->is_typed ? path : (str){0};
    return o;
}

bool gold_groups_read(gold_groups *g,
                      arena *a,
                      const golds_options *o,
                      diag *d,
                      arena scratch)
{
    *g = (gold_groups){0};
    const source *from = &g->from;
    if (!source_open(&g->from, a, o->db, d)) {
        return false;
    }
    g->on_server = engine_driver_is_server(from->driver);
    g->is_typed = from->is_url;
    g->dialect =
        from->is_url ? engine_driver_dialect(from->driver) : o->dialect;
    if (from->is_url && g->dialect != DIALECT_POSTGRES
        && g->dialect != DIALECT_DUCKDB) {
        return diag_add(d, (diag_place){0},
                        "suites are made for SQLite, DuckDB and PostgreSQL "
                        "databases; '%.*s' is none of these",
                        STR_ARG(from->shown));
    }
    if (o->sql.len > 0) {
        const record one = {
            .golds = &o->sql, .n_golds = 1, .golds_are_final = true};
        add_golds(g, a, &one, scratch);
        return true;
    }
    dataset set;
    if (!dataset_open(&set, a, o->gold, o->file, d, scratch)) {
        return false;
    }
    ptrdiff_t n = set.entries.len;
    n = o->limit >= 0 && o->limit < n ? (ptrdiff_t)o->limit : n;
    for (ptrdiff_t i = 0; i < n; i++) {
        arena local = scratch;
        record r = dataset_record(&set, i, &local);
        if (!abstention_is_right(&r)) {
            add_golds(g, a, &r, local);
        }
    }
    dataset_close(&set);
    take_shard(g, o->shard);
    return true;
}
