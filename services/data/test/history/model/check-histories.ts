import { SEED } from '@lintel/testkit/properties';
import { createRandom } from '../../security/delegation-model/random.ts';
import { nextOperation, type Operation, type Past } from './operations.ts';
import { canonical, isLight, planOf, type RecordedData, type Root, type Tree, type World } from './world.ts';

interface Difference {
  readonly operation: 'created' | 'updated' | 'deleted';
  readonly attributes: readonly { readonly attribute: string; readonly old?: unknown; readonly new?: unknown }[];
  readonly children?: readonly ChildDifference[];
}

interface ChildDifference extends Difference {
  readonly attribute: string;
  readonly id: string;
}

interface Entry extends Difference {
  readonly change: string;
}

interface Moment {
  readonly moment: string;
  readonly world: World;
}

/** How often each kind of operation succeeded and was refused. */
export type Tally = Map<string, { done: number; refused: number }>;

/**
 * Writes at random, and asserts after every step that a refused operation has changed nothing, that the history of each
 * changed instance leads to its state, that former states are as they were, and that a restricted caller is shown
 * no state that its row-level policies hide.
 */
export async function checkHistories(recorded: RecordedData, steps: number): Promise<Tally> {
  const tally: Tally = new Map();
  for (let first = 0; first < steps; first += SEQUENCE)
    await checkSequence(recorded, SEED + first, Math.min(SEQUENCE, steps - first), tally);
  return tally;
}

/** Steps of a sequence, which begins without instances: histories that grow would make each step longer. */
const SEQUENCE = 60;

async function checkSequence(recorded: RecordedData, seed: number, steps: number, tally: Tally): Promise<void> {
  const random = createRandom(seed);
  const moments: Moment[] = [];
  const changes: Past['changes'][number][] = [];
  const bin = new Map<string, Tree>();
  const seen = new Set<string>();
  const left = await recorded.emptyWorld();
  let world = left;
  for (let at = 0; at < steps; at += 1) {
    const operation = nextOperation(random, recorded, world, { worlds: moments, changes, bin }, `${seed}.${at}`);
    const { status, text } = await operation.send();
    const before = world;
    world = await recorded.readWorld();
    const where = `step ${at} (seed ${seed}) ${operation.name}: ${status} ${status < 400 ? '' : text}`;
    count(tally, operation.name.split(' m_')[0]?.split(' ')[0] ?? '', status);
    assertOutcome(operation, status, before, world, where, recorded.data.errors);
    const changed = changedNames(before, world);
    for (const name of changed) seen.add(name);
    for (const name of changed) {
      if (!world.has(name) && isBinned(name)) bin.set(name, before.get(name) as Tree);
      else bin.delete(name);
    }
    if (operation.name.includes('for good') && status < 400) bin.delete(operation.name.split(' ')[1] as string);
    moments.push({ moment: await recorded.nextMoment(), world });
    const [first] = changed;
    for (const name of [...changed, ...(random.chance(0.2) ? [random.one([...seen])] : [])])
      await assertExplained(recorded, name, world.get(name), where);
    if (first !== undefined) {
      const [entry] = await historyOf(recorded, 'admin', first, 1);
      if (entry !== undefined) {
        changes.push({ change: entry.change, before, after: world });
        if (at % 4 === 0) await assertListed(recorded, entry.change, changed, where);
      }
    }
    await assertFormer(recorded, random.one([...seen]), random.one(moments), where);
    // All states of the others are known.
    const own = [...seen].filter((name) => !left.has(name));
    if (at % 5 === 0 && own.length > 0) await assertHidden(recorded, random.one(own), moments, where);
  }
}

const isBinned = (name: string): boolean => /^m_(Document|Invoice)\//.test(name);

function count(tally: Tally, kind: string, status: number): void {
  const own = tally.get(kind) ?? { done: 0, refused: 0 };
  if (status < 400) own.done += 1;
  else own.refused += 1;
  tally.set(kind, own);
}

const textOf = (tree: unknown): string | undefined => (tree === undefined ? undefined : JSON.stringify(tree));

const changedNames = (before: World, after: World): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => textOf(before.get(name)) !== textOf(after.get(name)),
  );

function assertOutcome(
  { expected, succeeds }: Operation,
  status: number,
  before: World,
  after: World,
  where: string,
  errors: readonly unknown[],
): void {
  assertEqual(where, [status < 500, errors], [true, []]);
  if (succeeds !== undefined) assertEqual(where, status < 400, succeeds);
  const should = status >= 400 ? before : expected;
  if (should !== undefined) assertEqual(where, sorted(after), sorted(should));
}

/** @throws Error that begins with the step */
function assertEqual(where: string, actual: unknown, expected: unknown): void {
  try {
    expect(actual).toEqual(expected);
  } catch (error) {
    throw new Error(`${where}\n${String(error)}`);
  }
}

const sorted = (world: World): unknown => [...world].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function historyOf(
  { send }: RecordedData,
  user: 'admin' | 'light',
  name: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let path: string | undefined = `/history/${name}?limit=${Math.min(limit, 100)}`;
  while (path !== undefined && entries.length < limit) {
    const response: Awaited<ReturnType<typeof send>> = await send(user, 'GET', path);
    expect([name, response.status, response.text]).toEqual([name, 200, expect.anything()]);
    entries.push(...(response.json() as Entry[]));
    path = /<(?:[^>]*)(\/history[^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return entries;
}

/** The list of all changes has each changed instance once, under its own entity. */
async function assertListed({ send }: RecordedData, change: string, changed: readonly string[], where: string) {
  const listed = (
    (await send('admin', 'GET', '/history?limit=100')).json() as (Entry & { entity: string; id: string })[]
  )
    .filter((entry) => entry.change === change)
    .map(({ entity, id }) => `${entity}/${id}`);
  assertEqual(`${where}: listed`, listed.toSorted(), changed.toSorted());
}

/** The changes, applied one after the other, lead to the state; each begins with what the one before left. */
async function assertExplained(recorded: RecordedData, name: string, tree: Tree | undefined, where: string) {
  const entries = await historyOf(recorded, 'admin', name);
  let state: Tree | undefined;
  for (const entry of entries.toReversed()) state = apply(state, entry, `${where}: ${name}`);
  if (state !== undefined) state = canonical({ ...state, id: name.slice(name.indexOf('/') + 1) }) as Tree;
  assertEqual(`${where}: history of ${name}`, state, tree);
}

function apply(state: Tree | undefined, entry: Difference, where: string): Tree | undefined {
  assertEqual(`${where} ${entry.operation}`, state === undefined, entry.operation === 'created');
  const next: Record<string, unknown> = { ...state };
  for (const { attribute, old, new: value } of entry.attributes) {
    assertEqual(`${where}.${attribute}`, canonical(next[attribute] ?? []), plain(old));
    next[attribute] = plain(value);
  }
  for (const { attribute, id, ...child } of entry.children ?? []) {
    const [own, others] = childrenOf(next[attribute], id);
    const applied = apply(own, child, `${where}.${attribute} ${id}`);
    const kept = applied === undefined ? others : [...others, { ...applied, id }];
    next[attribute] = attribute === 'cover' ? (kept[0] ?? null) : kept;
  }
  return entry.operation === 'deleted' ? undefined : next;
}

/** A value of an entry, with references by their ids. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return canonical(value.map((one) => reference(one)));
  return canonical(reference(value));
}

const reference = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? { id: value.id } : value;

function childrenOf(value: unknown, id: string): readonly [Tree | undefined, readonly Tree[]] {
  const all = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]) as readonly Tree[];
  return [all.find((one) => one['id'] === id), all.filter((one) => one['id'] !== id)];
}

async function assertFormer({ send }: RecordedData, name: string, { moment, world }: Moment, where: string) {
  const [entity] = name.split('/') as [Root];
  for (const user of ['admin', 'light'] as const) {
    const response = await send(
      user,
      'GET',
      `/history/${name}/at?time=${moment}&dynamicAttributes=true&fetchPlan=${planOf(entity)}`,
    );
    const tree = world.get(name);
    const isShown = tree !== undefined && (user === 'admin' || isLight(tree));
    const read = response.status === 200 ? withHiddenKeeper(canonical(response.json()) as Tree, tree, user) : undefined;
    assertEqual(
      `${where}: ${name} of ${user} at ${moment}`,
      [response.status, read],
      isShown ? [200, tree] : [404, undefined],
    );
  }
}

/** A keeper that the caller may not see is missing. */
const withHiddenKeeper = (read: Tree, tree: Tree | undefined, user: string): Tree =>
  user === 'light' && read['keeper'] === undefined && tree?.['keeper'] !== undefined
    ? (canonical({ ...read, keeper: tree['keeper'] }) as Tree)
    : read;

/** A restricted caller reads the numbers of the states that it may see, and no others. */
async function assertHidden(recorded: RecordedData, name: string, moments: readonly Moment[], where: string) {
  const text = JSON.stringify(await historyOf(recorded, 'light', name));
  const visible = new Set<string>();
  for (const { world } of moments) {
    const tree = world.get(name);
    if (isLight(tree)) visible.add(String(tree?.['number']));
  }
  const shown = new Set([...text.matchAll(/"(?:old|new)":"(N\d+\.\d+\.\d)"/g)].map(([, number]) => number));
  assertEqual(
    `${where}: ${name} shows`,
    [...shown].filter((number) => !visible.has(number as string)),
    [],
  );
  assertEqual(
    `${where}: ${name} hides`,
    [...visible].filter((number) => !shown.has(number)),
    [],
  );
}
