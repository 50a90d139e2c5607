#!/usr/bin/env node
// Here before the build, so that npm can link it on a fresh clone. Plain JavaScript of any age up to the check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(`lintel needs Node.js 24.9 or newer; this is ${process.versions.node}. Install Node.js 24.\n`);
  process.exit(2);
}
await import('../dist/main.js');
