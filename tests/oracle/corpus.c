// corpus.c - see corpus.h.
#include "oracle/corpus.h"

#include "base/file.h"
#include "sql/outline.h"
#include "sql/template.h"

#include <stdio.h>
#include <stdlib.h>

// clang-format off
const corpus corpora[] = {
    {"spider/dev_gold.sql", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"sparc/dev_gold.txt", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"cosql/dev_gold.txt", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"bird/bird_mini_dev_sqlite.json", DATASET_GOLD, DIALECT_SQLITE, NULL, 0, false, 0},
    {"bird/bird_mini_dev_postgres.json", DATASET_GOLD, DIALECT_POSTGRES, NULL, 0, false, 0},
#define DEFOG(file, d) {"defog/questions/" file, DATASET_GOLD, d, d == DIALECT_SQLITE ? "defog" : NULL, 0, true, 0}
    DEFOG("questions_gen_sqlite.csv", DIALECT_SQLITE),
    DEFOG("instruct_basic_sqlite.csv", DIALECT_SQLITE),
    DEFOG("instruct_advanced_sqlite.csv", DIALECT_SQLITE),
    DEFOG("questions_gen_postgres.csv", DIALECT_POSTGRES),
    DEFOG("instruct_basic_postgres.csv", DIALECT_POSTGRES),
    DEFOG("instruct_advanced_postgres.csv", DIALECT_POSTGRES),
    DEFOG("questions_gen_mysql.csv", DIALECT_MYSQL),
    DEFOG("instruct_basic_mysql.csv", DIALECT_MYSQL),
    DEFOG("instruct_advanced_mysql.csv", DIALECT_MYSQL),
    DEFOG("questions_gen_bigquery.csv", DIALECT_BIGQUERY),
    DEFOG("instruct_basic_bigquery.csv", DIALECT_BIGQUERY),
    DEFOG("instruct_advanced_bigquery.csv", DIALECT_BIGQUERY),
    DEFOG("questions_gen_tsql.csv", DIALECT_TSQL),
    DEFOG("instruct_basic_tsql.csv", DIALECT_TSQL),
    DEFOG("instruct_advanced_tsql.csv", DIALECT_TSQL),
    DEFOG("questions_gen_snowflake.csv", DIALECT_SNOWFLAKE),
#undef DEFOG
#define SPIDER(name) {"spider/predictions/" name ".sql", DATASET_PRED, DIALECT_SQLITE, "spider", 1, false, 0}
    SPIDER("c3_chatgpt"),
    SPIDER("chatgpt_zero_shot"),
    SPIDER("dail_gpt4"),
    SPIDER("dbgpt_lora"),
    SPIDER("din_codex"),
    SPIDER("gpt4_few_shot"),
    SPIDER("spider_pred_example"),
    SPIDER("tse_dev_01"),
    SPIDER("tse_dev_03"),
    SPIDER("tse_dev_05"),
    SPIDER("tse_dev_07"),
    SPIDER("tse_dev_09"),
    SPIDER("tse_dev_11"),
    SPIDER("tse_dev_13"),
    SPIDER("tse_dev_15"),
    SPIDER("tse_dev_17"),
    SPIDER("tse_dev_19"),
    SPIDER("tse_dev_21"),
#undef SPIDER
};
// clang-format on

const ptrdiff_t n_corpora = countof(corpora);

bool corpus_open(corpus_reader *r, arena *keep, arena scratch)
{
    const char *folder = getenv("ASSAY_DATA");
    *r = (corpus_reader){.data = str_from(folder ? folder : "../shared/data"),
                         .scratch = scratch};
    const str gold =
        arena_printf(keep, "%.*s/spider/dev_gold.sql", STR_ARG(r->data));
    diag d = diag_new(keep);
    const dataset_options options = {.role = DATASET_GOLD};
    if (!file_exists(gold.ptr)
        || !dataset_open(&r->spider, keep, gold, options, &d, scratch)) {
        printf("skipped: no data\n");
        return false;
    }
    return true;
}

void corpus_close(corpus_reader *r)
{
    dataset_close(&r->spider);
}

// Predictions do not say their database; their line does.
static str db_of(const corpus_reader *r,
                 const corpus *c,
                 const record *of,
                 ptrdiff_t i)
{
    if (c->role == DATASET_GOLD || !c->folder) {
        return of->db;
    }
    const dataset *spider = &r->spider;
    const int32_t db = i < spider->entries.len ? spider->entries.ptr[i].db : -1;
    return db >= 0 ? map_key_at(&spider->dbs, db) : (str){0};
}

bool corpus_each(corpus_reader *r,
                 const corpus *c,
                 arena a,
                 void (*sink)(void *context, str db, str sql),
                 void *context)
{
    const str path = arena_printf(&a, "%.*s/%s", STR_ARG(r->data), c->path);
    dataset set;
    diag d = diag_new(&a);
    const dataset_options options = {.role = c->role};
    if (!dataset_open(&set, &a, path, options, &d, r->scratch)) {
        printf("%s cannot be read\n", c->path);
        return false;
    }
    for (ptrdiff_t i = 0; i < set.entries.len; i++) {
        arena each = a;
        const record of = dataset_record(&set, i, &each);
        const str db = db_of(r, c, &of, i);
        diag ignored = diag_new(&each);
        template_variants v = {of.golds, of.n_golds};
        const template_options t = {.dialect = c->dialect};
        if (c->has_templates
            && !template_expand(&v, &each, of.golds, of.n_golds, t, &ignored,
                                r->scratch)) {
            v.n = 0;
        }
        for (ptrdiff_t k = 0; k < v.n; k++) {
            sink(context, db, v.sql[k]);
        }
        for (ptrdiff_t k = 0; k < of.n_preds; k++) {
            sink(context, db, of.preds[k].sql);
        }
    }
    dataset_close(&set);
    return true;
}

bool corpus_pairs(const corpus_reader *r,
                  const char *name,
                  arena a,
                  void (*sink)(void *context, const json *pair),
                  void *context)
{
    const str path =
        arena_printf(&a, "%.*s/equivalence/%s.jsonl", STR_ARG(r->data), name);
    diag d = diag_new(&a);
    file_map file;
    if (!file_open(&file, &a, path, &d)) {
        printf("%s cannot be read\n", name);
        return false;
    }
    str rest = file.bytes;
    while (rest.len > 0) {
        arena each = a;
        const json *pair = json_parse(&each, str_cut(&rest, '\n'), NULL);
        if (pair) {
            sink(context, pair);
        }
    }
    file_close(&file);
    return true;
}

bool corpus_is_query(str sql)
{
    const sql_outline o = sql_outline_of(sql, DIALECT_SQLITE);
    return o.n_statements == 1
           && (str_equal_fold(o.verb, S("select"))
               || str_equal_fold(o.verb, S("with"))
               || str_equal_fold(o.verb, S("values")));
}
