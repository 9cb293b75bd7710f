// mariadb_absent.c - for builds without the MariaDB engine.
#include "engine/engine_driver.h"

const engine_driver driver_mariadb = {
    .word = S_INIT("mariadb"),
    .title = S_INIT("MariaDB"),
    .schemes = {S_INIT("mysql://"), S_INIT("mariadb://")},
    .dialect = DIALECT_MYSQL,
    .is_server = true,
};
