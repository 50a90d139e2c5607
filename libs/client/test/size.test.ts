import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const INDEX = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** What a bundler makes of a program that imports from the package, in bytes: minified and compressed. */
async function sizeOf(program: string): Promise<{ readonly text: string; readonly bytes: number }> {
  const { outputFiles } = await build({
    stdin: { contents: program.replace('@lintel/client', INDEX), resolveDir: dirname(INDEX) },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  return { text, bytes: gzipSync(text, { level: 9 }).byteLength };
}

test.each([
  ['everything', `export * from '@lintel/client'`, 13_550],
  [
    'the whole client',
    `import { createClient } from '@lintel/client'; globalThis.c = createClient({ baseUrl: '' })`,
    10_660,
  ],
  [
    'entities alone',
    `import { createConnection, createEntityClient } from '@lintel/client';
     globalThis.c = createEntityClient(createConnection({ baseUrl: '' }))`,
    5_970,
  ],
  ['an error class', `import { LintelError } from '@lintel/client'; globalThis.c = LintelError`, 400],
])('%s has at most its size', async (_what, program, limit) => {
  expect((await sizeOf(program)).bytes).toBeLessThanOrEqual(limit);
});

test('what is not imported is not in the bundle', async () => {
  const { text } = await sizeOf(
    `import { createConnection, createEntityClient } from '@lintel/client';
     globalThis.c = createEntityClient(createConnection({ baseUrl: '' }))`,
  );
  const parts = ['text/event-stream', 'code_verifier', 'XMLHttpRequest', 'respond-async', '/metadata/entities'];
  expect(parts.filter((part) => text.includes(part))).toEqual([]);
  expect(text).toContain('/rest/entities');
});
