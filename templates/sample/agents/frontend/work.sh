set -eu
cp -R "$BATON_INPUT_SITE" "$BATON_OUTPUT_SITE"
for step in 'reading the plan' 'drawing the page' 'choosing the theme'; do
  echo "$step"
  sleep 0.8
done
sed -e 's/^theme = .*/theme = dark/' "$BATON_INPUT_SITE/config.ini" >"$BATON_OUTPUT_SITE/config.ini"
printf '<!doctype html>\n<title>Site</title>\n<h1>Welcome</h1>\n<p>Good to see you.</p>\n' >"$BATON_OUTPUT_SITE/index.html"
printf '# Notes\n\nThe theme is dark now.\n' >"$BATON_OUTPUT_SITE/notes.md"
echo 'frontend done'
printf '{"status": "success", "summary": "Dark theme, first page."}\n' >"$BATON_RESULT_FILE"
