package shell

import "strings"

// twins are the short and long forms of one flag, in pairs, by program or by program
// and sub-command, as their manuals have them.
var twins = map[string]string{
	"git commit": "-n --no-verify -a --all -m --message -s --signoff -S --gpg-sign -p --patch -q --quiet",
	"git push":   "-f --force -n --dry-run -u --set-upstream -d --delete -q --quiet",
	"git add":    "-A --all -f --force -p --patch -n --dry-run -u --update",
	"git clean":  "-f --force -n --dry-run -i --interactive", "git rm": "-f --force -n --dry-run",
	"git branch": "-d --delete -f --force -m --move -a --all", "git tag": "-d --delete -f --force -a --annotate -m --message",
	"git checkout": "-f --force", "git switch": "-f --force -c --create -C --force-create", "git rebase": "-i --interactive",
	"git fetch": "-p --prune -t --tags -f --force", "git pull": "-r --rebase",
	"rm": "-r --recursive -R --recursive -f --force", "cp": "-r --recursive -R --recursive -f --force", "chmod": "-R --recursive",
	"grep": "-r --recursive -i --ignore-case -n --line-number", "sed": "-i --in-place",
	"npm install": "-g --global -D --save-dev -E --save-exact -f --force", "npm i": "-g --global -D --save-dev -E --save-exact -f --force",
	"npm ci": "-f --force", "npm uninstall": "-g --global", "pnpm add": "-D --save-dev -g --global -w --workspace-root", "yarn add": "-D --dev",
	"pip install": "-r --requirement -U --upgrade -e --editable", "pytest": "-x --exitfirst -q --quiet -v --verbose",
	"cargo": "-p --package -r --release -q --quiet", "make": "-j --jobs -n --dry-run -B --always-make -C --directory -f --file",
	"docker run": "-i --interactive -t --tty -d --detach -v --volume -e --env -p --publish", "docker exec": "-i --interactive -t --tty -d --detach",
	"docker build": "-t --tag -f --file", "docker rm": "-f --force", "docker compose up": "-d --detach", "docker compose down": "-v --volumes",
	"kubectl": "-n --namespace -f --filename -o --output -A --all-namespaces -l --selector", "helm": "-n --namespace -f --values",
	"psql": "-h --host -p --port -U --username -d --dbname -f --file -c --command",
	"curl": "-k --insecure -L --location -X --request -d --data -s --silent -H --header",
}

// Twin returns the other form of a flag, the long one of a short one or the short one
// of a long one, empty where none is known.
func (c *Command) Twin(flag string) string {
	for n := len(c.Sub); n >= 0; n-- {
		pairs := strings.Fields(twins[strings.Join(append([]string{c.Program}, c.Sub[:n]...), " ")])
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
