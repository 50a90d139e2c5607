#!/usr/bin/env node
// Here before the build, so that npm can link it on a fresh clone. Plain JavaScript of any age up to the check.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { continueInNewerNode } from './newer-node.mjs';
import { isNewEnough } from './node-package.mjs';

const CLONE = new URL('../../bootstrap/lintel.mjs', import.meta.url);

// A clone fetches Node, installs and builds as "npm start" does there.
if (existsSync(CLONE)) await import(CLONE.href);
else if (isNewEnough(process.versions.node)) await import('../dist/main.js');
else await continueInNewerNode(fileURLToPath(import.meta.url), process.argv.slice(2));
