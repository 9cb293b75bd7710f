// postgres_absent.c - for builds without the PostgreSQL engine.
#include "engine/engine_driver.h"

const engine_driver driver_postgres = {
    .word = S_INIT("postgres"),
    .title = S_INIT("PostgreSQL"),
    .schemes = {S_INIT("postgresql://"), S_INIT("postgres://")},
    .dialect = DIALECT_POSTGRES,
    .is_server = true,
};
