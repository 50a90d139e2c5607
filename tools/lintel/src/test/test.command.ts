import { spawn } from 'node:child_process';
import { Command } from 'commander';
import type { CommandContext } from '../program.ts';

const FILES = 'test/*.test.ts';

/** `lintel test`: what `npm test` of an application runs; with an old Node it continues in a newer one. */
export const testCommand = ({ setExitCode }: CommandContext): Command =>
  new Command('test')
    .description('Run the tests of the application of this folder by the test runner of Node, from their sources.')
    .argument('[files...]', `files or patterns, and options of "node --test" after --; ${FILES} without them`)
    .action(async (given: readonly string[]) => {
      const files = given.some((each) => !each.startsWith('-')) ? given : [...given, FILES];
      const parameters = ['--import', '@lintel/config/decorators', '--test', ...files];
      const child = spawn(process.execPath, parameters, { stdio: 'inherit' });
      setExitCode(
        await new Promise((resolve, reject) => {
          child.once('error', reject).once('exit', (code) => resolve(code === 0 ? 0 : 1));
        }),
      );
    });
