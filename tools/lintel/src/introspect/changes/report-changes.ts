import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../command-error.ts';
import type { ExitCode } from '../../run.ts';
import type { Terminal } from '../../terminal.ts';
import type { IntrospectOptions } from '../introspect.command.ts';
import { tablesOf } from '../introspect.ts';
import { changeText, compareObjects, type ObjectChange } from './compare-objects.ts';
import { describeObjects } from './describe-objects.ts';
import { OBJECTS_FILE, parseObjects } from './objects-file.ts';

const INTERVAL_MS = 2000;

/**
 * Prints what has changed in the database since the entities were written; with `watch` again after each change, until
 * the signal. Reads the catalogue only.
 *
 * @returns 1 if there are changes
 * @throws CommandError if the folder has no entities that this command has written, or the database cannot be read
 */
export async function reportChanges(
  options: IntrospectOptions,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<ExitCode> {
  const file = join(resolve(options.out), OBJECTS_FILE);
  if (!existsSync(file))
    throw new CommandError(`There is no ${file}`, 'Name the folder of the entities with --out, or write them first');
  let printed: string | undefined;
  for (;;) {
    // Read each time: the entities may be written again meanwhile.
    const before = parseObjects(readFileSync(file, 'utf8'));
    const changes = compareObjects(before, describeObjects(await tablesOf(options, terminal)));
    const text = textOf(changes, options.json === true);
    if (text !== printed) terminal.print(text);
    printed = text;
    if (options.watch !== true || signal === undefined) return changes.length > 0 ? 1 : 0;
    await sleep(INTERVAL_MS, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return 0;
  }
}

function textOf(changes: readonly ObjectChange[], isJson: boolean): string {
  if (isJson) return JSON.stringify({ changes });
  return changes.length === 0
    ? 'The database is as it was when the entities were written.'
    : [...changes.map(changeText), 'Write the entities again with --force, or change them by hand.'].join('\n');
}
