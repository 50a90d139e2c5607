/**
 * `npm run lint`: form and common mistakes (biome), then who imports whom (tools/boundaries). Both always run,
 * so that one start shows all problems; the exit code is 1 if either has any.
 */
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { runProgram } from '../bootstrap/run-program.mjs';

const CHECKS = [
  [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    '--max-diagnostics=none',
    ...(process.stdout.isTTY ? ['--colors=force'] : []),
  ],
  ['tools/boundaries/src/main.ts'],
];

const results = await Promise.all(
  CHECKS.map(([program, ...parameters]) =>
    runProgram(process.execPath, [join(ROOT, program), ...parameters], { cwd: ROOT }),
  ),
);
for (const { output } of results) process.stdout.write(output.endsWith('\n') ? output : `${output}\n`);
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
