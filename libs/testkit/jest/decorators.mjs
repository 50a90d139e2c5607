import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { transformSync } from '@swc/core';

// Tests start many processes of the same sources. Those that are killed write nothing at their end.
enableCompileCache();
setTimeout(flushCompileCache, 5_000).unref();

/**
 * Lets a process of a test run sources that use decorators: Node strips types itself, but leaves decorators
 * to compilers. `node --conditions=lintel-source --import @lintel/testkit/decorators …`
 */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('.ts') || loaded.format !== 'module-typescript') return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    if (!/^\s*@[A-Z]\w*(?:\(|\s*$)/m.test(source)) return { ...loaded, source };
    const { code } = transformSync(source, {
      filename: url,
      sourceMaps: 'inline',
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        transform: { decoratorVersion: '2022-03' },
        target: 'es2024',
      },
      module: { type: 'es6' },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
