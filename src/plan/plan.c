/*
 * plan.c - opens all inputs of a run, pairs them, and chooses the cases.
 *
 * Method      Gold file, tables.json, suites, source of databases, choice of
 *             cases, files of predictions, databases of the chosen cases: in
 *             this order, since each needs those before it; a prediction is
 *             missed only where its case was chosen. Errors do not stop at the
 *             first: `ok` is kept and all inputs are looked at, so that one
 *             call reports all that is wrong. Cases are chosen as
 *             read/choice.h says.
 *
 * Invariants  (1) p->cases is ascending: chosen and drawn cases keep the order
 *                 of the file.
 *             (2) p->dbs is indexed like gold.dbs; the database of cases
 *                 without a name comes after them.
 *             (3) After plan_open nothing changes: workers are forked with it.
 *
 * Cost        linear in the cases; a record is read from the file only when a
 *             condition or a shard needs it. Memory: an int32 per case.
 */
#include "plan/plan.h"

#include "base/apart.h"
#include "base/json_write.h"
#include "base/words.h"
#include "intent/order_asked.h"
#include "plan/plan_results.h"
#include "plan/plan_source.h"
#include "relation/order_keys.h"

#include <assert.h>

enum {
    MAX_TURNS = 1000,  // of a conversation
};

// Where record i of the file begins; the file as a whole when i is -1.
static diag_place place_of(const dataset *set, ptrdiff_t i)
{
    return (diag_place){.file = set->file.path,
                        .line = i < 0 ? 0 : set->entries.ptr[i].line};
}

void plan_pred_add(plan_pred *made, str id, str sql)
{
    json_write(&made->lines, json_begin('{'), member_text_if_any(S("id"), id),
               member_text(S("pred"), sql), json_end("}\n"));
}

// Of what is made here the user calls nothing otherwise.
static bool open_preds(dataset *set,
                       arena *a,
                       const plan_options *o,
                       const plan_pred *pred,
                       diag *d,
                       arena scratch)
{
    dataset_options options = {.role = DATASET_PRED};
    if (pred->is_made) {
        file_map lines = {.path = pred->path, .bytes = buf_str(&pred->lines)};
        return dataset_open_bytes(set, a, lines, options, d, scratch);
    }
    options.names = o->names;
    options.encoding = o->encoding;
    return dataset_open(set, a, pred->path, options, d, scratch);
}

static bool add_file_run(plan *p,
                         const plan_options *o,
                         const plan_pred *pred,
                         str name,
                         const bool *wanted,
                         diag *d,
                         diag *notes,
                         arena scratch)
{
    plan_run *run = &p->runs[p->n_runs];
    run->name = name;
    str path = pred->path;
    if (!open_preds(&run->set, p->a, o, pred, d, scratch)) {
        return false;
    }
    if (run->set.n_with_pred == 0 && !o->allows_missing) {
        return diag_add(d, (diag_place){.file = path},
                        "no record of it holds a prediction; if one is there, "
                        "name its field with --field pred=NAME");
    }
    p->n_runs++;
    diag troubles = diag_new(p->a);
    bool fits = pair_records(&run->pairs, p->a, &p->gold, &run->set, wanted,
                             &troubles, scratch);
    pair_note_blank(&run->pairs, &run->set, notes);
    p->has_samples |= run->set.most_samples > 1;
    bool is_shuffled = run->pairs.shared.len > 0;
    bool is_allowed = o->allows_missing && (run->pairs.by_id || !o->needs_ids);
    diag *out = is_allowed && !is_shuffled ? notes : d;
    if (!fits && run->set.failed.len > 0) {
        diag_add(out, (diag_place){.file = path}, "%.*s",
                 STR_ARG(run->set.failed));
    }
    for (ptrdiff_t i = 0; !fits && i < troubles.messages.len; i++) {
        diag_message m = troubles.messages.ptr[i];
        diag_add(out, m.place, "%.*s", STR_ARG(m.text));
    }
    if (is_shuffled) {
        return false;
    }
    if (!fits && !is_allowed) {
        return diag_add(d, (diag_place){.file = path}, "%s",
                        o->needs_ids
                            ? "not scored; with ids in both files missing "
                              "predictions would be wrong, extra ones left out"
                            : "not scored; --allow-missing counts missing "
                              "predictions as wrong and leaves extra ones "
                              "out");
    }
    return true;
}

// A field that holds SQL and is not read.
static str spare_field(const plan *p)
{
    const str_list *spare = &p->gold.reading.spare;
    return spare->len > 0 ? spare->ptr[0] : S("NAME");
}

// The runs inside the gold file: one a model, or one without a name.
static bool add_gold_runs(plan *p, const plan_options *o, diag *d)
{
    if (p->gold.entries.len > 0 && p->gold.no_pred >= 0 && !o->allows_missing) {
        if (p->gold.n_with_pred == 0) {
            return diag_add(d, (diag_place){.file = p->gold.file.path},
                            "no case has a prediction; give a file of them "
                            "with --pred FILE, or name the field that contains "
                            "them with --field pred=%.*s",
                            STR_ARG(spare_field(p)));
        }
        return diag_add(d, place_of(&p->gold, p->gold.no_pred),
                        "not every case has a prediction, and this one has "
                        "none; give them with --pred FILE, or --allow-missing");
    }
    const map *names = &p->gold.models;
    ptrdiff_t n_models = map_count(names);
    p->n_runs = n_models > 0 ? n_models : 1;
    p->runs = arena_new(p->a, plan_run, p->n_runs);
    for (ptrdiff_t k = 0; k < p->n_runs; k++) {
        str model = n_models > 0 ? map_key_at(names, k) : (str){0};
        p->runs[k] = (plan_run){
            .name = n_models > 0 ? model : path_stem(o->gold),
            .is_in_gold = true,
            .model = model,
        };
    }
    p->has_samples = n_models == 0 && p->gold.most_samples > 1;
    return true;
}

// Cases that share an id are one case to the journal, and to who reads it.
static bool ids_are_apart(const plan *p,
                          const plan_options *o,
                          diag *d,
                          diag *notes,
                          arena scratch)
{
    diag *out = o->allows_missing ? notes : d;
    return pair_ids_are_apart(&p->gold, out, scratch) || o->allows_missing
           || diag_add(d, (diag_place){.file = p->gold.file.path},
                       "not scored; --allow-missing scores such cases anyway");
}

// Does the case do without its database?
static bool needs_no_database(const plan *p, int32_t db)
{
    str name = db >= 0 ? map_key_at(&p->gold.dbs, db) : (str){0};
    return !p->runs_sql && schema_list_find(&p->tables, name);
}

// Says where each is named first, so that the message has a line.
static void report_missing_databases(plan *p, diag *notes)
{
    if (p->remark.len > 0) {
        diag_add(notes, (diag_place){.file = p->source.shown}, "%.*s",
                 STR_ARG(p->remark));
    }
    bool *is_reported = arena_new(p->a, bool, p->n_dbs + 1);
    for (ptrdiff_t i = 0; i < p->n_cases; i++) {
        const dataset_entry *e = &p->gold.entries.ptr[p->cases[i]];
        ptrdiff_t db = e->db >= 0 ? e->db : p->n_dbs;
        str error = needs_no_database(p, e->db) ? (str){0} : p->dbs[db].error;
        if (error.len > 0 && !is_reported[db]) {
            diag_add(notes,
                     (diag_place){.file = p->gold.file.path, .line = e->line},
                     "%.*s", STR_ARG(error));
            is_reported[db] = true;
        }
    }
}

bool plan_is_case(const plan *p, ptrdiff_t i, str id)
{
    arena a = arena_on_stack(32);
    hash128 own = p->gold.entries.ptr[i].id;
    bool has_id = !hash128_equal(own, (hash128){0});
    hash128 is = has_id ? own : hash_bytes(arena_printf(&a, "%td", i));
    return hash128_equal(is, hash_bytes(id));
}

// What the filters need.
typedef struct chooser {
    const plan *p;
    const plan_options *o;
    const str *hardness;  // by record; NULL: no filter asks
} chooser;

// Whether all conditions hold.
static bool filters_accept(void *context, ptrdiff_t i, record r, arena scratch)
{
    const chooser *c = context;
    sql_features features = {0};
    if (c->hardness && c->hardness[i].len > 0) {
        r.hardness = c->hardness[i];
    }
    for (ptrdiff_t k = 0; k < c->o->filters.len; k++) {
        const filter *f = &c->o->filters.ptr[k];
        if (filter_needs_features(f) && !features.is_known) {
            features =
                features_of_gold(&r, engine_driver_dialect(c->p->source.driver),
                                 *c->p->a, scratch);
        }
        if (!filter_accepts(f, &r, &features)) {
            return false;
        }
    }
    return true;
}

static bool choose_cases(plan *p,
                         const plan_options *o,
                         choice_result *out,
                         diag *d,
                         arena scratch)
{
    chooser c = {.p = p, .o = o};
    return plan_hardness(p, o, &c.hardness, d, scratch)
           && choice_make(out, p->a, &o->choice, &p->gold,
                          o->filters.len > 0 ? filters_accept : NULL, &c, d,
                          scratch);
}

// Keeps the cases of the shard, and notes the databases of all shards.
static void set_cases(plan *p, const choice_result *c)
{
    ptrdiff_t n_dbs = map_count(&p->gold.dbs);
    p->cases = c->own;
    p->n_cases = c->n;
    p->n_all = c->n_all;
    p->all_dbs = arena_new(p->a, bool, n_dbs + 1);
    for (ptrdiff_t k = 0; k < c->n_all; k++) {
        int32_t db = p->gold.entries.ptr[c->all[k]].db;
        p->all_dbs[db >= 0 ? db : n_dbs] = true;
    }
}

// Which records were chosen; NULL: all.
static const bool *chosen_records(const plan *p,
                                  const choice_result *c,
                                  arena *a)
{
    ptrdiff_t n = p->gold.entries.len;
    if (c->n_all == 0 || c->n_all == n) {
        return NULL;
    }
    bool *is_chosen = arena_new(a, bool, n);
    for (ptrdiff_t i = 0; i < c->n_all; i++) {
        is_chosen[c->all[i]] = true;
    }
    return is_chosen;
}

static bool has_name(const plan_options *o, ptrdiff_t i)
{
    return o->preds.ptr[i].name.len > 0;
}

// False with a message when a name was given that another run has, too.
static bool name_runs(str *names,
                      const plan *p,
                      const plan_options *o,
                      diag *d,
                      arena scratch)
{
    ptrdiff_t n = 0;
    str *made = arena_new(&scratch, str, o->preds.len);
    str *files = arena_new(&scratch, str, o->preds.len);
    for (ptrdiff_t i = 0; i < o->preds.len; i++) {
        if (!has_name(o, i)) {
            made[n] = path_stem(o->preds.ptr[i].path);
            files[n++] = o->preds.ptr[i].path;
        }
    }
    names_tell_apart(made, files, n, p->a, scratch);
    for (ptrdiff_t i = o->preds.len - 1; i >= 0; i--) {
        names[i] = has_name(o, i) ? o->preds.ptr[i].name : made[--n];
    }
    for (ptrdiff_t i = 0; i < o->preds.len; i++) {
        for (ptrdiff_t k = 0; k < i; k++) {
            if (str_equal(names[i], names[k])) {
                return diag_add(d, (diag_place){.file = o->preds.ptr[i].path},
                                "two runs are called '%.*s'; give each a name "
                                "of its own, as in --pred NAME=FILE",
                                STR_ARG(names[i]));
            }
        }
    }
    return true;
}

static bool add_file_runs(plan *p,
                          const plan_options *o,
                          const choice_result *c,
                          diag *d,
                          diag *notes,
                          arena scratch)
{
    str *names = arena_new(&scratch, str, o->preds.len);
    bool ok = name_runs(names, p, o, d, scratch);
    const bool *wanted = chosen_records(p, c, &scratch);
    for (ptrdiff_t i = 0; i < o->preds.len; i++) {
        ok = add_file_run(p, o, &o->preds.ptr[i], names[i], wanted, d, notes,
                          scratch)
             && ok;
    }
    return ok;
}

// A ring of records for each session.
static void link_sessions(plan *p, arena scratch)
{
    ptrdiff_t n = p->gold.entries.len;
    const dataset_entry *entries = p->gold.entries.ptr;
    int32_t last_session = -1;
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t session = entries[i].interaction;
        last_session = session > last_session ? session : last_session;
    }
    if (last_session < 0) {
        return;
    }
    int32_t *next = arena_new(p->a, int32_t, n);
    int32_t *last = arena_new(&scratch, int32_t, last_session + 1);
    memset(last, -1, ((size_t)last_session + 1) * sizeof *last);
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t session = entries[i].interaction;
        int32_t before = session < 0 ? -1 : last[session];
        next[i] = before < 0 ? (int32_t)i : next[before];
        if (before >= 0) {
            next[before] = (int32_t)i;
        }
        if (session >= 0) {
            last[session] = (int32_t)i;
        }
    }
    p->session_next = next;
}

static bool open_worlds(plan *p,
                        const plan_options *options,
                        diag *d,
                        arena scratch)
{
    bool ok = true;
    if (options->tables.len > 0) {
        ok = schema_list_open(&p->tables, p->a, options->tables, d, scratch);
    }
    if (options->suite.len > 0) {
        p->has_suites = true;
        ok = suite_set_open(&p->suites, p->a, options->suite, d, scratch) && ok;
    }
    if (!options->needs_db && !options->needs_schema) {
        return ok;
    }
    p->has_source = options->db.len > 0;
    p->runs_sql = options->needs_db;
    p->has_gold_source = options->gold_db.len > 0;
    if (p->has_gold_source) {
        ok = source_open(&p->gold_source, p->a, options->gold_db, d) && ok;
    }
    if (p->has_source) {
        return source_open(&p->source, p->a, options->db, d) && ok;
    }
    if (options->needs_db) {
        return diag_add(
            d, (diag_place){0},
            "the metrics run queries: give the databases with --db SOURCE");
    }
    return (options->tables.len > 0
            || diag_add(d, (diag_place){0},
                        "the metrics need a schema: give it with --db SOURCE "
                        "or --tables FILE"))
           && ok;
}

bool plan_open_worlds(plan *p,
                      arena *a,
                      const plan_options *options,
                      diag *d,
                      arena scratch)
{
    *p = (plan){.a = a, .runs = arena_new(a, plan_run, 1), .n_runs = 1};
    p->runs[0].is_in_gold = true;
    return open_worlds(p, options, d, scratch);
}

// Files of results that no case asks for: ids may be written otherwise.
static void note_unused(const plan *p, diag *notes)
{
    str first = {0};
    ptrdiff_t n = result_files_unused(&p->gold.results, &first);
    if (n > 0 && p->gold.results.folder.len > 0) {
        diag_add(notes, (diag_place){.file = p->gold.results.folder},
                 "%td result%s to no case; the first is %.*s", n,
                 n == 1 ? " belongs" : "s belong", STR_ARG(first));
    }
}

bool plan_open(plan *p,
               arena *a,
               const plan_options *options,
               diag *d,
               diag *notes,
               arena scratch)
{
    *p = (plan){.a = a, .engine_version = engine_version(NULL, a)};
    dataset_options gold = {.role = DATASET_GOLD,
                            .format = options->format,
                            .names = options->names,
                            .encoding = options->encoding,
                            .results = options->results};
    if (!dataset_open(&p->gold, a, options->gold, gold, d, scratch)) {
        return false;
    }
    note_unused(p, notes);
    if (!plan_read_parquet(&p->gold.results, a, d, scratch)) {
        return false;
    }
    if (p->gold.n_with_gold == 0) {
        return diag_add(d, place_of(&p->gold, -1),
                        "no case has a gold query; name the field that "
                        "contains them with --field gold=NAME");
    }
    link_sessions(p, scratch);
    bool ok = true;
    if (options->preds.len == 0 && !options->has_no_preds) {
        ok = add_gold_runs(p, options, d)
             && ids_are_apart(p, options, d, notes, scratch);
    } else {
        p->runs = arena_new(a, plan_run, options->preds.len);
    }
    ok = open_worlds(p, options, d, scratch) && ok;
    choice_result c = {0};
    ok = choose_cases(p, options, &c, d, scratch) && ok;
    ok = add_file_runs(p, options, &c, d, notes, scratch) && ok;
    set_cases(p, &c);
    if (ok && p->has_source) {
        ok = plan_open_databases(p, options, d, scratch);
    }
    if (ok && p->has_source) {
        report_missing_databases(p, notes);
    }
    return ok;
}

void plan_close(plan *p)
{
    plan_drop_databases(p);
    suite_set_close(&p->suites);
    dataset_close(&p->gold);
    for (ptrdiff_t i = 0; i < p->n_runs; i++) {
        if (!p->runs[i].is_in_gold) {
            dataset_close(&p->runs[i].set);
        }
    }
}

void plan_forget(const plan *p)
{
    file_forget(&p->gold.file, p->gold.file.bytes.len);
    for (ptrdiff_t i = 0; i < p->n_runs; i++) {
        if (!p->runs[i].is_in_gold) {
            file_forget(&p->runs[i].set.file, p->runs[i].set.file.bytes.len);
        }
    }
}

static plan_preds preds_of(const plan *p,
                           ptrdiff_t k,
                           ptrdiff_t case_no,
                           const record *gold,
                           arena *a)
{
    assert(k >= 0 && k < p->n_runs);
    const plan_run *run = &p->runs[k];
    if (!run->is_in_gold) {
        int32_t at = run->pairs.pred_of[case_no];
        if (at < 0) {
            return (plan_preds){0};
        }
        record r = dataset_record(&run->set, at, a);
        bool is_by_model = r.n_preds > 0 && r.preds[0].run.len > 0;
        return (plan_preds){r.preds, is_by_model ? 1 : r.n_preds};
    }
    if (run->model.len == 0) {
        return (plan_preds){gold->preds, gold->n_preds};
    }
    ptrdiff_t i = words_of(gold->preds, gold->n_preds, run, run->model);
    return i < 0 ? (plan_preds){0} : (plan_preds){&gold->preds[i], 1};
}

// What the plan has for the case's database.
static void set_worlds(const plan *p, plan_case *c)
{
    c->keys = schema_list_find(&p->tables, c->gold.db);
    c->suite = p->has_suites ? suite_set_find(&p->suites, c->gold.db) : NULL;
}

plan_case plan_case_of(const plan *p, record gold, arena *a, arena scratch)
{
    plan_case c = {.gold = gold, .preds = arena_new(a, plan_preds, 1)};
    c.preds[0] = (plan_preds){gold.preds, gold.n_preds};
    set_worlds(p, &c);
    diag why = diag_new(a);
    if (p->has_source
        && !source_database(&p->source, a, gold.db, &c.path, &why,
                            (diag_place){0}, scratch)) {
        c.path_error = diag_first(&why);
    }
    return c;
}

// The order that an earlier turn asked for stays as long as the golds sort by
// the same keys. All turns of the file are looked at, whatever is scored.
static bool order_was_asked(const plan *p,
                            ptrdiff_t i,
                            const record *gold,
                            arena scratch)
{
    bool is_open = p->session_next
                   && order_asked(gold->question, gold->category, scratch)
                          == ORDER_NOT_SAID;
    bool found = false;
    ptrdiff_t k = i;
    for (ptrdiff_t n = 0; is_open && !found && n < MAX_TURNS; n++) {
        k = p->session_next[k];
        if (k == i) {
            break;
        }
        if (p->gold.entries.ptr[k].turn >= p->gold.entries.ptr[i].turn) {
            continue;
        }
        arena local = scratch;
        record r = dataset_record(&p->gold, k, &local);
        found =
            order_asked(r.question, r.category, local) != ORDER_NOT_SAID
            && order_keys_same(gold->golds, gold->n_golds, r.golds, r.n_golds,
                               engine_driver_dialect(p->source.driver), local);
    }
    return found;
}

// The database of a gold that runs elsewhere.
static void find_gold_path(const plan *p, plan_case *c, arena *a, arena scratch)
{
    diag why = diag_new(a);
    if (!source_database(&p->gold_source, a, c->gold.db, &c->gold_path, &why,
                         (diag_place){0}, scratch)) {
        c->gold_path_error =
            arena_printf(a, "--gold-db: %.*s", STR_ARG(diag_first(&why)));
    }
}

plan_case plan_case_at(const plan *p, ptrdiff_t i, arena *a)
{
    assert(i >= 0 && i < p->gold.entries.len);
    plan_case c = {.gold = dataset_record(&p->gold, i, a)};
    c.gold.id = record_id(&c.gold, i, a);
    c.preds = arena_new(a, plan_preds, p->n_runs);
    for (ptrdiff_t k = 0; k < p->n_runs; k++) {
        c.preds[k] = preds_of(p, k, i, &c.gold, a);
    }
    set_worlds(p, &c);
    if (p->has_gold_source) {
        arena scratch = arena_half(a);
        find_gold_path(p, &c, a, scratch);
    }
    c.order_was_asked = order_was_asked(p, i, &c.gold, *a);
    ptrdiff_t db = p->gold.entries.ptr[i].db;
    if (p->has_source) {
        db = db >= 0 ? db : p->n_dbs;
        c.path = p->dbs[db].path;
        c.path_error = p->dbs[db].error;
    } else if (!c.keys) {
        c.path_error = arena_printf(a, "--tables has no schema of '%.*s'",
                                    STR_ARG(c.gold.db));
    }
    return c;
}

str plan_said(const plan *p, ptrdiff_t run, arena *a)
{
    buf b = buf_new(a);
    bool is_gold = run < 0 || p->runs[run].is_in_gold;
    dataset_say(is_gold ? &p->gold : &p->runs[run].set, &b);
    if (!is_gold) {
        buf_add(&b, p->runs[run].pairs.by_id ? S("; paired by id")
                                             : S("; paired by position"));
    }
    return buf_str(&b);
}
