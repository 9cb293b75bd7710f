/*
 * case_line.c - see case_line.h.
 *
 * Cost        About a nanosecond a byte: one pass, no tree (json_pull.h).
 */
#include "report/case_line.h"

#include "base/buf.h"
#include "base/json_pull.h"
#include "base/words.h"

#include <assert.h>
#include <math.h>

static const str part_words[] = {
    S_INIT("select"),       S_INIT("select(no AGG)"),   S_INIT("where"),
    S_INIT("where(no OP)"), S_INIT("group(no Having)"), S_INIT("group"),
    S_INIT("order"),        S_INIT("and/or"),           S_INIT("IUEN"),
    S_INIT("keywords"),
};

_Static_assert(countof(part_words) == LINE_PARTS, "each part has its word");

str line_part_word(ptrdiff_t part)
{
    assert(part >= 0 && part < LINE_PARTS);
    return part_words[part];
}

// The bit of a component, 0 when it is not known. Journals list them in the
// order of the table, so the one after the last is looked at first.
static uint32_t part_bit(str word, ptrdiff_t *next)
{
    for (ptrdiff_t tried = 0; tried < LINE_PARTS; tried++) {
        ptrdiff_t i = (*next + tried) % LINE_PARTS;
        if (str_equal(word, part_words[i])) {
            *next = i + 1;
            return 1U << i;
        }
    }
    return 0;
}

static void read_parts(json_pull *s, arena *a, line_parts *parts)
{
    if (!json_pull_enter(s, '{')) {
        return;
    }
    parts->is_there = true;
    ptrdiff_t next = 0;
    while (json_pull_next(s, '}')) {
        uint32_t bit = part_bit(json_pull_key(s, a), &next);
        // f1 is 1.0 or 0.0; its first digit tells.
        parts->right |= json_pull_peek(s) == '1' ? bit : 0;
        json_pull_skip(s);
    }
}

static uint32_t read_part_list(json_pull *s, arena *a)
{
    str_list words = json_pull_texts(s, a);
    uint32_t bits = 0;
    ptrdiff_t next = 0;
    for (ptrdiff_t i = 0; i < words.len; i++) {
        bits |= part_bit(words.ptr[i], &next);
    }
    return bits;
}

// verdict -> "{" "v": answer, further members "}"
static bool read_verdict(json_pull *s, arena *a, line_verdict *v)
{
    bool has_answer = false;
    json_pull_open(s, '{');
    while (json_pull_next(s, '}')) {
        str key = json_pull_key(s, a);
        if (str_equal(key, S("v"))) {
            has_answer = answer_from_word(json_pull_scalar(s, a), &v->v);
        } else if (str_equal(key, S("reason"))) {
            v->reason = json_pull_scalar(s, a);
        } else if (str_equal(key, S("class"))) {
            v->class = json_pull_scalar(s, a);
        } else if (str_equal(key, S("detail"))) {
            v->detail = json_pull_scalar(s, a);
        } else if (str_among(key, "score similarity")) {
            v->score = json_pull_number(s, NAN);
        } else if (str_equal(key, S("confidence"))) {
            double share = json_pull_number(s, NAN);
            v->confidence = isnan(share) ? NAN : fmax(0, fmin(share, 1));
        } else if (str_equal(key, S("distance"))) {
            v->has_distance = json_pull_peek(s) != 'n';
            v->distance = json_pull_count(s, 0);
        } else if (str_equal(key, S("notes"))) {
            str_list notes = json_pull_texts(s, a);
            v->is_both_empty =
                words_in(notes.ptr, notes.len, S("both_empty")) >= 0;
        } else if (str_equal(key, S("parts"))) {
            read_parts(s, a, &v->parts);
        } else if (str_equal(key, S("in_gold"))) {
            v->parts.in_gold = read_part_list(s, a);
        } else if (str_equal(key, S("in_pred"))) {
            v->parts.in_pred = read_part_list(s, a);
        } else {
            json_pull_skip(s);
        }
    }
    return has_answer && !s->problem;
}

static bool read_verdicts(json_pull *s, arena *a, case_line *out)
{
    json_pull_open(s, '{');
    while (json_pull_next(s, '}')) {
        line_verdict v = {
            .key = json_pull_key(s, a), .score = NAN, .confidence = NAN};
        if (!read_verdict(s, a, &v)) {
            return false;
        }
        *vec_push(a, &out->verdicts) = v;
    }
    return !s->problem;
}

static const struct {
    str word;
    size_t at;
} text_members[] = {
    {S_INIT("run"), offsetof(case_line, run)},
    {S_INIT("id"), offsetof(case_line, id)},
    {S_INIT("db"), offsetof(case_line, db)},
    {S_INIT("category"), offsetof(case_line, category)},
    {S_INIT("hardness"), offsetof(case_line, hardness)},
    {S_INIT("question"), offsetof(case_line, question)},
    {S_INIT("gold"), offsetof(case_line, gold)},
    {S_INIT("pred"), offsetof(case_line, pred)},
    {S_INIT("gold_status"), offsetof(case_line, gold_status)},
    {S_INIT("pred_status"), offsetof(case_line, pred_status)},
    {S_INIT("of"), offsetof(case_line, of)},
};

_Static_assert(countof(text_members) == LINE_TEXTS + 1, "and that of a change");

str line_text_word(ptrdiff_t text)
{
    assert(text >= 0 && text < LINE_TEXTS);
    return text_members[text].word;
}

// The text member called `key`, or NULL.
static str *text_member(case_line *out, str key)
{
    ptrdiff_t i = words_at(text_members, word, key);
    return i < 0 ? NULL : (str *)((char *)out + text_members[i].at);
}

str case_line_text(const case_line *line, str name)
{
    ptrdiff_t i = words_at(text_members, word, name);
    return i < 0 ? (str){0}
                 : *(const str *)((const char *)line + text_members[i].at);
}

str case_line_clause(str text)
{
    str rest = text;
    for (;;) {
        str part = str_cut(&rest, ':');
        rest = str_trim(rest);
        if (!str_starts(part, S("left of "))
            && !str_starts(part, S("right of "))) {
            return part;
        }
    }
}

// A list of texts as one: several golds become statements after each other.
static str read_list(json_pull *s, arena *a)
{
    str_list texts = json_pull_texts(s, a);
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < texts.len; i++) {
        buf_add(&b, i > 0 ? S("; ") : S(""));
        buf_add(&b, texts.ptr[i]);
    }
    return buf_str(&b);
}

static void read_features(json_pull *s, arena *a, case_line *out)
{
    out->has_features = true;
    json_pull_open(s, '{');
    while (json_pull_next(s, '}')) {
        line_feature f = {.word = json_pull_key(s, a)};
        f.n = json_pull_count(s, 0);
        *vec_push(a, &out->features) = f;
    }
}

// What is told of the answer; TOLD_COUNT: it is another member.
static told_kind told_of(str key)
{
    int k = 0;
    while (k < TOLD_COUNT && !str_equal(key, told_word((told_kind)k))) {
        k++;
    }
    return (told_kind)k;
}

static void read_told(json_pull *s, answer_told *told, told_kind k)
{
    double value = json_pull_number(s, NAN);
    if (told_is_sound(k, value)) {
        told_set(told, k, value);
    }
}

static void read_member(json_pull *s, arena *a, case_line *out, str key)
{
    told_kind told = told_of(key);
    str *text = text_member(out, key);
    char next = json_pull_peek(s);
    bool is_scalar = next != '{' && next != '[';
    if (text && is_scalar) {
        *text = json_pull_scalar(s, a);
    } else if (str_equal(key, S("gold")) && next == '[') {
        out->gold = read_list(s, a);
    } else if (str_equal(key, S("hardness_from"))) {
        out->hardness_is_ours = true;
        json_pull_skip(s);
    } else if (str_equal(key, S("clauses"))) {
        out->clauses = json_pull_texts(s, a);
    } else if (str_equal(key, S("features")) && next == '{') {
        read_features(s, a, out);
    } else if (str_equal(key, S("interaction")) && is_scalar) {
        out->interaction = json_pull_count(s, -1);
    } else if (str_equal(key, S("turn")) && is_scalar) {
        out->turn = json_pull_count(s, -1);
    } else if (str_equal(key, S("line")) && is_scalar) {
        out->line = json_pull_count(s, 0);
    } else if (told < TOLD_COUNT && is_scalar) {
        read_told(s, &out->told, told);
    } else {
        json_pull_skip(s);
    }
}

case_line_kind case_line_read(case_line *out, arena *a, str line)
{
    *out = (case_line){.interaction = -1, .turn = -1};
    bool is_case = false;
    json_pull s = json_pull_begin(line);
    json_pull_open(&s, '{');
    while (json_pull_next(&s, '}')) {
        str key = json_pull_key(&s, a);
        if (str_equal(key, S("verdicts")) && json_pull_peek(&s) == '{') {
            is_case = true;
            if (!read_verdicts(&s, a, out)) {
                return CASE_LINE_BROKEN;
            }
        } else {
            read_member(&s, a, out, key);
        }
    }
    if (!json_pull_end(&s)) {
        return CASE_LINE_BROKEN;
    }
    return is_case ? CASE_LINE_CASE : CASE_LINE_OTHER;
}

bool case_line_refuse(diag_place place, diag *d)
{
    return diag_add(d, place, "%s",
                    place.line == 1
                        ? "this is not a journal; assay score --out writes one"
                        : "not a line of a journal");
}

bool case_line_is_of_one_journal(str line, diag_place place, diag *d)
{
    return place.line <= 1 || !str_starts(line, S("{\"journal\":"))
           || diag_add(
               d, place,
               "another journal begins here: join shards with assay merge, "
               "give the journals of several runs as separate files");
}

const line_verdict *case_line_verdict(const case_line *line, str key)
{
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        if (str_equal(line->verdicts.ptr[i].key, key)) {
            return &line->verdicts.ptr[i];
        }
    }
    return NULL;
}

const line_verdict *case_line_main(const case_line *line)
{
    const line_verdict *v = case_line_verdict(line, S("exec"));
    return v || line->verdicts.len == 0 ? v : &line->verdicts.ptr[0];
}
