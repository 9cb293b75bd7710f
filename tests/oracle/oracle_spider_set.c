/*
 * oracle_spider_set.c - set:spider, its components, set:adapted and the
 * hardness against the recorded verdicts of the reference on real predictions.
 *
 * Leaves with 77 when there is no data.
 */
#include "base/file.h"
#include "base/json.h"
#include "evaluators/spider_set.h"
#include "schema/schema_spider.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SKIPPED = 77
};

typedef struct oracle {
    arena *a;
    arena scratch;
    str root;  // of the Spider data
    schema_list keys;
    map dbs;
    vec_of(schema) schemas;
    str_list gold;
    str_list db_of;
    ptrdiff_t n_cases;
    ptrdiff_t n_exact;
    ptrdiff_t n_parts;  // cases whose components all agree
    ptrdiff_t n_hardness;
    ptrdiff_t n_adapted;
    ptrdiff_t n_adapted_cases;
    ptrdiff_t shown;
} oracle;

static bool read_file(oracle *o, const char *name, str *out)
{
    file_map f;
    diag d = diag_new(o->a);
    str path = arena_printf(o->a, "%.*s/%s", STR_ARG(o->root), name);
    bool ok = file_open(&f, o->a, path, &d);
    *out = f.bytes;
    return ok;
}

static str_list split_lines(arena *a, str text)
{
    str_list lines = {0};
    while (text.ptr && text.len > 0) {
        *vec_push(a, &lines) = str_trim(str_cut(&text, '\n'));
    }
    return lines;
}

// The schema as the evaluator sees it: the tables of the file in the order of
// sqlite_master.
static schema read_schema(oracle *o, str db)
{
    str path = arena_printf(o->a, "%.*s/database/%.*s/%.*s.sqlite",
                            STR_ARG(o->root), STR_ARG(db), STR_ARG(db));
    sqlite3 *c = NULL;
    sqlite3_stmt *names = NULL;
    schema s = {0};
    schema_table *tables = arena_new(o->a, schema_table, 200);
    sqlite3_open_v2(path.ptr, &c, SQLITE_OPEN_READONLY, NULL);
    sqlite3_prepare_v2(c, "SELECT name FROM sqlite_master WHERE type='table'",
                       -1, &names, NULL);
    while (sqlite3_step(names) == SQLITE_ROW && s.n_tables < 200) {
        schema_table *t = &tables[s.n_tables++];
        t->name = arena_str(
            o->a, str_from((const char *)sqlite3_column_text(names, 0)));
        str sql = arena_printf(o->a, "SELECT name FROM pragma_table_info('%s')",
                               t->name.ptr);
        sqlite3_stmt *columns = NULL;
        sqlite3_prepare_v2(c, sql.ptr, -1, &columns, NULL);
        schema_column *list = arena_new(o->a, schema_column, 500);
        while (sqlite3_step(columns) == SQLITE_ROW && t->n_columns < 500) {
            list[t->n_columns++].name = arena_str(
                o->a, str_from((const char *)sqlite3_column_text(columns, 0)));
        }
        t->columns = list;
        sqlite3_finalize(columns);
    }
    sqlite3_finalize(names);
    sqlite3_close(c);
    s.tables = tables;
    return s;
}

static const schema *schema_of(oracle *o, str db)
{
    ptrdiff_t id = map_find(&o->dbs, db);
    if (id < 0) {
        id = map_add(&o->dbs, o->a, db);
        schema s = read_schema(o, db);
        *vec_push(o->a, &o->schemas) = s;
    }
    return &o->schemas.ptr[id];
}

// What the evaluator does to every prediction.
static str without_value(arena *a, str pred)
{
    buf b = buf_new(a);
    ptrdiff_t at = 0;
    ptrdiff_t hit = 0;
    while ((hit = str_find(pred, S("value"), at)) >= 0) {
        buf_add(&b, str_sub(pred, at, hit));
        buf_char(&b, '1');
        at = hit + 5;
    }
    buf_add(&b, str_skip(pred, at));
    return buf_str(&b);
}

static bool parts_agree(const json *partial, const spider_match *m)
{
    for (int k = 0; k < SPIDER_PARTS; k++) {
        const json *want = json_get(partial, spider_part_words[k]);
        if (!want || want->i != part_is_right(m->parts[k])) {
            return false;
        }
    }
    return true;
}

static void judge(oracle *o,
                  str run,
                  ptrdiff_t i,
                  str pred,
                  const json *want,
                  const json *adapted)
{
    arena memory = o->scratch;
    arena *a = &memory;
    const schema *s = schema_of(o, o->db_of.ptr[i]);
    arena scratch = o->scratch;
    scratch.next += (ptrdiff_t)256 << 20;
    spider_query *gold = spider_query_of(a, o->gold.ptr[i], s, scratch);
    if (!gold) {
        printf("the gold of case %td does not parse\n", i);
        return;
    }
    str text = arena_str(a, without_value(a, pred));
    spider_query *p = spider_query_of(a, text, s, scratch);
    spider_match m = spider_set_match(
        gold, p, s, schema_list_find(&o->keys, o->db_of.ptr[i]), a, scratch);
    bool exact = json_get(want, S("exact"))->i == m.is_exact;
    bool parts = parts_agree(json_get(want, S("partial")), &m);
    bool parses = !json_get(want, S("pred_parse_error")) == m.pred_parses;
    o->n_cases++;
    o->n_exact += exact;
    o->n_parts += parts;
    o->n_hardness +=
        str_equal(json_get_text(want, S("hardness")), spider_hardness(gold));
    if (adapted) {
        const json *canon = json_get(adapted, S("canon"));
        o->n_adapted_cases++;
        o->n_adapted +=
            canon
            && (canon->i != 0 || canon->kind == JSON_KIND_TRUE) == m.is_adapted;
    }
    if ((!exact || !parts || !parses) && o->shown++ < 12) {
        printf(
            "%.*s %td: exact %d parts %d parses %d\n  gold %.*s\n  pred %.*s\n",
            STR_ARG(run), i, exact, parts, parses, STR_ARG(o->gold.ptr[i]),
            STR_ARG(pred));
    }
}

static void judge_run(oracle *o, str run)
{
    str text;
    str name = arena_printf(o->a, "predictions/%.*s.sql", STR_ARG(run));
    if (!read_file(o, name.ptr, &text)) {
        return;
    }
    str_list preds = split_lines(o->a, text);
    name = arena_printf(o->a, "reference/%.*s.jsonl", STR_ARG(run));
    str reference;
    if (!read_file(o, name.ptr, &reference)) {
        return;
    }
    str_list wants = split_lines(o->a, reference);
    name = arena_printf(o->a, "reference_adapted/%.*s.json", STR_ARG(run));
    str adapted_text;
    const json *adapted = read_file(o, name.ptr, &adapted_text)
                              ? json_parse(o->a, adapted_text, NULL)
                              : NULL;
    const json *one = adapted ? adapted->child : NULL;
    for (ptrdiff_t i = 0; i < wants.len && i < preds.len && i < o->gold.len;
         i++) {
        const json *want = json_parse(o->a, wants.ptr[i], NULL);
        str rest = preds.ptr[i];
        judge(o, run, i, str_cut(&rest, '\t'), want, one);
        one = one ? one->next : NULL;
    }
}

static bool load_gold(oracle *o)
{
    str text;
    str tables;
    diag d = diag_new(o->a);
    if (!read_file(o, "dev_gold.sql", &text)
        || !read_file(o, "tables.json", &tables)
        || !schema_list_read(&o->keys, o->a, S("tables.json"), tables, &d,
                             o->scratch)) {
        return false;
    }
    str_list lines = split_lines(o->a, text);
    for (ptrdiff_t i = 0; i < lines.len; i++) {
        str db = lines.ptr[i];
        str sql = str_cut(&db, '\t');
        *vec_push(o->a, &o->gold) = sql;
    }
    for (ptrdiff_t i = 0; i < lines.len; i++) {
        str db = lines.ptr[i];
        str_cut(&db, '\t');
        *vec_push(o->a, &o->db_of) = db;
    }
    return true;
}

int main(void)
{
    arena_store store;
    arena_store scratch;
    if (!arena_store_open(&store, (ptrdiff_t)8 << 30)
        || !arena_store_open(&scratch, (ptrdiff_t)2 << 30)) {
        return 1;
    }
    arena a = arena_store_clear(&store);
    oracle o = {.a = &a, .scratch = arena_store_clear(&scratch)};
    const char *data = getenv("ASSAY_DATA");
    o.root = arena_printf(&a, "%s/spider", data ? data : "../shared/data");
    str folder = arena_printf(&a, "%.*s/reference", STR_ARG(o.root));
    DIR *d = opendir(folder.ptr);
    if (!d || !load_gold(&o)) {
        puts("skipped: no data (ASSAY_DATA)");
        return SKIPPED;
    }
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        str file = str_from(e->d_name);
        if (str_ends(file, S(".jsonl"))) {
            judge_run(&o, arena_str(&a, str_sub(file, 0, file.len - 6)));
        }
    }
    closedir(d);
    printf("%td cases: exact %td, all components %td, hardness %td, adapted "
           "%td of %td\n",
           o.n_cases, o.n_exact, o.n_parts, o.n_hardness, o.n_adapted,
           o.n_adapted_cases);
    return o.n_cases > 0 && o.n_exact == o.n_cases && o.n_parts == o.n_cases
                   && o.n_hardness == o.n_cases
                   && o.n_adapted == o.n_adapted_cases
               ? 0
               : 1;
}
