/**
 * `node --expose-internals --import 'keep-compiled.mjs?<folder>'`: when the process ends, keeps in the folder
 * what V8 has compiled of each loaded ES module, for NODE_COMPILE_CACHE. Node by itself keeps a module before it has
 * run, without the functions that are called then.
 */
import { readFileSync } from 'node:fs';
import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By then a start has ended, or waits for its backends. */
const LONGEST_START_MS = 15_000;

const { internalBinding } = createRequire(import.meta.url)('internal/test/binding');
const { ModuleWrap } = internalBinding('module_wrap');
const { source_text_module_default_hdo: loadedByDefault } = internalBinding('symbols');

const folder = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const modules = new Set();
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (loaded.format === 'module' && url.startsWith('file:')) modules.add(url);
    return loaded;
  },
});

process.once('exit', () => {
  const { message } = enableCompileCache(folder);
  if (message !== undefined) throw new Error(message);
  // V8 finds what it has compiled of the same text with the same address, and Node keeps that.
  for (const url of modules)
    new ModuleWrap(url, undefined, readFileSync(fileURLToPath(url), 'utf8'), 0, 0, loadedByDefault);
  flushCompileCache();
});
// A service that has started waits for signals; then it sets the options of its heap and collects garbage, compiled code
// included.
process.on('newListener', (event) => {
  if (event === 'SIGTERM') process.exit(1);
});
setTimeout(() => process.exit(1), LONGEST_START_MS).unref();
