/**
 * `npm run dev`: the system in one process from the sources, without a build; it starts again when a source changes.
 * Parameters (`--inspect`) are for Node.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { MEMORY_ENVIRONMENT, STANDALONE_OPTIONS } from './memory-environment.mjs';
import { ROOT } from './paths.mjs';

const child = spawn(
  process.execPath,
  [
    ...STANDALONE_OPTIONS,
    ...['--watch', '--watch-preserve-output', '--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
    ...process.argv.slice(2),
    join(ROOT, 'deploy', 'standalone', 'src', 'main.ts'),
  ],
  { cwd: ROOT, stdio: 'inherit', env: { ...MEMORY_ENVIRONMENT, ...process.env } },
);
// Ctrl-C reaches the child by itself: both are in the foreground.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', (error) => {
  process.stderr.write(`${process.execPath} cannot be started: ${error.message}\n`);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 0));
