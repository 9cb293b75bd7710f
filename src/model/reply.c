/*
 * reply.c - reads the decision out of an answer.
 *
 * Method      The answer is cut into words of few classes (reply_word.def); a
 *             claim is the word "equivalent" together with the negation in
 *             front of it. Markers ("decision = ", "the answer is") are looked
 *             for first: they were asked for. Without one, sentences are read
 *             from the end, and a sentence that is a condition, a task, a
 *             question or about a part of a query says nothing.
 *
 * Invariants  (1) No claim, no decision: words that hold neither
 *                 "equivalent" nor "differences" nor "identical" are unclear.
 *             (2) A marker that offers both decisions is an echo of the
 *                 question and says nothing.
 */
#include "model/reply.h"

#include "base/words.h"
#include "model/reply_word.h"

enum {
    MARKER_WORDS_MAX = 14,  // between "decision" and its claim
    ECHO_WORDS_MAX = 8,     // between two alternatives
};

static const struct {
    str word;
} rules[] = {
#define RULE(constant, word, text) {S_INIT(word)},
#include "model/reply_rule.def"

#include <assert.h>
#undef RULE
};

static const struct {
    str word;
} decision_words[] = {
    [DECISION_UNCLEAR] = {S_INIT("unclear")},
    [DECISION_EQUIVALENT] = {S_INIT("equivalent")},
    [DECISION_INEQUIVALENT] = {S_INIT("inequivalent")},
};

WORDS_OF(decision, decision, decision_words)

str reply_rule_word(reply_rule r)
{
    return rules[r].word;
}

/* Claims. */

typedef struct claim {
    bool is_there;
    bool is_equal;
    ptrdiff_t from;  // its first word: a negation, or a degree
    ptrdiff_t at;    // the word "equivalent"
} claim;

// A run of words [from, to) of an answer.
typedef struct span {
    const reply_word *w;
    ptrdiff_t from;
    ptrdiff_t to;
} span;

static bool is_mark(const reply_word *w, const char *marks)
{
    return w->class == WORD_MARK && str_find(str_from(marks), w->text, 0) >= 0;
}

static bool is_claim_word(const reply_word *w)
{
    return w->class == WORD_EQUAL || w->class == WORD_UNEQUAL;
}

// Nothing but marks between two words: "non-equivalent", "in**equivalent**".
static bool is_joined(const reply_word *a, const reply_word *b)
{
    for (const char *p = a->text.ptr + a->text.len; p < b->text.ptr; p++) {
        if (is_space(*p)) {
            return false;
        }
    }
    return true;
}

// The word `i` denies what follows: not, never, isn't, no longer, far from.
static bool is_negation(span s, ptrdiff_t i)
{
    const reply_word *w = &s.w[i];
    if (w->class == WORD_NOT) {
        return true;
    }
    if (reply_word_is(w, "no")) {
        return i + 1 < s.to && reply_word_is(w + 1, "longer");
    }
    return reply_word_is(w, "from") && i > s.from
           && reply_word_is(w - 1, "far");
}

// The claim of the word at `at`, with what stands before it from s.from on.
static claim claim_at(span s, ptrdiff_t at)
{
    assert(at >= s.from && is_claim_word(&s.w[at]));
    claim c = {.is_there = true, .at = at};
    c.is_equal = s.w[at].class == WORD_EQUAL;
    ptrdiff_t i = at - 1;
    while (i >= s.from && is_mark(&s.w[i], "-")) {
        i--;
    }
    bool has_prefix = i >= s.from && c.is_equal
                      && (reply_word_is(&s.w[i], "non")
                          || (reply_word_is(&s.w[i], "in un")
                              && is_joined(&s.w[i], &s.w[at])));
    if (has_prefix) {
        c.is_equal = false;
        i--;
    }
    while (i >= s.from
           && (s.w[i].class == WORD_DEGREE || is_mark(&s.w[i], "()[]{}/-"))) {
        i--;
    }
    if (i >= s.from && is_negation(s, i)) {
        c.is_equal = !c.is_equal;
        i--;
    }
    c.from = i + 1;
    return c;
}

// The first claim in the span, if any.
static claim first_claim(span s)
{
    for (ptrdiff_t i = s.from; i < s.to; i++) {
        if (is_claim_word(&s.w[i])) {
            return claim_at(s, i);
        }
    }
    return (claim){0};
}

// The sentence around word `i`, its WORD_END not with it.
static span sentence_at(span all, ptrdiff_t i)
{
    assert(i >= all.from && i <= all.to);
    span s = {all.w, i, i};
    while (s.from > all.from && s.w[s.from - 1].class != WORD_END) {
        s.from--;
    }
    while (s.to < all.to && s.w[s.to].class != WORD_END) {
        s.to++;
    }
    return s;
}

/*
 * The claim after `c` when the two are alternatives, "equivalent or not
 * equivalent", "decision = a / decision = b": the index of its word, else 0.
 */
static ptrdiff_t alternative_of(span all, claim c)
{
    ptrdiff_t i = c.at + 1;
    while (i < all.to && is_mark(&all.w[i], ")]}>,")) {
        i++;
    }
    if (i >= all.to
        || !(reply_word_is(&all.w[i], "or") || is_mark(&all.w[i], "/|"))) {
        return 0;
    }
    ptrdiff_t most = i + ECHO_WORDS_MAX;
    claim next = first_claim((span){all.w, i, most < all.to ? most : all.to});
    return next.is_there && next.is_equal != c.is_equal ? next.at : 0;
}

/* Markers. */

static bool sentence_has(span s, word_class class)
{
    for (ptrdiff_t i = s.from; i < s.to; i++) {
        if (s.w[i].class == class) {
            return true;
        }
    }
    return false;
}

// The first of these words in the span, or -1.
static ptrdiff_t find_word(span s, const char *words)
{
    for (ptrdiff_t i = s.from; i < s.to; i++) {
        if (reply_word_is(&s.w[i], words)) {
            return i;
        }
    }
    return -1;
}

// "If ..., return THE ANSWER IS ...": the instruction, written down again.
static bool is_instruction(span all, ptrdiff_t head)
{
    span s = sentence_at(all, head);
    s.to = head;
    return sentence_has(s, WORD_TASK)
           && find_word(s, "if otherwise either whether") >= 0;
}

// Words that may stand between a marker and what it marks.
static bool is_between(const reply_word *w)
{
    return w->class == WORD_DEGREE || w->class == WORD_QUERIES
           || w->class == WORD_NOT || w->class == WORD_MARKER
           || reply_word_is(w, "is are that sql non final un")
           || is_mark(w, "=:[({<,-");
}

/*
 * marker -> ("decision" | "answer" | ...) ("=" | ":" | "is" | line end) word*
 *           [negation] "equivalent"
 */
static claim marked_claim(span all, ptrdiff_t head)
{
    ptrdiff_t i = head + 1;
    bool is_heading = head == all.from || all.w[head - 1].class == WORD_END;
    bool is_open = false;
    for (; i < all.to && i <= head + MARKER_WORDS_MAX; i++) {
        const reply_word *w = &all.w[i];
        if (is_claim_word(w)) {
            return is_open ? claim_at((span){all.w, head + 1, all.to}, i)
                           : (claim){0};
        }
        if (w->class == WORD_END) {
            // Of a line only, and only after "decision:" or a heading.
            bool is_line = w->text.len > 0 && is_space(w->text.ptr[0]);
            const reply_word *before = w - 1;
            bool goes_on = before->class == WORD_END || is_mark(before, "=:")
                           || (is_heading && i == head + 1);
            if (!is_line || !goes_on) {
                return (claim){0};
            }
            is_open = true;
        } else if (!is_between(w)) {
            return (claim){0};
        }
        is_open |= is_mark(w, "=:") || reply_word_is(w, "is");
    }
    return (claim){0};
}

static reply_reading reading_of(span all, claim c, reply_rule rule)
{
    const char *from = all.w[c.from].text.ptr;
    const reply_word *last = &all.w[c.at];
    return (reply_reading){
        .decision = c.is_equal ? DECISION_EQUIVALENT : DECISION_INEQUIVALENT,
        .rule = rule,
        .words = {from, last->text.ptr + last->text.len - from},
    };
}

// The last marker that is no echo: of the word "decision", or of the others.
static reply_reading read_markers(span all, reply_rule rule)
{
    reply_reading found = {.rule = REPLY_NO_DECISION};
    ptrdiff_t echo = 0;
    for (ptrdiff_t i = all.from; i < all.to; i++) {
        bool is_decision = reply_word_is(&all.w[i], "decision");
        if (all.w[i].class != WORD_MARKER
            || is_decision != (rule == REPLY_DECISION)) {
            continue;
        }
        claim c = marked_claim(all, i);
        ptrdiff_t other = c.is_there ? alternative_of(all, c) : 0;
        if (other > 0) {
            echo = other;
        } else if (c.is_there && c.at > echo && !is_instruction(all, i)) {
            decision before = found.decision;
            bool contradicts = found.contradicts_self;
            found = reading_of(all, c, rule);
            found.contradicts_self =
                contradicts
                || (before != DECISION_UNCLEAR && before != found.decision);
        }
    }
    return found;
}

/* Answers without a marker. */

static reply_reading unclear(reply_rule why)
{
    return (reply_reading){.rule = why};
}

// The first words are a claim and nothing follows that it could belong to.
static reply_reading read_beginning(span all)
{
    ptrdiff_t i = all.from;
    while (i < all.to && all.w[i].class == WORD_END) {
        i++;
    }
    span s = sentence_at(all, i);
    claim c = first_claim(s);
    if (!c.is_there || c.from > s.from || alternative_of(all, c) > 0) {
        return unclear(REPLY_NO_DECISION);
    }
    bool is_alone = c.at + 1 >= s.to || s.w[c.at + 1].class == WORD_MARK
                    || reply_word_is(&s.w[c.at + 1],
                                     "because based since as under given due");
    return is_alone ? reading_of(all, c, REPLY_BEGINS)
                    : unclear(REPLY_NO_DECISION);
}

// The clause of the sentence that word `at` is in: from the last comma on.
static span clause_before(span s, ptrdiff_t at)
{
    span clause = {s.w, at, at};
    while (clause.from > s.from && !is_mark(&s.w[clause.from - 1], ",;:")) {
        clause.from--;
    }
    return clause;
}

// "The join conditions of both queries are": a part before any query.
static bool is_about_part(span clause)
{
    for (ptrdiff_t i = clause.from; i < clause.to; i++) {
        if (clause.w[i].class == WORD_PART) {
            return true;
        }
        if (clause.w[i].class == WORD_QUERIES) {
            return false;
        }
    }
    return false;
}

// "There is no database on which", but not "there is no difference, so".
static bool is_denied(span clause)
{
    for (ptrdiff_t i = clause.from; i < clause.to; i++) {
        if (clause.w[i].class != WORD_NONE) {
            continue;
        }
        ptrdiff_t most = i + 5 < clause.to ? i + 5 : clause.to;
        span near = {clause.w, i, most};
        if (find_word(near, "difference differences") < 0) {
            return true;
        }
    }
    return false;
}

static bool is_not_believed(span clause)
{
    return sentence_has(clause, WORD_NOT)
           && find_word(clause, "think believe mean imply") >= 0;
}

// "equivalent to X" says something of the queries only when X is one.
static bool is_to_a_part(span s, ptrdiff_t at)
{
    if (at + 1 >= s.to || !reply_word_is(&s.w[at + 1], "to")) {
        return false;
    }
    for (ptrdiff_t i = at + 2; i < s.to && i < at + 6; i++) {
        if (s.w[i].class == WORD_QUERIES || reply_word_is(&s.w[i], "other")) {
            return false;
        }
        if (s.w[i].class == WORD_PART) {
            return true;
        }
    }
    return true;
}

// "An equivalent subquery", "equivalent queries return": the word belongs to
// what follows, unless that is what the queries are.
static bool is_attribute(span s, claim c)
{
    if (c.at + 1 >= s.to) {
        return false;
    }
    const reply_word *next = &s.w[c.at + 1];
    bool has_noun = next->class == WORD_QUERIES || next->class == WORD_PART
                    || reply_word_is(next, "sql");
    bool is_said = c.from > s.from && reply_word_is(&s.w[c.from - 1], "are is");
    return has_noun && !is_said;
}

// Is the claim of this sentence a statement about the two queries?
static bool is_statement(span all, span s, claim c)
{
    bool is_question = s.to < all.to && str_equal(s.w[s.to].text, S("?"));
    bool is_about_queries = sentence_has(s, WORD_QUERIES) || s.to - s.from <= 5;
    span clause = clause_before(s, c.from);
    bool is_open = sentence_has(c.is_equal ? s : clause, WORD_OPEN)
                   || sentence_has(clause, WORD_TASK);
    return !is_question && is_about_queries && !is_open
           && !is_about_part(clause) && !is_denied(clause)
           && !is_not_believed(clause) && !is_to_a_part(s, c.at)
           && !is_attribute(s, c);
}

// The claim that the sentence makes; none when it makes two that differ.
static claim sentence_claim(span s)
{
    claim found = {0};
    for (ptrdiff_t i = s.from; i < s.to; i++) {
        if (!is_claim_word(&s.w[i])) {
            continue;
        }
        claim c = claim_at(s, i);
        if (found.is_there && found.is_equal != c.is_equal) {
            return (claim){0};
        }
        found = c;
    }
    return found;
}

typedef claim (*sentence_reader)(span all, span s);

static claim read_claim(span all, span s)
{
    claim c = sentence_claim(s);
    return c.is_there && is_statement(all, s, c) ? c : (claim){0};
}

// Where the sentence after `s` begins.
static span next_sentence(span all, span s)
{
    ptrdiff_t i = s.to;
    while (i < all.to && all.w[i].class == WORD_END) {
        i++;
    }
    return sentence_at(all, i);
}

// "identical outputs for all possible databases", "never identical".
static claim read_identical(span s)
{
    ptrdiff_t at = find_word(s, "identical identically");
    if (at < 0 || find_word(s, "all every") < 0
        || find_word(s, "database databases") < 0
        || sentence_has(s, WORD_OPEN)) {
        return (claim){0};
    }
    return (claim){.is_there = true,
                   .is_equal = !sentence_has(s, WORD_NOT)
                               && !sentence_has(s, WORD_NONE),
                   .from = at,
                   .at = at};
}

// "no significant differences", "significant differences: none"; a heading
// "Significant differences:" only with "None" below it.
static claim read_differences(span all, span s)
{
    ptrdiff_t at = find_word(s, "difference differences");
    ptrdiff_t degree = find_word(s, "significant insignificant");
    bool is_question = s.to < all.to && str_equal(s.w[s.to].text, S("?"));
    if (at < 0 || degree < 0 || is_question || sentence_has(s, WORD_OPEN)) {
        return read_identical(s);
    }
    claim c = {.is_there = true, .from = at, .at = at};
    c.is_equal = sentence_has(s, WORD_NONE) || sentence_has(s, WORD_NOT)
                 || reply_word_is(&s.w[degree], "insignificant");
    bool is_heading = at + 2 >= s.to && at - s.from <= 4 && !c.is_equal
                      && (at + 1 >= s.to || is_mark(&s.w[at + 1], ":"));
    if (is_heading) {
        span next = next_sentence(all, s);
        c.is_equal =
            next.from < next.to && next.w[next.from].class == WORD_NONE;
        c.is_there = c.is_equal;
    }
    return c;
}

// The last sentence that `reads` finds something in.
static reply_reading read_sentences(span all,
                                    sentence_reader reads,
                                    reply_rule rule)
{
    ptrdiff_t i = all.to;
    while (i > all.from) {
        span s = sentence_at(all, i - 1);
        claim c = s.from < s.to ? reads(all, s) : (claim){0};
        if (c.is_there) {
            return reading_of(all, c, rule);
        }
        i = s.from < i ? s.from : i - 1;
    }
    return unclear(REPLY_NO_DECISION);
}

/* The whole. */

// What a model thought aloud is no answer: the text after the last thought.
// An open thought was cut; its text is no answer either.
static str without_thoughts(str text, reply_end *end)
{
    static const str open = S_INIT("<think>");
    static const str close = S_INIT("</think>");
    for (ptrdiff_t at; (at = str_find_fold(text, close, 0)) >= 0;) {
        text = str_skip(text, at + close.len);
    }
    if (str_starts_fold(str_trim(text), open)) {
        *end = REPLY_END_CUT;
        return (str){0};
    }
    return text;
}

static bool is_refusal(str text)
{
    static const str openings[] = {
        S_INIT("i'm sorry"),   S_INIT("i am sorry"), S_INIT("sorry,"),
        S_INIT("i cannot"),    S_INIT("i can't"),    S_INIT("i'm unable"),
        S_INIT("i am unable"), S_INIT("as an ai"),
    };
    for (ptrdiff_t i = 0; i < countof(openings); i++) {
        if (str_starts_fold(text, openings[i])) {
            return true;
        }
    }
    return false;
}

reply_reading reply_read(str text, reply_end end, arena scratch)
{
    text = str_trim(without_thoughts(text, &end));
    if (text.len == 0) {
        return unclear(end == REPLY_END_CUT ? REPLY_CUT : REPLY_EMPTY);
    }
    reply_words words = reply_words_of(&scratch, text);
    span all = {words.ptr, 0, words.len - 1};
    reply_reading r = read_markers(all, REPLY_DECISION);
    if (r.decision == DECISION_UNCLEAR) {
        r = read_markers(all, REPLY_THE_ANSWER_IS);
    }
    if (r.decision != DECISION_UNCLEAR) {
        // "THE ANSWER IS EQUIVALENT. ... So they are not equivalent."
        reply_reading s = read_sentences(all, read_claim, REPLY_SENTENCE);
        r.contradicts_self |= s.decision != DECISION_UNCLEAR
                              && s.decision != r.decision
                              && s.words.ptr > r.words.ptr;
        return r;
    }
    if (end == REPLY_END_CUT || is_refusal(text)) {
        return unclear(end == REPLY_END_CUT ? REPLY_CUT : REPLY_REFUSED);
    }
    r = read_beginning(all);
    if (r.decision == DECISION_UNCLEAR) {
        r = read_sentences(all, read_claim, REPLY_SENTENCE);
    }
    if (r.decision == DECISION_UNCLEAR) {
        r = read_sentences(all, read_differences, REPLY_DIFFERENCES);
    }
    return r;
}
