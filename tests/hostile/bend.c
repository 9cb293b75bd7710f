// bend.c - see bend.h.
#include "bend.h"

#include <string.h>

enum {
    MOST_LISTED = 3,
};

static const int64_t sore[] = {
    0, 1, -1, 2, 8, 32, 1 << 20, INT32_MAX, INT64_MAX, INT64_MIN, -8,
};

static const char *const texts[] = {
    "",
    "a\n",
    "{}\n",
    "0123456789abcdef",
    "../../x",
    "\xff\xfe%s%n<script>",
    "{\"id\":\"c1\",\"verdicts\":{\"exec\":{\"v\":\"yes\"}}}\n",
    "{\"suite\":2,\"key\":\"\",\"db\":\"\",\"databases\":-1}\n{\"rows\":[[",
};

int64_t bend_number(rng *r)
{
    return sore[rng_below(r, countof(sore))];
}

void bend_make(rng *r, const codec_shape *s, void *out, arena *a)
{
    for (ptrdiff_t i = 0; i < s->n; i++) {
        const codec_member *m = &s->members[i];
        void *at = (char *)out + m->at;
        codec_list list = {0};
        switch (m->kind) {
        case CODEC_NUMBER:
            *(int64_t *)at = rng_below(r, 2) ? m->least : m->most;
            break;
        case CODEC_TRUTH: *(bool *)at = rng_below(r, 2) != 0; break;
        case CODEC_TEXT:
            *(str *)at = str_from(texts[rng_below(r, countof(texts))]);
            break;
        case CODEC_LIST:
            list.n = rng_below(r, MOST_LISTED);
            list.ptr =
                arena_alloc(a, m->of->size, _Alignof(max_align_t), list.n);
            for (ptrdiff_t k = 0; k < list.n; k++) {
                bend_make(r, m->of, (char *)list.ptr + k * m->of->size, a);
            }
            *(codec_list *)at = list;
            break;
        }
    }
}

str bend_bytes(rng *r, str bytes, arena *a)
{
    buf b = buf_new(a);
    buf_add(&b, bytes);
    for (ptrdiff_t i = rng_below(r, 3); i > 0 && b.len > 0; i--) {
        int64_t number = bend_number(r);
        ptrdiff_t word = (ptrdiff_t)sizeof number;
        ptrdiff_t at = rng_below(r, b.len);
        at = rng_below(r, 2) ? at / word * word : at;
        ptrdiff_t n = b.len - at < word ? b.len - at : word;
        memcpy(b.ptr + at, &number, (size_t)n);
    }
    bool is_cut = rng_below(r, 4) == 0 && b.len > 0;
    b.len = is_cut ? rng_below(r, b.len) : b.len;
    if (rng_below(r, 16) == 0) {
        buf_add(&b, S("more"));
    }
    return buf_str(&b);
}

str bend_message(rng *r, const codec_shape *s, arena *a)
{
    void *it = arena_alloc(a, s->size, _Alignof(max_align_t), 1);
    buf b = buf_new(a);
    bend_make(r, s, it, a);
    codec_write(&b, s, it);
    return bend_bytes(r, buf_str(&b), a);
}
