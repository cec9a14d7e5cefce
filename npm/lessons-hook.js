#!/usr/bin/env node
require("./lessons.js"); // which looks at the name that it was called by
