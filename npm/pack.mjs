// Makes the npm packages of a release: node npm/pack.mjs VERSION DIST OUT, where DIST holds the
// archives and checksums.txt of goreleaser. An archive whose checksum differs stops it. Nothing
// is fetched, neither here nor when somebody installs the packages.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [version, dist, out] = process.argv.slice(2);
if (!out) throw new Error("usage: node npm/pack.mjs VERSION DIST OUT");
const here = dirname(fileURLToPath(import.meta.url));
const base = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const sums = new Map(readFileSync(join(dist, "checksums.txt"), "utf8").trim().split("\n").map((l) => l.split(/\s+/).reverse()));
const write = (dir, pkg) => writeFileSync(join(dir, "package.json"), JSON.stringify(pkg, null, 2) + "\n");

for (const [goos, os] of [["linux", "linux"], ["darwin", "darwin"], ["windows", "win32"]]) {
  for (const [goarch, cpu] of [["amd64", "x64"], ["arm64", "arm64"]]) {
    const archive = `lessons_${version}_${goos}_${goarch}.${goos === "windows" ? "zip" : "tar.gz"}`;
    const sum = createHash("sha256").update(readFileSync(join(dist, archive))).digest("hex");
    if (sums.get(archive) !== sum) throw new Error(`${archive}: its checksum is ${sum}, not ${sums.get(archive)}`);
    const name = `lessons-${os}-${cpu}`, dir = join(out, name), end = goos === "windows" ? ".exe" : "";
    mkdirSync(dir, { recursive: true });
    const programs = [`lessons${end}`, `lessons-hook${end}`];
    if (end) execFileSync("unzip", ["-qo", join(dist, archive), ...programs, "-d", dir]);
    else execFileSync("tar", ["-xzf", join(dist, archive), "-C", dir, ...programs]);
    const { license, repository } = base;
    write(dir, { name: `@lessons-cli/${name}`, version, license, repository, os: [os], cpu: [cpu], files: programs });
    base.optionalDependencies[`@lessons-cli/${name}`] = version;
  }
}
const dir = join(out, "lessons");
mkdirSync(dir, { recursive: true });
for (const file of base.files) cpSync(join(here, file), join(dir, file));
write(dir, { ...base, version });
