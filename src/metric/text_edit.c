/*
 * text_edit.c - the default `edit` metric: how many tokens to insert, delete
 * or replace, and the similarity 1 - d / max(|gold|, |pred|) [001 edit
 * distance].
 *
 * Method      Tokens in normal form get numbers, equal ones the same; the
 *             numbers go to edit_distance_ids, which works on 64 rows of the
 *             matrix at once. What both texts begin and end with is taken off
 *             first.
 *
 * Cost        |gold| * |pred| / 64 steps, under a second at EDIT_MAX_TOKENS on
 *             both sides. A text with more tokens gets no distance (unknown,
 *             too_long) unless the two are equal, which costs one pass.
 */
#include "base/edit_distance.h"
#include "base/map.h"
#include "metric/text.h"
#include "metric/text_token.h"

enum {
    EDIT_MAX_TOKENS = 100000,
};

typedef vec_of(int32_t) token_ids;

// At most EDIT_MAX_TOKENS + 1.
static token_ids number_tokens(arena *a, str sql, dialect d, map *known)
{
    token_ids ids = {0};
    buf key = buf_new(a);
    text_reader r = text_begin(sql, d);
    for (text_token t = text_next(&r);
         t.kind != TEXT_END && ids.len <= EDIT_MAX_TOKENS; t = text_next(&r)) {
        key.len = 0;
        text_token_key(&key, t);
        int32_t id = (int32_t)map_add(known, a, buf_str(&key));
        *vec_push(a, &ids) = id;
    }
    return ids;
}

static ptrdiff_t distance_of(token_ids g, token_ids p, arena scratch)
{
    ptrdiff_t same = 0;
    while (same < g.len && same < p.len && g.ptr[same] == p.ptr[same]) {
        same++;
    }
    while (g.len > same && p.len > same
           && g.ptr[g.len - 1] == p.ptr[p.len - 1]) {
        g.len--;
        p.len--;
    }
    return edit_distance_ids(g.ptr + same, g.len - same, p.ptr + same,
                             p.len - same, scratch);
}

verdict metric_edit(str gold, str pred, dialect d, arena *a, arena scratch)
{
    verdict v = metric_string(gold, pred, d, a, scratch);
    if (v.v == ANSWER_YES) {
        v.distance = 0;
        return verdict_scored(v, 1);
    }
    map known = {0};
    token_ids g = number_tokens(&scratch, gold, d, &known);
    token_ids p = number_tokens(&scratch, pred, d, &known);
    ptrdiff_t most = g.len > p.len ? g.len : p.len;
    if (g.len == 0 || p.len == 0) {
        v.distance = most > EDIT_MAX_TOKENS ? -1 : most;
        return verdict_scored(v, 0);
    }
    if (most > EDIT_MAX_TOKENS) {
        return verdict_unknown(
            REASON_TOO_LONG,
            arena_printf(a, "a text has more than %d tokens", EDIT_MAX_TOKENS));
    }
    v.distance = distance_of(g, p, scratch);
    return verdict_scored(v, 1 - (double)v.distance / (double)most);
}
