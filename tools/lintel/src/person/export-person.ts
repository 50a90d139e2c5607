import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { defineSettings, loadSettings } from '@lintel/config';
import { environment } from '@lintel/config/environment';
import { parseFileReference } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { openFileStorages } from '@lintel/files';
import { settings as fileSettings } from '@lintel/files/settings';
import { rowsByKey, sourceOf } from '@lintel/history';
import { columnsOf, type Entity, familyTreeOf, type Model, plainColumnsOf } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { formatEntityId, readExactJson } from '@lintel/query';
import { formatTable } from '../administration/format-table.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { applicationSources, openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { findPerson, idOf, type Person, type PersonInstances } from './find-person.ts';
import type { ExportOptions } from './person.command.ts';
import { personalFilesOf } from './personal-files.ts';
import { JOBS_NAMING, patternsOf, remainingOf } from './remaining.ts';
import { entityNamed } from './run-erasure.ts';
import { userRows } from './user-rows.ts';

const storageSettings = defineSettings({
  storages: fileSettings.storages,
  defaultStorage: fileSettings.defaultStorage,
  maxFileSizeBytes: fileSettings.maxFileSizeBytes,
});

/** Permissions of files: they may be moved out of their folder. */
const OWNER_ALONE = { mode: 0o600 };

type Json = Readonly<Record<string, unknown>>;

/**
 * Writes everything about a person into a new folder (contract/personal-data.md#export).
 *
 * @throws CommandError for an unknown entity or instance, and a folder that exists
 */
export async function exportPerson(
  entityName: string,
  id: string,
  options: ExportOptions,
  terminal: Terminal,
): Promise<void> {
  const context = await openApplication(options);
  const { model } = context.application;
  const entity = entityNamed(model, entityName);
  const folder = resolve(options.to);
  const report = await withAdministration(context, terminal, async ({ database }) => {
    // One moment for all tables.
    const exported = await database.transaction(async (transaction) => {
      await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', values: [] });
      return readPerson(model, await findPerson(model, entity, id, transaction), transaction);
    });
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${folder} cannot be created: ${error.code}`, 'Name a folder that does not exist');
    });
    for (const [name, rows] of exported.tables) await writeRows(join(folder, name), rows);
    const files = await writeFiles(exported.files, folder, options);
    const counts = exported.tables.map(([name, rows]) => ({ file: name, rows: rows.length }));
    const done = { person: { entity: entityName, id }, contents: counts, files, notIncluded: exported.stays };
    await writeFile(join(folder, 'report.json'), `${JSON.stringify(done, null, 2)}\n`, OWNER_ALONE);
    return done;
  });
  if (options.json === true) terminal.print(JSON.stringify(report, null, 2));
  else {
    const rows = report.contents.map(({ file, rows: count }) => [file, String(count)]);
    terminal.print(`${formatTable(['File', 'Lines'], rows)}\nFiles: ${report.files.length}\nWritten to ${folder}`);
  }
}

async function readPerson(model: Model, person: Person, database: StatementRunner) {
  const tables: [name: string, rows: readonly Json[]][] = [];
  const files: string[] = [];
  for (const instances of person.instances) {
    const { name } = instances.node.entity;
    tables.push([`instances/${name}.ndjson`, await instancesOf(model, instances, database)]);
    tables.push([`history/${name}.ndjson`, await entriesOf(model, instances, database)]);
    tables.push([`reads/${name}.ndjson`, await readsOf(model, instances, database)]);
    files.push(...(await personalFilesOf(model, instances, database)));
  }
  for (const user of person.users) tables.push(...(await userRows(user, database)));
  tables.push(['events.ndjson', await eventsOf(model, person, database)]);
  tables.push(['jobs.ndjson', await jobsOf(person, database)]);
  const stays = await remainingOf(model, person, database);
  return { tables: tables.filter(([, rows]) => rows.length > 0), files, stays };
}

/** Names of attributes by names of columns; undefined for secret ones. */
function namesOf(model: Model, root: Entity): ReadonlyMap<string, string | undefined> {
  const family = familyTreeOf(model, root);
  const plain = family.flatMap((entity) => plainColumnsOf(model, entity));
  const references = family.flatMap((entity) =>
    [...entity.attributes.values()].flatMap((attribute) =>
      attribute.kind === 'reference' || attribute.kind === 'elements'
        ? columnsOf(model, attribute).map(({ name }) => [name, attribute.name] as const)
        : [],
    ),
  );
  return new Map<string, string | undefined>([
    ...references,
    ...plain.map(({ path, attribute, column }) => [column.name, attribute.secret ? undefined : path] as const),
  ]);
}

const named = (row: Json, names: ReadonlyMap<string, string | undefined>): Json =>
  Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      const name = names.has(column) ? names.get(column) : column;
      return name === undefined ? [] : [[name, value]];
    }),
  );

async function instancesOf(
  model: Model,
  { node, belonging, keys }: PersonInstances,
  database: StatementRunner,
): Promise<readonly Json[]> {
  const names = namesOf(model, node.entity);
  const found = new Map<string, Record<string, unknown>>();
  for (const table of node.tables) {
    const text = `SELECT k.key, to_jsonb(t) AS row FROM ${rowsByKey(table)}`;
    for (const { key, row } of await database.query<Keyed>({ text, values: [[...keys]] }))
      found.set(key, { belonging, ...found.get(key), ...named(rowOf(row), names) });
  }
  for (const side of node.sides) {
    const text = `SELECT k.key, to_jsonb(t) AS row FROM ${rowsByKey({ ...side, key: side.owner })} ORDER BY to_jsonb(t)::text`;
    for (const { key, row } of await database.query<Keyed>({ text, values: [[...keys]] })) {
      const instance = found.get(key);
      if (instance !== undefined)
        instance[side.name] = [...((instance[side.name] as Json[] | undefined) ?? []), rowOf(row)];
    }
  }
  return [...found.values()];
}

interface Keyed {
  readonly key: string;
  /** JSON. */
  readonly row: string;
}

/** Numbers keep all of their digits. */
const rowOf = (text: string): Json => readExactJson(text) as Json;

async function entriesOf(
  model: Model,
  { node, keys }: PersonInstances,
  database: StatementRunner,
): Promise<readonly Json[]> {
  const names = namesOf(model, node.entity);
  const state = (text: string | null): Json | null => (text === null ? null : named(rowOf(text), names));
  const text = `SELECT c.id AS change, c.recorded_at::text AS time, c.username AS "user", c.reason, e.source AS "table", e.key, e.before, e.after
FROM history.entry e JOIN history.change c ON c.id = e.change_id AND c.recorded_at = e.recorded_at
WHERE (e.source = ANY ($2::text[]) AND e.key = ANY ($1::text[])) OR (e.source = ANY ($3::text[]) AND e.owner_key = ANY ($1::text[])) ORDER BY e.id`;
  const values = [[...keys], node.tables.map(sourceOf), node.sides.map(sourceOf)];
  const rows = await database.query<{ readonly before: string | null; readonly after: string | null }>({
    text,
    values,
  });
  return rows.map((row) => ({ ...row, before: state(row.before), after: state(row.after) }));
}

/** Who has read the instances, where entities have an access log; without the ids of other instances. */
async function readsOf(
  model: Model,
  { node, keys }: PersonInstances,
  database: StatementRunner,
): Promise<readonly Json[]> {
  const text = `SELECT to_jsonb(r) AS row FROM (SELECT a.recorded_at AS time, a.username AS "user", a.client_id AS client, a.operation,
  a.entity, ARRAY(SELECT unnest(a.ids) INTERSECT SELECT unnest($2::text[])) AS ids
  FROM history.access a WHERE a.entity = $1 AND a.ids && $2::text[]) r ORDER BY r.time`;
  const ids = [...keys].map((key) => formatEntityId(model, node.entity, idOf(node.entity, key)));
  const rows = await database.query<Pick<Keyed, 'row'>>({ text, values: [node.entity.name, ids] });
  return rows.map(({ row }) => rowOf(row));
}

/** Events of the outbox and deliveries of webhooks about the instances. */
async function eventsOf(model: Model, { instances }: Person, database: StatementRunner): Promise<readonly Json[]> {
  const subjects = instances.flatMap(({ node, keys }) =>
    [...keys].map((key) => `${node.entity.name}/${formatEntityId(model, node.entity, idOf(node.entity, key))}`),
  );
  const text = `SELECT envelope::jsonb AS row FROM events.outbox WHERE subject = ANY ($1::text[]) UNION ALL
SELECT to_jsonb(d) FROM sys.webhook_delivery d WHERE d.entity_name || '/' || d.entity_id = ANY ($1::text[])`;
  return (await database.query<Pick<Keyed, 'row'>>({ text, values: [subjects] })).map(({ row }) => rowOf(row));
}

/** Runs of jobs that name an instance in their parameters or results. */
async function jobsOf({ instances }: Person, database: StatementRunner): Promise<readonly Json[]> {
  const text = `SELECT jsonb_build_object('job', j.name, 'id', j.id, 'state', j.state, 'time', j.created_on,
  'parameters', j.data, 'result', j.output) AS row FROM ${JOBS_NAMING} ORDER BY j.created_on`;
  return (await database.query<Pick<Keyed, 'row'>>({ text, values: [patternsOf(instances)] })).map(({ row }) =>
    rowOf(row),
  );
}

async function writeRows(path: string, rows: readonly Json[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), OWNER_ALONE);
}

async function writeFiles(references: readonly string[], folder: string, options: ExportOptions) {
  if (references.length === 0) return [];
  const home = resolve(environment()['LINTEL_HOME'] ?? '.lintel');
  const config = loadSettings(storageSettings, applicationSources(options, undefined, { knownKeys: ['svc.*'] }));
  const storages = await openFileStorages(config, { warn: () => {} }, join(home, 'files'));
  try {
    const written = [];
    for (const reference of new Set(references)) {
      const file = parseFileReference(reference);
      const path = file && join('files', file.storage, file.path);
      const isStored = file !== undefined && (await download(file, join(folder, path ?? ''), storages));
      written.push({ reference, ...(isStored ? { path } : { isMissing: true }) });
    }
    return written;
  } finally {
    await storages.close();
  }
}

/** Returns false if the file is no longer stored. */
async function download(
  { storage, path }: { readonly storage: string; readonly path: string },
  target: string,
  storages: Awaited<ReturnType<typeof openFileStorages>>,
): Promise<boolean> {
  try {
    const content = await storages.find(storage)?.store.read(path);
    if (content === undefined) return false;
    await mkdir(dirname(target), { recursive: true });
    await pipeline(content, createWriteStream(target, OWNER_ALONE));
    return true;
  } catch (error) {
    if (isPlatformError(error) && error.code === 'FILE_NOT_FOUND') return false;
    throw error;
  }
}
