/*
 * fact.h - what the data of a database show beyond what its schema declares:
 * columns that never hold NULL, keys, foreign keys, ranges, spellings.
 *
 * Why         A schema allows more than anybody means: NULL where NOT NULL
 *             was forgotten, orphans, two spellings of one name. A database
 *             that shows two queries to differ is legal when it obeys the
 *             schema, and *realistic* when it also obeys the facts.
 *
 * Data        A fact names its table and columns by their place in one schema;
 *             a list of facts belongs to that schema. Facts come from a
 *             database (fact_mine), or from a file (facts_from_text), which a
 *             person may have edited.
 *
 * Reading     fact_mine.c, fact_read.c (where they come from), fact_apply.c
 * order       (a schema that demands them), fact_test.c (what rows break)
 *
 * Source      definitions/facts.md
 */
#ifndef ASSAY_FACTS_FACT_H
#define ASSAY_FACTS_FACT_H

#include "base/diag.h"
#include "engine/instance.h"
#include "schema/schema.h"

typedef struct database database;

typedef enum fact_kind {
#define FACT(constant, word, text) FACT_##constant,
#include "facts/fact.def"
    FACT_KIND_COUNT,
} fact_kind;

typedef enum fact_format {
#define FORMAT(constant, word, pattern) FORMAT_##constant,
#include "facts/fact_format.def"
    FACT_FORMAT_COUNT,
} fact_format;

typedef struct fact {
    fact_kind kind;
    int32_t table;
    const int32_t *columns;  // NOT_EMPTY: none
    ptrdiff_t n_columns;
    int32_t parent;          // FOREIGN_KEY: its table; DETERMINES: `table`
    const int32_t *targets;  // of the parent, FOREIGN_KEY: as many as columns
    ptrdiff_t n_targets;
    const value *values;  // RANGE: lowest and highest; VALUES: all
    ptrdiff_t n_values;
    fact_format format;  // FORMAT
    int64_t rows;        // that were looked at; 0: not known
    int64_t broken;      // FOREIGN_KEY: of these, rows without a parent
} fact;

typedef struct facts facts;
struct facts {
    const schema *schema;
    str db;  // its name
    vec_of(fact) list;
};

// Sets of kinds, as bits 1 << kind.
enum {
    FACTS_ALL = (1 << FACT_KIND_COUNT) - 1,
    // What nobody doubts once the data show it: see docs/suites.md.
    FACTS_FIRM = 1 << FACT_NOT_EMPTY | 1 << FACT_NEVER_NULL
                 | 1 << FACT_FOREIGN_KEY | 1 << FACT_ONE_SPELLING,
    // What identifies rows, and what refers to them.
    FACTS_KEYS = 1 << FACT_UNIQUE | 1 << FACT_FOREIGN_KEY,
    // Rows of a hundred that a foreign key must hold for, to be demanded.
    FACT_FOREIGN_SHARE = 95,
    // Rows that it takes to conclude what is not declared, and what few rows
    // show by chance: keys, foreign keys, ranges, dependencies.
    FACT_ROWS_LEAST = 10,
    FACT_VALUES_MOST = 12,  // of a list
};

str fact_kind_word(fact_kind v);
bool fact_kind_from_word(str word, fact_kind *out);
str fact_format_word(fact_format v);
bool fact_format_from_word(str word, fact_format *out);
str fact_format_pattern(fact_format f);

// "singer.age is never NULL"; without control characters.
void fact_show(buf *out, const schema *s, const fact *f);

// Are both spellings of one text?
bool fact_is_respelled(str a, str b);

// A sieve for texts: what no text of a set can be a spelling of is told without
// a look at the set.
enum {
    FACT_SIEVE_WORDS = 8
};

typedef struct fact_sieve {
    uint64_t bits[FACT_SIEVE_WORDS];
} fact_sieve;

void fact_sieve_add(fact_sieve *s, str text);

// False: none of the texts that were added is this one or another spelling.
bool fact_sieve_holds(const fact_sieve *s, str text);

// Texts that queries compare with, and how one is spelled among them.
typedef struct fact_texts {
    str_list list;
    fact_sieve sieve;
} fact_texts;

void fact_texts_add(fact_texts *t, arena *a, str text);

enum {
    SPELLED_SO = 1,
    SPELLED_OTHERWISE = 2,
};

unsigned fact_texts_spell(const fact_texts *t, str text);  // bits of these

/*
 * What the database shows of these kinds, and with UNIQUE also foreign keys
 * that are not declared; table by table, in the order of its
 * schema. Queries run under the limits of its engine; one that is cut off
 * concludes nothing.
 * Cost: one scan of each table, one more for each foreign key, key and
 * dependency that may hold. Other systems than SQLite: no FORMAT, ONE_SPELLING.
 */
facts fact_mine(arena *a,
                database *db,
                str name,
                unsigned kinds,
                arena scratch);

// Adds what one table shows; `out` has the schema of the database.
void fact_mine_table(facts *out,
                     arena *a,
                     database *db,
                     int32_t no,
                     unsigned kinds,
                     arena scratch);

// One JSON object, a fact on each line: {"assay_facts":1,"db":...,"facts":[...]}
void facts_to_text(buf *out, const facts *f);

/*
 * Reads such an object, or the constraints of SpotIt+ (an object of lists, one
 * a database, names as TABLE__COLUMN): of its databases the one whose names fit
 * `s` best. False with messages when the file is broken or names what the
 * schema lacks (SpotIt+: such constraints are left out).
 */
bool facts_from_text(facts *out,
                     arena *a,
                     const schema *s,
                     str file,
                     str text,
                     diag *d,
                     arena scratch);

// The same facts about the tables of another schema, by their names; those that
// it lacks are left out.
facts facts_move(arena *a, const facts *f, const schema *to);

/*
 * The schema `s`, with the same tables and columns as that of the facts, that
 * also demands those of the kinds in the set: as NOT NULL, unique and foreign
 * keys, checks, and the flags is_filled and has_one_spelling. A foreign key
 * that less than FACT_FOREIGN_SHARE of the rows hold is not demanded.
 * DETERMINES has no place in a schema: fact_is_broken tells.
 */
const schema *facts_apply(arena *a,
                          const schema *s,
                          const facts *f,
                          unsigned kinds,
                          arena scratch);

// Does the schema demand the fact, one of FACTS_FIRM? Then no database breaks
// it.
bool fact_is_demanded(const fact *f, const schema *s);

// What rows are looked at for.
typedef struct fact_view {
    const bool *tables;    // by table: it is read; NULL: all
    bool *const *columns;  // by table and column; NULL: all
    fact_texts texts;      // that queries compare with
    unsigned kinds;
} fact_view;

// All of what the rows hold, beside the texts that queries compare with.
fact_view fact_view_of(const str_list *texts);

// Is all read that the fact is about?
bool fact_is_read(const fact *f, const fact_view *view);

// Do the rows break the fact? Only what is read counts: an unread column can be
// filled to please it.
bool fact_is_broken(const instance *i, const fact *f, const fact_view *view);

// Any of them.
bool facts_are_broken(const instance *i, const facts *f, const fact_view *view);

#endif  // ASSAY_FACTS_FACT_H
