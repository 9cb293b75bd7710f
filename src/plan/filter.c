/*
 * filter.c - conditions on cases: parsed, checked, and asked of a case.
 *
 * Method      The text is cut at its first relation (the longer ones are tried
 *             first, since >= begins with >), then at commas. All words are
 *             checked when the condition is parsed, so that asking cannot fail.
 *             A gold may stand for several queries (templates): its features
 *             are those of the first one, its hardness that of the first one
 *             that Spider's grammar reads, else the same counts over our tree.
 *
 * Invariants  (1) n_words >= 1; a comparison has one word, and is of a feature.
 *             (2) numbers[i] is words[i] as a number, of FILTER_FEATURE only.
 *
 * Cost        constant for fields of the record; features and hardness parse
 *             the gold: callers ask for them only when a condition needs them.
 */
#include "plan/filter.h"

#include "base/words.h"
#include "evaluators/set_match.h"
#include "read/field.h"
#include "sql/query_text.h"

#include <assert.h>

static const str field_words[] = {
    [FILTER_DB] = S_INIT("db"),
    [FILTER_CATEGORY] = S_INIT("category"),
    [FILTER_HARDNESS] = S_INIT("hardness"),
    [FILTER_FEATURES] = S_INIT("features"),
};

enum {
    NAMED_FIELDS = FILTER_FEATURE,
};

_Static_assert(countof(field_words) == NAMED_FIELDS, "each has its word");

// Longer ones first, where one begins another.
static const struct {
    str text;
    filter_relation relation;
} relations[] = {
    {S_INIT("!="), FILTER_IS_NOT},  {S_INIT(">="), FILTER_AT_LEAST},
    {S_INIT("<="), FILTER_AT_MOST}, {S_INIT("=="), FILTER_IS},
    {S_INIT("="), FILTER_IS},       {S_INIT(">"), FILTER_MORE},
    {S_INIT("<"), FILTER_LESS},
};

static bool find_relation(str text, str *name, str *rest, filter_relation *out)
{
    for (ptrdiff_t at = 0; at < text.len; at++) {
        for (ptrdiff_t i = 0; i < countof(relations); i++) {
            if (str_starts(str_skip(text, at), relations[i].text)) {
                *name = str_trim(str_sub(text, 0, at));
                *rest = str_skip(text, at + relations[i].text.len);
                *out = relations[i].relation;
                return true;
            }
        }
    }
    return false;
}

str filter_own_word(str word)
{
    field_kind kind = field_find(word).kind;
    return kind == FIELD_DB         ? field_words[FILTER_DB]
           : kind == FIELD_CATEGORY ? field_words[FILTER_CATEGORY]
           : kind == FIELD_HARDNESS ? field_words[FILTER_HARDNESS]
                                    : word;
}

static bool find_field(filter *f, str word)
{
    word = filter_own_word(word);
    ptrdiff_t i = words_in(field_words, NAMED_FIELDS, word);
    f->field = i >= 0 ? (filter_field)i : FILTER_FEATURE;
    return i >= 0 || sql_feature_from_word(word, &f->feature);
}

static bool unknown_word(diag *d, str kind, str word, int fields, arena scratch)
{
    str known[NAMED_FIELDS + FEATURE_COUNT];
    ptrdiff_t n = 0;
    for (int i = 0; i < fields; i++) {
        known[n++] = field_words[i];
    }
    for (int i = 0; i < FEATURE_COUNT; i++) {
        known[n++] = sql_feature_word((sql_feature)i);
    }
    str near = diag_nearest(word, known, n, scratch);
    buf all = buf_new(&scratch);
    for (int i = 0; i < fields; i++) {
        buf_printf(&all, "%.*s, ", STR_ARG(field_words[i]));
    }
    return near.len > 0
               ? diag_add(d, (diag_place){0},
                          "--filter: no %.*s '%.*s'; did you mean '%.*s'?",
                          STR_ARG(kind), STR_ARG(word), STR_ARG(near))
               : diag_add(d, (diag_place){0},
                          "--filter: no %.*s '%.*s'; there are %.*sand those "
                          "of assay help features",
                          STR_ARG(kind), STR_ARG(word), STR_ARG(buf_str(&all)));
}

static bool check_words(filter *f, arena *a, diag *d, arena scratch)
{
    int64_t *numbers = arena_new(a, int64_t, f->n_words);
    f->numbers = numbers;
    bool compares = f->relation != FILTER_IS && f->relation != FILTER_IS_NOT;
    if (compares && (f->field != FILTER_FEATURE || f->n_words > 1)) {
        return diag_add(d, (diag_place){0},
                        "--filter: <, <=, > and >= compare a feature with one "
                        "number: join>=2");
    }
    for (ptrdiff_t i = 0; i < f->n_words; i++) {
        sql_feature ignored;
        if (f->field == FILTER_FEATURES
            && !sql_feature_from_word(f->words[i], &ignored)) {
            return unknown_word(d, S("feature"), f->words[i], 0, scratch);
        }
        if (f->field == FILTER_FEATURE
            && !str_to_int(f->words[i], &numbers[i])) {
            return diag_add(d, (diag_place){0},
                            "--filter: '%.*s' is compared with numbers, found "
                            "'%.*s'",
                            STR_ARG(sql_feature_word(f->feature)),
                            STR_ARG(f->words[i]));
        }
    }
    return true;
}

static bool filter_parse(filter *f, arena *a, str text, diag *d, arena scratch)
{
    str name;
    str rest;
    *f = (filter){0};
    if (!find_relation(text, &name, &rest, &f->relation)) {
        return diag_add(d, (diag_place){0},
                        "--filter needs a field, =, != or a comparison, and "
                        "words, as in hardness=hard; found '%.*s'",
                        STR_ARG(text));
    }
    if (!find_field(f, name)) {
        return unknown_word(d, S("field"), name, NAMED_FIELDS, scratch);
    }
    str_list words = {0};
    while (rest.ptr) {
        *vec_push(a, &words) = str_trim(str_cut(&rest, ','));
    }
    f->words = words.ptr;
    f->n_words = words.len;
    assert(f->n_words > 0);  // invariant 1
    return check_words(f, a, d, scratch);
}

bool filters_parse(filter_list *out,
                   arena *a,
                   const str_list *texts,
                   diag *d,
                   arena scratch)
{
    bool ok = true;
    for (ptrdiff_t i = 0; i < texts->len && ok; i++) {
        ok = filter_parse(vec_push(a, out), a, texts->ptr[i], d, scratch);
    }
    return ok;
}

bool filter_needs_features(const filter *f)
{
    return f->field == FILTER_FEATURES || f->field == FILTER_FEATURE;
}

bool filter_needs_hardness(const filter *f, const record *gold)
{
    return f->field == FILTER_HARDNESS && gold->hardness.len == 0;
}

static bool uses_one(const filter *f, const sql_features *features)
{
    for (ptrdiff_t i = 0; i < f->n_words; i++) {
        sql_feature feature;
        if (sql_feature_from_word(f->words[i], &feature)
            && features->n[feature] > 0) {
            return true;
        }
    }
    return false;
}

static bool compare_number(const filter *f, int64_t n)
{
    assert(f->field == FILTER_FEATURE);
    assert(f->n_words > 0);
    switch (f->relation) {
    case FILTER_AT_LEAST: return n >= f->numbers[0];
    case FILTER_AT_MOST: return n <= f->numbers[0];
    case FILTER_MORE: return n > f->numbers[0];
    case FILTER_LESS: return n < f->numbers[0];
    case FILTER_IS:
    case FILTER_IS_NOT:
    case FILTER_RELATION_COUNT: break;
    }
    bool is_among = false;
    for (ptrdiff_t i = 0; i < f->n_words; i++) {
        is_among |= n == f->numbers[i];
    }
    return is_among == (f->relation == FILTER_IS);
}

bool filter_accepts(const filter *f,
                    const record *gold,
                    const sql_features *features)
{
    bool wanted = f->relation == FILTER_IS;
    if (f->field == FILTER_FEATURE) {
        return features->is_known && compare_number(f, features->n[f->feature]);
    }
    if (f->field == FILTER_FEATURES) {
        return features->is_known && uses_one(f, features) == wanted;
    }
    str text = f->field == FILTER_DB         ? gold->db
               : f->field == FILTER_CATEGORY ? gold->category
                                             : gold->hardness;
    bool is_among = false;
    for (ptrdiff_t i = 0; i < f->n_words; i++) {
        is_among |= str_equal(f->words[i], text);
    }
    return is_among == wanted;
}

template_variants queries_of_gold(const record *gold,
                                  dialect d,
                                  arena *a,
                                  arena scratch)
{
    return template_queries(
        a, gold->golds, gold->n_golds,
        (template_options){.dialect = d, .keep_whole = gold->golds_are_final},
        scratch);
}

sql_features features_of_gold(const record *gold,
                              dialect d,
                              arena a,
                              arena scratch)
{
    template_variants texts = queries_of_gold(gold, d, &a, scratch);
    return texts.n > 0 ? sql_features_of_text(texts.sql[0], d, a, scratch)
                       : (sql_features){0};
}

str hardness_of_gold(const record *gold,
                     dialect d,
                     const schema *s,
                     arena a,
                     arena scratch)
{
    template_variants texts = queries_of_gold(gold, d, &a, scratch);
    for (ptrdiff_t i = 0; s && i < texts.n; i++) {
        const set_query *q = set_query_of(&a, texts.sql[i], s, scratch);
        if (q) {
            return set_query_hardness(q);
        }
    }
    if (texts.n == 0) {
        return (str){0};
    }
    const ast *tree = query_text_of(&a, texts.sql[0], d, scratch).tree;
    return tree ? set_tree_hardness(tree) : (str){0};
}

str filter_field_word(const filter *f)
{
    assert(f->field >= 0 && f->field < FILTER_FIELD_COUNT);
    return f->field == FILTER_FEATURE ? sql_feature_word(f->feature)
                                      : field_words[f->field];
}

str filter_relation_word(filter_relation r)
{
    for (ptrdiff_t i = 0; i < countof(relations); i++) {
        if (relations[i].relation == r) {
            return relations[i].text;
        }
    }
    return (str){0};
}
