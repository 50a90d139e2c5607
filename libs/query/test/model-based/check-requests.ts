import { isPlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import {
  bindStatement,
  compileCount,
  compileRead,
  type ExactObject,
  type Page,
  pageOf,
  parseAggregates,
  parseEntityId,
  parseRead,
  planCount,
  planRead,
  type RowPosition,
  readExactJson,
  resolveEntity,
  resolveRead,
  type StatementTemplate,
  secureRead,
  shapeRow,
  UNLIMITED,
} from '@lintel/query';
import { fc } from '@lintel/testkit/properties';
import { isFloating } from './aggregates.ts';
import { type Caller, readAccessOf } from './caller.ts';
import { difference, parseExact } from './exact.ts';
import { type ExpectedResult, expectedResult, type TextRank } from './expected-result.ts';
import { type GeneratedRequest, generateCaller, generateRequest } from './generate-request.ts';
import { withStoredWorld } from './stored-world.ts';
import { NOW } from './times.ts';
import type { World } from './world.ts';

const MAX_FETCH_SIZE = 1_000;
/** More than any list of a world has rows. */
const MAX_PAGES = 200;

/** What a statement returns. */
interface ResultRow {
  readonly json?: string;
  readonly count?: string;
  readonly [position: `position_${number}`]: string | null;
}

/** What the compiler, the database and the shape stage make of a request. */
type ActualResult =
  | { readonly kind: 'refused' | 'overflow' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'rows'; readonly rows: readonly unknown[]; readonly groups?: number };

/** Counts of the results of the generated requests, so that a test can check that they covered something. */
export interface Tally {
  requests: number;
  refused: number;
  /** Requests that returned at least one row. */
  fruitful: number;
  rows: number;
  /** Requests for aggregates, conditions on trees and values relative to now. */
  aggregates: number;
  trees: number;
  relative: number;
  /** Lists that were read to their end, page by page. */
  walks: number;
  pages: number;
}

export const newTally = (): Tally => ({
  ...{ requests: 0, refused: 0, fruitful: 0, rows: 0, walks: 0, pages: 0, aggregates: 0, trees: 0, relative: 0 },
});

/**
 * Makes a model with data from the seed, stores it in a database of its own and compares the results of
 * random requests with the naive evaluation.
 *
 * @throws Error naming the first difference, with everything that is needed to reproduce it
 */
export async function checkRequests(seed: number, requests: number, tally: Tally): Promise<void> {
  await withStoredWorld(seed, async (database, world) => {
    const rank = await textRank(database, world);
    const property = fc.asyncProperty(fc.gen(), async (choose) => {
      const caller = generateCaller(choose, world);
      const request = generateRequest(choose, world);
      await checkRequest(database, world, caller, request, rank, tally);
    });
    const { failed, errorInstance } = await fc.check(property, { numRuns: requests, seed });
    if (failed) throw new Error(`Model ${seed}: ${(errorInstance as Error).message}`);
  });
}

async function checkRequest(
  database: Database,
  world: World,
  caller: Caller,
  request: GeneratedRequest,
  rank: TextRank,
  tally: Tally,
): Promise<void> {
  const { question } = request;
  const expected = expectedResult(world, caller, question, rank);
  const reader = readerOf(database, world.model, caller, request);
  const fail = (found: string): never => {
    throw new Error(`${found}\n${describeCase(caller, request)}\n${reader.text()}`);
  };
  const actual = await reader.first();
  if (actual.kind === 'overflow') return;
  const found = compareResults(request, expected, actual);
  if (found !== undefined) fail(found);
  tally.requests += 1;
  tally.refused += Number(expected.kind === 'refused');
  const text = JSON.stringify(request.members);
  tally.aggregates += Number(question.operation === 'aggregates' && expected.kind === 'rows');
  tally.trees += Number(/"(under|above|depth)"/.test(text));
  tally.relative += Number(/"(startOf|now)"/.test(text));
  tally.fruitful += Number(expected.kind === 'rows' && expected.rows.length > 0);
  tally.rows += expected.kind === 'rows' ? expected.rows.length : 0;
  if (expected.kind !== 'rows' || question.limit === undefined || question.limit === 0) return;
  // All pages, each after the last row of the previous one.
  const whole = expectedResult(world, caller, { ...question, limit: undefined, offset: question.offset ?? 0 }, rank);
  if (whole.kind === 'rows' && whole.rows.length > question.limit * MAX_PAGES) return;
  const { pages, rows } = await reader.walk(question.limit);
  const differs = compareResults(request, whole, { kind: 'rows', rows });
  if (differs !== undefined) fail(`Walk of ${pages} pages: ${differs}`);
  tally.walks += 1;
  tally.pages += pages;
}

const describeCase = (caller: Caller, { question, id, members, negationsFindNull }: GeneratedRequest): string =>
  JSON.stringify({
    operation: question.operation,
    entity: question.entity.name,
    id,
    members,
    negationsFindNull,
    unreadable: [...caller.unreadable],
    hidden: [...caller.hidden],
    policies: Object.fromEntries(caller.policies),
    predicates: [...caller.predicates].map(([name, { dependsOn }]) => `${name}: ${dependsOn}`),
  });

interface Reader {
  /** The result of the request itself. */
  first(): Promise<ActualResult>;
  /** All rows from the request's own page to the end, by cursors. */
  walk(limit: number): Promise<{ readonly pages: number; readonly rows: readonly unknown[] }>;
  /** The statement that ran last. */
  text(): string;
}

/** All stages, as the data service runs them. */
function readerOf(
  database: Database,
  model: Model,
  caller: Caller,
  { question, id: idText, members, negationsFindNull }: GeneratedRequest,
): Reader {
  const { operation } = question;
  let text = '';
  const prepare = () => {
    const entity = resolveEntity(model, question.entity.name);
    const id = idText === undefined ? [] : parseEntityId(model, entity, idText);
    const sent = readExactJson(JSON.stringify(members)) as ExactObject;
    const options = { inlineFetchPlansEnabled: true, negationsFindNull };
    const raw = { entityName: entity.name, members: sent };
    const parsed =
      operation === 'aggregates'
        ? parseAggregates(raw, options, UNLIMITED)
        : parseRead({ ...raw, operation }, options, UNLIMITED);
    const secured = secureRead(resolveRead(parsed, model), readAccessOf(model, caller));
    // Predicates choose the rows: the page is counted while they are read.
    return { id, parsed, secured, isFiltered: secured.node.policy !== undefined };
  };
  type Prepared = ReturnType<typeof prepare>;
  const run = async ({ id, parsed }: Prepared, template: StatementTemplate, page: Page, after?: RowPosition) => {
    const statement = bindStatement(template, {
      ...{ model, id, inputs: parsed.inputs, now: new Date(NOW), limit: page.limit, offset: page.offset },
      ...(after === undefined ? {} : { position: after.values }),
      sessionValue: (name) => caller.session[name],
    });
    text = statement.text;
    return database.query<ResultRow>({ text, values: statement.values });
  };
  const readPage = async (prepared: Prepared, page: Page, after?: RowPosition) => {
    const { parsed, secured, isFiltered } = prepared;
    const template = compileRead(
      planRead(secured, { limited: !isFiltered, ...(after === undefined ? {} : { after }) }),
      undefined,
      parsed.returnNulls,
    );
    const resultRows = await run(prepared, template, page, after);
    const shaped = resultRows.flatMap((row) => {
      const json = shapeRow(row.json ?? '', template.shape, { omitNulls: !parsed.returnNulls });
      return json === undefined ? [] : [{ row, value: parseExact(json) }];
    });
    const isSliced = isFiltered && operation === 'list';
    const seen = isSliced ? shaped.slice(page.offset, page.offset + page.limit) : shaped;
    const last = seen[page.limit - 1]?.row;
    // One row of aggregates without groups is all there is.
    const isWhole = last === undefined || question.aggregation?.groups.length === 0;
    const end = isWhole ? undefined : positionOf(template, last);
    return { rows: seen.map(({ value }) => value), end };
  };
  const countOf = async (prepared: Prepared, page: Page): Promise<number> => {
    const [row] = await run(prepared, compileCount(planCount(prepared.secured)), page);
    return Number(row?.count);
  };
  return {
    text: () => text,
    async first() {
      try {
        const prepared = prepare();
        const page = pageOf(prepared.parsed, MAX_FETCH_SIZE);
        if (operation === 'count' && !prepared.isFiltered) {
          return { kind: 'count', count: await countOf(prepared, page) };
        }
        const { rows } = await readPage(prepared, page);
        if (question.aggregation !== undefined) return { kind: 'rows', rows, groups: await countOf(prepared, page) };
        return operation === 'count' ? { kind: 'count', count: rows.length } : { kind: 'rows', rows };
      } catch (error) {
        if (isPlatformError(error) && error.code === 'ACCESS_READ_DENIED') return { kind: 'refused' };
        // Numbers of the world are so large that the sum of two is none.
        const totals = question.aggregation?.values.filter(
          (one) => isFloating(one.type) && /sum|avg/.test(one.function),
        );
        if (totals?.length !== 0 && isPlatformError(error) && error.details === 'A number is out of range')
          return { kind: 'overflow' };
        const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
        const description = describeCase(caller, { question, id: idText, members, negationsFindNull });
        throw new Error(`${cause}\n${description}\n${text}`, { cause: error });
      }
    },
    async walk(limit) {
      const prepared = prepare();
      const all: unknown[] = [];
      let after: RowPosition | undefined;
      for (let pages = 1; ; pages += 1) {
        const offset = after === undefined ? (question.offset ?? 0) : 0;
        const { rows, end } = await readPage(prepared, { limit, offset }, after);
        all.push(...rows);
        if (end === undefined) return { pages, rows: all };
        if (pages > MAX_PAGES) throw new Error(`A walk does not end\n${text}`);
        after = end;
      }
    },
  };
}

function positionOf({ order, positionColumns }: StatementTemplate, row: ResultRow): RowPosition {
  if (positionColumns === 0) throw new Error('A page says where it ends');
  return { order, values: Array.from({ length: positionColumns }, (_, at) => row[`position_${at}`] ?? null) };
}

function compareResults(
  { question }: GeneratedRequest,
  expected: ExpectedResult,
  actual: ActualResult,
): string | undefined {
  if (expected.kind !== 'rows' || actual.kind !== 'rows') return difference(expected, { ...actual });
  if (actual.groups !== undefined && actual.groups !== expected.groups)
    return `Expected ${expected.groups} groups, counted ${actual.groups}`;
  const { sort, limit, offset } = question;
  const isOrdered = limit !== undefined || offset !== undefined || question.operation === 'aggregates';
  if (expected.rows.length !== actual.rows.length)
    return `Expected ${expected.rows.length} rows: ${JSON.stringify(expected.rows)}, got ${JSON.stringify(actual.rows)}`;
  if (isOrdered) return difference(expected.rows.map(sortMembers), actual.rows.map(sortMembers));
  const rowAt = new Map(actual.rows.map((row) => [identityOf(row), row]));
  const positionByRow = new Map(expected.rows.map((row, at) => [identityOf(row), expected.positions[at]]));
  for (const row of expected.rows) {
    const found = difference(sortMembers(row), sortMembers(rowAt.get(identityOf(row))));
    if (found !== undefined) return found;
  }
  // Rows with equal sort keys may come in any order.
  const positions = actual.rows.map((row) => positionByRow.get(identityOf(row)));
  return sort.length === 0 ? undefined : difference(expected.positions, positions, 'order');
}

const identityOf = (row: unknown): string => {
  const { _entityName, id } = row as { readonly _entityName: unknown; readonly id: unknown };
  return JSON.stringify([_entityName, id]);
};

/** Members of collections have no promised order: by their identity, wherever they are. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sortMembers);
    const isCollection = items.every((item) => typeof item === 'object' && item !== null && '_entityName' in item);
    return isCollection ? items.toSorted((one, other) => (identityOf(one) < identityOf(other) ? -1 : 1)) : items;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, sortMembers(item)]));
}

/** The order of all texts of the world, as the database's collation has it. */
async function textRank(database: Database, { model, instances, dynamic }: World): Promise<TextRank> {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null && !('entity' in value)) Object.values(value).forEach(collect);
  };
  for (const { values, key } of instances) [...Object.values(values), key].forEach(collect);
  for (const values of dynamic.values()) [...values.values()].forEach(collect);
  for (const { values } of model.enums.values()) for (const { id } of values) collect(id);
  const sorted = await database.query<{ text: string }>({
    text: 'SELECT text FROM unnest($1::text[]) AS given (text) ORDER BY text',
    values: [[...texts]],
  });
  const ranks = new Map(sorted.map(({ text }, at) => [text, at]));
  return (text) => {
    const rank = ranks.get(text);
    if (rank === undefined) throw new Error(`No rank for ${JSON.stringify(text)}`);
    return rank;
  };
}
