#!/usr/bin/env node
// Here before the build, so that npm can link it on a fresh clone.
import '../dist/main.js';
