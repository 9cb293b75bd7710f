// lint_rank.c - see lint_rank.h: reasons as sentences, and a sort.
#include "cli/lint_rank.h"

#include "base/utf8.h"

#include <stdlib.h>

static int64_t int_at(const json *j, str key)
{
    const json *m = json_get(j, key);
    return m && m->kind == JSON_KIND_INT ? m->i : 0;
}

static void add_runs(buf *b, int64_t n, const char *what)
{
    buf_printf(b, ", %lld run%s %s", (long long)n, n == 1 ? "" : "s", what);
}

static void add_reasons(buf *b, const json *reasons, arena *a)
{
    for (const json *r = reasons ? reasons->child : NULL; r; r = r->next) {
        blame_signal s;
        str word = json_get_text(r, S("signal"));
        str on = json_get_text(r, S("on"));
        str detail = utf8_visible(a, json_get_text(r, S("detail")));
        if (!blame_signal_from_word(word, &s)) {
            continue;
        }
        buf_printf(b, "    %.*s: %.*s: %.*s", STR_ARG(on), STR_ARG(word),
                   STR_ARG(blame_signal_text(s)));
        if (detail.len > 0) {
            buf_printf(b, " (%.*s)", STR_ARG(detail));
        }
        buf_char(b, '\n');
    }
}

void lint_rank_add(lint_rank *r, arena *a, const json *line)
{
    ranked_case it;
    if (!blame_class_from_word(json_get_text(line, S("who")), &it.who)) {
        return;
    }
    it.suspicion = int_at(line, S("suspicion"));
    it.id = arena_str(a, utf8_visible(a, json_get_text(line, S("id"))));
    it.db = arena_str(a, utf8_visible(a, json_get_text(line, S("db"))));
    buf b = buf_new(a);
    buf_printf(&b, "%3lld  %.*s: case %.*s", (long long)it.suspicion,
               STR_ARG(blame_class_text(it.who)), STR_ARG(it.id));
    if (it.db.len > 0) {
        buf_printf(&b, " (%.*s)", STR_ARG(it.db));
    }
    int64_t against = int_at(line, S("against_gold"));
    if (against > 0) {
        add_runs(&b, against, "against the gold");
        add_runs(&b, int_at(line, S("with_gold")), "with it");
    }
    buf_char(&b, '\n');
    ptrdiff_t head = b.len;
    add_reasons(&b, json_get(line, S("reasons")), a);
    it.text = buf_str(&b);
    it.reasons = str_skip(it.text, head);
    r->counts[it.who]++;
    *vec_push(a, &r->cases) = it;
}

const ranked_case *lint_rank_find(const lint_rank *r,
                                  str id,
                                  str db,
                                  arena scratch)
{
    str seen_id = utf8_visible(&scratch, id);
    str seen_db = utf8_visible(&scratch, db);
    const ranked_case *found = NULL;
    for (ptrdiff_t i = 0; i < r->cases.len && !found; i++) {
        const ranked_case *it = &r->cases.ptr[i];
        bool is_it = str_equal(it->id, seen_id) && str_equal(it->db, seen_db);
        found = is_it ? it : NULL;
    }
    return found;
}

static int by_suspicion(const void *x, const void *y)
{
    const ranked_case *a = x;
    const ranked_case *b = y;
    if (a->suspicion != b->suspicion) {
        return a->suspicion < b->suspicion ? 1 : -1;
    }
    return a->who != b->who ? (int)b->who - (int)a->who
                            : str_compare(a->id, b->id);
}

void lint_rank_print(lint_rank *r, buf *out, bool all)
{
    if (r->cases.len == 0) {
        return;
    }
    qsort(r->cases.ptr, (size_t)r->cases.len, sizeof *r->cases.ptr,
          by_suspicion);
    for (ptrdiff_t i = 0; i < r->cases.len; i++) {
        const ranked_case *it = &r->cases.ptr[i];
        if (all || it->who == BLAME_GOLD || it->who == BLAME_QUESTION) {
            buf_add(out, it->text);
        }
    }
    for (int c = BLAME_CLASS_COUNT - 1; c >= 0; c--) {
        buf_printf(out, "%s%.*s %td", c == BLAME_CLASS_COUNT - 1 ? "" : ", ",
                   STR_ARG(blame_class_text((blame_class)c)), r->counts[c]);
    }
    buf_add(out, S("\n\n"));
}
