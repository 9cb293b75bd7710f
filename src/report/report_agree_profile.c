/*
 * report_agree_profile.c - a profile for the metric pragmatic, fitted to what
 * people say.
 *
 * Method      Every second database, in the order of the journals, is fitted
 *             on; the others tell how good it is. A leniency that people accept
 *             in at least 80 of 100 cases, in which it is named, is accepted,
 *             one that they reject that often is rejected, and the rest is
 *             asked. With fewer than CASES_LEAST it stays as its norm has it.
 *             On the other databases a verdict that names leniencies is what
 *             the profile makes of them; any other stays.
 */
#include "report/report_agree.h"

enum {
    CASES_LEAST = 5,
    LABELS_LEAST = 200,
    SHARE_LEAST = 80,  // percent
    WORDS_MOST = 64,   // leniencies
};

typedef enum wish {
    WISH_NORM,
    WISH_ACCEPT,
    WISH_ASK,
    WISH_REJECT,
} wish;

static const char *const wish_words[] = {
    [WISH_NORM] = "",
    [WISH_ACCEPT] = "accept",
    [WISH_ASK] = "ask",
    [WISH_REJECT] = "reject",
};

typedef struct fitting {
    int64_t yes[WORDS_MOST];
    int64_t no[WORDS_MOST];
    wish wishes[WORDS_MOST];
    int64_t n_labels;
} fitting;

void agree_fit_add(agree *t, const case_line *line, answer want)
{
    const line_verdict *v = case_line_classed(line);
    if (!v) {
        return;
    }
    agree_fit_case c = {.want = want, .v = v->v};
    c.db = map_add(&t->fit_databases, t->a, line->db);
    str rest = agree_named_leniencies(v);
    while (rest.len > 0) {
        ptrdiff_t l =
            map_add(&t->leniencies, t->a, str_trim(str_cut(&rest, ',')));
        c.leniencies |= l < WORDS_MOST ? (uint64_t)1 << l : 0;
    }
    *vec_push(t->a, &t->fit_cases) = c;
}

static bool is_fitted_on(const agree_fit_case *c)
{
    return c->db % 2 == 0;
}

static wish wish_of(int64_t yes, int64_t no)
{
    int64_t n = yes + no;
    return n < CASES_LEAST                ? WISH_NORM
           : 100 * yes >= SHARE_LEAST * n ? WISH_ACCEPT
           : 100 * no >= SHARE_LEAST * n  ? WISH_REJECT
                                          : WISH_ASK;
}

static void fit(const agree *t, fitting *f)
{
    for (ptrdiff_t i = 0; i < t->fit_cases.len; i++) {
        const agree_fit_case *c = &t->fit_cases.ptr[i];
        for (int l = 0; is_fitted_on(c) && l < WORDS_MOST; l++) {
            bool is_named = c->leniencies >> l & 1;
            f->yes[l] += is_named && c->want == ANSWER_YES;
            f->no[l] += is_named && c->want == ANSWER_NO;
        }
        f->n_labels += is_fitted_on(c);
    }
    for (int l = 0; l < WORDS_MOST; l++) {
        f->wishes[l] = wish_of(f->yes[l], f->no[l]);
    }
}

// What the fitted profile says, whatever the order: one that is rejected is a
// no, one that is asked no yes; where one is left to the norm, the verdict else
// stays.
static answer fitted_answer(const fitting *f, const agree_fit_case *c)
{
    bool has[countof(wish_words)] = {false};
    for (int l = 0; l < WORDS_MOST; l++) {
        has[f->wishes[l]] |= c->leniencies >> l & 1;
    }
    answer v = has[WISH_NORM] || c->leniencies == 0 ? c->v : ANSWER_YES;
    return has[WISH_REJECT]                   ? ANSWER_NO
           : has[WISH_ASK] && v == ANSWER_YES ? ANSWER_UNKNOWN
                                              : v;
}

static void write_profile(buf *out, const agree *t, const fitting *f)
{
    buf_printf(out, "# fitted to %lld labels\n", (long long)f->n_labels);
    if (t->norm.len > 0) {
        buf_printf(out, "norm: %.*s\n", STR_ARG(t->norm));
    }
    for (int l = 0; l < WORDS_MOST && l < map_count(&t->leniencies); l++) {
        str word = map_key_at(&t->leniencies, l);
        if (f->wishes[l] != WISH_NORM) {
            buf_printf(out, "%.*s: %s  # yes %lld, no %lld\n", STR_ARG(word),
                       wish_words[f->wishes[l]], (long long)f->yes[l],
                       (long long)f->no[l]);
        }
    }
}

void agree_fit_doc(doc *d, buf *profile, agree *t)
{
    fitting f = {0};
    agree_groups other = {0};
    fit(t, &f);
    write_profile(profile, t, &f);
    for (ptrdiff_t i = 0; i < t->fit_cases.len; i++) {
        const agree_fit_case *c = &t->fit_cases.ptr[i];
        if (!is_fitted_on(c)) {
            str db = map_key_at(&t->fit_databases, c->db);
            agree_groups_add(t, &other, S("without the profile"), db, c->want,
                             c->v);
            agree_groups_add(t, &other, S("with the profile"), db, c->want,
                             fitted_answer(&f, c));
        }
    }
    ptrdiff_t n_dbs = map_count(&t->fit_databases);
    doc_say(d, "\nprofile fitted to %lld labels of %td database%s\n",
            (long long)f.n_labels, (n_dbs + 1) / 2, n_dbs > 2 ? "s" : "");
    for (ptrdiff_t i = 0; i < map_count(&other.names); i++) {
        str what = arena_printf(d->a, "on the other databases, %.*s, it",
                                STR_ARG(map_key_at(&other.names, i)));
        agree_groups_doc(d, &other, i, what);
    }
    if (n_dbs < 2) {
        doc_say(d, "there is only one database, so nothing shows whether the "
                   "profile works elsewhere\n");
    }
    if (f.n_labels < LABELS_LEAST) {
        doc_say(d,
                "%lld labels are few: profiles fitted to fewer than %d seldom "
                "work on other data\n",
                (long long)f.n_labels, LABELS_LEAST);
    }
    if (t->people.n_cases > 0) {
        double kappa = people_kappa(&t->people);
        doc_say(d, "agreement among people: Fleiss' kappa %.3f\n", kappa);
    }
}
