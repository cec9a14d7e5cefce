package shell

import "strings"

// twins are the short and long forms of one flag, in pairs, by program and sub-command, as
// their manuals have them. Those of the program itself are under the empty sub-command.
var twins = map[string]map[string]string{
	"git": {
		"commit": "-n --no-verify -a --all -m --message -s --signoff -S --gpg-sign -p --patch -q --quiet",
		"push":   "-f --force -n --dry-run -u --set-upstream -d --delete -q --quiet",
		"add":    "-A --all -f --force -p --patch -n --dry-run -u --update",
		"clean":  "-f --force -n --dry-run -i --interactive", "rm": "-f --force -n --dry-run",
		"branch": "-d --delete -f --force -m --move -a --all", "tag": "-d --delete -f --force -a --annotate -m --message",
		"checkout": "-f --force", "switch": "-f --force -c --create -C --force-create", "rebase": "-i --interactive",
		"fetch": "-p --prune -t --tags -f --force", "pull": "-r --rebase",
	},
	"rm":    {"": "-r --recursive -R --recursive -f --force"},
	"cp":    {"": "-r --recursive -R --recursive -f --force"},
	"chmod": {"": "-R --recursive"},
	"grep":  {"": "-r --recursive -i --ignore-case -n --line-number"},
	"sed":   {"": "-i --in-place"},
	"npm": {
		"install": "-g --global -D --save-dev -E --save-exact -f --force", "i": "-g --global -D --save-dev -E --save-exact -f --force",
		"ci": "-f --force", "uninstall": "-g --global",
	},
	"pnpm":   {"add": "-D --save-dev -g --global -w --workspace-root"},
	"yarn":   {"add": "-D --dev"},
	"pip":    {"install": "-r --requirement -U --upgrade -e --editable"},
	"pytest": {"": "-x --exitfirst -q --quiet -v --verbose"},
	"cargo":  {"": "-p --package -r --release -q --quiet"},
	"make":   {"": "-j --jobs -n --dry-run -B --always-make -C --directory -f --file"},
	"docker": {
		"run": "-i --interactive -t --tty -d --detach -v --volume -e --env -p --publish", "exec": "-i --interactive -t --tty -d --detach",
		"build": "-t --tag -f --file", "rm": "-f --force", "compose up": "-d --detach", "compose down": "-v --volumes",
	},
	"kubectl": {"": "-n --namespace -f --filename -o --output -A --all-namespaces -l --selector"},
	"helm":    {"": "-n --namespace -f --values"},
	"psql":    {"": "-h --host -p --port -U --username -d --dbname -f --file -c --command"},
	"curl":    {"": "-k --insecure -L --location -X --request -d --data -s --silent -H --header"},
}

// Twin returns the other form of a flag, the long one of a short one or the short one
// of a long one, empty where none is known.
func (c *Command) Twin(flag string) string {
	forms := twins[c.Program]
	for n := len(c.Sub); n >= 0 && forms != nil; n-- {
		text := forms[strings.Join(c.Sub[:n], " ")]
		if !strings.Contains(text, flag) {
			continue
		}
		pairs := strings.Fields(text)
		for i := 0; i < len(pairs); i += 2 {
			switch flag {
			case pairs[i]:
				return pairs[i+1]
			case pairs[i+1]:
				return pairs[i]
			}
		}
	}
	return ""
}
