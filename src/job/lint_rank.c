// lint_rank.c - see lint_rank.h: reasons as sentences, and a sort.
#include "job/lint_rank.h"

#include "base/file.h"
#include "base/json_write.h"
#include "base/order.h"
#include "base/utf8.h"

#include <stdlib.h>

static void add_runs(buf *b, int64_t n, const char *what)
{
    buf_printf(b, ", %lld run%s %s", (long long)n, plural(n), what);
}

static void add_reasons(buf *b, const json *line, arena *a)
{
    for (const json *r = json_children(line, S("reasons")); r; r = r->next) {
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

static str name_of(arena *a, str id, str db)
{
    return arena_printf(a, "%.*s\n%.*s", STR_ARG(db), STR_ARG(id));
}

// {"is":"gold suspect","suspicion":4,"against":1,"with":0,"prediction":...,
// "variant":..., "reasons":[{"on","signal","text","detail"}]}: what the page says.
static str view_of(arena *a, const json *line, blame_class who)
{
    buf b = buf_new(a);
    json_write(
        &b, json_begin('{'), member_text(S("is"), blame_class_text(who)),
        member_int(S("suspicion"), json_get_int(line, S("suspicion"), 0)),
        member_int(S("against"), json_get_int(line, S("against_gold"), 0)),
        member_int(S("with"), json_get_int(line, S("with_gold"), 0)),
        member_text(S("prediction"), json_get_text(line, S("prediction"))),
        member_text(S("variant"), json_get_text(line, S("variant_sql"))),
        member_open(S("reasons"), '['));
    for (const json *r = json_children(line, S("reasons")); r; r = r->next) {
        blame_signal s;
        if (!blame_signal_from_word(json_get_text(r, S("signal")), &s)) {
            continue;
        }
        json_write(&b, json_begin('{'),
                   member_text(S("on"), json_get_text(r, S("on"))),
                   member_text(S("signal"), blame_signal_word(s)),
                   member_text(S("text"), blame_signal_text(s)),
                   member_text(S("detail"), json_get_text(r, S("detail"))),
                   json_end("}"));
    }
    buf_add(&b, S("]}"));
    return buf_str(&b);
}

str lint_subject(arena *a, str id, str db, int64_t variant)
{
    buf b = buf_new(a);
    buf_printf(&b, "case %.*s", STR_ARG(id));
    if (db.len > 0) {
        buf_printf(&b, " (%.*s)", STR_ARG(db));
    }
    if (variant >= 0) {
        buf_printf(&b, ", variant %lld", (long long)variant);
    }
    return buf_str(&b);
}

void lint_rank_add(lint_rank *r, arena *a, const json *line)
{
    ranked_case it;
    if (!blame_class_from_word(json_get_text(line, S("who")), &it.who)) {
        return;
    }
    str id = json_get_text(line, S("id"));
    str db = json_get_text(line, S("db"));
    str name = name_of(a, id, db);
    if (map_add(&r->names, a, name) == r->firsts.len) {
        *vec_push(a, &r->firsts) = r->cases.len;
    }
    it.suspicion = json_get_int(line, S("suspicion"), 0);
    it.id = arena_str(a, utf8_visible(a, id));
    str about = lint_subject(a, id, db, json_get_int(line, S("variant"), -1));
    about = arena_str(a, utf8_visible(a, about));
    buf b = buf_new(a);
    buf_printf(&b, "%3lld  %.*s: %.*s", (long long)it.suspicion,
               STR_ARG(blame_class_text(it.who)), STR_ARG(about));
    int64_t against = json_get_int(line, S("against_gold"), 0);
    if (against > 0) {
        add_runs(&b, against, "against the gold");
        add_runs(&b, json_get_int(line, S("with_gold"), 0), "with it");
    }
    buf_char(&b, '\n');
    ptrdiff_t head = b.len;
    add_reasons(&b, line, a);
    it.text = buf_str(&b);
    it.reasons = str_skip(it.text, head);
    it.view = view_of(a, line, it.who);
    r->counts[it.who]++;
    *vec_push(a, &r->cases) = it;
}

bool lint_rank_read(lint_rank *r,
                    arena *a,
                    str path,
                    arena_store *lines,
                    diag *d)
{
    file_map file;
    if (!file_open(&file, a, path, d)) {
        return false;
    }
    for (str line, rest = file.bytes; file_line(&file, &rest, &line);) {
        arena scratch = arena_store_clear(lines);
        const json *j = json_parse(&scratch, str_trim(line), NULL);
        if (j) {
            lint_rank_add(r, a, j);
        }
    }
    file_close(&file);
    return r->cases.len > 0
           || diag_add(d, (diag_place){.file = path},
                       "does not say who is wrong; make it with 'assay lint "
                       "--rank --out FILE'");
}

const ranked_case *lint_rank_find(const lint_rank *r,
                                  str id,
                                  str db,
                                  arena scratch)
{
    ptrdiff_t at = map_find(&r->names, name_of(&scratch, id, db));
    return at < 0 ? NULL : &r->cases.ptr[r->firsts.ptr[at]];
}

ORDER(by_suspicion,
      ranked_case,
      ORDER_DOWN(suspicion),
      ORDER_DOWN(who),
      ORDER_TEXT(id))

void lint_rank_doc(doc *d, lint_rank *r, bool all)
{
    if (r->cases.len == 0) {
        return;
    }
    qsort(r->cases.ptr, (size_t)r->cases.len, sizeof *r->cases.ptr,
          by_suspicion);
    for (ptrdiff_t i = 0; i < r->cases.len; i++) {
        const ranked_case *it = &r->cases.ptr[i];
        if (all || it->who == BLAME_GOLD || it->who == BLAME_QUESTION) {
            doc_add(d, DOC_TEXT, it->text);
        }
    }
    for (int c = BLAME_CLASS_COUNT - 1; c >= 0; c--) {
        doc_say(d, "%.*s %td%s", STR_ARG(blame_class_text((blame_class)c)),
                r->counts[c], c == 0 ? "\n" : ", ");
    }
}
