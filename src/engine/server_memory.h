/*
 * server_memory.h - what a session may use of its server's memory.
 *
 * Each statement bounds it, and asks for what is; settings that are lower stay.
 * In them #0 stands for the number of that system.
 */
#ifndef ASSAY_ENGINE_SERVER_MEMORY_H
#define ASSAY_ENGINE_SERVER_MEMORY_H

#include "engine/engine.h"

// PostgreSQL: of each sort in kilobytes; a hash table may take twice that.
int64_t server_sort_kilobytes(const engine_limits *limits);
#define POSTGRES_BOUNDS_MEMORY                                    \
    "SELECT pg_catalog.set_config(name, most, false) FROM"        \
    " pg_catalog.pg_settings, (VALUES ('work_mem', '#0'),"        \
    " ('hash_mem_multiplier', '2')) AS bound(setting_name, most)" \
    " WHERE name = setting_name AND setting::numeric > most::numeric"
#define POSTGRES_ASKS_MEMORY                                        \
    "SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_settings" \
    " WHERE name = 'work_mem' AND setting::numeric > #0 OR name ="  \
    " 'hash_mem_multiplier' AND setting::numeric > 2) THEN 0 ELSE 1 END"

// MariaDB: of all that a query uses, the texts of its calls not counted.
int64_t server_session_bytes(const engine_limits *limits);
#define MARIADB_BOUNDS_MEMORY \
    "SET max_session_mem_used=LEAST(@@max_session_mem_used, #0)"
#define MARIADB_ASKS_MEMORY "SELECT IF(@@max_session_mem_used <= #0, 1, 0)"

// Has a session bounded by these; false with a message when it is not.
bool server_bounds_memory(database *db,
                          const char *bounds,
                          const char *asks,
                          int64_t most,
                          diag *d,
                          arena scratch);

#endif  // ASSAY_ENGINE_SERVER_MEMORY_H
