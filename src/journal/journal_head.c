/*
 * journal_head.c - the first line of a journal: all that the verdicts depend
 * on.
 *
 * Method      One JSON object: the versions, the inputs by the hash of their
 *             bytes, and each option that can change a verdict. Options that
 *             cannot (workers, colours, memory) are left out, for a run may be
 *             resumed with others. Two heads are compared member by member as
 *             text, and the first that differs is named; a member that an older
 *             journal does not have counts as null.
 *
 * Cost        reads every input once, in pieces that are given back, so that a
 *             file may be larger than memory. Databases in files of a suite go
 *             by name only.
 */
#include "journal/journal_head.h"

#include "base/clock.h"
#include "base/version.h"
#include "metric/metric.h"
#include "metric/pragmatic.h"

#include <errno.h>
#include <string.h>

// In pieces, each forgotten when it was read: a file larger than memory can be
// hashed too. Pieces within a hole are alike and read once: a file of terabytes
// may be nothing but holes.
static void add_hash(buf *b, const file_map *f)
{
    enum {
        PIECE = 8 << 20
    };
    uint64_t hash = 0;
    uint64_t hole = 0;
    bool has_hole = false;
    ptrdiff_t data = 0;
    for (ptrdiff_t at = 0; at < f->bytes.len; at += PIECE) {
        data = data <= at ? file_next_data(f, at) : data;
        bool is_hole = data - at >= PIECE;
        uint64_t piece = is_hole && has_hole
                             ? hole
                             : hash64(str_sub(f->bytes, at, at + PIECE));
        if (is_hole) {
            hole = piece;
            has_hole = true;
        } else {
            file_forget(f, at);
        }
        hash = hash_mix(hash, piece);
    }
    char hex[17];
    hash64_hex(hash, hex);
    json_add_text(b, str_from(hex));
}

static void add_file(buf *b, const file_map *f)
{
    buf_char(b, '{');
    json_member_text(b, S("file"), f->path);
    json_key(b, S("hash"));
    add_hash(b, f);
    buf_char(b, '}');
}

static void add_inputs(buf *b, const plan *p)
{
    json_key(b, S("gold"));
    add_file(b, &p->gold.file);
    json_member_open(b, S("runs"), '{');
    for (ptrdiff_t i = 0; i < p->n_runs; i++) {
        json_key(b, p->runs[i].name);
        if (p->runs[i].is_in_gold) {
            buf_add(b, S("null"));
        } else {
            add_file(b, &p->runs[i].set.file);
        }
    }
    buf_char(b, '}');
}

// The files of results that are golds, whatever order a folder lists them in.
static void add_results(buf *b, const plan *p)
{
    const result_files *f = &p->gold.results;
    uint64_t sum = 0;
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        uint64_t name = hash64(map_key_at(&f->names, i));
        sum += hash_mix(name, hash64(f->list.ptr[i].file.bytes));
    }
    sum += f->conditions_hash;
    if (f->list.len > 0) {
        char hex[17];
        hash64_hex(sum, hex);
        json_member_text(b, S("gold_results"), str_from(hex));
    }
}

// As what the files were read.
static void add_read(buf *b, const plan *p, arena scratch)
{
    json_member_open(b, S("read"), '{');
    json_member_text(b, S("gold"), plan_said(p, -1, &scratch));
    for (ptrdiff_t i = 0; i < p->n_runs; i++) {
        if (!p->runs[i].is_in_gold) {
            json_member_text(b, p->runs[i].name, plan_said(p, i, &scratch));
        }
    }
    buf_char(b, '}');
}

// What cannot be opened is null, for that is no reason to stop; but what this
// process could open another time is: another run would hold another head.
static bool is_open(file_map *f, str path, diag *d, arena *scratch)
{
    diag why = diag_new(scratch);
    errno = 0;
    bool ok = path.len > 0 && file_open(f, scratch, path, &why);
    if (!ok
        && (errno == EMFILE || errno == ENFILE || errno == ENOMEM
            || errno == EIO)) {
        diag_add(d, (diag_place){.file = path}, "cannot open: %s",
                 strerror(errno));
    }
    return ok;
}

static void add_tables(buf *b, str path, diag *d, arena scratch)
{
    file_map f = {0};
    json_key(b, S("tables"));
    if (is_open(&f, path, d, &scratch)) {
        add_file(b, &f);
        file_close(&f);
    } else {
        buf_add(b, S("null"));
    }
}

// Suite files by what is in them; of databases in files, which may be many and
// large, the names.
static void add_suite(buf *b, const plan *p)
{
    uint64_t hash = 0;
    json_key(b, S("suite"));
    if (!p->has_suites) {
        buf_add(b, S("null"));
        return;
    }
    for (ptrdiff_t i = 0; i < p->suites.entries.len; i++) {
        const suite_entry *e = &p->suites.entries.ptr[i];
        hash = hash_mix(hash, hash64(e->db));
        hash = hash_mix(hash, hash64(e->file.bytes));
        for (ptrdiff_t k = 0; k < e->n_paths; k++) {
            hash = hash_mix(hash, hash64(e->paths[k]));
        }
    }
    char hex[17];
    hash64_hex(hash, hex);
    json_add_text(b, str_from(hex));
}

// What the user called the databases, so that a case can be run again; of a URL
// without passwords.
static void add_source(buf *b, const plan *p, const plan_options *chosen)
{
    json_member_open(b, S("source"), '{');
    json_member_text_or_null(b, S("db"),
                             p->has_source ? p->source.shown : (str){0});
    json_member_text_or_null(b, S("setup"), chosen->setup);
    json_member_text_if_any(b, S("gold_results"), chosen->results);
    json_member_text_or_null(b, S("suite"), chosen->suite);
    buf_char(b, '}');
}

static void add_database(buf *b,
                         str name,
                         str path,
                         const engine_images *images,
                         diag *d,
                         arena scratch)
{
    file_map f = {.bytes = engine_image_of(images, path)};
    json_key(b, name);
    if (f.bytes.len > 0) {
        add_hash(b, &f);
    } else if (is_open(&f, path, d, &scratch)) {
        add_hash(b, &f);
        file_close(&f);
    } else {
        buf_add(b, S("null"));
    }
}

// By what is in them; null for those that only other shards have cases of.
static void add_databases(buf *b, const plan *p, diag *d, arena scratch)
{
    bool *used = arena_new(&scratch, bool, p->n_dbs + 1);
    for (ptrdiff_t i = 0; p->has_source && i < p->n_cases; i++) {
        int32_t db = p->gold.entries.ptr[p->cases[i]].db;
        used[db >= 0 ? db : p->n_dbs] = true;
    }
    json_member_open(b, S("databases"), '{');
    for (ptrdiff_t i = 0; p->has_source && i <= p->n_dbs; i++) {
        bool has_name = i < p->n_dbs;
        str name = has_name ? map_key_at(&p->gold.dbs, i) : S("");
        str dump = has_name ? p->dbs[i].dump : p->nameless_dump;
        str path = has_name ? p->dbs[i].path : p->nameless_path;
        if (used[i]) {
            add_database(b, name, dump.len > 0 ? dump : path, &p->images, d,
                         scratch);
        } else if (p->all_dbs[i]) {
            json_key(b, name);
            buf_add(b, S("null"));
        }
    }
    buf_char(b, '}');
}

static void add_choice(buf *b, const plan *p, const plan_options *o)
{
    json_key(b, S("shard"));
    if (o->shard.n > 0) {
        buf_printf(b, "\"%lld/%lld\"", (long long)o->shard.index,
                   (long long)o->shard.n);
        shard_add_counts(b, o->shard, p->n_cases, p->n_all);
    } else {
        buf_add(b, S("null"));
    }
    json_key(b, S("limit"));
    if (o->limit >= 0) {
        buf_int(b, o->limit);
    } else {
        buf_add(b, S("null"));
    }
    json_key(b, S("seed"));
    if (o->has_seed) {
        buf_int(b, o->seed);
    } else {
        buf_add(b, S("null"));
    }
    json_key(b, S("only"));
    json_add_texts(b, o->only, o->n_only);
    json_member_open(b, S("filters"), '[');
    for (ptrdiff_t i = 0; i < o->n_filters; i++) {
        const filter *f = &o->filters[i];
        json_next(b);
        buf_char(b, '[');
        json_add_text(b, filter_field_word(f));
        json_next(b);
        json_add_text(b, filter_relation_word(f->relation));
        for (ptrdiff_t k = 0; k < f->n_words; k++) {
            json_next(b);
            json_add_text(b, f->words[k]);
        }
        buf_char(b, ']');
    }
    buf_char(b, ']');
}

static void add_leniencies(buf *b, str key, uint32_t bits)
{
    json_member_open(b, key, '[');
    for (int l = 0; l < LENIENCY_COUNT; l++) {
        if (bits >> l & 1) {
            json_next(b);
            json_add_text(b, leniency_word((leniency)l));
        }
    }
    buf_char(b, ']');
}

// What the metric pragmatic passes over, and what it leaves to a judge.
static void add_profile(buf *b, pragmatic_profile p)
{
    json_member_text(b, S("norm"), norm_word(p.norm));
    add_leniencies(b, S("passed_over"), p.accepts);
    if (p.asks != 0) {
        add_leniencies(b, S("left_to_ask"), p.asks);
    }
}

// Nothing where each metric has its own.
static void add_world(buf *b, score_world world)
{
    if (world != WORLD_BY_METRIC) {
        json_key(b, S("world"));
        json_add_text(b,
                      world == WORLD_DECLARED ? S("declared") : S("realistic"));
    }
}

static void add_rules(buf *b, const score_options *o, arena scratch)
{
    static const str ordered[] = {
        [ORDERED_AUTO] = S_INIT("auto"),
        [ORDERED_ALWAYS] = S_INIT("always"),
        [ORDERED_NEVER] = S_INIT("never"),
    };
    static const str distinct[] = {
        [DISTINCT_BY_RULES] = S_INIT("by-rules"),
        [DISTINCT_KEEP] = S_INIT("keep"),
        [DISTINCT_IGNORE] = S_INIT("ignore"),
    };
    json_member_open(b, S("metrics"), '[');
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (o->metrics & METRIC_BIT(m)) {
            json_next(b);
            json_add_text(b, metric_at((metric_id)m)->word);
        }
    }
    buf_char(b, ']');
    json_member_open(b, S("rules"), '[');
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        json_next(b);
        json_add_text(b, rules_word(o->rules[i]));
    }
    buf_char(b, ']');
    json_member_text(b, S("ordered"), ordered[o->ordered]);
    json_member_text(b, S("distinct"), distinct[o->distinct]);
    json_member_bool(b, S("plug_values"), o->plugs_values);
    add_world(b, o->world);
    json_member_bool(b, S("same_column_order"), o->same_column_order);
    json_member_bool(b, S("extra_rows"), o->allows_extra_rows);
    if (o->metrics & metrics_honouring(HONOURS_PROFILE)) {
        add_profile(b,
                    o->profile ? *o->profile : pragmatic_profile_of(NORM_DATA));
    }
    for (int l = 0; l < LIKE_COUNT; l++) {
        const like_texts *texts = like_of((like_id)l)->texts;
        if (texts) {
            str word = like_word((like_id)l);
            json_member_bool(
                b, arena_printf(&scratch, "text_as_%.*s", STR_ARG(word)),
                o->texts == texts);
        }
    }
    if (o->n_pass_at > 0) {
        json_member_open(b, S("pass_at"), '[');
        for (ptrdiff_t i = 0; i < o->n_pass_at; i++) {
            json_next(b);
            buf_int(b, o->pass_at[i]);
        }
        buf_char(b, ']');
    }
    json_key(b, S("tolerance"));
    if (o->has_tolerance) {
        json_add_double(b, o->tolerance);
    } else {
        buf_add(b, S("null"));
    }
}

static void add_limits(buf *b,
                       const score_options *o,
                       const engine_options *e,
                       arena *scratch)
{
    const engine_limits *limits = &e->limits;
    json_key(b, S("limits"));
    buf_printf(b, "{\"timeout_ms\":%lld,\"max_rows\":%lld,\"max_bytes\":%lld",
               (long long)limits->timeout_ms, (long long)limits->max_rows,
               (long long)limits->max_bytes);
    if (o->limits_work && o->most_work > 0) {
        json_member_int(b, S("work"), o->most_work);
    } else if (o->limits_work) {
        json_member_text(b, S("work"), S("auto"));
    }
    buf_char(b, '}');
    json_member_text(b, S("clock"), clock_format(scratch, e->clock_ms));
}

// Nothing where fields go by the names that all know.
static void add_names(buf *b, field_aliases names)
{
    if (names.n == 0) {
        return;
    }
    json_member_open(b, S("fields"), '[');
    for (ptrdiff_t i = 0; i < names.n; i++) {
        json_next(b);
        json_add_text(b, names.ptr[i].text);
    }
    buf_char(b, ']');
}

str journal_head(arena *a,
                 const plan *p,
                 const plan_options *chosen,
                 const score_options *options,
                 const engine_options *limits,
                 diag *d,
                 arena scratch)
{
    buf b = buf_new(a);
    buf_char(&b, '{');
    json_member_int(&b, S("journal"), 1);
    json_member_text(&b, S("assay"), version_text());
    json_member_text(&b, S("engine"), p->engine_version);
    json_member_text(&b, S("command"),
                     options->audits_golds ? S("lint") : S("score"));
    add_inputs(&b, p);
    add_results(&b, p);
    if (p->has_gold_source) {
        json_member_text(&b, S("gold_db"), p->gold_source.shown);
    }
    add_read(&b, p, scratch);
    add_databases(&b, p, d, scratch);
    add_tables(&b, chosen->tables, d, scratch);
    add_suite(&b, p);
    add_source(&b, p, chosen);
    add_rules(&b, options, scratch);
    add_choice(&b, p, chosen);
    add_names(&b, chosen->names);
    add_limits(&b, options, limits, &scratch);
    buf_add(&b, S("}\n"));
    return buf_str(&b);
}

bool journal_head_clock(str head, int64_t *unix_ms, arena scratch)
{
    const json *j = json_parse(&scratch, head, NULL);
    return clock_parse(json_get_text(j, S("clock")), unix_ms);
}

// What the databases are called bears on no verdict: their hashes do. How files
// were read is said by their hashes and the names of fields.
static bool bears_on_verdicts(str key)
{
    return !str_equal(key, S("source")) && !str_equal(key, S("read"));
}

str journal_head_difference(arena *a, str head, str other, arena scratch)
{
    const json *one = json_parse(&scratch, head, NULL);
    const json *two = json_parse(&scratch, other, NULL);
    if (!one || !two || !json_get(two, S("journal"))) {
        return S("journal");
    }
    for (const json *m = one->child; m; m = m->next) {
        const json *n = json_get(two, m->key);
        buf left = buf_new(&scratch);
        json_add(&left, m);
        str left_text = arena_str(&scratch, buf_str(&left));
        buf right = buf_new(&scratch);
        if (n) {
            json_add(&right, n);
        }
        // What an older journal does not know was not there.
        bool is_new = !n && m->kind == JSON_KIND_NULL;
        if (bears_on_verdicts(m->key) && !is_new
            && !str_equal(left_text, buf_str(&right))) {
            return arena_str(a, m->key);
        }
    }
    for (const json *m = two->child; m; m = m->next) {
        if (bears_on_verdicts(m->key) && !json_get(one, m->key)) {
            return arena_str(a, m->key);
        }
    }
    return (str){0};
}
