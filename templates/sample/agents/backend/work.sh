set -eu
cp -R "$BATON_INPUT_SITE" "$BATON_OUTPUT_SITE"
for step in 'reading the plan' 'changing the port' 'switching the cache on'; do
  echo "$step"
  sleep 0.7
done
sed -e 's/^port = .*/port = 9090/' -e 's/^cache = .*/cache = on/' "$BATON_INPUT_SITE/config.ini" >"$BATON_OUTPUT_SITE/config.ini"
printf '# Notes\n\nThe server listens on 9090.\n' >"$BATON_OUTPUT_SITE/notes.md"
printf 'GET /health\n' >"$BATON_OUTPUT_SITE/api.txt"
echo 'backend done'
printf '{"status": "success", "summary": "Port 9090, cache on, one route."}\n' >"$BATON_RESULT_FILE"
