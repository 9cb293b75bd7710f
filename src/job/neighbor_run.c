// neighbor_run.c - see neighbor_run.h.
#include "job/neighbor_run.h"

#include "check/held.h"
#include "engine/scratch.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "suite/neighbor.h"

typedef struct listing {
    const neighbor_run_options *options;
    neighbor_sink sink;
    const gold_groups *groups;
    const gold_group *group;
    const schema *schema;
    scratch_db *db;
    diag *d;
} listing;

static const engine_options engine_defaults = {
    .limits = {.timeout_ms = 1000, .max_rows = 1000, .max_bytes = 64 << 20},
};

str neighbor_run_kind(int i)
{
    return i < NEIGHBOR_KIND_COUNT ? neighbor_word((neighbor_kind)i) : (str){0};
}

str neighbor_run_kind_text(int i)
{
    return i < NEIGHBOR_KIND_COUNT ? neighbor_text((neighbor_kind)i) : (str){0};
}

static bool is_wanted(const neighbor_run_options *o, str kind)
{
    bool wanted = o->n_kinds == 0;
    for (ptrdiff_t i = 0; !wanted && i < o->n_kinds; i++) {
        wanted = str_equal(o->kinds[i], kind);
    }
    return wanted;
}

static bool compiles(const listing *l, str sql, arena memory, str *why)
{
    execution failed = {0};
    scratch_query *q = scratch_prepare(l->db, sql, &failed, &memory);
    scratch_forget(q);
    *why = failed.message;
    return q != NULL;
}

static bool list_gold(const listing *l, str sql, arena a, arena scratch)
{
    diag_place place = {.file = l->group->db};
    parse_result r = parse_sql(&a, sql, l->groups->dialect, scratch);
    str why = {0};
    if (!compiles(l, sql, scratch, &why)) {
        return diag_add(l->d, place, "%.*s: %.*s", STR_ARG(why), STR_ARG(sql));
    }
    if (r.errors.len > 0 || !r.statements || !ast_is_query(r.statements)) {
        return diag_add(l->d, place, "it could not be parsed: %.*s",
                        STR_ARG(sql));
    }
    const binding *b =
        bind_query(&a, r.statements, l->schema, l->groups->dialect, scratch);
    neighbor_options options = {
        .dialect = l->groups->dialect,
        .seed = l->options->seed,
        .max = (ptrdiff_t)l->options->max,
    };
    neighbor_list list = neighbors_of(&a, r.statements, b, &options, scratch);
    l->sink.gold(l->sink.context, l->group->db, sql);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        neighbor_found found = {l->group->db, sql,
                                neighbor_word(list.ptr[i].kind),
                                list.ptr[i].sql};
        if (is_wanted(l->options, found.kind)
            && compiles(l, found.sql, scratch, &why)) {
            l->sink.take(l->sink.context, &found);
        }
    }
    return true;
}

static bool list_group(listing *l, engine *e, arena a, arena scratch)
{
    diag_place place = {.file = l->group->db};
    if (l->group->path.len == 0) {
        return diag_add(l->d, place, "%.*s", STR_ARG(l->group->error));
    }
    database *db = engine_database(e, l->group->path, l->d, scratch);
    if (!db || !engine_schema_or_say(db, l->d)) {
        return false;
    }
    diag ignored = diag_new(&a);
    l->schema = l->groups->on_server ? held_schema(&a, db, &ignored, scratch)
                                     : engine_schema(db);
    buf ddl = buf_new(&a);
    schema_to_ddl(&ddl, l->schema, true, scratch);
    arena of_db = a;
    of_db.next += (a.end - a.next) / 2;
    a.end = of_db.next;
    const scratch_limits limits = {100000, 1000, 64 << 20};
    engine_options of_scratch =
        gold_groups_engine(l->groups, engine_defaults, l->group->path);
    l->db = scratch_open(&of_db, l->schema, buf_str(&ddl), &of_scratch, limits,
                         l->d);
    if (!l->db) {
        return false;
    }
    bool ok = true;
    for (ptrdiff_t i = 0; i < map_count(&l->group->seen); i++) {
        ok &= list_gold(l, map_key_at(&l->group->seen, i), a, scratch);
    }
    scratch_close(l->db);
    return ok;
}

bool neighbor_run(const neighbor_run_options *o,
                  neighbor_sink sink,
                  arena *a,
                  diag *d,
                  arena scratch)
{
    gold_groups groups;
    if (!gold_groups_read(&groups, a, &o->golds, d, scratch)) {
        return false;
    }
    engine_options of_databases =
        gold_groups_engine(&groups, engine_defaults, (str){0});
    engine *e = engine_open(&of_databases, d);
    if (!e) {
        return false;
    }
    bool ok = true;
    for (ptrdiff_t i = 0; i < groups.len; i++) {
        listing l = {.options = o,
                     .sink = sink,
                     .groups = &groups,
                     .group = &groups.ptr[i],
                     .d = d};
        ok &= list_group(&l, e, *a, scratch);
    }
    engine_close(e);
    return ok;
}
