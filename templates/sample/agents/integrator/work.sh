set -eu
mkdir -p "$BATON_OUTPUT_SITE"
echo 'reading both sides'
sleep 1
{
  echo '# Notes'
  echo
  tail -n 1 "$BATON_INPUT_BACKEND/notes.md"
  tail -n 1 "$BATON_INPUT_FRONTEND/notes.md"
} >"$BATON_OUTPUT_SITE/notes.md"
echo 'one set of notes'
printf '{"status": "success", "summary": "The notes of both sides are one."}\n' >"$BATON_RESULT_FILE"
