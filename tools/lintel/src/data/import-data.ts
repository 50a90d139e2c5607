import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DetailedEntityInfo, ImportReport } from '@lintel/client';
import { EXPORT_TYPES } from '@lintel/contracts';
import { type ExactJson, type ExactObject, isExactObject, parseExactJson } from '@lintel/query';
import { CommandError } from '../command-error.ts';
import { sendToServer, textOfServer } from '../history/ask-server.ts';
import type { Terminal } from '../terminal.ts';
import type { DataImportOptions } from './data.command.ts';
import { type DataModel, entityIn, movedAttributes, naturalKeyOf, readDataModel } from './data-model.ts';
import { planOf } from './export-data.ts';
import { bringFile } from './moved-files.ts';

const SUFFIX = '.ndjson';
/** Characters of one request: one transaction. */
const MAX_PART = 4_000_000;
const SHOWN_ERRORS = 10;
const USERS = 'sec_User';
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
    let newFiles = 0;
    let rows = 0;
    for (const part of partsOf(readFileSync(join(folder, `${entity.entityName}${SUFFIX}`), 'utf8'))) {
      const { text, waiting } = await withFiles(model, entity, part, folder, options);
      newFiles += waiting;
      const report = await send(entity, text, rows, options);
      rows += report.rows;
      for (const count of COUNTS) counts[count] += report[count];
      for (const name of report.ignored) ignored.add(name);
    }
    all[entity.entityName] = counts;
    if (newFiles > 0) terminal.note(`${entity.entityName}: ${newFiles} file${newFiles > 1 ? 's' : ''} to be uploaded`);
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

/** Reads the references in the instance of a row. */
type Known = () => Promise<readonly string[]>;

/** Rows with the references of the server instead of files; `waiting`: files that a rehearsal does not upload. */
async function withFiles(
  model: DataModel,
  entity: DetailedEntityInfo,
  part: string,
  folder: string,
  options: DataImportOptions,
): Promise<{ readonly text: string; readonly waiting: number }> {
  const isDry = options.dryRun === true;
  let waiting = 0;
  const bring = async (within: DetailedEntityInfo, row: ExactObject, known: Known): Promise<ExactObject> => {
    const brought: Record<string, ExactJson> = { ...row };
    for (const { name, type, attributeType } of movedAttributes(within, { personal: true })) {
      const value = row[name];
      const target = model.get(type);
      const where = `${within.entityName}.${name}`;
      const one = async (each: ExactJson): Promise<ExactJson | undefined> => {
        if (type === 'fileRef' && typeof each === 'string')
          return bringFile(options, folder, { value: each, where }, known, { isDry });
        const isPart = target !== undefined && (attributeType === 'COMPOSITION' || attributeType === 'EMBEDDED');
        return isPart && isExactObject(each) ? bring(target, each, known) : each;
      };
      if (value === undefined) continue;
      const found = Array.isArray(value) ? await Promise.all(value.map(one)) : [await one(value)];
      waiting += found.filter((each) => each === undefined).length;
      if (found.includes(undefined)) delete brought[name];
      else brought[name] = Array.isArray(value) ? (found as ExactJson[]) : (found[0] ?? null);
    }
    return brought;
  };
  if (!hasFiles(model, entity, new Set())) return { text: part, waiting };
  const lines: string[] = [];
  for (const line of part.split('\n').slice(0, -1)) {
    const row = instanceOf(line);
    if (row === undefined) lines.push(line);
    else lines.push(JSON.stringify(await bring(entity, row, () => referencesOf(model, entity, row, options))));
  }
  return { text: `${lines.join('\n')}\n`, waiting };
}

/** The instance of a line; undefined for another text, which the server refuses with the number of its row. */
function instanceOf(line: string): ExactObject | undefined {
  try {
    const row = parseExactJson(line, 'The line');
    return isExactObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Whether rows of the entity may have files, also in their parts. */
function hasFiles(model: DataModel, entity: DetailedEntityInfo, seen: Set<string>): boolean {
  if (seen.has(entity.entityName)) return false;
  seen.add(entity.entityName);
  return movedAttributes(entity, { personal: true }).some(({ type, attributeType }) => {
    const target = model.get(type);
    if (type === 'fileRef' || target === undefined) return type === 'fileRef';
    return attributeType !== 'ASSOCIATION' && hasFiles(model, target, seen);
  });
}

/** References in the instance that the row stands for. */
async function referencesOf(
  model: DataModel,
  entity: DetailedEntityInfo,
  row: ExactObject,
  options: DataImportOptions,
) {
  const property = naturalKeyOf(entity) ?? 'id';
  const value = row[property];
  if (value === undefined || value === null) return [];
  const found = await textOfServer(options, {
    method: 'POST',
    path: `/entities/${entity.entityName}/search`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      filter: { conditions: [{ property, operator: '=', value }] },
      fetchPlan: planOf({ model, options: { personal: true } }, entity),
    }),
  });
  return [...found.matchAll(/"(\w+:\/\/[^"\\]*)"/g)].map(([, reference = '']) => reference);
}

/** @param before rows of the file in earlier requests */
async function send(
  entity: DetailedEntityInfo,
  body: string,
  before: number,
  options: DataImportOptions,
): Promise<ImportReport> {
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
    return `  row ${before + row}${where}: ${reason}`;
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
  // Assignments of roles, and others, name users by a text.
  for (const name of [...names].sort((one, other) => (one === USERS ? -1 : other === USERS ? 1 : one < other ? -1 : 1)))
    visit(name, []);
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
