set -eu
echo "reading $BATON_INPUT_SITE"
sleep 1
ls "$BATON_INPUT_SITE"
{
  echo '# Plan'
  echo
  echo '- backend: serve on port 9090, switch the cache on'
  echo '- frontend: a dark theme and a real first page'
  echo '- tester: check the settings'
  echo '- integrator: one site out of both'
} >"$BATON_OUTPUT_PLAN"
echo 'plan written'
printf '{"status": "success", "summary": "Planned four pieces of work.", "metrics": {"pieces": 4}}\n' >"$BATON_RESULT_FILE"
