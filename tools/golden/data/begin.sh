# A repository in which lessons rendered what was ready, and a person committed it.
fresh repo
git config commit.gpgsign false
echo '# A project' >README.md
commit Begin
lessons init --yes --agent claude --layout "$layout" >/dev/null
mkdir -p .git/lessons
grep -v 'obs_tool00000[1-5]' ../log.jsonl >.git/lessons/learning-log.jsonl
lessons render >/dev/null
commit 'Add what was rendered'
lessons reconcile >/dev/null
if [ "$layout" = book ]; then manifest=.memory/.learning-manifest.json; else manifest=.memory/manifest; fi
lesson=$(ls .lessons/pytest-*.md)
