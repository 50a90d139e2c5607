import { readFileSync } from 'node:fs';
import { EVENTS, incompatibilities } from '@lintel/contracts';
import { type AsyncDocument, createAsyncDocument } from '@lintel/openapi';
import { CommandError } from '../command-error.ts';
import { loadWholeApplication } from '../load-whole-application.ts';
import { messageOf } from '../message-of.ts';
import type { ExitCode } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import type { CheckEventsOptions } from './events.command.ts';

/**
 * Compares the schemas of the application's events with an earlier AsyncAPI document. Returns 1 if a consumer of
 * the earlier events cannot read the present ones, or the other way round.
 *
 * @throws CommandError for a file that is no such document
 */
export async function checkEvents(file: string, options: CheckEventsOptions, terminal: Terminal): Promise<ExitCode> {
  const { operations, components } = readDocument(file);
  const { schemas: earlier } = components;
  const { application } = await loadWholeApplication(options);
  const { schemas: present } = createAsyncDocument(application).components;
  // Versions of the platform come with its packages.
  const types = Object.keys(earlier).filter((type) => `send.${type}` in operations && !(type in EVENTS));
  const problems = types.flatMap((type) => {
    const [before, now] = [earlier[type], present[type]];
    if (before === undefined || now === undefined) return [`${type} was published and is not there any more`];
    return incompatibilities(before, now).map((problem) => `${type}: ${problem}`);
  });
  if (options.json === true) terminal.print(JSON.stringify({ events: types.length, problems }));
  else if (problems.length === 0) terminal.print(`The events of ${file} are readable as before (${types.length}).`);
  else for (const problem of problems) terminal.print(problem);
  if (problems.length > 0) terminal.note('Publish a new version beside the former one, until no consumer reads that.');
  return problems.length === 0 ? 0 : 1;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function readDocument(file: string): AsyncDocument {
  const hint = 'Name a file of "lintel asyncapi"';
  try {
    const document = JSON.parse(readFileSync(file, 'utf8')) as AsyncDocument | null;
    if (document?.asyncapi !== undefined && [document.components?.schemas, document.operations].every(isObject))
      return document;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`, hint);
  }
  throw new CommandError(`${file} is no AsyncAPI document`, hint);
}
