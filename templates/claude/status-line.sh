#!/bin/sh
# The status line of Claude Code in a Baton pane: keeps the JSON it is given aside as the pane's record, prints
# `context: 45.2k tokens (23%)`, then the user's own status line. Our part uses builtins only and ends with 0
# whatever it is fed; only a configured status line of the user starts programs, with a time limit.

exec 2>/dev/null
line='' tokens='' window='' percent='' new=''
newline='
'
IFS= read -r line

# Whole numbers only: a leading zero would be octal, more digits would overflow.
number() {
  case $1 in
    '' | *[!0-9]* | 0?* | ????????????????*) return 1 ;;
  esac
}

# A key counts only right after a separator: inside a JSON string its quote would stand behind a backslash.
# Splitting is linear in the payload's length; ${line#*pattern} would be quadratic.
parse() {
  set -f
  IFS=',{}'
  # shellcheck disable=SC2086
  set -- $line
  unset IFS
  set +f
  for part do
    case $part in
      '"total_input_tokens":'*) [ -n "$tokens" ] || tokens=${part#*:} ;;
      '"context_window_size":'*) [ -n "$window" ] || window=${part#*:} ;;
      '"used_percentage":'*) [ -n "$percent" ] || percent=${part#*:} ;;
      '"current_usage":null') new=yes ;;
    esac
  done
}

# One decimal, rounded: 45203 is 45.2k, 999950 is 1.0M.
say() {
  if [ "$tokens" -lt 999950 ]; then
    tenths=$(((tokens + 50) / 100)) unit=k
  else
    tenths=$(((tokens + 50000) / 100000)) unit=M
  fi
  share=${percent%%.*}
  if ! number "$share" && number "$window" && [ "$window" -gt 0 ]; then
    share=$(((tokens * 100 + window / 2) / window))
  fi
  if number "$share"; then share=" ($share%)"; else share=''; fi
  printf '%s\n' "context: $((tenths / 10)).$((tenths % 10))$unit tokens$share"
}

case $line in
  '{'*'}')
    parse
    if [ -n "$BATON_STATUS_RECORD" ] && { [ -f "$BATON_STATUS_RECORD" ] || [ ! -e "$BATON_STATUS_RECORD" ]; }; then
      # Written over the old one with one write, and not emptied before: a reader never meets a moment without a
      # record (a rename would cost a process). Behind the newline the rest of a longer old one may stand.
      printf %s "$line$newline" 1<>"$BATON_STATUS_RECORD"
    fi ;;
esac

if [ -n "$new" ]; then
  printf '%s\n' 'context: new'
elif number "$tokens"; then
  say
else
  printf '%s\n' 'context: unknown'
fi

# The user's program writes to a file, not to our stdout: whatever it leaves running cannot hold the pane up.
theirs() {
  out=$BATON_STATUS_RECORD.user
  if command -v timeout >/dev/null; then
    printf '%s\n' "$line" | timeout -k 0.2 "$limit" /bin/sh -c "$BATON_USER_STATUS_LINE" >"$out"
  else
    printf '%s\n' "$line" | /bin/sh -c "$BATON_USER_STATUS_LINE" >"$out" &
    child=$!
    { sleep "$limit"; kill -9 "$child"; } >/dev/null &
    watch=$!
    wait "$child"
    kill "$watch"
  fi
  shown=0
  while [ "$shown" -lt 3 ] && { IFS= read -r row || [ -n "$row" ]; }; do
    printf '%s\n' "$row"
    shown=$((shown + 1))
  done <"$out"
}

if [ -n "$BATON_USER_STATUS_LINE" ] && [ -n "$BATON_STATUS_RECORD" ]; then
  limit=${BATON_USER_STATUS_LIMIT:-1}
  theirs
fi
exit 0
