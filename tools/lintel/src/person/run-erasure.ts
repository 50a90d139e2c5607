import type { Entity, Model } from '@lintel/metadata';
import type { Transaction } from '@lintel/persistence';
import { formatTable } from '../administration/format-table.ts';
import { explainingRefusals } from '../administration/refusals.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { type Erasure, erasePerson } from './erase-person.ts';
import { findPerson } from './find-person.ts';
import type { EraseOptions } from './person.command.ts';
import { describeRemaining, type Remaining, remainingOf } from './remaining.ts';

/** The report of an erasure or of its rehearsal. */
interface ErasureReport extends Erasure {
  readonly person: { readonly entity: string; readonly id: string };
  readonly isDryRun: boolean;
  readonly stays: readonly Remaining[];
}

/** Rolls a rehearsal back. */
class Rehearsed extends Error {
  readonly report: ErasureReport;

  constructor(report: ErasureReport) {
    super('The erasure was rehearsed');
    this.report = report;
  }
}

/**
 * Erases the personal values of a person (contract/personal-data.md#erase).
 *
 * @throws CommandError for an unknown entity or instance, and if it is not confirmed
 */
export async function runErasure(
  entityName: string,
  id: string,
  options: EraseOptions,
  terminal: Terminal,
): Promise<void> {
  const context = await openApplication(options);
  const { model } = context.application;
  const entity = entityNamed(model, entityName);
  const isDryRun = options.dryRun === true;
  const report = await withAdministration(context, terminal, async ({ database }) => {
    await findPerson(model, entity, id, database);
    if (!isDryRun) await confirm(`${entityName} ${id}`, options, terminal);
    try {
      const erase = async (transaction: Transaction): Promise<ErasureReport> => {
        const person = await findPerson(model, entity, id, transaction);
        const stays = await remainingOf(model, person, transaction);
        const erasure = await erasePerson(model, person, transaction);
        const done = { person: { entity: entityName, id }, isDryRun, ...erasure, stays };
        if (isDryRun) throw new Rehearsed(done);
        return done;
      };
      return await explainingRefusals('The erasure', () => database.transaction(erase));
    } catch (error) {
      if (error instanceof Rehearsed) return error.report;
      throw error;
    }
  });
  terminal.print(options.json === true ? JSON.stringify(report, null, 2) : describe(report));
}

/** @throws CommandError if there is no such entity */
export function entityNamed({ entities }: Model, name: string): Entity {
  const entity = entities.get(name);
  if (entity?.kind === 'entity' && entity.key !== undefined) return entity;
  throw new CommandError(`There is no entity ${name} with a key`, `There are ${[...entities.keys()].join(', ')}`);
}

async function confirm(what: string, { yes }: EraseOptions, terminal: Terminal): Promise<void> {
  if (yes === true) return;
  const warning = `All personal values of ${what} would be erased, also from the history`;
  if (!terminal.isInteractive) throw new CommandError(warning, 'Add --yes to confirm, or --dry-run to see what it is');
  if (!(await terminal.askYes(`${warning}. Erase them?`)))
    throw new CommandError('Nothing was erased', 'Confirm with yes');
}

function describe({ isDryRun, entities, neutral, files, platform, stays }: ErasureReport): string {
  const verb = isDryRun ? 'Would be changed' : 'Changed';
  const rows = entities.map(({ entity, instances, attributes, ...counts }) => [
    entity,
    String(instances),
    String(counts.rows),
    String(counts.entries),
    attributes.join(', '),
  ]);
  return [
    formatTable(['Entity', 'Instances', `${verb}: rows`, 'entries of the history', 'Personal attributes'], rows),
    ...neutral.map(
      ({ attribute, value, keepsRules }) =>
        `${attribute} needs a value and has ${JSON.stringify(value)}${keepsRules ? '' : ', which breaks one of its rules'}`,
    ),
    `Files that are removed when nothing else refers to them, within an hour: ${files}`,
    ...platform.map((each) => `${each.table}: ${each.rows}`),
    describeRemaining(stays),
  ].join('\n');
}
