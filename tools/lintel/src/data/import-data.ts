import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DetailedEntityInfo, ImportReport } from '@lintel/client';
import { EXPORT_TYPES } from '@lintel/contracts';
import { CommandError } from '../command-error.ts';
import { sendToServer } from '../history/ask-server.ts';
import type { Terminal } from '../terminal.ts';
import type { DataImportOptions } from './data.command.ts';
import { type DataModel, entityIn, naturalKeyOf, readDataModel } from './data-model.ts';

const SUFFIX = '.ndjson';
/** Characters of one request: one transaction. */
const MAX_PART = 4_000_000;
const SHOWN_ERRORS = 10;
const COUNTS = ['created', 'updated', 'unchanged'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

/**
 * Imports the files of a folder, what others refer to first. Instances are found by their mandatory unique attribute, else
 * by their id: a second import changes nothing.
 *
 * @throws CommandError naming the refused rows: earlier files are imported
 */
export async function importData(folder: string, options: DataImportOptions, terminal: Terminal): Promise<void> {
  const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  if (names.length === 0) throw new CommandError(`${folder} has no files`, '"lintel data export" writes them');
  const model = await readDataModel(options);
  const ordered = inOrder(model, new Set(names.map((name) => basename(name, SUFFIX))));
  const all: Record<string, Counts> = {};
  for (const entity of ordered) {
    const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
    const ignored = new Set<string>();
    for (const part of partsOf(readFileSync(join(folder, `${entity.entityName}${SUFFIX}`), 'utf8'))) {
      const report = await send(entity, part, options);
      for (const count of COUNTS) counts[count] += report[count];
      for (const name of report.ignored) ignored.add(name);
    }
    all[entity.entityName] = counts;
    if (ignored.size > 0) terminal.note(`${entity.entityName}: you may not change ${[...ignored].sort().join(', ')}`);
    if (options.json !== true)
      terminal.print(`${entity.entityName}: ${COUNTS.map((count) => `${counts[count]} ${count}`).join(', ')}`);
  }
  if (options.json === true) terminal.print(JSON.stringify(all, null, 2));
}

function* partsOf(text: string): Generator<string> {
  let part = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (part.length + line.length > MAX_PART && part !== '') {
      yield part;
      part = '';
    }
    part += `${line}\n`;
  }
  if (part !== '') yield part;
}

async function send(entity: DetailedEntityInfo, body: string, options: DataImportOptions): Promise<ImportReport> {
  const natural = naturalKeyOf(entity);
  const parameters = new URLSearchParams({ mode: 'upsert', ...(natural === undefined ? {} : { key: natural }) });
  if (options.dryRun === true) parameters.set('dryRun', 'true');
  const response = await sendToServer(options, {
    method: 'POST',
    path: `/imports/${entity.entityName}?${parameters}`,
    headers: { 'content-type': EXPORT_TYPES.ndjson },
    body,
  });
  const report = (await response.json()) as ImportReport & { readonly error?: string; readonly details?: string };
  const errors = report.errors ?? [];
  if (response.ok && errors.length === 0) return report;
  const rows = errors.slice(0, SHOWN_ERRORS).map(({ row, attribute, reason }) => {
    const where = attribute === undefined ? '' : ` ${attribute}`;
    return `  row ${row}${where}: ${reason}`;
  });
  const { error = `${errors.length} rows would be refused`, details } = report;
  throw new CommandError(
    [`${entity.entityName}: ${[error, details].filter(Boolean).join(': ')}`, ...rows].join('\n'),
    options.dryRun === true
      ? 'A rehearsal tests each file alone: rows that refer to new rows of another file are refused in it'
      : 'Nothing of this file was imported; earlier files were, and a repeated import continues',
  );
}

/** The entities, each after the others that its rows refer to. */
function inOrder(model: DataModel, names: ReadonlySet<string>): readonly DetailedEntityInfo[] {
  const ordered = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    if (ordered.has(name)) return;
    if (above.includes(name))
      throw new CommandError(
        `${[...above.slice(above.indexOf(name)), name].join(' → ')} refer to each other in a ring`,
        'Import their files one by one with the API',
      );
    for (const target of targetsOf(model, entityIn(model, name), new Set()))
      if (names.has(target) && target !== name) visit(target, [...above, name]);
    ordered.add(name);
  };
  for (const name of [...names].sort()) visit(name, []);
  return [...ordered].map((name) => entityIn(model, name));
}

/** Entities that instances refer to, also below their compositions; with the descendants of these. */
function targetsOf(model: DataModel, entity: DetailedEntityInfo, seen: Set<string>): readonly string[] {
  if (seen.has(entity.entityName)) return [];
  seen.add(entity.entityName);
  return entity.properties.flatMap(({ attributeType, type, owning, persistent }) => {
    const target = model.get(type);
    if (target === undefined || !persistent) return [];
    if (attributeType === 'COMPOSITION' || attributeType === 'EMBEDDED') return targetsOf(model, target, seen);
    return attributeType === 'ASSOCIATION' && owning === true ? [type, ...descendantsOf(model, type)] : [];
  });
}

const descendantsOf = (model: DataModel, name: string): readonly string[] =>
  [...model.values()]
    .filter(({ ancestor }) => ancestor === name)
    .flatMap(({ entityName }) => [entityName, ...descendantsOf(model, entityName)]);
