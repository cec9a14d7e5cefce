#!/usr/bin/env node
// Runs the program of this platform, which npm installed beside this package.
const { spawnSync } = require("node:child_process");
const path = require("node:path");

const platform = `@lessons-cli/lessons-${process.platform}-${process.arch}`;
const called = path.basename(process.argv[1], ".js");
const name = (called === "lessons-hook" ? called : "lessons") + (process.platform === "win32" ? ".exe" : "");
let program;
try {
  program = require.resolve(`${platform}/${name}`);
} catch {
  console.error(`lessons: ${platform} is not installed; npm install without --omit=optional, or see https://github.com/lessons-cli/lessons`);
  process.exit(1);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exit(status);
