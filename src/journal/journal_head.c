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
#include "base/json_write.h"
#include "base/version.h"
#include "metric/metric.h"
#include "metric/pragmatic.h"

#include <errno.h>
#include <string.h>

static str hex_of(arena *a, uint64_t hash)
{
    char hex[17];
    hash64_hex(hash, hex);
    return arena_str(a, str_from(hex));
}

static void add_file(buf *b, str key, const file_map *f)
{
    json_write(b, member_open(key, '{'), member_text(S("file"), f->path),
               member_text(S("hash"), hex_of(b->a, file_hash_pieces(f))),
               json_end("}"));
}

static void add_inputs(buf *b, const plan *p)
{
    add_file(b, S("gold"), &p->gold.file);
    json_write(b, member_open(S("runs"), '{'));
    for (ptrdiff_t i = 0; i < p->n_runs; i++) {
        if (p->runs[i].is_in_gold) {
            json_write(b, member_null(p->runs[i].name));
        } else {
            add_file(b, p->runs[i].name, &p->runs[i].set.file);
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
    json_write(b, member_if(f->list.len > 0,
                            member_text(S("gold_results"), hex_of(b->a, sum))));
}

// As what the files were read.
static void add_read(buf *b, const plan *p, arena scratch)
{
    json_write(b, member_open(S("read"), '{'),
               member_text(S("gold"), plan_said(p, -1, &scratch)));
    for (ptrdiff_t i = 0; i < p->n_runs; i++) {
        json_write(b, member_if(!p->runs[i].is_in_gold,
                                member_text(p->runs[i].name,
                                            plan_said(p, i, &scratch))));
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
    if (is_open(&f, path, d, &scratch)) {
        add_file(b, S("tables"), &f);
        file_close(&f);
    } else {
        json_write(b, member_null(S("tables")));
    }
}

// Suite files by what is in them; of databases in files, which may be many and
// large, the names.
static void add_suite(buf *b, const plan *p)
{
    uint64_t hash = 0;
    for (ptrdiff_t i = 0; i < p->suites.entries.len; i++) {
        const suite_entry *e = &p->suites.entries.ptr[i];
        hash = hash_mix(hash, hash64(e->db));
        hash = hash_mix(hash, hash64(e->file.bytes));
        for (ptrdiff_t k = 0; k < e->n_paths; k++) {
            hash = hash_mix(hash, hash64(e->paths[k]));
        }
    }
    json_write(b, member_or_null(p->has_suites,
                                 member_text(S("suite"), hex_of(b->a, hash))));
}

// What the user called the databases, so that a case can be run again; of a URL
// without passwords.
static void add_source(buf *b, const plan *p, const plan_options *chosen)
{
    json_write(b, member_open(S("source"), '{'),
               member_text_or_null(S("db"),
                                   p->has_source ? p->source.shown : (str){0}),
               member_text_or_null(S("setup"), chosen->setup),
               member_text_if_any(S("gold_results"), chosen->results),
               member_text_or_null(S("suite"), chosen->suite), json_end("}"));
}

static void add_database(buf *b,
                         str name,
                         str path,
                         const engine_images *images,
                         diag *d,
                         arena scratch)
{
    file_map f = {.bytes = engine_image_of(images, path)};
    bool is_image = f.bytes.len > 0;
    bool is_file = !is_image && is_open(&f, path, d, &scratch);
    json_write(b, is_image || is_file
                      ? member_text(name, hex_of(b->a, file_hash_pieces(&f)))
                      : member_null(name));
    if (is_file) {
        file_close(&f);
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
    json_write(b, member_open(S("databases"), '{'));
    for (ptrdiff_t i = 0; p->has_source && i <= p->n_dbs; i++) {
        str name = i < p->n_dbs ? map_key_at(&p->gold.dbs, i) : S("");
        str dump = p->dbs[i].dump;
        str path = p->dbs[i].path;
        if (used[i]) {
            add_database(b, name, dump.len > 0 ? dump : path, &p->images, d,
                         scratch);
        } else if (p->all_dbs[i]) {
            json_write(b, member_raw(name, S("null")));
        }
    }
    buf_char(b, '}');
}

static void add_choice(buf *b, const plan *p, const plan_options *o)
{
    const choice *c = &o->choice;
    str part = arena_printf(b->a, "%lld/%lld", (long long)c->shard.index,
                            (long long)c->shard.n);
    json_write(b,
               member_or_null(c->shard.n > 0, member_text(S("shard"), part)));
    shard_add_counts(b, c->shard, p->n_cases, p->n_all);
    json_write(b,
               member_or_null(c->limit >= 0, member_int(S("limit"), c->limit)),
               member_or_null(c->has_seed, member_int(S("seed"), c->seed)),
               member_texts(S("only"), c->only, c->n_only),
               member_open(S("filters"), '['));
    for (ptrdiff_t i = 0; i < o->filters.len; i++) {
        const filter *f = &o->filters.ptr[i];
        json_write(b, json_begin('['), json_text(filter_field_word(f)),
                   json_text(filter_relation_word(f->relation)));
        for (ptrdiff_t k = 0; k < f->n_words; k++) {
            json_write(b, json_text(f->words[k]));
        }
        buf_char(b, ']');
    }
    buf_char(b, ']');
}

static void add_leniencies(buf *b, str key, uint32_t bits)
{
    json_write(b, member_open(key, '['));
    for (int l = 0; l < LENIENCY_COUNT; l++) {
        if (bits >> l & 1) {
            json_write(b, json_text(leniency_word((leniency)l)));
        }
    }
    buf_char(b, ']');
}

// What the metric pragmatic passes over, and what it leaves to a judge.
static void add_profile(buf *b, pragmatic_profile p)
{
    json_write(b, member_text(S("norm"), norm_word(p.norm)));
    add_leniencies(b, S("passed_over"), p.accepts);
    if (p.asks != 0) {
        add_leniencies(b, S("left_to_ask"), p.asks);
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
    static const str worlds[] = {
        [WORLD_BY_METRIC] = S_INIT(""),
        [WORLD_DECLARED] = S_INIT("declared"),
        [WORLD_REALISTIC] = S_INIT("realistic"),
    };
    json_write(b, member_open(S("metrics"), '['));
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (o->metrics & METRIC_BIT(m)) {
            json_write(b, json_text(metric_at((metric_id)m)->word));
        }
    }
    json_write(b, json_end("]"), member_open(S("rules"), '['));
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        json_write(b, json_text(rules_word(o->rules[i])));
    }
    json_write(b, json_end("]"), member_text(S("ordered"), ordered[o->ordered]),
               member_text(S("distinct"), distinct[o->distinct]),
               member_bool(S("plug_values"), o->plugs_values),
               member_text_if_any(S("world"), worlds[o->world]),
               member_bool(S("same_column_order"), o->same_column_order),
               member_bool(S("extra_rows"), o->allows_extra_rows));
    if (o->metrics & metrics_honouring(HONOURS_PROFILE)) {
        add_profile(b,
                    o->profile ? *o->profile : pragmatic_profile_of(NORM_DATA));
    }
    for (int l = 0; l < LIKE_COUNT; l++) {
        const like_texts *texts = like_of((like_id)l)->texts;
        if (texts) {
            str key = arena_printf(&scratch, "text_as_%.*s",
                                   STR_ARG(like_word((like_id)l)));
            json_write(b, member_bool(key, o->texts == texts));
        }
    }
    if (o->n_pass_at > 0) {
        json_write(b, member_open(S("pass_at"), '['));
        for (ptrdiff_t i = 0; i < o->n_pass_at; i++) {
            json_write(b, json_int(o->pass_at[i]));
        }
        buf_char(b, ']');
    }
    json_write(b, member_or_null(o->has_tolerance,
                                 member_double(S("tolerance"), o->tolerance)));
}

static void add_limits(buf *b,
                       const score_options *o,
                       const engine_options *e,
                       arena *scratch)
{
    const engine_limits *limits = &e->limits;
    json_item work = o->most_work > 0 ? member_int(S("work"), o->most_work)
                                      : member_text(S("work"), S("auto"));
    json_write(b, member_open(S("limits"), '{'),
               member_int(S("timeout_ms"), limits->timeout_ms),
               member_int(S("max_rows"), limits->max_rows),
               member_int(S("max_bytes"), limits->max_bytes),
               member_if(o->limits_work, work), json_end("}"),
               member_text(S("clock"), clock_format(scratch, e->clock_ms)));
}

// Nothing where fields go by the names that all know.
static void add_names(buf *b, field_aliases names)
{
    if (names.n == 0) {
        return;
    }
    json_write(b, member_open(S("fields"), '['));
    for (ptrdiff_t i = 0; i < names.n; i++) {
        json_write(b, json_text(names.ptr[i].text));
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
    json_write(&b, json_begin('{'), member_int(S("journal"), 1),
               member_text(S("assay"), version_text()),
               member_text(S("engine"), p->engine_version),
               member_text(S("command"),
                           options->audits_golds ? S("lint") : S("score")));
    add_inputs(&b, p);
    add_results(&b, p);
    json_write(&b, member_if(p->has_gold_source,
                             member_text(S("gold_db"), p->gold_source.shown)));
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
        str left = json_written(&scratch, m);
        str right = json_written(&scratch, n);
        // What an older journal does not know was not there.
        bool is_new = !n && m->kind == JSON_KIND_NULL;
        if (bears_on_verdicts(m->key) && !is_new && !str_equal(left, right)) {
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
