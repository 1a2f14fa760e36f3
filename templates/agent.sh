#!/bin/sh
# Starts one attempt of an agent as the pane's own command:
#   agent.sh MARK CWD STDOUT STDERR COMMAND [ARG...]
# MARK.started is made first and never twice: an attempt that began is never begun again.
# MARK.exit gets the exit code, since tmux 3.3a loses it for some panes.
# stdout and stderr go to their own files and to the pane.
mark=$1 cwd=$2 out=$3 err=$4
shift 4
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
exec 5>&1
# When the tree is asked to end, only the agent does: its code is still recorded, its last words still kept.
{
  {
    trap : TERM
    "$@" 4>&- 5>&-
    echo "$?" >"$mark.exit"
  } 2>&1 >&4 | (trap '' TERM && exec tee -a "$err") >&5 4>&-
} 4>&1 | (trap '' TERM && exec tee -a "$out")
