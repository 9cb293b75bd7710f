/*
 * law_read.c - what was written is read, in every format that can hold it.
 *
 * Laws        (1) Random records written as JSON lines, CSV, an array for
 *                 [001] or Spider's text read as the same records, as far as
 *                 the format has a place for them.
 *             (2) Commas, brackets, white space and a byte order mark between
 *                 JSON records change no record, nor do members that nothing is
 *                 read from, SQL among them.
 *             (3) Shuffled predictions with ids find their questions.
 *             (4) A record of many megabytes is read like any other, and the
 *                 index of many records costs no more than 64 bytes each.
 *
 * Usage       law_read [SEED [ROUNDS]]
 */
#include "base/json.h"
#include "base/rng.h"
#include "read/convert.h"
#include "read/pair.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_SEED = 815,
    DEFAULT_ROUNDS = 400,
    MOST_RECORDS = 12,
    HUGE_BYTES = 20 << 20,
    MANY_RECORDS = 200000,
    MANY_PROMPTS = 5000,
};

typedef struct law {
    arena_store results;
    arena_store texts;
    arena_store scratch;
    rng r;
    int64_t failures;
} law;

// The parts of a record that a law compares.
typedef struct sample {
    str id;
    str db;
    str question;
    str gold;
    str pred;
} sample;

static void must(law *l, bool holds, const char *what, str text)
{
    if (!holds && l->failures++ < 5) {
        fprintf(stderr, "broken: %s\n%.*s\n", what, STR_ARG(text));
    }
}

// SQL and words with everything that a format has to escape.
static str random_text(rng *r, arena *a, const char *begin)
{
    static const char *const pieces[] = {
        "a", " ",  ",", "'it''s'", "\"q\"", "\\", "/", "{a,b}", "\xC3\xA9",
        ";", "\n", "[", "]",       "}",     ":",  "x", "NaN",   "\xE2\x82\xAC",
    };
    buf b = buf_new(a);
    buf_add(&b, str_from(begin));
    for (ptrdiff_t n = rng_below(r, 8); n > 0; n--) {
        buf_add(&b, str_from(pieces[rng_below(r, countof(pieces))]));
    }
    buf_add(&b, S("z"));
    return buf_str(&b);
}

// What follows a semicolon or stands alone on a line may be prose, which is cut
// off an answer; what follows a comma is not.
static str without_ends(str text, arena *a)
{
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        buf_char(&out, c == ';' ? ',' : c);
        buf_add(&out, c == '\n' ? S(",") : S(""));
    }
    return buf_str(&out);
}

static ptrdiff_t random_samples(law *l, sample *out, arena *a)
{
    ptrdiff_t n = 1 + rng_below(&l->r, MOST_RECORDS);
    for (ptrdiff_t i = 0; i < n; i++) {
        out[i] = (sample){
            .id = arena_printf(a, "q%td", i),
            .db = rng_below(&l->r, 2) ? S("shop") : S("library"),
            .question = random_text(&l->r, a, "who "),
            .gold = random_text(&l->r, a, "SELECT "),
            .pred = without_ends(random_text(&l->r, a, "SELECT 1, "), a),
        };
    }
    return n;
}

// Members that nothing is read from, the gold and the prediction having names.
static void add_unused(buf *b, rng *r)
{
    static const char *const members[] = {
        "\"note\": \"SELECT 1\"",
        "\"hash\": 18446744073709551615",
        "\"cost\": 1e400",
        "\"output\": \"SELECT 2\"",
        "\"expected\": \"SELECT 3\"",
        "\"tokens\": [\"SELECT\", \"1\"]",
        "\"usage\": {\"sql\": \"SELECT 4\", \"id\": 7}",
        "\"messages\": [{\"role\": \"user\", \"content\": \"Who?\"}]",
        "\"Nr\": 1",
    };
    for (ptrdiff_t n = rng_below(r, 4); n > 0; n--) {
        json_next(b);
        buf_add(b, str_from(members[rng_below(r, countof(members))]));
    }
}

static void add_sample(buf *b, const sample *s, rng *r)
{
    buf_char(b, '{');
    add_unused(b, r);
    json_key(b, S("id"));
    json_add_text(b, s->id);
    json_key(b, S("db"));
    json_add_text(b, s->db);
    json_key(b, S("question"));
    json_add_text(b, s->question);
    json_key(b, S("gold"));
    json_add_text(b, s->gold);
    json_key(b, S("pred"));
    json_add_text(b, s->pred);
    buf_char(b, '}');
}

// What may stand between two records.
static void add_gap(buf *b, rng *r)
{
    static const char *const gaps[] = {"\n",       ",\n", " ,", "",
                                       "\r\n\r\n", "\t",  ",,"};
    buf_add(b, str_from(gaps[rng_below(r, countof(gaps))]));
}

static str samples_as_json(law *l, const sample *s, ptrdiff_t n, arena *a)
{
    buf b = buf_new(a);
    bool in_array = rng_below(&l->r, 2) != 0;
    buf_add(&b, rng_below(&l->r, 2) ? S("\xEF\xBB\xBF") : S(""));
    buf_add(&b, in_array ? S("[ ") : S(""));
    for (ptrdiff_t i = 0; i < n; i++) {
        add_sample(&b, &s[i], &l->r);
        add_gap(&b, &l->r);
    }
    buf_add(&b, in_array ? S("]") : S(""));
    return buf_str(&b);
}

static bool open_text(dataset *set, law *l, arena *a, str text, dataset_role as)
{
    diag d = diag_new(a);
    file_map file = {.bytes = text, .path = S("law")};
    bool ok = dataset_open_bytes(set, a, file, (dataset_options){.role = as},
                                 &d, arena_store_clear(&l->scratch));
    if (!ok) {
        must(l, false, "a data set that was written cannot be read", text);
        fprintf(stderr, "%.*s\n", STR_ARG(d.messages.ptr[0].text));
    }
    return ok;
}

// Which fields the format keeps.
typedef struct keeps {
    bool id;
    bool question;
    bool pred;
} keeps;

static void check_samples(law *l,
                          const dataset *set,
                          const sample *s,
                          ptrdiff_t n,
                          keeps k)
{
    str word = dataset_format_word(set->format);
    must(l, set->entries.len == n, "number of records", word);
    for (ptrdiff_t i = 0; i < n && i < set->entries.len; i++) {
        arena a = arena_store_clear(&l->scratch);
        record r = dataset_record(set, i, &a);
        must(l, !k.id || str_equal(r.id, s[i].id), "id", word);
        must(l, str_equal(r.db, s[i].db), "db", word);
        must(l, !k.question || str_equal(r.question, s[i].question), "question",
             s[i].question);
        must(l, r.n_golds == 1 && str_equal(r.golds[0], s[i].gold), "gold",
             s[i].gold);
        must(l,
             !k.pred
                 || (r.n_preds == 1 && str_equal(r.preds[0].raw, s[i].pred)),
             "pred", s[i].pred);
    }
}

static bool put(void *context, str text)
{
    buf_add(context, text);
    return true;
}

// Law 1: to another format and back.
static void check_format(law *l,
                         const dataset *set,
                         const sample *s,
                         ptrdiff_t n,
                         dataset_format to)
{
    arena a = arena_store_clear(&l->texts);
    buf out = buf_new(&a);
    convert_job job = {.gold = set, .to = to};
    convert_result result;
    arena scratch = arena_store_clear(&l->scratch);
    arena messages = scratch;
    messages.end = scratch.next + (1 << 16);
    scratch.next = messages.end;
    diag d = diag_new(&messages);
    must(l,
         convert_dataset(&job, (convert_sink){put, &out}, &result, &d, scratch),
         "a format cannot be written", dataset_format_word(to));
    bool is_lossy = result.lost[CONVERT_BREAKS] + result.lost[CONVERT_LITERALS]
                        + result.lost[CONVERT_COMMENTS]
                    > 0;
    arena rest = {.next = a.next + (1 << 20), .end = a.end};
    dataset back;
    if (!is_lossy && open_text(&back, l, &rest, buf_str(&out), DATASET_GOLD)) {
        bool is_text = to == FORMAT_SPIDER_TEXT;
        bool is_spider = is_text || to == FORMAT_SPIDER_JSON;
        keeps k = {.id = !is_spider && to != FORMAT_DEFOG_CSV,
                   .question = !is_text,
                   .pred = !is_spider};
        check_samples(l, &back, s, n, k);
    }
}

// Law 3: predictions in any order.
static void check_pairs(law *l,
                        const dataset *gold,
                        const sample *s,
                        ptrdiff_t n)
{
    sample deck[MOST_RECORDS];
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t k = rng_below(&l->r, i + 1);
        deck[i] = deck[k];
        deck[k] = s[i];
    }
    arena a = arena_store_clear(&l->texts);
    buf b = buf_new(&a);
    for (ptrdiff_t i = 0; i < n; i++) {
        add_sample(&b, &deck[i], &l->r);
        buf_char(&b, '\n');
    }
    arena rest = {.next = a.next + (1 << 20), .end = a.end};
    dataset pred;
    if (!open_text(&pred, l, &rest, buf_str(&b), DATASET_PRED)) {
        return;
    }
    pairing p;
    diag d = diag_new(&rest);
    arena scratch = arena_store_clear(&l->scratch);
    must(l, pair_records(&p, &rest, gold, &pred, NULL, &d, scratch) && p.by_id,
         "shuffled predictions do not fit", buf_str(&b));
    for (ptrdiff_t i = 0; i < n; i++) {
        record r = dataset_record(&pred, p.pred_of[i], &scratch);
        must(l, str_equal(r.id, s[i].id), "another prediction", r.id);
    }
}

static void one_round(law *l)
{
    static const dataset_format formats[] = {
        FORMAT_JSONL,       FORMAT_CSV,         FORMAT_SQL_EVAL,
        FORMAT_SPIDER_JSON, FORMAT_SPIDER_TEXT, FORMAT_DEFOG_CSV,
    };
    arena a = arena_store_clear(&l->results);
    sample s[MOST_RECORDS];
    ptrdiff_t n = random_samples(l, s, &a);
    str text = samples_as_json(l, s, n, &a);
    dataset set;
    if (!open_text(&set, l, &a, text, DATASET_GOLD)) {
        return;
    }
    check_samples(l, &set, s, n, (keeps){true, true, true});
    for (ptrdiff_t k = 0; k < countof(formats); k++) {
        check_format(l, &set, s, n, formats[k]);
    }
    check_pairs(l, &set, s, n);
}

// Law 4, one huge record between two small ones, as JSON, CSV and text.
static void check_huge(law *l)
{
    static const struct {
        const char *begin;
        const char *end;
    } shapes[] = {
        {"{\"gold\": \"SELECT 1\"}\n{\"gold\": \"SELECT ",
         "\"}\n{\"gold\": \"SELECT 3\"}\n"},
        {"id,gold\n1,SELECT 1\n2,\"SELECT ", "\"\n3,SELECT 3\n"},
        {"SELECT 1\tdb\nSELECT ", "\tdb\nSELECT 3\tdb\n"},
    };
    for (ptrdiff_t k = 0; k < countof(shapes); k++) {
        arena a = arena_store_clear(&l->results);
        buf b = buf_new(&a);
        buf_add(&b, str_from(shapes[k].begin));
        buf_repeat(&b, 'x', HUGE_BYTES);
        buf_add(&b, str_from(shapes[k].end));
        dataset set;
        if (!open_text(&set, l, &a, buf_str(&b), DATASET_GOLD)) {
            return;
        }
        must(l, set.entries.len == 3, "a huge record", S("number"));
        arena one = arena_store_clear(&l->scratch);
        record r = dataset_record(&set, 1, &one);
        must(l, r.golds[0].len == HUGE_BYTES + S("SELECT ").len,
             "a huge record", S("length"));
    }
}

static void check_many(law *l)
{
    arena a = arena_store_clear(&l->texts);
    buf b = buf_new(&a);
    for (ptrdiff_t i = 0; i < MANY_RECORDS; i++) {
        buf_printf(&b,
                   "{\"id\": %td, \"db\": \"d%td\", \"gold\": \"SELECT 1\"}\n",
                   i, i % 20);
    }
    arena results = arena_store_clear(&l->results);
    char *before = results.next;
    dataset set;
    if (open_text(&set, l, &results, buf_str(&b), DATASET_GOLD)) {
        must(l, set.entries.len == MANY_RECORDS && map_count(&set.dbs) == 20,
             "many records", S("number"));
        // The first small steps of growing stay behind.
        must(l,
             set.entries.cap * (ptrdiff_t)sizeof *set.entries.ptr
                 <= (ptrdiff_t)64 * MANY_RECORDS,
             "many records", S("size of the index"));
        must(l, results.next - before < (ptrdiff_t)128 * MANY_RECORDS,
             "many records", S("memory"));
    }
}

// Law 3, for many predictions without ids, whose prompts are looked through.
static void check_many_prompts(law *l)
{
    arena a = arena_store_clear(&l->texts);
    buf golds = buf_new(&a);
    arena half = arena_half(&a);
    buf preds = buf_new(&half);
    for (ptrdiff_t i = 0; i < MANY_PROMPTS; i++) {
        buf_printf(&golds,
                   "{\"question\": \"Who has number %td?\", "
                   "\"gold\": \"SELECT %td\"}\n",
                   i, i);
        buf_printf(&preds,
                   "{\"prompt\": \"Question: Who has number %td?\", "
                   "\"n\": \"try %td\", \"output\": \"SELECT %td\"}\n",
                   i, i % 9, i);
    }
    arena results = arena_store_clear(&l->results);
    dataset gold;
    dataset pred;
    if (open_text(&gold, l, &results, buf_str(&golds), DATASET_GOLD)
        && open_text(&pred, l, &results, buf_str(&preds), DATASET_PRED)) {
        pairing p;
        diag d = diag_new(&results);
        arena scratch = arena_store_clear(&l->scratch);
        must(l,
             pair_records(&p, &results, &gold, &pred, NULL, &d, scratch)
                 && p.pred_of[MANY_PROMPTS - 1] == MANY_PROMPTS - 1,
             "many prompts", S("do not fit"));
    }
}

int main(int argc, char **argv)
{
    law l = {.r = {argc > 1 ? strtoull(argv[1], NULL, 10) : DEFAULT_SEED}};
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : DEFAULT_ROUNDS;
    if (!arena_store_open(&l.results, (ptrdiff_t)1 << 30)
        || !arena_store_open(&l.texts, (ptrdiff_t)1 << 30)
        || !arena_store_open(&l.scratch, (ptrdiff_t)1 << 30)) {
        return 1;
    }
    printf("seed %llu\n", (unsigned long long)l.r.state);
    for (long i = 0; i < rounds; i++) {
        one_round(&l);
    }
    check_huge(&l);
    check_many(&l);
    check_many_prompts(&l);
    printf("%ld rounds, %lld failures\n", rounds, (long long)l.failures);
    return l.failures == 0 ? 0 : 1;
}
