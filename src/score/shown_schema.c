/*
 * shown_schema.c - see shown_schema.h.
 *
 * Method      Facts are mined once for each database. A limit of steps, not of
 *             time, ends a query about a large table: the same is known of it
 *             on every machine. Only SQLite counts steps; elsewhere what is
 *             declared has to do.
 */
#include "score/shown_schema.h"

#include "facts/fact.h"
#include "sql/dialect.h"

enum {
    MINE_STEPS = 3000000,  // of a query: a tenth of a second
};

static const schema *mine(judging *j, const schema *s, arena *a)
{
    facts found = {.schema = engine_schema(j->db)};
    engine_set_work(j->s->engine, MINE_STEPS);
    for (int32_t t = 0; t < found.schema->n_tables; t++) {
        watch_outer outer = watch_begin(j->s->watch, j->e.pred_no, j->work);
        fact_mine_table(&found, a, j->db, t, FACTS_KEYS, j->s->scratch);
        watch_end(j->s->watch, outer);
    }
    if (s != found.schema) {
        found = facts_move(a, &found, s);
    }
    return facts_apply(a, s, &found, FACTS_KEYS, j->s->scratch);
}

const schema *shown_schema(judging *j, const schema *s)
{
    scorer *kept = j->s;
    bool counts_steps =
        s && j->db
        && engine_driver_dialect(engine_driver_at(j->db)) == DIALECT_SQLITE
        && engine_schema_error(j->db).len == 0;
    if (!counts_steps) {
        return s;
    }
    arena *a = &kept->checker_arena;
    ptrdiff_t id = map_add(&kept->shown_paths, a, j->task->path);
    if (id == kept->shown.len) {
        const schema *shown = mine(j, s, a);
        *vec_push(a, &kept->shown) = shown;
    }
    return kept->shown.ptr[id];
}
