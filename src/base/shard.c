// shard.c - see shard.h.
#include "base/shard.h"

#include "base/hash.h"
#include "base/json_write.h"

#include <assert.h>

static const str mark = S_INIT("{\"position\":");

bool shard_parse(shard *s, str text)
{
    str n = text;
    str i = str_cut(&n, '/');
    return str_to_int(i, &s->index) && str_to_int(n, &s->n) && s->index >= 0
           && s->index < s->n;
}

bool shard_has(shard s, str id, str db)
{
    uint64_t h = hash_mix(hash64(id), hash64(db));
    return s.n == 0 || (int64_t)(h % (uint64_t)s.n) == s.index;
}

void shard_add_counts(buf *b, shard s, ptrdiff_t n_cases, ptrdiff_t n_all)
{
    assert(n_cases <= n_all);
    if (s.n > 0) {
        json_write(b, member_int(S("shard_cases"), n_cases),
                   member_int(S("all_cases"), n_all));
    }
}

str shard_mark(shard s, str lines, int64_t position, arena *a)
{
    buf b = buf_new(a);
    if (s.n == 0) {
        return lines;
    }
    while (lines.len > 0) {
        str line = str_cut(&lines, '\n');
        assert(line.len > 1 && line.ptr[0] == '{');
        buf_add(&b, mark);
        buf_int(&b, position);
        buf_char(&b, ',');
        buf_add(&b, str_skip(line, 1));
        buf_char(&b, '\n');
    }
    return buf_str(&b);
}

bool shard_unmark(str line, int64_t *position, str *rest)
{
    if (!str_starts(line, mark)) {
        return false;
    }
    *rest = str_skip(line, mark.len);
    return str_to_int(str_cut(rest, ','), position) && rest->len > 0;
}
