/*
 * merge_head.c - see merge_head.h.
 *
 * Method      Each head is written again as that of a run that is not cut would
 *             be: no shard, and the hash of every database from a shard that
 *             has cases of it. Then all must be the same, and the first is the
 *             head of the whole.
 *
 *             Without --now each shard has a clock of its own. That is none of
 *             its verdicts' business as long as no query reads the clock.
 */
#include "journal/merge_head.h"

#include "base/map.h"
#include "journal/journal_head.h"
#include "report/case_line.h"

typedef struct head_maker {
    const merge *m;
    const json *first;            // head
    map names;                    // of databases
    vec_of(const json *) hashes;  // by name; a null where no shard has one
    bool reads_clock;
} head_maker;

static void collect_hashes(head_maker *h, arena *a)
{
    for (ptrdiff_t i = 0; i < h->m->parts.len; i++) {
        const json *db = json_children(h->m->parts.ptr[i].head, S("databases"));
        for (; db; db = db->next) {
            ptrdiff_t id = map_add(&h->names, a, db->key);
            if (id == h->hashes.len) {
                *vec_push(a, &h->hashes) = db;
            } else if (h->hashes.ptr[id]->kind == JSON_KIND_NULL) {
                h->hashes.ptr[id] = db;
            }
        }
    }
}

static void add_databases(buf *b, const head_maker *h, const json *all)
{
    buf_char(b, '{');
    for (const json *db = all->child; db; db = db->next) {
        ptrdiff_t id = map_find(&h->names, db->key);
        json_key(b, db->key);
        json_add(b, db->kind == JSON_KIND_NULL ? h->hashes.ptr[id] : db);
    }
    buf_char(b, '}');
}

// The line, newline and all.
static str whole_head(const head_maker *h, const json *head, arena *a)
{
    buf b = buf_new(a);
    buf_char(&b, '{');
    for (const json *m = head->child; m; m = m->next) {
        const json *clock = json_get(h->first, S("clock"));
        if (str_among(m->key, "shard_cases all_cases")) {
            continue;
        }
        json_key(&b, m->key);
        if (str_equal(m->key, S("shard"))) {
            buf_add(&b, S("null"));
        } else if (str_equal(m->key, S("databases"))) {
            add_databases(&b, h, m);
        } else if (str_equal(m->key, S("clock")) && clock && !h->reads_clock) {
            json_add(&b, clock);
        } else {
            json_add(&b, m);
        }
    }
    buf_add(&b, S("}\n"));
    return buf_str(&b);
}

static bool clocks_differ(const head_maker *h)
{
    str clock = json_get_text(h->first, S("clock"));
    for (ptrdiff_t i = 1; i < h->m->parts.len; i++) {
        const json *head = h->m->parts.ptr[i].head;
        if (!str_equal(clock, json_get_text(head, S("clock")))) {
            return true;
        }
    }
    return false;
}

static bool any_reads_clock(const merge *m, arena scratch)
{
    for (ptrdiff_t i = 0; i < m->lines.len; i++) {
        arena local = scratch;
        case_line c;
        str line = arena_printf(&local, "{%.*s", STR_ARG(m->lines.ptr[i].rest));
        if (case_line_read(&c, &local, line) == CASE_LINE_CASE
            && (case_text_reads_clock(c.gold)
                || case_text_reads_clock(c.pred))) {
            return true;
        }
    }
    return false;
}

static bool is_foreign(const merge_part *part,
                       const merge_part *first,
                       str member,
                       diag *d,
                       arena scratch)
{
    str left = json_written(&scratch, json_get(first->head, member));
    str right = json_written(&scratch, json_get(part->head, member));
    bool is_clock = str_equal(member, S("clock"));
    diag_add(d, part->place, "of another run: '%.*s' is %.*s, in '%.*s' %.*s%s",
             STR_ARG(member), STR_ARG(right), STR_ARG(first->place.file),
             STR_ARG(left),
             is_clock ? ", and a query reads the clock: give all shards the "
                        "same --now"
                      : "");
    return false;
}

bool merge_heads(merge *m, diag *d, arena scratch)
{
    const merge_part *first = &m->parts.ptr[0];
    arena rest = arena_half(&scratch);
    head_maker h = {.m = m, .first = first->head};
    collect_hashes(&h, &scratch);
    h.reads_clock = clocks_differ(&h) && any_reads_clock(m, rest);
    str head = whole_head(&h, first->head, m->a);
    bool ok = true;
    for (ptrdiff_t i = 1; i < m->parts.len; i++) {
        arena local = rest;
        const merge_part *part = &m->parts.ptr[i];
        arena texts = arena_half(&local);
        str other = whole_head(&h, part->head, &texts);
        str member = journal_head_difference(&texts, head, other, local);
        member = part->n_all != first->n_all ? S("all_cases") : member;
        ok = (member.len == 0 || is_foreign(part, first, member, d, local))
             && ok;
    }
    bool has_head = !json_get(first->head, S("lines_only"));
    m->head = has_head ? head : (str){0};
    return ok;
}
