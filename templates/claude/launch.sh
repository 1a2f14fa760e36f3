#!/bin/sh
# Starts Claude Code as the pane's own command:  launch.sh MARK CWD COMMAND [ARG...]
# MARK.started is made first and never twice; MARK.exit gets the exit code. Unlike agent.sh it leaves the
# terminal to the program: Claude Code draws on it.
mark=$1 cwd=$2
shift 2
BATON_PANE=$TMUX_PANE
export BATON_PANE
unset TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION
set -C
{ echo "$$" >"$mark.started"; } 2>/dev/null || exit 97
set +C
if ! cd "$cwd"; then
  echo 126 >"$mark.exit"
  exit 126
fi
"$@"
echo "$?" >"$mark.exit"
