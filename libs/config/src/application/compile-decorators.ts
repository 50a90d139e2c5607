import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../configuration-error.ts';

type Compiler = Pick<typeof import('esbuild'), 'transformSync'>;

/** A decorator at the beginning of a line or after `export`; in a text or comment it costs a compilation at most. */
const DECORATOR = /^\s*(?:export\s+(?:default\s+)?)?@[A-Za-z_$]/m;

let isRegistered = false;

/**
 * Enables Node to import TypeScript with decorators: Node removes types, but it does not support decorators
 * (contract/decisions.md#67). Files without a decorator, and the files of packages, are still loaded by Node itself.
 */
export function compileDecorators(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith('file:') || !/\.m?ts$/.test(url) || url.includes('/node_modules/'))
        return nextLoad(url, context);
      const loaded = nextLoad(url, { ...context, format: 'module-typescript' });
      const source = textOf(loaded.source);
      if (source === undefined || !DECORATOR.test(source)) return loaded;
      return { format: 'module', source: compile(source, fileURLToPath(url)), shortCircuit: true };
    },
  });
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray | null | undefined): string | undefined {
  if (source === null || source === undefined || typeof source === 'string') return source ?? undefined;
  return new TextDecoder().decode(source);
}

/** @throws ConfigurationError naming the file and the remedy where there is no compiler */
function compile(source: string, file: string): string {
  // Only now: most applications have no decorators in sources.
  return compilerFor(file).transformSync(source, {
    loader: 'ts',
    format: 'esm',
    target: 'node24',
    sourcemap: 'inline',
    sourcefile: file,
    // Decorators of the language, not those of older TypeScript.
    tsconfigRaw: { compilerOptions: { experimentalDecorators: false, useDefineForClassFields: true } },
  }).code;
}

/** The compiler of the application, else the one that is a dependency of the command line. */
function compilerFor(file: string): Compiler {
  for (const from of [file, import.meta.url]) {
    try {
      return createRequire(from)('esbuild') as Compiler;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new ConfigurationError([
    `svc.application: ${file} has decorators, which Node cannot read: install esbuild in the application (npm install esbuild), compile the application, or write the service as a value: service('name', { … })`,
  ]);
}
