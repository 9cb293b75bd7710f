/*
 * judge_ground.c - see judge_ground.h: what a grounded judge stands on, the
 * tool that executes [002 future work].
 *
 * Method      The schema of each pair is looked up once for each database, in
 *             the source, in Spider's tables.json or in the pair's own DDL, and
 *             kept with two scratch databases: one that keeps the constraints,
 *             one for rows that break them. Trials are judge_trial.c's.
 */
#include "job/judge_ground.h"

#include "base/file.h"
#include "model/prompt_schema.h"
#include "schema/schema_ddl.h"
#include "sql/name.h"

static const ptrdiff_t TRIAL_BYTES = (ptrdiff_t)256 << 20;

enum {
    QUERY_TIMEOUT_MS = 10 * 1000,
    RESULT_ROWS_MAX = 1000,
    RESULT_BYTES_MAX = 1 << 20,
    TRIAL_STEPS = 50 * 1000 * 1000,
};

bool ground_open(ground *g,
                 arena *a,
                 const ground_options *options,
                 diag *d,
                 arena scratch)
{
    *g = (ground){.options = *options, .a = a};
    g->engine_options.limits = (engine_limits){
        .timeout_ms = QUERY_TIMEOUT_MS,
        .max_rows = RESULT_ROWS_MAX,
        .max_bytes = RESULT_BYTES_MAX,
    };
    g->engine = engine_open(&g->engine_options, d);
    g->has_source = options->db.len > 0;
    return g->engine && arena_store_open(&g->trial_store, TRIAL_BYTES)
           && (!g->has_source || source_open(&g->source, a, options->db, d))
           && (options->tables.len == 0
               || schema_list_open(&g->tables, a, options->tables, d, scratch));
}

void ground_close(ground *g)
{
    for (ptrdiff_t i = 0; i < g->entries.len; i++) {
        scratch_close(g->entries.ptr[i].scratch);
        scratch_close(g->entries.ptr[i].loose);
    }
    if (g->engine) {
        engine_close(g->engine);
    }
    arena_store_close(&g->trial_store);
}

static const schema *schema_of_file(ground *g, str path, arena scratch)
{
    diag d = diag_new(g->a);
    database *db = engine_database(g->engine, path, &d, scratch);
    return db ? engine_schema_or_say(db, &d) : NULL;
}

static const schema *schema_of_ddl(ground *g, str ddl, arena scratch)
{
    diag d = diag_new(g->a);
    schema *s = arena_new(g->a, schema, 1);
    bool ok = schema_from_ddl(s, g->a, S("ddl"), ddl, DIALECT_SQLITE,
                              DIALECT_SQLITE, &d, scratch);
    return ok && s->n_tables > 0 ? s : NULL;
}

static const schema *schema_of_db(ground *g, str db, arena scratch)
{
    const schema *s = schema_list_find(&g->tables, db);
    if (s || !g->has_source) {
        return s;
    }
    diag d = diag_new(g->a);
    str path = {0};
    bool ok = source_database(&g->source, g->a, db, &path, &d, (diag_place){0},
                              scratch);
    return ok ? schema_of_file(g, path, scratch) : NULL;
}

str ground_samples(ground *g,
                   const judge_pair *p,
                   ptrdiff_t n_rows,
                   arena *a,
                   arena scratch)
{
    diag d = diag_new(g->a);
    str path = {0};
    bool is_there = g->has_source && n_rows > 0
                    && source_database(&g->source, g->a, p->db, &path, &d,
                                       (diag_place){0}, scratch);
    database *db =
        is_there ? engine_database(g->engine, path, &d, scratch) : NULL;
    const schema *s = db ? engine_schema(db) : NULL;
    buf out = buf_new(a);
    for (int32_t t = 0; s && t < s->n_tables; t++) {
        arena local = scratch;
        buf sql = buf_new(&local);
        buf_add(&sql, S("SELECT * FROM "));
        name_add(&sql, s->tables[t].name, DIALECT_SQLITE);
        buf_printf(&sql, " LIMIT %td", n_rows);
        str text = buf_str(&sql);
        execution x = engine_run(db, text, ENGINE_READ_ALL, &local);
        bool is_shown = x.status == REASON_NONE && x.result.n_rows > 0
                        && !str_starts_fold(s->tables[t].name, S("sqlite_"));
        if (is_shown) {
            buf_printf(&out, "-- %.*s\n", STR_ARG(s->tables[t].name));
        }
        for (ptrdiff_t r = 0; is_shown && r < x.result.n_rows; r++) {
            arena line = local;
            str row = table_show_row(&line, &x.result, r);
            buf_add(&out, S("-- "));
            for (ptrdiff_t i = 0; i < row.len; i++) {
                buf_char(&out, row.ptr[i] == '\n' ? ' ' : row.ptr[i]);
            }
            buf_char(&out, '\n');
        }
    }
    return buf_str(&out);
}

str ground_file_text(ground *g, str path, diag *d)
{
    str text = {0};
    str folder = g->options.folder;
    str whole = file_in_folder(g->a, folder, path);
    if (g->options.takes_any_path
        || file_below(&whole, g->a, folder, path, d)) {
        file_text(&text, g->a, whole, d);
    }
    return text;
}

// The entry of a pair's schema, made when it is first asked for.
static ground_entry *entry_of(ground *g, const judge_pair *p, arena scratch)
{
    str key = p->ddl.len > 0 ? p->ddl : p->db;
    ptrdiff_t i = map_add(&g->names, g->a, key);
    if (i < g->entries.len) {
        return &g->entries.ptr[i];
    }
    ground_entry e = {0};
    e.ddl = arena_str(g->a, p->ddl);
    e.schema = e.ddl.len > 0 ? schema_of_ddl(g, e.ddl, scratch)
                             : schema_of_db(g, p->db, scratch);
    *vec_push(g->a, &g->entries) = e;
    return &g->entries.ptr[i];
}

str ground_schema(ground *g, const judge_pair *p, arena *a, arena scratch)
{
    const ground_entry *e = entry_of(g, p, scratch);
    const str queries[] = {p->left, p->right};
    if (e->schema) {
        return prompt_schema(a, e->schema, queries, countof(queries),
                             g->options.max_schema_bytes, scratch);
    }
    return str_trim(e->ddl);
}

typedef enum ddl_keys {
    DDL_WITH_KEYS,
    DDL_WITHOUT_KEYS,
} ddl_keys;

static scratch_db *open_one(ground *g, const schema *s, ddl_keys keys, diag *d)
{
    arena a = arena_store_clear(&g->trial_store);
    arena scratch = arena_half(&a);
    buf ddl = buf_new(&a);
    schema_to_ddl(&ddl, s, keys == DDL_WITH_KEYS, scratch);
    scratch_limits limits = {
        .steps = TRIAL_STEPS,
        .max_rows = RESULT_ROWS_MAX,
        .max_bytes = RESULT_BYTES_MAX,
    };
    return scratch_open(g->a, s, buf_str(&ddl), &g->engine_options, limits, d);
}

static bool open_scratch(ground *g, ground_entry *e, diag *d)
{
    e->scratch = open_one(g, e->schema, DDL_WITH_KEYS, d);
    e->loose = e->scratch ? open_one(g, e->schema, DDL_WITHOUT_KEYS, d) : NULL;
    return e->loose != NULL;
}

const schema *ground_tables(ground *g,
                            const judge_pair *p,
                            ground_entry **db,
                            diag *d,
                            arena scratch)
{
    ground_entry *e = entry_of(g, p, scratch);
    if (!e->schema) {
        diag_add(d, (diag_place){0}, "the schema of the pair is not known");
        return NULL;
    }
    *db = e;
    return e->loose || open_scratch(g, e, d) ? e->schema : NULL;
}
