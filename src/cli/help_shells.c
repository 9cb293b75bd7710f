/*
 * help_shells.c - scripts that complete our command lines in zsh and in fish,
 * with a word on each command and option.
 */
#include "cli/help.h"

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

// The inside of a text in quotes; a backslash before those of `special`.
static void add_quoted(buf *b, str text, const char *special)
{
    for (ptrdiff_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\'') {
            buf_add(b, S("'\\''"));
            continue;
        }
        if (str_find(str_from(special), (str){&text.ptr[i], 1}, 0) >= 0) {
            buf_char(b, '\\');
        }
        buf_char(b, c);
    }
}

static const char zsh_special[] = "[]:\\";
static const char fish_special[] = "\\";

static void add_zsh_value(buf *b, const opt_spec *spec, help_values v)
{
    if (v.kind == HELP_VALUE_NONE) {
        return;
    }
    buf_char(b, ':');
    add_quoted(b, spec->kind == OPT_KIND_CHOICE ? S("WORD") : spec->arg,
               zsh_special);
    if (v.kind == HELP_VALUE_WORD) {
        buf_printf(b, ":(%.*s)", STR_ARG(v.words));
    } else if (v.kind == HELP_VALUE_LIST) {
        buf_printf(b, ":_values -s , WORD %.*s", STR_ARG(v.words));
    } else {
        buf_add(b, v.kind == HELP_VALUE_FILE ? S(":_files") : S(": "));
    }
}

// '(-j --jobs)'{-j+,--jobs=}'[worker processes]:N: '
static void add_zsh_option(buf *b, command c, opt_id id)
{
    char memory[16384];
    arena a = {.next = memory, .end = memory + sizeof memory};
    const opt_spec *spec = opt_spec_at(id);
    help_values v = help_values_of(&a, id);
    bool has_value = v.kind != HELP_VALUE_NONE;
    buf_add(b, S("      "));
    if (spec->flags & OPT_REPEATS || spec->kind == OPT_KIND_LIST) {
        buf_add(b, S("'*'"));
    } else if (spec->letter) {
        buf_printf(b, "'(-%c --%.*s)'", spec->letter, STR_ARG(spec->name));
    }
    if (spec->letter) {
        buf_printf(b, "{-%c%s,--%.*s%s}", spec->letter, has_value ? "+" : "",
                   STR_ARG(spec->name), has_value ? "=" : "");
    } else {
        buf_printf(b, "--%.*s%s", STR_ARG(spec->name), has_value ? "=" : "");
    }
    buf_add(b, S("'["));
    add_quoted(b, in_short(help_option_text(&a, c, id)), zsh_special);
    buf_char(b, ']');
    add_zsh_value(b, spec, v);
    buf_add(b, S("' \\\n"));
}

static bool takes_files(command c)
{
    bool takes = command_operands(c) > 0;
    for (int id = 0; id < OPT_COUNT; id++) {
        takes |= opt_is_for((opt_id)id, c)
                 && opt_spec_at((opt_id)id)->flags & OPT_MANY;
    }
    return takes;
}

static void add_zsh_described(buf *b, str word, str line)
{
    buf_printf(b, "    '%.*s:", STR_ARG(word));
    add_quoted(b, line, zsh_special);
    buf_add(b, S("'\n"));
}

static void add_zsh_words(buf *b, const char *name, bool with_topics)
{
    buf_printf(b, "  local -a %s=(\n", name);
    for (int c = 0; c < COMMAND_COUNT; c++) {
        add_zsh_described(b, command_word((command)c),
                          command_line((command)c));
    }
    for (int t = 0; with_topics && t < HELP_TOPIC_COUNT; t++) {
        add_zsh_described(b, help_topic_word((help_topic)t),
                          help_topic_line((help_topic)t));
    }
    buf_add(b, S("  )\n"));
}

void help_completion_zsh(page *p)
{
    buf *b = &p->text;
    buf_add(b, S("#compdef assay\n"
                 "_assay() {\n"));
    add_zsh_words(b, "commands", false);
    add_zsh_words(b, "topics", true);
    buf_add(b, S("  if (( CURRENT == 2 )); then\n"
                 "    _describe -t commands command commands\n"
                 "    return\n"
                 "  fi\n"
                 "  shift words\n"
                 "  (( CURRENT-- ))\n"
                 "  case $words[1] in\n"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        buf_printf(b, "    %.*s) _arguments -s -S \\\n",
                   STR_ARG(command_word((command)c)));
        for (int id = 0; id < OPT_COUNT; id++) {
            if (opt_is_for((opt_id)id, (command)c)) {
                add_zsh_option(b, (command)c, (opt_id)id);
            }
        }
        buf_add(b, c == COMMAND_HELP
                       ? S("      '1:topic:{_describe topic topics}' ;;\n")
                   : takes_files((command)c) ? S("      '*:FILE:_files' ;;\n")
                                             : S("      ;;\n"));
    }
    buf_add(b, S("  esac\n"
                 "}\n"
                 "if [[ $funcstack[1] == _assay ]]; then\n"
                 "  _assay \"$@\"\n"
                 "else\n"
                 "  compdef _assay assay\n"
                 "fi\n"));
}

static void add_fish_described(buf *b, const char *when, str word, str line)
{
    buf_printf(b, "complete -c assay -n %s -f -a %.*s -d '", when,
               STR_ARG(word));
    add_quoted(b, line, fish_special);
    buf_add(b, S("'\n"));
}

static void add_fish_option(buf *b, command c, opt_id id)
{
    char memory[16384];
    arena a = {.next = memory, .end = memory + sizeof memory};
    const opt_spec *spec = opt_spec_at(id);
    help_values v = help_values_of(&a, id);
    buf_printf(b, "complete -c assay -n '__assay_is %.*s' -l %.*s",
               STR_ARG(command_word(c)), STR_ARG(spec->name));
    if (spec->letter) {
        buf_printf(b, " -s %c", spec->letter);
    }
    if (v.kind == HELP_VALUE_FILE) {
        buf_add(b, S(" -r -F"));
    } else if (v.kind == HELP_VALUE_FREE) {
        buf_add(b, S(" -x"));
    } else if (v.words.len > 0) {
        buf_printf(b,
                   v.kind == HELP_VALUE_LIST ? " -x -a '(__assay_list %.*s)'"
                                             : " -x -a '%.*s'",
                   STR_ARG(v.words));
    }
    buf_add(b, S(" -d '"));
    add_quoted(b, in_short(help_option_text(&a, c, id)), fish_special);
    buf_add(b, S("'\n"));
}

void help_completion_fish(page *p)
{
    buf *b = &p->text;
    buf_add(b, S("function __assay_is\n"
                 "    set -l words (commandline -opc)\n"
                 "    test (count $words) -gt 1\n"
                 "    and contains -- $words[2] $argv\n"
                 "end\n"
                 "function __assay_list\n"
                 "    set -l word (commandline -ct | string replace -r "
                 "'^--[a-z-]*=' '')\n"
                 "    set -l before (string match -r '^.*,' -- $word)\n"
                 "    printf '%s\\n' \"$before\"$argv\n"
                 "end\n"
                 "complete -c assay -n __fish_use_subcommand -f\n"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        str word = command_word((command)c);
        str line = command_line((command)c);
        add_fish_described(b, "__fish_use_subcommand", word, line);
        add_fish_described(b, "'__assay_is help'", word, line);
        if (!takes_files((command)c)) {
            buf_printf(b, "complete -c assay -n '__assay_is %.*s' -f\n",
                       STR_ARG(word));
        }
        for (int id = 0; id < OPT_COUNT; id++) {
            if (opt_is_for((opt_id)id, (command)c)) {
                add_fish_option(b, (command)c, (opt_id)id);
            }
        }
    }
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        add_fish_described(b, "'__assay_is help'",
                           help_topic_word((help_topic)t),
                           help_topic_line((help_topic)t));
    }
}
