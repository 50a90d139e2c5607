import { isPlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { createDatabase, createSchemaFromModel, type Database } from '@lintel/persistence';
import {
  bindStatement,
  compileCount,
  compileRead,
  type ExactObject,
  pageOf,
  parseEntityId,
  parseRead,
  planCount,
  planRead,
  readExactJson,
  resolveEntity,
  resolveRead,
  secureRead,
  shapeRow,
} from '@lintel/query';
import { createTestDatabase } from '@lintel/testkit';
import fc from 'fast-check';
import { answer, type ExpectedAnswer, type TextRank } from './answer.ts';
import { type Caller, readAccessOf } from './caller.ts';
import { difference, parseExact } from './exact.ts';
import { generateModel } from './generate-model.ts';
import { type GeneratedRequest, generateCaller, generateRequest } from './generate-request.ts';
import { generateWorld } from './generate-world.ts';
import { storeWorld } from './store-world.ts';
import type { World } from './world.ts';

const MAX_FETCH_SIZE = 1_000;

/** What the compiler, the database and the shape stage make of a request. */
type ActualAnswer =
  | { readonly kind: 'refused' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'rows'; readonly rows: readonly unknown[] };

/** Counts of what the generated requests led to, so that a test can tell that they tested something. */
export interface Tally {
  requests: number;
  refused: number;
  /** Requests that answered at least one row. */
  fruitful: number;
  rows: number;
}

export const newTally = (): Tally => ({ requests: 0, refused: 0, fruitful: 0, rows: 0 });

/**
 * Makes a model with data from the seed, stores it in a database of its own and compares the answers to
 * random requests with the naive evaluation.
 *
 * @throws Error naming the first difference, with everything that is needed to see it again
 */
export async function checkRequests(seed: number, requests: number, tally: Tally): Promise<void> {
  const [choose] = fc.sample(fc.gen(), { numRuns: 1, seed });
  if (choose === undefined) throw new Error('No sample');
  const model = generateModel(choose);
  const world = generateWorld(choose, model);
  const server = await createTestDatabase('model');
  let database: Database | undefined;
  try {
    await createSchemaFromModel(server.url, model);
    await server.query(storeWorld(world));
    database = createDatabase({
      url: server.url,
      maxConnections: 1,
      statementTimeoutMs: 10_000,
      applicationName: 'model-test',
    });
    const rank = await textRank(database, world);
    const run = database;
    const property = fc.asyncProperty(fc.gen(), async (chosen) => {
      const caller = generateCaller(chosen, world);
      const request = generateRequest(chosen, world);
      await checkRequest(run, world, caller, request, rank, tally);
    });
    const { failed, errorInstance } = await fc.check(property, { numRuns: requests, seed });
    if (failed) throw new Error(`Model ${seed}: ${(errorInstance as Error).message}`);
  } finally {
    await database?.close();
    await server.drop();
  }
}

async function checkRequest(
  database: Database,
  world: World,
  caller: Caller,
  request: GeneratedRequest,
  rank: TextRank,
  tally: Tally,
): Promise<void> {
  const expected = answer(world, caller, request.question, rank);
  const { actual, text } = await ask(database, world.model, caller, request);
  const found = compareAnswers(request, expected, actual);
  if (found !== undefined) throw new Error(`${found}\n${describeCase(caller, request)}\n${text}`);
  tally.requests += 1;
  tally.refused += Number(expected.kind === 'refused');
  tally.fruitful += Number(expected.kind === 'rows' && expected.rows.length > 0);
  tally.rows += expected.kind === 'rows' ? expected.rows.length : 0;
}

const describeCase = (caller: Caller, { question, id, members }: GeneratedRequest): string =>
  JSON.stringify({
    operation: question.operation,
    entity: question.entity.name,
    id,
    members,
    unreadable: [...caller.unreadable],
    hidden: [...caller.hidden],
    policies: Object.fromEntries(caller.policies),
    predicates: [...caller.predicates].map(([name, { dependsOn }]) => `${name}: ${dependsOn}`),
  });

/** All stages, as the data service runs them. */
async function ask(
  database: Database,
  model: Model,
  caller: Caller,
  { question, id: idText, members }: GeneratedRequest,
): Promise<{ readonly actual: ActualAnswer; readonly text: string }> {
  const { operation } = question;
  let text = '';
  try {
    const entity = resolveEntity(model, question.entity.name);
    const id = idText === undefined ? [] : parseEntityId(model, entity, idText);
    const sent = readExactJson(JSON.stringify(members)) as ExactObject;
    const parsed = parseRead({ operation, entityName: entity.name, members: sent }, { inlineFetchPlansEnabled: true });
    const secured = secureRead(resolveRead(parsed, model), readAccessOf(model, caller));
    // Predicates choose the rows: the page is counted while they are read.
    const isFiltered = secured.node.policy !== undefined;
    const counts = operation === 'count' && !isFiltered;
    const template = counts
      ? compileCount(planCount(secured))
      : compileRead(planRead(secured, { limited: !isFiltered }));
    const page = pageOf(parsed, MAX_FETCH_SIZE);
    const statement = bindStatement(template, {
      model,
      id,
      inputs: parsed.inputs,
      limit: page.limit,
      offset: page.offset,
      sessionValue: (name) => caller.session[name],
    });
    text = statement.text;
    const rows = await database.query<{ json?: string; count?: string }>({ text, values: statement.values });
    if (counts) return { actual: { kind: 'count', count: Number(rows[0]?.count) }, text };
    const shaped = rows.flatMap(
      ({ json }) => shapeRow(json ?? '', statement.shape, { omitNulls: !parsed.returnNulls }) ?? [],
    );
    if (operation === 'count') return { actual: { kind: 'count', count: shaped.length }, text };
    const isSliced = isFiltered && operation === 'list';
    const paged = isSliced ? shaped.slice(page.offset, page.offset + page.limit) : shaped;
    return { actual: { kind: 'rows', rows: paged.map(parseExact) }, text };
  } catch (error) {
    if (isPlatformError(error) && error.code === 'ACCESS_READ_DENIED') return { actual: { kind: 'refused' }, text };
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`${cause}\n${describeCase(caller, { question, id: idText, members })}\n${text}`, { cause: error });
  }
}

function compareAnswers(
  { question }: GeneratedRequest,
  expected: ExpectedAnswer,
  actual: ActualAnswer,
): string | undefined {
  if (expected.kind !== 'rows' || actual.kind !== 'rows') return difference(expected, { ...actual });
  const { sort, limit, offset } = question;
  const isOrdered = limit !== undefined || offset !== undefined;
  if (expected.rows.length !== actual.rows.length)
    return `Expected ${expected.rows.length} rows: ${JSON.stringify(expected.rows)}, got ${JSON.stringify(actual.rows)}`;
  if (isOrdered) return difference(expected.rows.map(sortMembers), actual.rows.map(sortMembers));
  const rowAt = new Map(actual.rows.map((row) => [identityOf(row), row]));
  const placeOf = new Map(expected.rows.map((row, at) => [identityOf(row), expected.places[at]]));
  for (const row of expected.rows) {
    const found = difference(sortMembers(row), sortMembers(rowAt.get(identityOf(row))));
    if (found !== undefined) return found;
  }
  // Rows that no key tells apart may come in any order.
  const places = actual.rows.map((row) => placeOf.get(identityOf(row)));
  return sort.length === 0 ? undefined : difference(expected.places, places, 'order');
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
async function textRank(database: Database, { model, instances }: World): Promise<TextRank> {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null && !('entity' in value)) Object.values(value).forEach(collect);
  };
  for (const { values, key } of instances) [...Object.values(values), key].forEach(collect);
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
