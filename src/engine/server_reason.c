/*
 * server_reason.c - tables from codes to reasons.
 *
 * Method      An SQLSTATE is looked up by its beginning, in order, so that a
 *             row for one state stands before that of its class. A number of
 *             MariaDB says more than its state. What a server says of another
 *             one that it asks, or of files that it cannot read, is the fault
 *             of no query: NO_DATABASE.
 *
 * Cost        A pass over a table of some dozen rows, for a failed query.
 */
#include "engine/server_reason.h"

// By the beginning of the state; the first that fits counts.
static const struct {
    str prefix;
    reason status;
} states[] = {
    {S_INIT("42601"), REASON_SYNTAX_ERROR},
    {S_INIT("42P01"), REASON_NO_SUCH_TABLE},
    {S_INIT("3F000"), REASON_NO_SUCH_TABLE},  // schema
    {S_INIT("3D000"), REASON_NO_SUCH_TABLE},  // database
    {S_INIT("0A000"), REASON_INVALID_QUERY},  // not supported
    {S_INIT("42703"), REASON_NO_SUCH_COLUMN},
    {S_INIT("42883"), REASON_NO_SUCH_FUNCTION},
    {S_INIT("42702"), REASON_AMBIGUOUS_COLUMN},
    {S_INIT("42501"), REASON_FORBIDDEN},  // no privilege
    {S_INIT("42602"), REASON_SYNTAX_ERROR},
    {S_INIT("25006"), REASON_FORBIDDEN},  // read-only transaction
    {S_INIT("25001"), REASON_FORBIDDEN},  // transaction modes
    {S_INIT("25"), REASON_FORBIDDEN},
    {S_INIT("57014"), REASON_TIMEOUT},
    {S_INIT("55P03"), REASON_TIMEOUT},  // waited for a lock
    {S_INIT("54001"), REASON_TOO_COMPLEX},
    {S_INIT("54011"), REASON_TOO_COMPLEX},
    {S_INIT("54023"), REASON_TOO_COMPLEX},
    {S_INIT("54"), REASON_MEMORY},  // a value longer than a value may be
    {S_INIT("53200"), REASON_MEMORY},
    {S_INIT("53100"), REASON_MEMORY},        // disk full
    {S_INIT("53400"), REASON_MEMORY},        // temporary files
    {S_INIT("22021"), REASON_SYNTAX_ERROR},  // bytes that are no text
    {S_INIT("42000"), REASON_SYNTAX_ERROR},
    {S_INIT("42S02"), REASON_NO_SUCH_TABLE},  // from here on ODBC's own
    {S_INIT("42S22"), REASON_NO_SUCH_COLUMN},
    {S_INIT("37000"), REASON_SYNTAX_ERROR},
    {S_INIT("HYT"), REASON_TIMEOUT},
    {S_INIT("HY008"), REASON_TIMEOUT},
    {S_INIT("70100"), REASON_TIMEOUT},
    {S_INIT("HY001"), REASON_MEMORY},
    {S_INIT("HV"), REASON_NO_DATABASE},     // a foreign table
    {S_INIT("58"), REASON_NO_DATABASE},     // a file of the server's
    {S_INIT("XX001"), REASON_NO_DATABASE},  // a broken table
    {S_INIT("XX002"), REASON_NO_DATABASE},  // a broken index
    {S_INIT("08"), REASON_CONNECTION_LOST},
    {S_INIT("57P"), REASON_CONNECTION_LOST},
    {S_INIT("42"), REASON_INVALID_QUERY},
    {S_INIT(""), REASON_RUNTIME_ERROR},
};

static const struct {
    int64_t code;
    reason status;
} mysql_codes[] = {
    {1054, REASON_NO_SUCH_COLUMN},
    {1146, REASON_NO_SUCH_TABLE},
    {1049, REASON_NO_SUCH_TABLE},  // database
    {1109, REASON_NO_SUCH_TABLE},
    {1305, REASON_NO_SUCH_FUNCTION},
    {1128, REASON_NO_SUCH_FUNCTION},
    {1052, REASON_AMBIGUOUS_COLUMN},
    {1064, REASON_SYNTAX_ERROR},
    {1149, REASON_SYNTAX_ERROR},
    {1792, REASON_FORBIDDEN},  // read-only transaction
    {1044, REASON_FORBIDDEN},
    {1142, REASON_FORBIDDEN},
    {1143, REASON_FORBIDDEN},
    {1227, REASON_FORBIDDEN},
    {1290, REASON_FORBIDDEN},
    {1370, REASON_FORBIDDEN},
    {1969, REASON_TIMEOUT},  // max_statement_time
    {3024, REASON_TIMEOUT},  // max_execution_time
    {1317, REASON_TIMEOUT},
    {1205, REASON_TIMEOUT},  // waited for a lock
    {1037, REASON_MEMORY},
    {1038, REASON_MEMORY},
    {1041, REASON_MEMORY},
    {1021, REASON_MEMORY},  // disk full
    {1026, REASON_MEMORY},  // a file cannot be written, as a rule for the same
    {3, REASON_MEMORY},     // likewise
    {1114, REASON_MEMORY},  // table full
    {1153, REASON_MEMORY},  // packet too large
    {2008, REASON_MEMORY},
    {1436, REASON_TOO_COMPLEX},   // stack
    {1116, REASON_TOO_COMPLEX},   // tables
    {1117, REASON_TOO_COMPLEX},   // columns
    {29, REASON_NO_DATABASE},     // a file that is missing
    {126, REASON_NO_DATABASE},    // a broken index
    {127, REASON_NO_DATABASE},    // a broken table
    {130, REASON_NO_DATABASE},    // a file of another kind
    {144, REASON_NO_DATABASE},    // a broken table, not repaired
    {145, REASON_NO_DATABASE},    // likewise
    {1016, REASON_NO_DATABASE},   // a file that cannot be opened
    {1017, REASON_NO_DATABASE},   // a file that is missing
    {1034, REASON_NO_DATABASE},   // a broken index
    {1045, REASON_NO_DATABASE},   // a login at another server
    {1168, REASON_NO_DATABASE},   // a table of tables that are not there
    {1194, REASON_NO_DATABASE},   // a broken table
    {1195, REASON_NO_DATABASE},   // likewise
    {1296, REASON_NO_DATABASE},   // a table of another server
    {1429, REASON_NO_DATABASE},   // its server is away
    {1430, REASON_NO_DATABASE},   // its server refuses
    {1431, REASON_NO_DATABASE},   // it is not there
    {12701, REASON_NO_DATABASE},  // its server is gone
    {2006, REASON_CONNECTION_LOST},
    {2013, REASON_CONNECTION_LOST},
    {2055, REASON_CONNECTION_LOST},
    {1053, REASON_CONNECTION_LOST},  // shutdown
    {1080, REASON_CONNECTION_LOST},
    {1152, REASON_CONNECTION_LOST},
    {1927, REASON_CONNECTION_LOST},  // killed
};

reason server_reason(str state, str message)
{
    // "operator does not exist" has the code of a missing function.
    if (str_equal(state, S("42883")) && str_starts(message, S("operator"))) {
        return REASON_INVALID_QUERY;
    }
    ptrdiff_t i = 0;
    while (!str_starts(state, states[i].prefix)) {
        i++;
    }
    return states[i].status;
}

reason server_reason_mysql(int64_t code, str state, str message)
{
    // What the session may use has the number of what the server may not do.
    if (str_find(message, S("max-session-mem-used"), 0) >= 0) {
        return REASON_MEMORY;
    }
    for (ptrdiff_t i = 0; i < countof(mysql_codes); i++) {
        if (mysql_codes[i].code == code) {
            return mysql_codes[i].status;
        }
    }
    return str_starts(state, S("42")) || str_starts(state, S("21"))
               ? REASON_INVALID_QUERY
               : REASON_RUNTIME_ERROR;
}
