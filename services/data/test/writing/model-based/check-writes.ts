import { entityOf } from '@lintel/metadata';
import { fc } from '@lintel/testkit/properties';
import type { DataFixture, TestResponse } from '../../data-fixture.ts';
import { library } from '../library-application.ts';
import { applyWrite, itemsText, type Outcome } from './apply-write.ts';
import { type GeneratedWrite, generateWrite } from './generate-write.ts';
import { readWorld } from './read-world.ts';
import { Rules } from './rules.ts';
import { keptBy, type Row, type World } from './world.ts';

/** Numbers of outcomes, so that a test can check that the requests covered enough. */
export interface Tally {
  readonly done: Record<string, number>;
  readonly refused: Record<string, number>;
  revived: number;
  touched: number;
}

export const newTally = (): Tally => ({ done: {}, refused: {}, revived: 0, touched: 0 });

/** Users and their row-level roles. */
export type Callers = Readonly<Record<string, readonly string[]>>;

const { model } = library;

/**
 * Sends random requests to the service, beginning with an empty library, and compares every response and the
 * whole content of the database with the simple model.
 *
 * @throws Error with the first difference, the request, and the values to repeat it
 */
export async function checkWrites(
  data: DataFixture,
  callers: Callers,
  seed: number,
  steps: number,
  tally: Tally,
): Promise<void> {
  await emptyLibrary(data);
  let world: World = new Map();
  const property = fc.asyncProperty(fc.gen(), fc.constantFrom(...Object.keys(callers)), async (choose, user) => {
    const write = generateWrite(choose, model, world);
    const outcome = applyWrite(model, world, write, new Rules(callers[user] ?? []));
    const response = await send(data, user, write);
    const actual = await readWorld(data.database, model);
    const before = world;
    try {
      world = compare(world, outcome, response, actual, user);
    } catch (error) {
      const rows = [...before.values()].map((row) => JSON.stringify(row)).join('\n');
      throw new Error(
        `${(error as Error).message}\n${user} ${JSON.stringify(write, null, 1)}\n${response.status} ${response.text}\nbefore:\n${rows}`,
      );
    }
    count(tally, before, world, write, response);
  });
  // Every step depends on the previous ones, so that a failing sequence cannot be shrunk.
  const run = await fc.check(property, { numRuns: steps, seed, endOnFailure: true, unbiased: true });
  if (run.failed) throw new Error(`Seed ${seed}, step ${run.numRuns}: ${(run.errorInstance as Error).message}`);
}

async function emptyLibrary({ database }: DataFixture): Promise<void> {
  const tables = await database.query<{ name: string }>({
    text: "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'l'",
    values: [],
  });
  await database.query({ text: `TRUNCATE ${tables.map(({ name }) => name).join(', ')}`, values: [] });
}

function send(data: DataFixture, user: string, write: GeneratedWrite): Promise<TestResponse> {
  const path = `/entities/${write.entity}`;
  switch (write.method) {
    case 'POST':
      return data.send(user, 'POST', path, write.isBatch ? write.bodies : write.bodies[0]);
    case 'PUT':
    case 'PATCH': {
      const [target, body] = write.id === undefined ? [path, write.bodies] : [`${path}/${write.id}`, write.bodies[0]];
      const type = write.method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
      return data.send(user, write.method, target, body, type);
    }
    case 'DELETE':
      return write.isBatch
        ? data.send(user, 'DELETE', path, write.ids)
        : data.send(user, 'DELETE', `${path}/${write.ids[0]}`);
    default:
      return write satisfies never;
  }
}

const NAMED = new Set(['Entity creation failed', 'Entity update failed', 'Optimistic lock']);

function errorOf({ status, text }: TestResponse): string {
  const body = JSON.parse(text);
  if (Array.isArray(body)) return itemsText(body.map(({ path }: { path: string }) => path));
  return status === 400 && !NAMED.has(body.error) ? 'parse' : body.error;
}

/** @returns the world after the request */
function compare(before: World, outcome: Outcome, response: TestResponse, actual: World, user: string): World {
  if (response.status >= 500) throw new Error('The service failed');
  if (response.status >= 400) {
    const error = errorOf(response);
    const isExpected =
      outcome.kind === 'refused'
        ? outcome.errors.has(error)
        : outcome.mayCollide && error === 'Unique constraint violation';
    if (!isExpected)
      throw new Error(`Refused (${error}), expected ${outcome.kind === 'done' ? 'success' : [...outcome.errors]}`);
    assertSameWorld(before, actual);
    return before;
  }
  if (outcome.kind === 'refused') throw new Error(`Not refused, expected ${[...outcome.errors]}`);
  const expected = named(outcome.draft.finish(user), outcome.roots, response, actual);
  assertSameWorld(expected.world, actual);
  assertResponse(expected, response);
  return actual;
}

interface Named {
  readonly world: World;
  readonly roots: readonly string[];
}

/** Replaces `?1`, `?2`, … by the ids that the server generated, found by comparing the new rows. */
function named(world: World, roots: readonly string[], response: TestResponse, actual: World): Named {
  const ids = new Map<string, string>();
  const body = response.text === '' ? [] : JSON.parse(response.text);
  const returned: readonly { id: string }[] = Array.isArray(body) ? body : [body];
  for (const [at, root] of roots.entries()) if (root.startsWith('?')) ids.set(root, String(returned[at]?.id));
  const free = new Set([...actual.keys()].filter((id) => !world.has(id) && ![...ids.values()].includes(id)));
  const idOf = (id: string): string => ids.get(id) ?? id;
  for (const row of world.values()) {
    if (!row.id.startsWith('?') || ids.has(row.id)) continue;
    const wanted = textOf(rename({ ...row, id: '' }, idOf));
    // The reference of a parent identifies its single child.
    const parent = [...world.values()].find((one) => Object.values(one.values).includes(row.id));
    const path = Object.entries(parent?.values ?? {}).find(([, value]) => value === row.id)?.[0];
    const linked = actual.get(idOf(parent?.id ?? ''))?.values[path ?? ''];
    const found = linked ?? [...free].find((id) => textOf({ ...(actual.get(id) as Row), id: '' }) === wanted);
    if (typeof found !== 'string') throw new Error(`No new row like ${wanted}`);
    free.delete(found);
    ids.set(row.id, found);
  }
  const rows = [...world.values()].map((row) => rename(row, idOf));
  return { world: new Map(rows.map((row) => [row.id, row])), roots: roots.map(idOf) };
}

function rename(row: Row, idOf: (id: string) => string): Row {
  const values = keptBy(model, entityOf(model, row.entity)).map(({ path, attribute }) => {
    const value = row.values[path] ?? null;
    return [path, attribute.kind === 'reference' && typeof value === 'string' ? idOf(value) : value] as const;
  });
  return { ...row, id: idOf(row.id), values: Object.fromEntries(values) };
}

const textOf = ({ entity, id, version, isDeleted, modifiedBy, values }: Row): string =>
  JSON.stringify([entity, id, version, isDeleted, modifiedBy, Object.entries(values).sort()]);

function assertSameWorld(expected: World, actual: World): void {
  for (const id of new Set([...expected.keys(), ...actual.keys()])) {
    const [one, other] = [expected.get(id), actual.get(id)].map((row) => (row === undefined ? 'no row' : textOf(row)));
    if (one !== other) throw new Error(`Expected ${one}\nfound    ${other}`);
  }
}

function assertResponse({ world, roots }: Named, response: TestResponse): void {
  if (response.status === 204) return;
  const body = response.json();
  const shown = (Array.isArray(body) ? body : [body]).map(({ _entityName, id }) => `${_entityName} ${id}`);
  const wanted = roots.map((id) => `${world.get(id)?.entity} ${id}`);
  if (JSON.stringify(shown) !== JSON.stringify(wanted)) throw new Error(`Answered ${shown}, expected ${wanted}`);
}

function count(tally: Tally, before: World, after: World, write: GeneratedWrite, response: TestResponse): void {
  const isDone = response.status < 400;
  const [group, name] = isDone
    ? [tally.done, write.method]
    : [tally.refused, errorOf(response).split(' [')[0] as string];
  group[name] = (group[name] ?? 0) + 1;
  for (const row of after.values()) {
    const old = before.get(row.id);
    if (old?.isDeleted && !row.isDeleted) tally.revived += 1;
    if (old !== undefined && old.version < row.version && JSON.stringify(old.values) === JSON.stringify(row.values))
      tally.touched += 1;
  }
}
