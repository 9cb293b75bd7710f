/*
 * scratch_driver.h - what a database system must do to hold scratch databases.
 *
 * A driver is a constant table of functions, as for engines. Its databases and
 * queries begin with the structs below; scratch.c makes the former and calls
 * the driver.
 */
#ifndef ASSAY_ENGINE_SCRATCH_DRIVER_H
#define ASSAY_ENGINE_SCRATCH_DRIVER_H

#include "engine/engine_driver.h"
#include "engine/scratch.h"

struct scratch_driver {
    ptrdiff_t size;  // of a struct that begins with a scratch_db
    // False with a message; `close` is called in either case.
    bool (*open)(scratch_db *s, str ddl, diag *d);
    // See scratch_open_images(); NULL: it cannot.
    bool (*open_image)(scratch_db *s, str image, diag *d);
    void (*show)(scratch_db *s, str image);
    void (*close)(scratch_db *s);
    // See scratch.h.
    scratch_query *(*prepare)(scratch_db *s,
                              str sql,
                              execution *failed,
                              arena *a);
    void (*forget)(scratch_query *q);
    bool (*is_one_program)(scratch_query *q, scratch_query *other);  // or NULL
    execution (*run)(scratch_query *q, engine_stop stop, arena *a);
    bool (*fill)(scratch_db *s,
                 const instance *rows,
                 scratch_order order,
                 diag *d);
    bool (*load)(scratch_db *s, str sql, diag *d);  // NULL: it cannot
    str (*image)(scratch_db *s, arena *a);  // NULL: there is no such file
};

struct scratch_db {
    const scratch_driver *driver;
    engine *engine;
    bool has_own_engine;
    const schema *schema;
    scratch_limits limits;
    table_order order;
    vec_of(ptrdiff_t) pending;  // rows of the table that is being filled
    bool is_lost;
    arena *a;
};

// Makes all `n` rows of table `no` pending, in the order in which they go in.
void scratch_line_up(scratch_db *s,
                     int32_t no,
                     ptrdiff_t n,
                     scratch_order order);

// The texts of a filling, where a system is filled by statements.
typedef struct scratch_texts {
    arena_store store;  // for what is sent
    arena_store filling_store;
    str filling;  // what made the rows that are there; empty: there are none
} scratch_texts;

// False with a message when there is no address space. Who closed them may do
// so again.
bool scratch_texts_open(scratch_texts *t, diag *d);
void scratch_texts_close(scratch_texts *t);

// One INSERT for the rows of table `no`; or one for each, where a row must find
// its parent among the rows before the statement, and parents first.
void scratch_add_rows(scratch_db *s,
                      buf *out,
                      int32_t no,
                      const instance *of_all,
                      scratch_order order,
                      bool one_by_one);

// What the limit in steps means where steps are not counted: time of a query.
int64_t scratch_limit_ms(const scratch_db *s);

extern const scratch_driver scratch_sqlite;
extern const scratch_driver scratch_duckdb;
extern const scratch_driver scratch_postgres;

#endif  // ASSAY_ENGINE_SCRATCH_DRIVER_H
