set -eu
echo "attempt $BATON_ATTEMPT"
sleep 1
if [ "$BATON_ATTEMPT" = 1 ]; then
  echo 'the test bench was not ready' >&2
  exit 1
fi
printf '# Tests\n\n- the plan names every piece of work: passed\n' >"$BATON_OUTPUT_TESTS"
echo '1 passed'
