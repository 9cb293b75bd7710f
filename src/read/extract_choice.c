/*
 * extract_choice.c - see extract_choice.h.
 *
 * Method      The rank of a query is made of what it stands in: an answer
 *             outranks a tag, a tag a fence, a fence a line. What was drafted
 *             and what a tool has answered since lose.
 *
 *             Of equals the first wins: models give the answer first and
 *             variations after it, and the reference of Spider 2.0 takes the
 *             first. But what was run or taken back gives way to the next, the
 *             last of attempts that are numbered under one name counts, and of
 *             parts under names of their own the one that ends the text;
 *             whoever says a query again chose it, and what only led to a
 *             query, its schema, a look at its table or what it has in
 *             parentheses, does not win over it.
 */
#include "read/extract_choice.h"

#include "base/buf.h"
#include "read/extract_end.h"
#include "read/extract_line.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"

// Words that take back what stands before them.
static const char corrections[] =
    "wait,correct,corrig,korrig,corregi,corrett,actually,mistake,revis,"
    "fixed,oops,wrong,instead,final query,final sql,observation:,popraw,"
    "d\u00FCzelt,koreksi,\u0441\u043F\u0440\u0430\u0432\u043B,"
    "\u0438\u043F\u0440\u0430\u0432\u043B,\u4FEE\u6B63,\u66F4\u6B63,"
    "\u8A02\u6B63,\uC218\uC815,\uC815\uC815,"
    "\u062A\u0635\u062D\u064A\u062D,\u0627\u0644\u0645\u0635\u062D\u062D,"
    "\u0938\u0941\u0927\u093E\u0930";

// SELECT * FROM t LIMIT 5: what is in the table?
static bool is_look(str sql)
{
    return str_starts_fold(sql, S("select *"))
           && line_shape_of(sql).n_words == 4
           && str_find_fold(sql, S("limit"), 0) > 0;
}

// `SELECT ... FROM t`, and SELECT alone.
static bool has_gap(str sql)
{
    return str_find(sql, S("..."), 0) >= 0 || str_find(sql, S("\u2026"), 0) >= 0
           || extract_word_at(sql, 0).len == sql.len;
}

// Whether the SQL only leads to the query: that has it in parentheses, or goes
// on where it has no table yet; or it shows how such queries are built, looks
// at a table, or is the schema that the query is about.
static bool is_step_to(str sql, str query)
{
    sql = str_trim(str_sub(sql, 0, sql.len - str_ends(sql, S(";"))));
    ptrdiff_t at = str_find(query, sql, 0);
    str before = str_trim(str_sub(query, 0, at));
    bool is_begun = at == 0 && str_find_fold(sql, S("from"), 0) < 0;
    return (at > 0 && str_ends(before, S("("))) || is_begun
           || (has_gap(sql) && !has_gap(query))
           || (is_look(sql) && !is_look(query))
           || (str_starts_fold(sql, S("create table"))
               && extract_starts_query(query));
}

// How often a query was offered, of the last ones.
static int times_said(const pick *c, const finding *one)
{
    int n = 0;
    for (int i = 0; i < SEEN_MAX; i++) {
        n += str_equal(c->seen[i].sql, one->sql);
    }
    return n;
}

// What a name says without what counts it: "Query 2", "Option B", and the values
// of a tag.
static str without_count(str name)
{
    str last = str_last(name, ' ');
    bool counts =
        last.len < name.len && (last.len < 2 || str_find(last, S("="), 0) >= 0);
    name = str_sub(name, 0, name.len - (counts ? last.len : 0));
    return str_trim(str_around_number(name).before);
}

// Whether the names in front of both tell parts of one answer apart, of which
// this is the last: "Thought:" and "Query:", not "Query 1:" and "Query 2:", nor
// "SQL:" and "Alternative:".
static bool is_last_part(const finding *best, const finding *one, arena scratch)
{
    bool is_tag = one->rank >= RANK_TAG;
    str name = without_count(is_tag ? one->part : one->label);
    str other = without_count(is_tag ? best->part : best->label);
    bool is_less =
        mark_name_role(other) == MARK_SQL && mark_name_role(name) != MARK_SQL;
    return one->is_last && name.len > 0 && other.len > 0 && !is_less
           && !str_equal_fold(name, other)
           && extract_is_whole(one->sql, scratch);
}

// Whether the next query has another name in place of one that the words
// between say: "there is no column nam". Words that say the other name as well
// offer a choice: "if you want the id instead of the name".
static bool is_renamed(str sql, str between, str next, arena scratch)
{
    ptrdiff_t same = 0;
    while (same < sql.len && same < next.len
           && sql.ptr[same] == next.ptr[same]) {
        same++;
    }
    same = str_run_before(sql, same, extract_is_word);
    str name = extract_word_at(sql, same);
    str other = extract_word_at(next, same);
    return name.len > 1 && str_find(between, name, 0) >= 0
           && str_find_fold(between, other, 0) < 0
           && str_starts(next, buf_replaced(&scratch, sql, name, other));
}

void pick_offer(pick *c, finding one, str between, arena scratch)
{
    finding best = c->best;
    bool is_first = best.sql.len == 0;
    bool was_run = !is_first && text_is_result(between);
    c->taken_back |= was_run || mark_says(between, corrections)
                     || is_renamed(best.sql, between, one.sql, scratch);
    c->seen[c->n++ % SEEN_MAX] = one;
    bool are_bare = one.is_bare && best.is_bare && one.rank >= RANK_LINE
                    && best.rank < RANK_TAG
                    && str_find_fold(one.sql, S("from"), 0) > 0;
    bool is_equal = one.rank == best.rank || (was_run && are_bare);
    bool leads = one.rank >= RANK_LINE && best.rank < RANK_TAG
                 && is_step_to(best.sql, one.sql);
    int times = times_said(c, &one);
    bool is_chosen = times > 1 && times > times_said(c, &best);
    bool is_later = one.rank > best.rank || leads
                    || (is_equal
                        && (is_chosen || mark_is_next(best.part, one.part)
                            || is_last_part(&best, &one, scratch)));
    if (is_first || is_later || (is_equal && c->taken_back)) {
        one.notes |= is_first ? 0 : is_later ? BIT(LAST) : BIT(CORRECTED);
        c->best = one;
        c->taken_back = false;
    } else if ((is_equal || are_bare) && !str_equal(one.sql, best.sql)) {
        c->best.notes |= BIT(FIRST);
    }
}

void pick_leave_behind(pick *c)
{
    if (c->best.rank > RANK_PAST / 2) {
        c->best.rank += RANK_PAST;
    }
}
