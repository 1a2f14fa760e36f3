#!/bin/sh
# One hook event of Claude Code, noted as one line: receipt.sh EVENT [TOOL]. Line format: docs/receipts.md.
# Builtins only, so that it costs a shell's start and no more. Stdout goes to the model, so it stays empty unless
# an order waits for this session; the end is 0, except to block a compaction. It can also be sourced
# (`set -- Stop; . receipt.sh`), which saves the second shell.

event=$1 tool=$2 line='' payload=null blocked='' order='' ordered=''
newline='
'

# The shell reads a socket byte by byte (0.4 ms per kB), and cannot stop in between. So payloads that may be
# huge or hold what tools saw are not read at all; Claude Code does not mind an unread stdin.
most=16000
case $event in
  Stop | PostToolUse) most=0 ;;
  UserPromptSubmit) most=99999999 ;;
  PermissionRequest)
    case $tool in Write | Edit | MultiEdit | NotebookEdit) most=0 ;; esac ;;
  SessionStart | SessionEnd | StopFailure | PreCompact | Notification) ;;
  *) exit 0 ;;
esac

if [ "$most" -gt 0 ]; then
  IFS= read -r line 2>/dev/null
  # Anything that is not one whole object would make the receipt unreadable too.
  case $line in
    '{'*'}') [ "${#line}" -le "$most" ] && payload=$line ;;
  esac
fi

# The file begins with the number of the process that holds compaction back: with its holder gone it means nothing.
if [ "$event" = PreCompact ] && [ -n "$BATON_BLOCK_COMPACT" ] && [ -f "$BATON_BLOCK_COMPACT" ]; then
  holder=''
  { IFS=' ' read -r holder more <"$BATON_BLOCK_COMPACT"; } 2>/dev/null
  case $holder in
    '' | *[!0-9]*) ;;
    *) kill -0 "$holder" 2>/dev/null && blocked=',"blocked":true' ;;
  esac
fi

word() {
  case $1 in
    '' | *[!A-Za-z0-9%_.:-]*) word=null ;;
    *) word="\"$1\"" ;;
  esac
}
word "$tool"; tool=$word
word "$BATON_PANE"; pane=$word
word "$CLAUDE_CODE_SESSION_ID"; session=$word

# An order for this session: line 1 its name, 2 the session, 3 the words for Stop, 4 those for PostToolUse. Of hooks
# that run at once, and of hook and watchdog, the one that makes NAME has it: a file is made only once.
take() {
  { IFS= read -r name && IFS= read -r whom && IFS= read -r atstop && IFS= read -r attool; } <"$BATON_ORDER" || return
  case $name in '' | *[!A-Za-z0-9._-]*) return ;; esac
  [ -n "$whom" ] && [ "$whom" = "$CLAUDE_CODE_SESSION_ID" ] || return
  if [ "$event" = PostToolUse ]; then
    # A subagent's tools report here too, and it must not take what is meant for its master.
    IFS= read -r line
    case $line in *'"agent_id":'*) return ;; '{'*'}') ;; *) return ;; esac
    atstop=$attool
  fi
  umask 077
  set -C
  # `true`, because a redirection that fails would end the shell with `:`.
  if true >"$BATON_ORDER.$name"; then
    order=$atstop ordered=",\"ordered\":\"$name\""
  fi
  set +C
}
if [ -n "$BATON_ORDER" ] && [ -s "$BATON_ORDER" ]; then
  case $event in Stop | PostToolUse) take 2>/dev/null ;; esac
fi

# Our own fields stand last: of two equal keys the last one counts. The newline is part of the argument,
# because dash then writes the line with one call, whatever its length. A pipe nobody reads would block us.
if [ -n "$BATON_RECEIPTS" ] && { [ -f "$BATON_RECEIPTS" ] || [ ! -e "$BATON_RECEIPTS" ]; }; then
  umask 077
  own="\"event\":\"$event\",\"tool\":$tool,\"pane\":$pane,\"session_id\":$session$blocked$ordered"
  { printf %s "{\"payload\":$payload,$own}$newline" >>"$BATON_RECEIPTS"; } 2>/dev/null
fi

if [ -n "$blocked" ]; then
  printf '%s\n' 'Baton holds compaction back: the work is handed over to a fresh session instead.' >&2
  exit 2
fi
[ -z "$order" ] || printf '%s\n' "$order"
exit 0
