// Writes patterns.json: what JavaScript's regular expressions say of command
// lines. Run: node patterns.js > patterns.json
const patterns = [
  ["\\bjest\\b(?!.*(--silent|--ci|maxWorkers))", ""],
  ["\\bmocha\\b(?!.*(--exit|-t \\d+:soft|CI=yes))", ""],
  ["^mocha\\b(?!.*--exit)", ""],
  ["\\bruby[0-9]*\\s+-S\\s+rspec\\b(?!.*--fail-fast)", ""],
  ["/rspec\\b(?!.*--fail-fast)", ""],
  ["\\bhg\\s+shelve\\b(?!.*(-A|--addremove|--unknown))", ""],
  ["^(?!.*--dry-run).*\\bterraform apply\\b", ""],
  ["(?<!sudo )systemctl restart", ""],
  ["\\bdocker run\\b(?=.*--privileged)", ""],
  ["\\bhelm\\s+(?!list)\\w+", ""],
  ["\\bkubectl delete\\b(?!.*--namespace=test)", "i"],
  ["\\bnpm (ci|install)\\b(?!.*--ignore-scripts)", ""],
  ["\\bcp\\b(?!.*-n\\b)(?!.*--no-clobber)", ""],
  ["\\bmv\\s", ""],
  ["caf\\u00e9", "i"],
];
const commands = [
  "jest", "jest --silent", "jest --ci src", "jest maxWorkers=2", "npx jest --watch", "myjester", "jest src && echo --other",
  "mocha", "mocha --exit", "mocha test -t 5:soft", "CI=yes mocha", "mocha CI=yes", "npx mocha test",
  "ruby -S rspec", "ruby3 -S rspec spec --fail-fast", "ruby -S rspec spec/a_spec.rb", "bin/rspec", "bin/rspec --fail-fast", "rspec",
  "hg shelve", "hg shelve -A", "hg  shelve --unknown", "hg shelve --name x", "hg unshelve",
  "terraform apply", "terraform apply --dry-run", "terraform --dry-run apply", "terraform plan",
  "systemctl restart nginx", "sudo systemctl restart nginx",
  "docker run alpine", "docker run --privileged alpine", "docker run -it --privileged=true x",
  "helm list", "helm install x", "helm upgrade x",
  "kubectl delete pod x", "KUBECTL DELETE pod x", "kubectl delete pod x --namespace=test", "kubectl get pods",
  "npm ci", "npm install --ignore-scripts", "npm install left", "npm test",
  "cp a b", "cp -n a b", "cp --no-clobber a b", "scp a b", "mv a b", "echo CAFÉ", "echo cafe",
];
const rows = patterns.map(([source, flags]) => ({
  source, flags, matches: commands.filter((c) => new RegExp(source, flags).test(c)),
}));
console.log(JSON.stringify({ node: process.version, commands, rows }, null, 1));
