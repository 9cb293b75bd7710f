#!/bin/sh
# lint_hardening.sh FILE... - are the built program and library as hard to abuse
# as meson.build asks for?
#
#   position    the code lies anywhere (PIE, or a shared library)
#   relro       the tables of the linker are filled at the start, then read-only
#   stack       no page of the stack is code
#   canary      functions with arrays see an overwritten frame
#   fortify     copies into buffers of known size are checked
#   branches    indirect branches land where they may (IBT, BTI), and returns
#               where they came from (SHSTK, PAC); only where the compiler's own
#               start files have it, for one object without it turns it off
set -eu

failed=0
complain() {
    echo "$1: $2"
    failed=1
}

# has FILE TABLE PATTERN: does readelf show it?
has() {
    readelf -W "$2" "$1" 2>/dev/null | grep -Eq "$3"
}

for file in "$@"; do
    has "$file" -h 'Type: +DYN' || complain "$file" 'not position independent'
    has "$file" -l 'GNU_RELRO' || complain "$file" 'no RELRO'
    has "$file" -d 'BIND_NOW|FLAGS.* NOW' || complain "$file" 'RELRO is partial'
    has "$file" -l 'GNU_STACK .* RW ' || complain "$file" 'the stack is code'
    has "$file" -s '__stack_chk_fail' || complain "$file" 'no stack protector'
    has "$file" -s '__(memcpy|snprintf|vsnprintf|memset|read)_chk' ||
        complain "$file" 'not fortified'
    if has "$(cc -print-file-name=crti.o)" -n 'IBT, SHSTK|BTI, PAC'; then
        has "$file" -n 'IBT, SHSTK|BTI, PAC' ||
            complain "$file" 'branches are not guarded'
    fi
done
exit $failed
