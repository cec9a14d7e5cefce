# What the scripts share.
say() {
	echo "\$ $*"
	"$@"
	status=$?
	[ $status = 0 ] || echo "[exit status $status]"
}
# part begins another file of the output.
part() { echo "=== $1"; }
clock=1774000000
commit() {
	clock=$((clock + 3600))
	git add -A
	GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git commit -q --allow-empty -m "$1"
}
files() {
	find . -type f -not -path './.git/*' -not -name .git | LC_ALL=C sort | while read -r f; do
		echo "-- $f --"
		cat "$f"
	done
}
fresh() {
	git init -q --template= --initial-branch=main "$1"
	mkdir -p "$1/.git/lessons" && echo one >"$1/.git/lessons/clone-key" # names of files end in what follows from it
	cd "$1"
}
# judge asks reconcile, has it write, and asks again.
judge() {
	say lessons reconcile --json
	say lessons reconcile
	say lessons reconcile --write --json
	git status --porcelain | sed 's/^/git: /'
	git diff -- .memory | sed -n '/^[-+]/p'
	sed 's/^/ledger: /' .git/lessons/ledger.jsonl 2>/dev/null | grep -v '"event":"seen"'
	echo "seen: $(grep -c '"event":"seen"' .git/lessons/ledger.jsonl 2>/dev/null)"
	say lessons reconcile --json
	say lessons render --json
}
look() { say lessons reconcile --json; }
# hook AGENT EVENT JSON
hook() {
	echo "\$ lessons-hook $1 $2 $3"
	printf %s "$3" | lessons-hook "$1" "$2"
	echo "[exit status $?]"
}
# call TOOL INPUT: before a tool call, in session $session.
call() { hook claude PreToolUse "{\"session_id\":\"$session\",\"cwd\":\"$PWD\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"$1\",\"tool_input\":$2,\"tool_use_id\":\"t$n\"}"; n=$((n + 1)); }
bash() { call Bash "{\"command\":\"$1\",\"description\":\"d\"}"; }
ran() { hook claude PostToolUse "{\"session_id\":\"$session\",\"cwd\":\"$PWD\",\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"$1\",\"tool_input\":$2,\"tool_response\":{\"stdout\":\"ok\",\"stderr\":\"\"},\"tool_use_id\":\"t$n\"}"; n=$((n + 1)); }
failed() { hook claude PostToolUseFailure "{\"session_id\":\"$session\",\"cwd\":\"$PWD\",\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"$1\",\"tool_input\":$2,\"error\":\"$3\",\"tool_use_id\":\"t$n\"}"; n=$((n + 1)); }
session=s1
n=1
