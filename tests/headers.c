/*
 * headers.c - the public header stands alone: included first and only, by the
 * oldest C it promises, by C17 and by C++, with every warning on. Calls what
 * needs no database, so that the library's symbols are found at link time.
 */
#include <assay/assay.h>

int main(void)
{
    assay_error error = {ASSAY_OK, ""};
    assay_db *db = 0;
    assay_limits limits = {0, 0, 0, 0};
    if (assay_db_open(&db, "no/such/file.sqlite", &limits, &error) == ASSAY_OK
        || error.status == ASSAY_OK || error.message[0] == '\0' || db) {
        return 1;
    }
    assay_db_close(db);
    assay_verdict_free(0);
    return assay_version()[0] == '\0';
}
