import { isPlatformError } from '@lintel/errors';
import { type Entity, entityOf, isSoftDeleted, type Model } from '@lintel/metadata';
import { formatTable } from '../administration/format-table.ts';
import { type Administration, withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { readTime } from '../events/read-selection.ts';
import type { Terminal } from '../terminal.ts';
import type { PurgeOptions } from './bin.command.ts';

/** Instances that are read together. */
const BATCH = 500;

interface Purged {
  readonly entity: string;
  readonly removed: number;
  /** Instances that are still referred to. */
  readonly kept: number;
}

/**
 * Removes the soft-deleted instances of all entities, or of some, that were deleted before a point in time.
 *
 * @throws CommandError for a time or an entity that does not exist
 */
export async function purgeBin(options: PurgeOptions, terminal: Terminal): Promise<void> {
  const before = readTime('--older-than', options.olderThan, new Date());
  const context = await openApplication(options);
  const entities = binsOf(context.application.model, options.entity);
  const purged = await withAdministration(context, terminal, async (administration) => {
    const all: Purged[] = [];
    for (const entity of entities) all.push(await purge(administration, entity, before, options.dryRun === true));
    return all.filter(({ removed, kept }) => removed + kept > 0);
  });
  if (options.json === true) terminal.print(JSON.stringify(purged, null, 2));
  else if (purged.length === 0) terminal.print('There is nothing to be removed.');
  else
    terminal.print(
      formatTable(
        ['Entity', options.dryRun === true ? 'Would be removed' : 'Removed', 'Still referred to'],
        purged.map(({ entity, removed, kept }) => [entity, String(removed), String(kept)]),
      ),
    );
}

/** The entities with soft deletion that extend no other one with it. */
function binsOf(model: Model, names: readonly string[] | undefined): readonly Entity[] {
  const bins = [...model.entities.values()].filter(
    (entity) =>
      entity.kind === 'entity' &&
      entity.readOnly !== true &&
      isSoftDeleted(entity) &&
      (entity.ancestor === undefined || !isSoftDeleted(entityOf(model, entity.ancestor))),
  );
  if (names === undefined) return bins;
  return names.map((name) => {
    const entity = bins.find((bin) => bin.name === name);
    if (entity !== undefined) return entity;
    throw new CommandError(
      `${name} is no entity with soft deletion`,
      `There are ${bins.map((bin) => bin.name).join(', ')}`,
    );
  });
}

async function purge({ data }: Administration, entity: Entity, before: Date, isDryRun: boolean): Promise<Purged> {
  const property = entity.system.deletedDate ?? '';
  const filter = { conditions: [{ property, operator: '<', value: before.toISOString().replace('Z', '') }] };
  const asked = { filter, deleted: 'only' } as const;
  const { name } = entity;
  if (isDryRun) return { entity: name, removed: await data.count(name, asked), kept: 0 };
  const page = { ...asked, sort: property, limit: BATCH, fetchPlan: { entity: name, properties: [] } };
  let [removed, kept] = [0, 0];
  for (;;) {
    const rows = await data.loadList(name, { ...page, offset: kept });
    if (rows.length === 0) return { entity: name, removed, kept };
    for (const { id } of rows) {
      try {
        await data.remove(name, id, { deleted: 'only' });
        removed += 1;
      } catch (error) {
        if (!isPlatformError(error) || (error.status !== 409 && error.status !== 404)) throw error;
        // Another one has taken it along otherwise.
        if (error.status === 409) kept += 1;
      }
    }
  }
}
