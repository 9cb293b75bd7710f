/*
 * judge_live.c - see judge_live.h: pairs in, a run of judge_run.h, opinions
 * out.
 */
#include "cli/judge_live.h"

#include "base/apart.h"
#include "base/file.h"
#include "base/map.h"
#include "base/order.h"
#include "cli/model_setup.h"
#include "cli/shard_option.h"
#include "read/object_file.h"
#include "sql/template.h"

#include <stdlib.h>

enum {
    VOTES_MAX = 64,
};

// A line that holds a pair.
typedef struct pair_line {
    str text;
    int64_t position;
    double doubt;
} pair_line;

typedef struct live {
    model_setup m;
    judge_output *out;
    file_map file;
    str text;  // of it: a pair in each line
    str rest;
    vec_of(pair_line) sorted;  // in place of the file
    ptrdiff_t next;            // of them
    int64_t limit;
    int64_t n_read;
    int64_t n_broken;
    map unseen;  // schemas that no model is shown, by name
} live;

/* Ports. */

// A gold with groups, {a,b}, stands for several queries: the first is judged.
static str first_variant(str gold, arena *a)
{
    arena rest = *a;
    arena scratch = arena_half(&rest);
    template_variants all = {0};
    if (str_find(gold, S("{"), 0) >= 0) {
        all = template_queries(a, &gold, 1,
                               (template_options){.dialect = DIALECT_SQLITE},
                               scratch);
    }
    return all.n > 0 ? all.sql[0] : gold;
}

// Of pairs without a run: what distinguishes this judge from others.
static str run_name(const live *l, arena *a)
{
    const session_options *s = &l->m.run.session;
    str model = s->model.len > 0 ? s->model : S("replay");
    return arena_printf(a, "%.*s %.*s %td-shot", STR_ARG(model),
                        STR_ARG(l->m.prompt.name), s->n_shots);
}

static bool is_of_shard(const live *l, const judge_pair *p, arena scratch)
{
    str id = p->id.len > 0
                 ? p->id
                 : arena_printf(&scratch, "%lld", (long long)p->position);
    return shard_has(l->out->shard, id, p->db);
}

static bool read_pair(live *l, judge_pair *p, const json *j, arena *a)
{
    bool is_pair =
        judge_pair_from_json(p, a, j) && p->left.len > 0 && p->right.len > 0;
    if (is_pair) {
        p->left = first_variant(p->left, a);
        p->run = p->run.len > 0 ? p->run : run_name(l, a);
    }
    return is_pair;
}

static bool next_of_file(live *l, judge_pair *p, arena *a)
{
    while (l->rest.len > 0 && (l->limit < 0 || l->n_read < l->limit)) {
        str line = str_trim(str_cut(&l->rest, '\n'));
        const json *j = line.len > 0 ? json_parse(a, line, NULL) : NULL;
        bool is_pair = read_pair(l, p, j, a);
        p->position = l->n_read;
        p->line = line;
        l->n_read += is_pair;
        if (is_pair && is_of_shard(l, p, *a)) {
            return true;
        }
        // The first line of a journal describes the run.
        bool is_head = j && json_get(j, S("journal"));
        l->n_broken += line.len > 0 && !is_head && !is_pair;
    }
    return false;
}

static bool next_pair(void *context, judge_pair *p, arena *a)
{
    live *l = context;
    if (l->next == l->sorted.len) {
        return next_of_file(l, p, a);
    }
    const pair_line *of = &l->sorted.ptr[l->next++];
    p->position = of->position;
    return read_pair(l, p, json_parse(a, of->text, NULL), a);
}

ORDER(by_doubt, pair_line, ORDER_DOWN(doubt), ORDER_UP(position))

// So that a sum that runs out was spent where least was known. What needs no
// call comes last.
static void sort_by_doubt(live *l)
{
    judge_pair p;
    arena a = arena_store_clear(&l->m.line_store);
    while (l->m.run.ask == ASK_DOUBT && next_of_file(l, &p, &a)) {
        judge_result known;
        judge_is_settled(&p, ASK_DOUBT, l->m.prompt.notion, &known, &a);
        *vec_push(l->m.a, &l->sorted) =
            (pair_line){p.line, p.position, known.doubt};
        a = arena_store_clear(&l->m.line_store);
    }
    if (l->sorted.len > 0) {
        qsort(l->sorted.ptr, (size_t)l->sorted.len, sizeof(pair_line),
              by_doubt);
    }
}

static str schema_text(void *context, const judge_pair *p, arena *a)
{
    live *l = context;
    ptrdiff_t n = l->m.d.messages.len;
    str text = ground_worker_schema(&l->m.ground, p, a);
    str name = p->schema.len > 0 ? p->schema : p->db;
    if (text.len > 0 || name.len == 0 || p->ddl.len > 0) {
        return text;
    }
    ptrdiff_t n_unseen = map_count(&l->unseen);
    if (map_add(&l->unseen, l->m.a, name) == n_unseen) {
        str why = l->m.d.messages.len > n
                      ? l->m.d.messages.ptr[n].text
                      : S("it has no schema that can be read");
        cli_say(l->m.c,
                "pair %.*s, schema %.*s: %.*s; the model sees no schema",
                STR_ARG(p->id), STR_ARG(name), STR_ARG(why));
    }
    return text;
}

static void take(void *context,
                 const judge_pair *p,
                 const judge_result *r,
                 arena scratch)
{
    live *l = context;
    judge_output_add(l->out, p, r, scratch);
}

/* Options. */

// How many votes; at temperature 0 exchanging the queries is all that varies.
static void read_votes(live *l)
{
    const opt *o = l->m.c->o;
    ptrdiff_t votes = (ptrdiff_t)opt_int(o, OPT_VOTES);
    bool is_greedy = opt_double(o, OPT_TEMPERATURE) <= 0;
    votes = votes < 1 ? 1 : votes > VOTES_MAX ? VOTES_MAX : votes;
    votes = opt_flag(o, OPT_SWAP) && votes < 2 ? 2 : votes;
    if (is_greedy && votes > 2) {
        cli_say(l->m.c, "at temperature 0 a third vote would repeat the first; "
                        "only 2 votes are asked for");
        votes = 2;
    }
    l->m.run.votes = votes;
    l->m.run.swaps = true;
    l->m.run.session.retries_unclear = opt_flag(o, OPT_RETRY_UNCLEAR);
    l->m.run.ask = opt_is(o, OPT_ASK, S("doubt")) ? ASK_DOUBT : ASK_ALL;
    l->limit = opt_has(o, OPT_LIMIT) ? opt_int(o, OPT_LIMIT) : -1;
}

static bool open_all(live *l, const cli *c, str path, arena *a, arena scratch)
{
    if (!model_setup_open(&l->m, c, S("cot"), path_folder(path), a, scratch)
        || !file_open(&l->file, a, path, &l->m.d)
        || !object_file_text(&l->text, a, l->file.bytes, path, (str){0},
                             &pair_table, &l->m.d, scratch)) {
        return false;
    }
    read_votes(l);
    l->rest = l->text;
    return true;
}

/* What is done. */

// The first line of a shard, which says how many pairs it has: all are read
// once more.
static void write_head(live *l)
{
    if (l->out->shard.n == 0 || !l->out->lines.file) {
        return;
    }
    judge_pair p;
    ptrdiff_t n = 0;
    arena a = arena_store_clear(&l->m.line_store);
    while (next_pair(l, &p, &a)) {
        a = arena_store_clear(&l->m.line_store);
        n++;
    }
    a = arena_store_clear(&l->m.line_store);
    str head = shard_option_head(l->m.c, &a, l->out->shard, l->file.path, n,
                                 (ptrdiff_t)l->n_read);
    out_file_write(&l->out->lines, head);
    l->rest = l->text;
    l->n_read = 0;
    l->n_broken = 0;
}

static bool ask_all(live *l, const judge_ports *ports, arena scratch)
{
    write_head(l);
    sort_by_doubt(l);
    judge_totals totals;
    bool ok = judge_run(&l->m.run, ports, &totals, l->m.a, scratch);
    ok = judge_output_close(l->out, scratch) && ok;
    ok = model_setup_say(&l->m, &totals) && ok;
    if (l->n_broken > 0) {
        cli_say(l->m.c, "%.*s: lines without a pair: %lld",
                STR_ARG(l->file.path), (long long)l->n_broken);
    }
    return ok && l->n_broken == 0;
}

bool judge_live(judge_output *out, str path, arena *a, arena scratch)
{
    live l = {.out = out};
    const cli *c = out->c;
    out->shard = shard_option(c);
    bool ok = open_all(&l, c, path, a, scratch);
    cli_say_all(c, &l.m.d, scratch);
    judge_ports ports = {
        .context = &l,
        .next = next_pair,
        .schema = schema_text,
        .take = take,
    };
    if (ok && !opt_flag(c->o, OPT_DRY_RUN)) {
        ok = ask_all(&l, &ports, scratch);
    } else if (ok) {
        sort_by_doubt(&l);
        ok = model_setup_dry_run(&l.m, &ports, scratch);
    }
    out_file_end(&out->lines, false);
    model_setup_close(&l.m);
    file_close(&l.file);
    return ok;
}
