// postgres_reason.c - SQLSTATE to reason; the first prefix that fits counts.
#include "engine/engine_postgres.h"

static const struct {
    str prefix;
    reason status;
} meanings[] = {
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
    {S_INIT("42"), REASON_INVALID_QUERY},
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
    {S_INIT(""), REASON_RUNTIME_ERROR},
};

reason postgres_reason(str sqlstate, str message)
{
    // "operator does not exist" has the code of a missing function.
    if (str_equal(sqlstate, S("42883")) && str_starts(message, S("operator"))) {
        return REASON_INVALID_QUERY;
    }
    ptrdiff_t i = 0;
    while (!str_starts(sqlstate, meanings[i].prefix)) {
        i++;
    }
    return meanings[i].status;
}
