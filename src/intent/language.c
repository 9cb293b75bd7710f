/*
 * language.c - see language.h.
 *
 * Why         A question that has none of our English words for an order may
 *             well ask for one, in French. So English is recognised by what
 *             hardly any English question does without, not by those words.
 *
 * Method      The words of a question are weighed. Words of grammar that only
 *             English has ("the", "which", "sorted") speak for it, and half as
 *             much those that others have, too ("in", "total"), and plurals
 *             that a question may consist of ("songs"). Words of grammar of
 *             other languages speak against it, words with letters beyond
 *             ASCII, and each word in another script; scripts without blanks
 *             have a word every three letters. What is quoted, numbers, names
 *             with `_` and capitals in the middle of a sentence do not count,
 *             unless there is nothing else: they may be values and columns in
 *             any language. It is English when that makes three tenths of the
 *             words.
 *
 *             Of 11,638 English questions (Spider, BIRD, Defog, EHRSQL) 13 are
 *             not recognised. Of 255 in 41 other languages and ways to write
 *             them, which were also tried in small letters and without accents,
 *             none is taken for English.
 *
 * Cost        Linear in the question, times the lists: some microseconds.
 */
#include "intent/language.h"

#include "base/utf8.h"

enum {
    LETTERS_A_WORD = 3,  // where no blanks part words
    LEAST_TENTHS = 3,    // of the words, for English
};

static const char ENGLISH[] =
    "about above after ages alphabetical alphabetically among and any are "
    "arrange arranged ascending average been before being below best between "
    "bigger biggest "
    "both but calculate called can cheapest chronological chronologically "
    "compute could days descending "
    "determine did different display does during each earliest eight either "
    "every exclude fastest fewer fewest find first five four from get give "
    "given greater greatest having higher highest his how identify include "
    "including instead into its just larger largest latest least leave less "
    "list listed longer longest lower lowest made many months more most "
    "much must names neither newest next nine not now numbers older oldest "
    "ones only ordered other our ours out people please previous provide "
    "rank ranked retrieve return same seven she shorter shortest should show "
    "shows since six smaller smallest some sort sorted such tell than that the "
    "their them then there these they third this those three through two "
    "used using were what when where whether which while who whose why will "
    "with within without worst would years you younger youngest your";

static const char ENGLISH_AND_OTHERS[] =
    "accounts addresses all also an artists as at authors be books by cards "
    "channels cities clubs companies count countries courses customers "
    "daily dates departments do documents dogs employees females flights "
    "for games had has have he her him if in is it last live locations "
    "males matches me members monthly movies my name new no number of off "
    "old on one or order orders over patients per players points prices "
    "products races rates results rooms salaries schools second ships "
    "singers songs stations students teachers teams tests titles to total "
    "tracks under up users was we wines yearly";

// German, Dutch and Scandinavian; French; Spanish, Portuguese, Italian and
// Romanian; Polish, Czech and Turkish; Indonesian, and Vietnamese as typed
// without its marks.
static const char OTHERS[] =
    "der das und ist sind mit von aus nach aller alle alles jeder jede "
    "jedes jedem welche welcher welches wie viele zeige zeig nenne liste "
    "gib finde haben nicht sich oder auch ihre ihren eine einen einer einem "
    "het een zijn met voor naar elke welke hoeveel toon geef lijst niet hun "
    "van och till med hur visa alla vilka som vis hvor hvilke og af den det "
    "fra hver "
    "les des une du dans sur avec pour sont est quels quelle quelles quel "
    "donne donner donnez affiche afficher affichez trouve trouver montre "
    "montrez leur leurs chaque tous toutes combien nombre noms nom et ou qui "
    "selon "
    "el los las de del la una por para con que cada todos todas cuantos "
    "muestra mostrar lista listar dame encuentra cual tienen segun nombres "
    "nombre os dos das um uma em com quais qual quantos mostre exiba encontre "
    "nome nomes mais ordem seu sua il gli di della dei delle degli nel che "
    "sono ogni quanti mostra elenca trova quali nomi tutti tutte si din "
    "pentru sunt numele "
    "jest dla ktore oraz pokaz podaj ile wszystkie wszystkich ve bir icin "
    "gore hangi kac tum listele goster nedir "
    "dan yang dari semua untuk dengan setiap berapa tampilkan daftar nama "
    "menurut berdasarkan liet ke cua tat cac theo nhung trong bao nhieu tuoi";

// How the letters of a word are told from those of the next.
typedef enum script {
    SCRIPT_NONE,  // no letter, digit or _
    SCRIPT_LATIN,
    SCRIPT_BLANKS,  // another one, with blanks between words
    SCRIPT_DENSE,   // without: Chinese, Japanese, Thai
} script;

typedef struct weights {
    ptrdiff_t english;  // twice, so that others' words are half
    ptrdiff_t others;   // likewise
    ptrdiff_t words;
} weights;

static script script_of(int32_t c)
{
    if (!utf8_is_word(c)) {
        return SCRIPT_NONE;
    }
    if (c < 0x370 || (c >= 0x1E00 && c <= 0x1EFF)) {
        return SCRIPT_LATIN;
    }
    return utf8_is_dense(c) ? SCRIPT_DENSE : SCRIPT_BLANKS;
}

static script script_at(str text, ptrdiff_t i)
{
    ptrdiff_t size;
    return i < text.len ? script_of(utf8_char_at(text, i, &size)) : SCRIPT_NONE;
}

// The offset after the quotation that begins at i; i when none does. The
// apostrophe of "singers' names" does not, nor does one in "singer's" end one.
static ptrdiff_t quotation_end(str text, ptrdiff_t i)
{
    static const struct {
        str open;
        str close;
    } marks[] = {
        {S_INIT("'"), S_INIT("'")},   {S_INIT("\""), S_INIT("\"")},
        {S_INIT("`"), S_INIT("`")},   {S_INIT("“"), S_INIT("”")},
        {S_INIT("„"), S_INIT("“")},   {S_INIT("„"), S_INIT("”")},
        {S_INIT("”"), S_INIT("”")},   {S_INIT("‘"), S_INIT("’")},
        {S_INIT("«"), S_INIT("»")},   {S_INIT("»"), S_INIT("«")},
        {S_INIT("‹"), S_INIT("›")},   {S_INIT("「"), S_INIT("」")},
        {S_INIT("『"), S_INIT("』")}, {S_INIT("《"), S_INIT("》")},
    };
    bool is_inside =
        i > 0 && script_of(utf8_char_before(text, i)) == SCRIPT_LATIN;
    for (ptrdiff_t k = 0; k < countof(marks) && !is_inside; k++) {
        str close = marks[k].close;
        if (!str_starts(str_skip(text, i), marks[k].open)) {
            continue;
        }
        ptrdiff_t at = str_find(text, close, i + marks[k].open.len);
        while (at >= 0 && script_at(text, at + close.len) == SCRIPT_LATIN) {
            at = str_find(text, close, at + close.len);
        }
        if (at >= 0) {
            return at + close.len;
        }
    }
    return i;
}

// The offset after the word that begins at i.
static ptrdiff_t word_end(str text, ptrdiff_t i)
{
    script s = script_at(text, i);
    ptrdiff_t size = 0;
    while (i < text.len && script_of(utf8_char_at(text, i, &size)) == s) {
        i += size;
    }
    return i;
}

static bool is_capital(str word, arena scratch)
{
    ptrdiff_t size;
    utf8_char_at(word, 0, &size);
    str first = str_sub(word, 0, size);
    return !str_equal(utf8_lower(&scratch, first), first);
}

static bool is_identifier(str word)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < word.len && !found; i++) {
        found = is_digit(word.ptr[i]) || word.ptr[i] == '_';
    }
    return found;
}

static void weigh_latin(weights *w, str word)
{
    w->words++;
    if (str_among_fold(word, ENGLISH)) {
        w->english += 2;
    } else if (str_among_fold(word, ENGLISH_AND_OTHERS)) {
        w->english++;
    } else if (str_among_fold(word, OTHERS) || !utf8_is_ascii(word)) {
        w->others += 2;
    }
}

static void weigh_word(weights *w, str word, script s)
{
    if (s == SCRIPT_DENSE) {
        w->words++;
        w->others +=
            2 * ((utf8_count(word) + LETTERS_A_WORD - 1) / LETTERS_A_WORD);
    } else if (s == SCRIPT_BLANKS) {
        w->words++;
        w->others += 2;
    } else if (word.len > 1 && !is_identifier(word)) {
        weigh_latin(w, word);
    }
}

// With quotations and names, or without.
static weights weigh(str text, bool with_names, arena scratch)
{
    weights w = {0};
    bool is_first = true;  // of its sentence
    ptrdiff_t i = 0;
    while (i < text.len) {
        script s = script_at(text, i);
        ptrdiff_t end = s == SCRIPT_NONE && !with_names ? quotation_end(text, i)
                                                        : word_end(text, i);
        if (s != SCRIPT_NONE) {
            str word = str_sub(text, i, end);
            if (with_names || is_first || !is_capital(word, scratch)) {
                weigh_word(&w, word, s);
            }
            is_first = false;
        } else if (end == i || with_names) {
            ptrdiff_t size;
            utf8_char_at(text, i, &size);
            bool is_stop = memchr(".?!;:", text.ptr[i], 5) != NULL;
            is_first = is_first || is_stop;
            end = i + size;
        }
        i = end;
    }
    return w;
}

bool language_is_known(str question, arena scratch)
{
    str text = utf8_nfc(&scratch, question);
    weights w = weigh(text, false, scratch);
    if (w.english == 0 && w.others == 0) {
        w = weigh(text, true, scratch);
    }
    return w.words > 0 && (w.english - w.others) * 10 >= w.words * LEAST_TENTHS;
}
