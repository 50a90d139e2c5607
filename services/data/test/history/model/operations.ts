import type { TestResponse } from '../../data-fixture.ts';
import type { Random } from '../../security/delegation-model/random.ts';
import { LIGHT } from './application.ts';
import { isLight, type RecordedData, ROOTS, type Root, type Tree, type World } from './world.ts';

/** A write. A response of success changes the world to `expected`, where it is known. */
export interface Operation {
  readonly name: string;
  send(): Promise<TestResponse>;
  /** The world afterwards, if the former worlds determine it. */
  readonly expected?: World;
  /** Whether the response must be one of success, or of a conflict. */
  readonly succeeds?: boolean;
}

/** Everything that was written so far. */
export interface Past {
  readonly worlds: readonly { readonly moment: string; readonly world: World }[];
  /** Transactions, with the worlds before and after them. */
  readonly changes: readonly { readonly change: string; readonly before: World; readonly after: World }[];
  /** Soft-deleted instances, as they were. */
  readonly bin: ReadonlyMap<string, Tree>;
}

const MAX_INSTANCES = 14;
/** Attributes of all instances. */
const OF_ALL = ['number', 'weight', '+color', '+marks'];

/** Chooses what is written next. */
export function nextOperation(random: Random, recorded: RecordedData, world: World, past: Past, at: string): Operation {
  const { send } = recorded;
  const names = [...world.keys()];
  const isFull = names.length >= MAX_INSTANCES;
  const kind = random.below(100);
  if (names.length < 3 || past.changes.length === 0 || (kind < 15 && !isFull)) {
    const entity = random.one(ROOTS);
    const bodies = Array.from({ length: 1 + random.below(3) }, (_, which) =>
      newBody(random, recorded, world, entity, `${at}.${which}`),
    );
    return {
      name: `creates ${entity}`,
      send: () => send('admin', 'POST', `/entities/${entity}`, bodies.length === 1 ? bodies[0] : bodies),
      succeeds: true,
    };
  }
  const name = random.one(names);
  const tree = world.get(name) as Tree;
  if (kind < 45) {
    const [entity] = name.split('/') as [Root];
    const others = names.filter((other) => other !== name && other.startsWith(`${entity}/`));
    const group = [name, ...random.some(others, 0.2)];
    const bodies = group.map((one, which) => ({
      ...changedBody(random, recorded, world, world.get(one) as Tree, entity, `${at}.${which}`),
      id: idOf(one),
    }));
    const [body] = bodies;
    return {
      name: `updates ${group.join(', ')}`,
      send: () =>
        group.length === 1
          ? send('admin', 'PUT', `/entities/${name}`, { ...body, id: undefined })
          : send('admin', 'PUT', `/entities/${entity}`, bodies),
      succeeds: true,
    };
  }
  if (kind < 48) {
    const table = name.startsWith('m_Document') || name.startsWith('m_Invoice') ? 'document' : 'asset';
    return {
      name: `updates a row of ${name} by SQL`,
      send: () =>
        recorded.data
          .query(`UPDATE m.${table} SET weight = ${random.below(100)} WHERE id = '${idOf(name)}'`)
          .then(() => OK),
      succeeds: true,
    };
  }
  if (kind < 57) return bulkOperation(random, recorded, world, kind < 54 ? 'PATCH' : 'DELETE');
  if (kind < 65) return { name: `deletes ${name}`, send: () => send('admin', 'DELETE', `/entities/${name}`) };
  const binned = [...past.bin.keys()];
  if (kind < 72 && binned.length > 0) {
    const restored = random.one(binned);
    return {
      name: `restores ${restored} of the bin`,
      send: () => send('admin', 'POST', `/entities/${restored}/restore`),
      expected: new Map([...world, [restored, past.bin.get(restored) as Tree]]),
    };
  }
  if (kind < 75 && binned.length > 0) {
    const purged = random.one(binned);
    return {
      name: `removes ${purged} for good`,
      send: () => send('admin', 'DELETE', `/entities/${purged}?deleted=only`),
      expected: world,
    };
  }
  if (kind < 87) {
    const { moment, world: former } = random.one(past.worlds.slice(-40));
    const state = former.get(name);
    const attributes = random.chance(0.3) ? random.some([...OF_ALL, 'tags', 'lines', 'cover'], 0.5) : [];
    const known = attributes.filter(
      (one) => (!name.startsWith('m_Asset') && !name.startsWith('m_Vehicle')) || OF_ALL.includes(one),
    );
    const isWhole = known.length === 0;
    return {
      name: `writes the state of ${name} at ${moment} again${isWhole ? '' : `: ${known.join(', ')}`}`,
      send: () =>
        send('admin', 'POST', `/history/${name}/restore`, { time: moment, ...(isWhole ? {} : { attributes: known }) }),
      ...(state === undefined
        ? { succeeds: false }
        : { expected: new Map([...world, [name, isWhole ? state : withMembers(tree, state, known)]]) }),
    };
  }
  const undone = random.one(past.changes.slice(-12));
  return {
    name: `takes back ${undone.change}`,
    send: () => send('admin', 'POST', `/history/changes/${undone.change}/undo`),
    ...undoOf(undone, world),
  };
}

/** Changes or deletes all instances of a filter that the caller sees. */
function bulkOperation(random: Random, { send }: RecordedData, world: World, method: 'PATCH' | 'DELETE'): Operation {
  const entity = random.one(['m_Document', 'm_Asset'] as const);
  const user = random.chance(0.3) ? 'light' : 'admin';
  const least = random.below(100);
  const own = entity === 'm_Document' ? /^m_(Document|Invoice)\// : /^m_(Asset|Vehicle)\//;
  const affected = [...world].filter(
    ([name, tree]) => own.test(name) && Number(tree['weight']) >= least && (user === 'admin' || isLight(tree)),
  );
  const body = { weight: random.below(LIGHT), ...(random.chance(0.5) ? { '+color': `c${random.below(99)}` } : {}) };
  const expected = new Map(world);
  for (const [name, tree] of affected)
    if (method === 'DELETE') expected.delete(name);
    else expected.set(name, withMembers(tree, body, Object.keys(body)));
  const filter = { conditions: [{ property: 'weight', operator: '>=', value: least }] };
  const path = `/entities/${entity}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const bounded = { prefer: 'max-affected=100' };
  return {
    name: `${method === 'PATCH' ? 'patches' : 'empties'} ${entity} of ${user} from ${least}`,
    send: () =>
      method === 'PATCH'
        ? send(user, method, path, body, { ...bounded, 'content-type': 'application/merge-patch+json' })
        : send(user, method, path, undefined, bounded),
    expected,
    // Documents may refer to assets.
    ...((method === 'PATCH' || entity === 'm_Document') && { succeeds: true }),
  };
}

const OK: TestResponse = { status: 200, text: '', headers: new Headers(), json: () => ({}) };
const idOf = (name: string): string => name.slice(name.indexOf('/') + 1);

function withMembers(tree: Tree, state: Tree, names: readonly string[]): Tree {
  const merged: Record<string, unknown> = { ...tree };
  for (const name of names) {
    delete merged[name];
    if (state[name] !== undefined) merged[name] = state[name];
  }
  return Object.fromEntries(Object.entries(merged).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The inverse of a change, where everything that it has written is as it left it. */
function undoOf({ before, after }: Past['changes'][number], world: World): Partial<Operation> {
  const expected = new Map(world);
  let isUnchanged = true;
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, became, is] = [before.get(name), after.get(name), world.get(name)].map((one) => JSON.stringify(one));
    if (was === became) continue;
    if (became !== is) isUnchanged = false;
    const former = before.get(name);
    if (former === undefined) expected.delete(name);
    else expected.set(name, former);
  }
  // Later changes of other attributes are no conflict, so that only untouched instances determine the world.
  return isUnchanged ? { expected } : {};
}

const children = <T>(random: Random, make: () => T): T[] => Array.from({ length: random.below(3) }, make);

/** Each state of an instance has a number that no other state has. */
function newBody(random: Random, recorded: RecordedData, world: World, entity: Root, number: string): Tree {
  const body = {
    number: `N${number}`,
    weight: random.below(100),
    ...(random.chance(0.4) && { '+color': `c${random.below(99)}` }),
    ...(random.chance(0.4) && { '+marks': children(random, () => random.below(9)) }),
  };
  const line = () => ({
    quantity: random.below(9),
    notes: children(random, () => ({ text: `t${random.below(99)}` })),
  });
  if (entity === 'm_Asset') return body;
  if (entity === 'm_Vehicle')
    return { ...body, plate: `P${random.below(99)}`, wheels: children(random, () => ({ size: random.below(30) })) };
  const assets = [...world.keys()].filter((name) => name.startsWith('m_Asset/') || name.startsWith('m_Vehicle/'));
  return {
    ...body,
    tags: children(random, () => `g${random.below(9)}`),
    labels: random.some(recorded.labels, 0.4).map((id) => ({ id })),
    lines: children(random, line),
    ...(random.chance(0.5) && assets.length > 0 ? { keeper: { id: idOf(random.one(assets)) } } : {}),
    ...(random.chance(0.4) ? { cover: { title: `c${random.below(99)}` } } : {}),
    ...(entity === 'm_Invoice' ? { amount: random.below(1000) } : {}),
  };
}

/** Some members of a new body; children stay, change or go. */
function changedBody(
  random: Random,
  recorded: RecordedData,
  world: World,
  tree: Tree,
  entity: Root,
  number: string,
): Tree {
  const { number: own, ...others } = newBody(random, recorded, world, entity, number);
  const chosen = Object.entries(others).filter(() => random.chance(0.4));
  const body: Record<string, unknown> = { ...Object.fromEntries(chosen), number: own };
  for (const name of ['lines', 'wheels']) {
    if (body[name] === undefined) continue;
    const kept = random.some((tree[name] ?? []) as readonly Tree[], 0.6);
    const changed = kept.map((child) =>
      random.chance(0.5)
        ? child
        : name === 'lines'
          ? { ...child, quantity: random.below(9) }
          : { ...child, size: random.below(30) },
    );
    body[name] = [...changed, ...(body[name] as Tree[])];
  }
  for (const name of ['cover', '+color', '+marks'])
    if (tree[name] !== undefined && random.chance(0.2)) body[name] = null;
  return body;
}
