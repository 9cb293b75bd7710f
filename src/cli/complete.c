/*
 * complete.c - see complete.h.
 *
 * Method      What comes next depends on the command and on the last option
 *             before the cursor, while its values are not all there. Words come
 *             from the tables that parsing reads; the shell shows a candidate
 *             with the first clause of its help text.
 *
 * Cost        One start of the program for each TAB: some milliseconds.
 */
#include "cli/complete.h"

#include "cli/opt_value.h"

typedef struct completing {
    buf *out;
    arena *a;
    command command;
    str before;  // each candidate: what is typed and stays
    str typed;   // of the word at the cursor
} completing;

// What a text says before it goes into details.
static str in_short(str text)
{
    static const str ends[] = {S_INIT(";"), S_INIT(" ("), S_INIT(" [")};
    for (ptrdiff_t i = 0; i < countof(ends); i++) {
        ptrdiff_t at = str_find(text, ends[i], 0);
        text = at < 0 ? text : str_sub(text, 0, at);
    }
    return text;
}

static void add(const completing *k, str word, str text)
{
    if (str_starts(word, k->typed)) {
        buf_printf(k->out, "%.*s%.*s\t%.*s\n", STR_ARG(k->before),
                   STR_ARG(word), STR_ARG(in_short(text)));
    }
}

static void add_commands(const completing *k)
{
    for (int c = 0; c < COMMAND_COUNT; c++) {
        add(k, command_word((command)c), command_of((command)c)->line);
    }
}

// `k.typed` is without its dashes.
static void add_options(completing k)
{
    k.before = S("--");
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, k.command)) {
            add(&k, opt_spec_at((opt_id)id)->name,
                help_option_text(k.a, k.command, (opt_id)id));
        }
    }
}

static void add_values(completing k, opt_id id)
{
    const opt_spec *spec = opt_spec_at(id);
    str_list words = opt_value_words(k.a, id, k.command);
    bool is_list = words.len > 0 && spec->kind == OPT_KIND_LIST;
    while (is_list && str_find(k.typed, S(","), 0) >= 0) {
        str one = str_cut(&k.typed, ',');
        k.before =
            arena_printf(k.a, "%.*s%.*s,", STR_ARG(k.before), STR_ARG(one));
    }
    for (ptrdiff_t i = 0; i < words.len; i++) {
        add(&k, words.ptr[i], (str){0});
    }
    bool is_file = id == OPT_PROMPT
                   || str_among(spec->arg, "FILE DIR SOURCE JOURNAL RUN.jsonl");
    buf_add(k.out, is_list         ? S(":list\n")
                   : words.len > 0 ? S("")
                   : is_file       ? S(":files\n")
                                   : S(":none\n"));
}

static void add_operands(const completing *k)
{
    if (k->command == COMMAND_HELP) {
        add_commands(k);
        for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
            add(k, help_topic_word((help_topic)t),
                help_topic_line((help_topic)t));
        }
    } else if (command_of(k->command)->operands > 0) {
        buf_add(k->out, S(":files\n"));
    } else {
        add_options(*k);
    }
}

// The option that the word names; -1: none.
static int option_of(command c, str word)
{
    return str_starts(word, S("--")) ? opt_named(c, str_skip(word, 2))
           : word.len == 2 && word.ptr[0] == '-' ? opt_lettered(c, word.ptr[1])
                                                 : -1;
}

// The option whose value comes next after the words, -1: none does.
static int pending_option(command c, const str_list *words)
{
    ptrdiff_t i = words->len - 1;
    while (i > 0 && !str_starts(words->ptr[i], S("-"))) {
        i--;
    }
    int id = i > 0 ? option_of(c, words->ptr[i]) : -1;
    bool is_due =
        id >= 0
        && (i == words->len - 1 || opt_spec_at((opt_id)id)->flags & OPT_MANY);
    return is_due && opt_spec_at((opt_id)id)->kind != OPT_KIND_FLAG ? id : -1;
}

void complete_words(buf *out,
                    const char *const *words,
                    ptrdiff_t n,
                    arena scratch)
{
    completing k = {.out = out, .a = &scratch};
    str_list done = {0};  // the words before the cursor
    for (ptrdiff_t i = 0; i < n; i++) {
        bool is_sign = strcmp(words[i], "=") == 0;
        k.typed = is_sign ? (str){0} : str_from(words[i]);
        if (i < n - 1 && !is_sign) {
            *vec_push(&scratch, &done) = k.typed;
        }
    }
    if (done.len == 0) {
        add_commands(&k);
        add(&k, S("--help"), S("explain assay"));
        add(&k, S("--version"), S("print the version"));
        return;
    }
    if (!command_from_word(done.ptr[0], &k.command)) {
        return;
    }
    int id = pending_option(k.command, &done);
    str value = k.typed;
    str name = str_cut(&value, '=');
    if (str_starts(k.typed, S("--")) && value.ptr) {
        // --option=value as one word, as zsh and fish leave it.
        id = option_of(k.command, name);
        k.before = arena_printf(&scratch, "%.*s=", STR_ARG(name));
        k.typed = value;
    } else if (str_starts(k.typed, S("-"))) {
        k.typed = str_skip(k.typed, str_starts(k.typed, S("--")) ? 2 : 1);
        add_options(k);
        return;
    }
    if (id >= 0) {
        add_values(k, (opt_id)id);
    } else {
        add_operands(&k);
    }
}

void complete_script_bash(doc *d)
{
    doc_add(d, DOC_TEXT,
            S("_assay() {\n"
              "  local line\n"
              "  COMPREPLY=()\n"
              "  while IFS= read -r line; do\n"
              "    case $line in\n"
              "    :files) ;;\n"
              "    :list) compopt -o nospace 2>/dev/null ;;\n"
              "    :none) compopt +o default 2>/dev/null ;;\n"
              "    *) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
              "    esac\n"
              "  done < <(\"${1:-assay}\" __complete "
              "\"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
              "}\n"
              "complete -o default -F _assay assay\n"));
}

void complete_script_zsh(doc *d)
{
    doc_add(d, DOC_TEXT,
            S("#compdef assay\n"
              "_assay() {\n"
              "  local line\n"
              "  local -a found blank\n"
              "  for line in ${(f)\"$(\"$words[1]\" __complete "
              "\"${(@)words[2,CURRENT]}\" 2>/dev/null)\"}; do\n"
              "    case $line in\n"
              "    :files) _files; return ;;\n"
              "    :list) blank=(-S '') ;;\n"
              "    :none) ;;\n"
              "    *) "
              "found+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
              "    esac\n"
              "  done\n"
              "  _describe assay found $blank\n"
              "}\n"
              "if [[ $funcstack[1] == _assay ]]; then\n"
              "  _assay \"$@\"\n"
              "else\n"
              "  compdef _assay assay\n"
              "fi\n"));
}

void complete_script_fish(doc *d)
{
    doc_add(d, DOC_TEXT,
            S("function __assay_complete\n"
              "    set -l words (commandline -opc)\n"
              "    set -l program $words[1]\n"
              "    set -e words[1]\n"
              "    set -l typed (commandline -ct)\n"
              "    set -q typed[1]; or set typed ''\n"
              "    set -l found ($program __complete $words $typed "
              "2>/dev/null)\n"
              "    if contains -- :files $found\n"
              "        __fish_complete_path $typed\n"
              "    end\n"
              "    string match -v ':*' -- $found\n"
              "end\n"
              "complete -c assay -f -a '(__assay_complete)'\n"));
}
