import { relative, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { defaultNames, problemOfId } from './application-names.ts';
import { findPackages } from './find-packages.ts';
import type { InitOptions } from './init.command.ts';
import { scaffoldFiles } from './scaffold-files.ts';
import { writeFiles } from './write-files.ts';

/**
 * Creates an application in a folder. Prompts for its names on an interactive terminal.
 *
 * @throws CommandError where a file is there already; nothing is written then
 */
export async function init(folder: string, options: InitOptions, terminal: Terminal): Promise<void> {
  const target = resolve(folder);
  const { id, name } = await namesOf(target, options, terminal);
  const packages = findPackages(options.packages, target);
  const files = scaffoldFiles({ id, name, folder: target, packages });
  const written = writeFiles(target, files, options.force === true);
  if (options.json === true) {
    terminal.print(JSON.stringify({ folder: target, id, name, files: written }, null, 2));
    return;
  }
  terminal.print(`Made the application "${name}" in ${target}: ${written.length} files.\n`);
  const relativeFolder = relative(process.cwd(), target);
  if (relativeFolder !== '')
    terminal.print(`  cd ${/\s/.test(relativeFolder) ? `'${relativeFolder}'` : relativeFolder}`);
  terminal.print('  npm install\n  npm start');
}

async function namesOf(target: string, options: InitOptions, terminal: Terminal) {
  const guess = defaultNames(target);
  const asks = terminal.isInteractive && options.json !== true;
  const id =
    options.id ?? (asks ? await terminal.askText('Prefix of its entities, a word', guess.id, problemOfId) : guess.id);
  const problem = problemOfId(id);
  if (problem !== undefined) throw new CommandError(problem, 'Name another one with --id');
  const name =
    options.name ?? (asks ? await terminal.askText('What people call it', guess.name, problemOfName) : guess.name);
  const wrong = problemOfName(name);
  if (wrong !== undefined) throw new CommandError(wrong, 'Name another one with --name');
  return { id, name };
}

const problemOfName = (name: string): string | undefined =>
  /^[^\p{Cc}'"\\`<>]{1,100}$/u.test(name) && name.trim() === name && name !== ''
    ? undefined
    : 'A name has 1 to 100 characters, none of them quotes or brackets';
