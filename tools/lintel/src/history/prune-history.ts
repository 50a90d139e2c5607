import { entitiesWithRetention, pruneHistory } from '@lintel/history';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { readTime } from '../events/read-selection.ts';
import type { Terminal } from '../terminal.ts';
import type { PruneOptions } from './history.command.ts';

/**
 * Deletes recorded changes and reads that are past, or counts them.
 *
 * @throws CommandError for an entity without a retention, or no time
 */
export async function runPrune(options: PruneOptions, terminal: Terminal): Promise<void> {
  const olderThan =
    options.olderThan === undefined ? undefined : readTime('--older-than', options.olderThan, new Date());
  const context = await openApplication(options);
  const { model } = context.application;
  const retained = entitiesWithRetention(model);
  const stranger = options.entity?.find((name) => !retained.some((entity) => entity.name === name));
  if (stranger !== undefined)
    throw new CommandError(
      `${stranger} has no retention`,
      `Entities with one: ${retained.map(({ name }) => name).join(', ') || 'none'}`,
    );
  const entities = retained.filter(({ name }) => options.entity?.includes(name) !== false);
  const { months, entries } = await withAdministration(context, terminal, ({ database }) =>
    pruneHistory(database, model, { entities, olderThan, isDryRun: options.dryRun === true }),
  );
  if (options.json === true) terminal.print(JSON.stringify({ months, entries }, null, 2));
  else
    terminal.print(
      `${options.dryRun === true ? 'Would delete' : 'Deleted'} ${entries} ${entries === 1 ? 'entry' : 'entries'}` +
        (months.length === 0 ? '' : `; dropped as a whole: ${months.join(', ')}`),
    );
}
