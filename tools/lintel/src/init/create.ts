/**
 * The program of the package `create-lintel`, for `npm create lintel@latest shop`: the command `lintel init`, before
 * anything is installed. `npm run pack` bundles it.
 */
import { stderr, stdin, stdout } from 'node:process';
import { attachToTerminal, runProgram } from '../run-program.ts';
import { createTerminal } from '../terminal.ts';
import { initCommand } from './init.command.ts';

const terminal = createTerminal({ stdin, stdout, stderr });
const command = attachToTerminal(initCommand({ terminal, setExitCode: () => {} }), terminal)
  .name('create-lintel')
  .option('--verbose', 'show where an error comes from');
process.exitCode = (await runProgram(command, process.argv.slice(2), terminal)) ?? 0;
