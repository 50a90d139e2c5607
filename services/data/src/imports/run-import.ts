import type { JobContext } from '@lintel/application';
import { IGNORED_HEADER, MAX_IGNORED_LENGTH, type Principal } from '@lintel/contracts';
import {
  deleteByKey,
  inOneTransaction,
  type UpsertRequest,
  upsertEntities,
  type WriteDependencies,
} from '@lintel/entities';
import { isPlatformError, PlatformError, shortened } from '@lintel/errors';
import { beginChange, END_CHANGE } from '@lintel/history';
import { entityOf } from '@lintel/metadata';
import type { Transaction } from '@lintel/persistence';
import { type ExactJson, type ExactObject, readExactJson } from '@lintel/query';
import type { ImportColumn } from './map-columns.ts';
import type { ReadImport } from './read-import.ts';

/** How a file is imported. */
export interface ImportOptions {
  readonly entityName: string;
  readonly mode: 'create' | 'update' | 'upsert' | 'delete';
  /** Attributes by which instances are found; the id without it. */
  readonly key: string | undefined;
  /** Rows that are refused are left out; without it nothing is imported then. */
  readonly skipsRefused: boolean;
  readonly isRehearsal: boolean;
}

/** A row with the JSON of its instance, or with the reason why it is refused. */
export interface ImportRow {
  /** Its number, without the header. */
  readonly row: number;
  readonly json?: string;
  readonly refusal?: Omit<RefusedRow, 'row'>;
}

/** A reason why a row is refused. */
export interface RefusedRow {
  readonly row: number;
  readonly column?: string;
  readonly attribute?: string;
  readonly reason: string;
}

/** The outcome of an import. */
export interface ImportReport {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  refused: number;
  /** Rows after the last one were not read: too many were refused. */
  isStopped: boolean;
  readonly errors: RefusedRow[];
  /** Names that `X-Ignored` of other writes has: paths of attributes, and headers. */
  readonly ignored: Set<string>;
  /** The first ones that a rehearsal has made, and the events that would follow. */
  readonly changes: ExactJson[];
  readonly events: ExactJson[];
}

/** Rows of one write. */
const BATCH_ROWS = 1000;
const BATCH_CHARACTERS = 131_072;
/** Changes, and events, that the response of a rehearsal has at most. */
const MAX_CHANGES = 1_000;
/** Refused rows after which an import stops. */
const MAX_REFUSED = 1_000;
/** Reasons of one refused row. */
const MAX_REASONS = 20;
/** Names without an effect; `*` stands for more. */
const MAX_IGNORED = 1_000;
/** Rows of one transaction. */
const MAX_TOGETHER = 100_000;

/** An import by a caller. */
export interface ImportCall extends Required<Pick<UpsertRequest, 'unknownMembers'>> {
  readonly options: ImportOptions;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly progress?: JobContext<unknown>['progress'] | undefined;
}

interface Import extends ImportCall {
  readonly columns: readonly ImportColumn[];
  readonly report: ImportReport;
  /** Id of the recorded change that all transactions are; undefined where nothing is recorded. */
  readonly change: string | undefined;
}

/** Checks the entity, the rights of the caller and the key. */
export const assertImport = async (call: ImportCall, deps: WriteDependencies): Promise<void> => {
  await writeRows({ ...call, report: newReport(), columns: [], change: undefined }, [], deps);
};

const newReport = (): ImportReport => ({
  ...{ rows: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, refused: 0, isStopped: false },
  errors: [],
  ignored: new Set(),
  changes: [],
  events: [],
});

/** Keeps the report of an import in the transactions of its rows, so that an interrupted one continues after them. */
export interface ImportRecord {
  /** Id of the run and of the change. */
  readonly id: string;
  /** The report of the rows that are imported already. */
  readonly reached: ImportReport | undefined;
  /** Called before the first row of a transaction; what it throws ends the import. */
  readonly begin?: (transaction: Transaction) => Promise<void>;
  /** @throws if the import was cancelled: the rows of the transaction are rolled back */
  keep(report: ImportReport, transaction: Transaction): Promise<void>;
}

/**
 * Imports rows by upserts, in one transaction, or a transaction for each batch if refused rows are left out. A batch
 * that is refused is halved until the refused rows are alone.
 *
 * @throws PlatformError REQ_COST_EXCEEDED for more rows than one transaction may have
 */
export async function runImport(
  given: Omit<Import, 'report'>,
  { rows, count }: Pick<ReadImport, 'rows' | 'count'>,
  deps: WriteDependencies,
  record?: ImportRecord,
): Promise<ImportReport> {
  const report = record?.reached ?? newReport();
  const running: Import = { ...given, report };
  const { options, signal } = given;
  const environment = options.isRehearsal ? { ...deps.environment, isRehearsal: true } : deps.environment;
  if (!options.skipsRefused && count > MAX_TOGETHER)
    throw new PlatformError(
      'REQ_COST_EXCEEDED',
      `The file has ${count} rows: all or none are at most ${MAX_TOGETHER}; refused=skip imports them in batches`,
    );
  const write = async (batch: readonly WrittenRow[], own: WriteDependencies): Promise<void> => {
    await importBatch(running, batch, own);
    report.isStopped = report.refused >= MAX_REFUSED || (options.isRehearsal && report.rows >= MAX_TOGETHER);
  };
  const together = (work: (own: WriteDependencies) => Promise<void>): Promise<void> =>
    inOneTransaction(
      { ...deps, environment },
      async (own) => {
        const inside = <R>(use: (transaction: Transaction) => Promise<R>): Promise<R> => own.database.transaction(use);
        if (record?.begin !== undefined) await inside(record.begin);
        if (given.change !== undefined) {
          const begin = beginChange(given.change);
          await inside((transaction) => transaction.query(begin));
        }
        await work(own);
        if (options.isRehearsal) return 'rehearse';
        if (report.refused > 0 && !options.skipsRefused) return 'roll back';
        await inside(async (transaction) => {
          if (given.change !== undefined) await transaction.query(END_CHANGE);
          await record?.keep(report, transaction);
        });
        return 'commit';
      },
      signal,
    );
  const isTogether = options.isRehearsal || !options.skipsRefused;
  const importAll = async (own?: WriteDependencies): Promise<void> => {
    if (report.isStopped) return;
    for await (const batch of batchesOf(running, rows)) {
      if (own === undefined) await together((each) => write(batch, each));
      else await write(batch, own);
      given.progress?.(report.rows, count);
      if (report.isStopped) return;
    }
  };
  await (isTogether ? together(importAll) : importAll());
  return report;
}

type WrittenRow = ImportRow & { readonly json: string };

async function* batchesOf({ report }: Import, rows: AsyncIterable<ImportRow>): AsyncGenerator<readonly WrittenRow[]> {
  let batch: WrittenRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    if (row.row <= report.rows) continue;
    report.rows += 1;
    if (row.json === undefined) refuse(report, [{ row: row.row, reason: '', ...row.refusal }]);
    else {
      batch.push({ ...row, json: row.json });
      characters += row.json.length;
    }
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS && report.refused < MAX_REFUSED) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  yield batch;
}

function refuse(report: ImportReport, errors: readonly RefusedRow[]): void {
  report.refused += 1;
  report.errors.push(...errors.slice(0, MAX_REASONS));
}

const ignore = ({ ignored }: ImportReport, name: string): unknown =>
  ignored.add(ignored.size < MAX_IGNORED || ignored.has(name) ? name : '*');

async function importBatch(running: Import, batch: readonly WrittenRow[], deps: WriteDependencies): Promise<void> {
  const [first] = batch;
  if (first === undefined || running.report.refused >= MAX_REFUSED) return;
  try {
    const statuses = await writeRows(running, batch, deps);
    for (const status of statuses) running.report[status] += 1;
  } catch (error) {
    if (!isPlatformError(error) || error.status >= 500) throw error;
    if (batch.length === 1) {
      refuse(running.report, refusalsOf(error, first.row, running.columns));
      return;
    }
    const half = Math.ceil(batch.length / 2);
    await importBatch(running, batch.slice(0, half), deps);
    await importBatch(running, batch.slice(half), deps);
  }
}

type Status = 'created' | 'updated' | 'unchanged' | 'deleted';

const writeRows = (
  running: Import,
  batch: readonly WrittenRow[],
  deps: WriteDependencies,
): Promise<readonly Status[]> => (running.options.mode === 'delete' ? remove : upsert)(running, batch, deps);

/** Refused rows that are left out must be found before the commit of their batch. */
const endOfPart = ({ skipsRefused, isRehearsal }: ImportOptions): 'commit' | 'test' =>
  skipsRefused && !isRehearsal ? 'test' : 'commit';

/** Deletes the instances of rows by their keys, all or none; other members have no effect. */
async function remove(
  { options, principal, signal, unknownMembers, report }: Import,
  batch: readonly WrittenRow[],
  deps: WriteDependencies,
): Promise<readonly Status[]> {
  const { entityName, key = 'id' } = options;
  const ownKey = entityOf(deps.environment.model, entityName).key?.attribute;
  const keys = new Set(key.split(',').map((path) => path.trim().split('.', 1)[0]));
  if (keys.has('id') || keys.has(ownKey)) keys.add('id').add(ownKey);
  const members = batch.flatMap(({ json }) => Object.keys(readExactJson(json) as ExactObject));
  const others = members.filter((name) => !keys.has(name));
  const [other] = others;
  if (unknownMembers === 'refuse' && other !== undefined)
    throw new PlatformError('REQ_UNKNOWN_MEMBER', `Attribute '${shortened(other)}' has no effect on a deletion`);
  for (const name of others) ignore(report, name.slice(0, MAX_IGNORED_LENGTH));
  const request = requestOf(options, batch, unknownMembers);
  let shown = '{}';
  await inOneTransaction(
    deps,
    async (own) => {
      if (options.isRehearsal && report.changes.length < MAX_CHANGES)
        shown = (await deleteByKey({ ...request, isRehearsal: true }, principal, own, signal)).body;
      await deleteByKey(request, principal, own, signal);
      return endOfPart(options);
    },
    signal,
  );
  noteShown(report, shown);
  return batch.map(() => 'deleted');
}

const requestOf = (
  { entityName, key, mode }: ImportOptions,
  batch: readonly WrittenRow[],
  unknownMembers: ImportCall['unknownMembers'],
): UpsertRequest => ({
  entityName,
  body: `[${batch.map(({ json }) => json).join(',')}]`,
  // A row of a deletion without an id is no new instance.
  upsert: { key: mode === 'delete' ? (key ?? 'id') : key, duplicates: mode === 'create' ? 'ignore' : 'merge' },
  responsePlan: undefined,
  ifMatch: undefined,
  ifNoneMatch: undefined,
  unknownMembers,
  url: '',
  idempotentCall: undefined,
});

/** Keeps the first changes and events of a rehearsal. */
function noteShown(report: ImportReport, body: string): void {
  const shown = readExactJson(body) as ExactObject;
  for (const name of ['changes', 'events'] as const)
    report[name].push(...((shown[name] ?? []) as ExactJson[]).slice(0, MAX_CHANGES - report[name].length));
}

/** Writes rows, all or none. */
async function upsert(
  { options, principal, signal, unknownMembers, report }: Import,
  batch: readonly WrittenRow[],
  deps: WriteDependencies,
): Promise<readonly Status[]> {
  const { mode } = options;
  let statuses: readonly Status[] = [];
  let shown = '{}';
  const request = requestOf(options, batch, unknownMembers);
  const isShown = options.isRehearsal && batch.length > 0 && report.changes.length < MAX_CHANGES;
  await inOneTransaction(
    deps,
    async (own) => {
      // Further rows need the batch, so that it is written again.
      if (isShown) shown = (await upsertEntities({ ...request, isRehearsal: true }, principal, own, signal)).body;
      const { body, headers } = await upsertEntities(request, principal, own, signal);
      for (const name of headers[IGNORED_HEADER]?.split(', ') ?? []) ignore(report, name.replace(/^body\./, ''));
      statuses = (JSON.parse(body) as { readonly _status: Status }[]).map(({ _status }) => _status);
      if (mode === 'create' && statuses.some((status) => status !== 'created'))
        throw new PlatformError('DATA_ALREADY_EXISTS', 'The instance exists already');
      if (mode === 'update' && statuses.includes('created'))
        throw new PlatformError('DATA_INSTANCE_NOT_FOUND', 'There is no such instance');
      return endOfPart(options);
    },
    signal,
  );
  noteShown(report, shown);
  return statuses;
}

const ROOT = /(?:entities)?\[0\]\.?/g;

/** The reasons why one row was refused; its path in the texts of errors is left out. */
function refusalsOf(error: PlatformError, row: number, columns: readonly ImportColumn[]): readonly RefusedRow[] {
  if (error.items !== undefined)
    return error.items.map(({ path, message }) => ({
      row,
      ...namedAt(path.replace(ROOT, ''), columns),
      reason: message,
    }));
  const reason = (error.details === '' ? error.error : error.details).replaceAll(ROOT, '');
  const named = /'([^' ]+)'/.exec(reason)?.[1];
  const found = named === undefined ? {} : namedAt(named, columns);
  return [{ row, ...('column' in found || columns.length === 0 ? found : {}), reason }];
}

function namedAt(attribute: string, columns: readonly ImportColumn[]): { column?: string; attribute?: string } {
  if (attribute === '') return {};
  const found = columns.find(({ path }) => {
    const name = path?.join('.') ?? '';
    return name === attribute || name.startsWith(`${attribute}.`) || (name !== '' && attribute.startsWith(name));
  });
  return { ...(found === undefined ? {} : { column: found.column }), attribute };
}
