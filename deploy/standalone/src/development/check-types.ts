import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Checks types with the compiler of the application. */
export interface TypeChecker {
  /** The errors of the compiler; none without a compiler. Undefined if a later check has taken its part. */
  check(): Promise<readonly string[] | undefined>;
  /** Ends the check that runs, which would take the time of a start. */
  cancel(): void;
}

export function createTypeChecker(folder: string): TypeChecker {
  const compiler = compilerOf(folder);
  let running: AbortController | undefined;
  return {
    async check() {
      running?.abort();
      if (compiler === undefined) return [];
      const abort = new AbortController();
      running = abort;
      const output = await outputOf([compiler, '-p', '.', '--noEmit', '--pretty', 'false'], folder, abort.signal);
      return abort.signal.aborted ? undefined : output.split('\n').filter((line) => line.trim() !== '');
    },
    cancel: () => running?.abort(),
  };
}

/** Path of the script of `tsc`, if the application has a compiler and a configuration for it. */
function compilerOf(folder: string): string | undefined {
  if (!existsSync(join(folder, 'tsconfig.json'))) return undefined;
  try {
    const description = createRequire(join(folder, 'package.json')).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(description, 'utf8')) as { readonly bin: { readonly tsc: string } };
    return join(dirname(description), bin.tsc);
  } catch {
    return undefined; // an application in JavaScript
  }
}

function outputOf(parameters: readonly string[], folder: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { cwd: folder, signal, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    // An abort is the only error: the program is that of this process.
    child.once('error', () => {});
    child.once('close', () => resolve(output));
  });
}
