/*
 * fuzz_pragmatic.c - a query is after what it is after; what is equal without
 * leniencies is equal with all of them; a verdict does not depend on which
 * leniencies are off that it does not name.
 */
#include "fuzz.h"
#include "metric/pragmatic.h"
#include "schema/schema_spider.h"

static const char tables[] =
    "[{\"db_id\":\"d\",\"table_names_original\":[\"singer\",\"concert\"],"
    "\"column_names_original\":[[-1,\"*\"],[0,\"singer_id\"],[0,\"name\"],"
    "[0,\"age\"],[1,\"concert_id\"],[1,\"singer_id\"],[1,\"year\"]],"
    "\"column_types\":[\"text\",\"number\",\"text\",\"number\",\"number\","
    "\"number\",\"number\"],\"primary_keys\":[1,4],\"foreign_keys\":[[5,1]]}]";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    schema_list list = {0};
    diag d = diag_new(&a);
    fuzz_must(schema_list_read(&list, &a, S("tables"), str_from(tables), &d,
                               scratch));
    const schema *s = &list.schemas.ptr[0];
    str text = {(const char *)bytes, (ptrdiff_t)size};
    str gold = str_cut(&text, '\n');
    pragmatic_side left = {.sql = gold};
    pragmatic_side right = {.sql = text};
    pragmatic_profile none = {0};
    pragmatic_profile all = {.accepts = (1U << LENIENCY_COUNT) - 1};
    pragmatic_pair u =
        pragmatic_pair_of(left, right, s, DIALECT_SQLITE, &a, scratch);
    verdict strict = pragmatic_verdict(&u, none);
    verdict lenient = pragmatic_verdict(&u, all);
    fuzz_must(strict.v != ANSWER_YES || lenient.v == ANSWER_YES);
    fuzz_must(strict.v != ANSWER_YES || strict.detail.len == 0);
    u = pragmatic_pair_of(left, left, s, DIALECT_SQLITE, &a, scratch);
    verdict itself = pragmatic_verdict(&u, none);
    fuzz_must(itself.v == ANSWER_YES
              || str_find(itself.detail, S("not understand"), 0) >= 0);
    return 0;
}
