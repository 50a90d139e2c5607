import { incompatibilities } from '@lintel/contracts';
import { createAsyncDocument } from '@lintel/openapi';
import type { ApplicationOptions } from '../application-context.ts';
import { loadWholeApplication } from '../load-whole-application.ts';
import type { ExitCode } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { readDocument, typesOf } from './read-document.ts';

/**
 * Compares the schemas of the application's events with an earlier AsyncAPI document. Returns 1 if a consumer of
 * the earlier events cannot read the present ones, or the other way round.
 *
 * @throws CommandError for a file that is no such document
 */
export async function checkEvents(file: string, options: ApplicationOptions, terminal: Terminal): Promise<ExitCode> {
  const document = readDocument(file);
  const { schemas: earlier } = document.components;
  const { application } = await loadWholeApplication(options);
  const { schemas: present } = createAsyncDocument(application).components;
  const types = typesOf(document);
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
