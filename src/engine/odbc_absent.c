// odbc_absent.c - for builds without the ODBC engine.
#include "engine/engine_driver.h"

const engine_driver driver_odbc = {
    .word = S_INIT("odbc"),
    .title = S_INIT("ODBC"),
    .schemes = {S_INIT("odbc:")},
    .dialect = DIALECT_POSTGRES,
    .is_server = true,
};
