/*
 * corpus.h - the queries in $ASSAY_DATA, for tests that put a program's word
 * beside ours on each of them.
 *
 * Order of    corpus_open()
 * calls         corpus_each()    the texts of one corpus
 *               corpus_pairs()   the pairs of one file
 *             corpus_close()
 */
#ifndef ASSAY_TESTS_ORACLE_CORPUS_H
#define ASSAY_TESTS_ORACLE_CORPUS_H

#include "base/json.h"
#include "read/dataset.h"
#include "sql/dialect.h"

typedef struct corpus {
    const char *path;
    dataset_role role;
    dialect dialect;
    const char *folder;  // of its databases; NULL: none
    int per_mille;       // of what SQLite accepts may fail to be parsed
    bool has_templates;
    int n_damaged;  // texts that no program of the dialect reads
} corpus;

extern const corpus corpora[];
extern const ptrdiff_t n_corpora;

typedef struct corpus_reader {
    str data;
    arena scratch;
    dataset spider;  // whose records say the databases of predictions
} corpus_reader;

// False without data: then the test is skipped.
bool corpus_open(corpus_reader *r, arena *keep, arena scratch);
void corpus_close(corpus_reader *r);

// Each query of golds, with templates each that they stand for, and of
// predictions, with the name of its database. False, and a line printed, when
// the file cannot be read.
bool corpus_each(corpus_reader *r,
                 const corpus *c,
                 arena a,
                 void (*sink)(void *context, str db, str sql),
                 void *context);

// Each line of equivalence/NAME.jsonl; false likewise.
bool corpus_pairs(const corpus_reader *r,
                  const char *name,
                  arena a,
                  void (*sink)(void *context, const json *pair),
                  void *context);

// Is it one statement that begins as a query does?
bool corpus_is_query(str sql);

#endif  // ASSAY_TESTS_ORACLE_CORPUS_H
