layout=$1
fresh repo
lessons init --yes --agent claude --layout "$layout" >/dev/null
mkdir -p .git/lessons
cp ../log.jsonl .git/lessons/learning-log.jsonl
part dry-run
say lessons render --dry-run
part render
say lessons render --json
commit Rendered
part tree
files
part log
cat .git/lessons/learning-log.jsonl
say lessons render
git status --porcelain
part commands
for command in index 'index --json' list 'list --json' 'list --observations' 'list --observations --json --sort confidence' 'list --sort title' check \
	'check --json' 'reconcile --json' trust 'trust --yes' compile 'search test' 'search --json port' 'log --json' log; do
	say lessons $command
done
part export
say lessons export
part markdown
say lessons export --format markdown
part show
for id in ADR-001 PF-001 PF-002 $(ls .lessons/*.md | head -4) .lessons/skills/*/SKILL.md .claude/commands/self-learning/*.md $(grep -o 'obs_[a-z0-9]*' .git/lessons/learning-log.jsonl | LC_ALL=C sort -u | head -6); do
	say lessons show "$id"
	say lessons show --json "$id"
	say lessons blame "$id"
done
part folders
mkdir ../madr ../skills
say lessons export --format madr ../madr
say lessons export --format skills ../skills
(cd ../madr && files)
(cd ../skills && files)
