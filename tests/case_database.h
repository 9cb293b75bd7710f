/*
 * case_database.h - the database that section `setup` of a case describes, on
 * the engine of the case.
 */
#ifndef ASSAY_TESTS_CASE_DATABASE_H
#define ASSAY_TESTS_CASE_DATABASE_H

#include "engine/engine.h"
#include "kind.h"

typedef struct case_database {
    str path;  // a .sql file (duckdb:FILE for DuckDB), or the URL of a server
    char file[512];
    engine *server;  // that it was made on
    str name;
} case_database;

// Sets `driver` of the options. False when the case is broken.
bool case_database_open(case_database *db, test_case *c, engine_options *o);
void case_database_close(case_database *db, test_case *c);

#endif  // ASSAY_TESTS_CASE_DATABASE_H
