import { createRandom } from './random.ts';
import { Requests, type Sent } from './requests.ts';
import { beyond, contentOf, missingIn, type Rights, rightsOf } from './rights.ts';
import { codesOf, type State, type StoredUser } from './state.ts';
import type { World } from './world.ts';

/** What the sequences of a run have sent. */
export interface Tally {
  readonly byRoute: Map<string, number>;
  accepted: number;
  refused: number;
  controlled: number;
  probes: number;
}

export const newTally = (): Tally => ({ byRoute: new Map(), accepted: 0, refused: 0, controlled: 0, probes: 0 });

export interface SequenceOptions {
  readonly seed: number;
  readonly maxRequests: number;
  /** Whether what the caller has at the end is tried by real requests, too. */
  readonly probes: boolean;
  readonly tally: Tally;
}

export interface Judged {
  readonly before: State;
  readonly after: State;
  readonly ceiling: Rights;
  readonly callerId: string;
  /** Users as whom the caller can log in: it has set their name, password or e-mail. */
  readonly controlled: Set<string>;
}

/**
 * Lets an administrator with a part of the rights send random requests, and judges every change by a model of rights of
 * its own: neither the caller, nor a user that the caller can be afterwards, has more than the caller had.
 *
 * @returns what is wrong, with the requests; empty if nothing is
 */
export async function runSequence(world: World, options: SequenceOptions): Promise<readonly string[]> {
  const { seed, maxRequests, tally } = options;
  const random = createRandom(seed);
  const start = await world.reset(random);
  const requests = new Requests(random);
  const caller = start.users.find(({ username }) => username === 'cora') as StoredUser;
  const ceiling = rightsOfName('cora', start);
  const controlled = new Set<string>();
  const history: string[] = [];
  let state = start;
  const total = 1 + random.below(maxRequests);
  for (let at = 0; at < total; at += 1) {
    const sent = requests.next(state);
    const own = state.users.find(({ id }) => id === caller.id);
    if (own === undefined) break;
    world.logIn('caller', caller.id, own.username, state);
    world.actedOn.clear();
    const { status, text } = await world.data.send('caller', sent.method, sent.path, sent.body, sent.headers);
    history.push(`${status} ${lineOf(sent)}`);
    count(tally, sent, status);
    const actedOn = [...world.actedOn].filter((name) => name !== own.username);
    const problems = actedOn.flatMap((name) =>
      beyond(rightsOfName(name, state), ceiling).map((what) => `acts on ${name}, who has ${what}`),
    );
    if (status >= 500) problems.push(text);
    if (status < 300 && sent.path.startsWith('/entities/')) {
      const after = await world.read();
      problems.push(...judge({ before: state, after, ceiling, callerId: caller.id, controlled }));
      state = after;
    }
    if (problems.length > 0)
      return [`Sequence ${seed}, caller ${codesOf('cora', start, 'resource')}`, ...history, ...problems];
  }
  tally.controlled += controlled.size;
  const probed = options.probes ? await probe(world, start, state, new Set([caller.id, ...controlled])) : [];
  tally.probes += options.probes ? 1 : 0;
  return probed.length === 0 ? [] : [`Sequence ${seed}`, ...history, ...probed];
}

const lineOf = ({ method, path, body }: Sent): string => `${method} ${path} ${JSON.stringify(body) ?? ''}`;

function count(tally: Tally, { route }: Sent, status: number): void {
  tally.byRoute.set(route, (tally.byRoute.get(route) ?? 0) + 1);
  if (status < 300) tally.accepted += 1;
  if (status === 403) tally.refused += 1;
}

export function rightsOfName(username: string, state: State): Rights {
  const row = state.users.find((user) => user.username === username)?.row ?? '{}';
  const values = JSON.parse(row) as Record<string, unknown>;
  const rights = rightsOf(codesOf(username, state, 'resource'), codesOf(username, state, 'row-level'), state, values);
  // All roles of requests without a token count.
  return username === 'anonymous'
    ? { ...rights, atoms: contentOf(codesOf(username, state, 'resource'), state) }
    : rights;
}

export function judge(judged: Judged): readonly string[] {
  const { before, after, ceiling, callerId, controlled } = judged;
  const problems: string[] = [];
  const assertCovered = (username: string, why: string): void => {
    // What a name without a user had, ends when a user takes the name (ADR 95): it was nobody's.
    const had = username === 'anonymous' || before.users.some((user) => user.username === username);
    const states = [...(had ? [['before', before] as const] : []), ['after', after] as const];
    for (const [when, state] of states)
      problems.push(
        ...beyond(rightsOfName(username, state), ceiling).map((what) => `${why} ${username}, who has ${when}: ${what}`),
      );
  };
  for (const [one, other] of changedUsers(before, after)) {
    const user = (other ?? one) as StoredUser;
    if (user.id === callerId) continue;
    for (const name of new Set([one?.username, other?.username]))
      if (name !== undefined) assertCovered(name, 'changes');
    const isTaken =
      other !== undefined &&
      (one?.password !== other.password || one?.email !== other.email || one?.username !== other.username);
    if (isTaken) controlled.add(user.id);
  }
  for (const name of changedNames(before, after)) assertCovered(name, 'assigns a role to');
  problems.push(...roleProblems(judged));
  const users = after.users.filter(({ id }) => id === callerId || controlled.has(id)).map(({ username }) => username);
  for (const name of [...users, 'anonymous'])
    problems.push(...beyond(rightsOfName(name, after), ceiling).map((what) => `can be ${name}, who has ${what}`));
  return [...new Set(problems)];
}

function changedUsers(
  before: State,
  after: State,
): readonly (readonly [StoredUser | undefined, StoredUser | undefined])[] {
  const ids = new Set([...before.users, ...after.users].map(({ id }) => id));
  const find = (state: State, id: string) => state.users.find((user) => user.id === id);
  return [...ids]
    .map((id) => [find(before, id), find(after, id)] as const)
    .filter(([one, other]) => one?.row !== other?.row);
}

function changedNames(before: State, after: State): readonly string[] {
  const textOf = (state: State): ReadonlySet<string> => new Set(state.assignments.map((each) => JSON.stringify(each)));
  const [one, other] = [textOf(before), textOf(after)];
  return [...before.assignments, ...after.assignments]
    .filter((each) => one.has(JSON.stringify(each)) !== other.has(JSON.stringify(each)))
    .map(({ username }) => username);
}

/** Roles that were changed have nothing that the caller lacks, before or after. */
function roleProblems({ before, after, ceiling }: Judged): readonly string[] {
  const changed = <T extends { readonly code: string }>(of: (state: State) => readonly T[]): readonly string[] => {
    const find = (state: State, code: string) => JSON.stringify(of(state).find((role) => role.code === code));
    return [...new Set([...of(before), ...of(after)].map(({ code }) => code))].filter(
      (code) => find(before, code) !== find(after, code),
    );
  };
  const missing = (atoms: Iterable<string>, code: string) =>
    missingIn(ceiling, atoms).map((atom) => `changes the role ${code} with ${atom}`);
  const resource = changed(({ roles }) => roles.resourceRoles).flatMap((code) =>
    [before, after].flatMap((state) => missing(storedContentOf(code, state), code)),
  );
  const rows = changed(({ roles }) => roles.rowLevelRoles).flatMap((code) =>
    [before, after].flatMap(({ roles }) =>
      roles.rowLevelRoles
        .filter((role) => role.code === code)
        .flatMap(({ policies }) => policies)
        .flatMap(({ entityName, action }) =>
          missing(
            action.split(',').map((each) => `entity ${entityName} ${each.trim()}`),
            code,
          ),
        ),
    ),
  );
  return [...resource, ...rows];
}

/** A role of code with the same code is another role. */
const storedContentOf = (code: string, state: State): ReadonlySet<string> =>
  state.roles.resourceRoles.some((role) => role.code === code) ? contentOf([code], state) : new Set();

/** What the running service says that each of the users may do, compared with what it said of the caller before. */
async function probe(world: World, start: State, end: State, ids: ReadonlySet<string>): Promise<readonly string[]> {
  const permissionsOf = async (id: string, name: string, state: State): Promise<ReadonlyMap<string, number>> => {
    world.logIn('probe', id, name, state);
    const response = await world.data.send('probe', 'GET', '/permissions');
    const found = response.json() as Record<string, readonly { readonly target: string; readonly value: number }[]>;
    return new Map(
      ['entities', 'entityAttributes', 'specifics'].flatMap((kind) =>
        (found[kind] ?? []).map(({ target, value }) => [`${kind} ${target}`, value] as const),
      ),
    );
  };
  const now = await permissionsOfEach(end, ids, permissionsOf);
  // The roles are those of the former state, too.
  world.restore(start);
  const caller = start.users.find(({ username }) => username === 'cora') as StoredUser;
  const ceiling = await permissionsOf(caller.id, 'cora', start);
  return now.flatMap(([name, permissions]) =>
    [...permissions]
      .filter(([target, value]) => value > (ceiling.get(target) ?? 0))
      .map(([target]) => `the service permits ${name} ${target}`),
  );
}

async function permissionsOfEach(
  state: State,
  ids: ReadonlySet<string>,
  permissionsOf: (id: string, name: string, state: State) => Promise<ReadonlyMap<string, number>>,
): Promise<readonly (readonly [string, ReadonlyMap<string, number>])[]> {
  const found: (readonly [string, ReadonlyMap<string, number>])[] = [];
  for (const { id, username } of state.users.filter((user) => ids.has(user.id)))
    found.push([username, await permissionsOf(id, username, state)]);
  return found;
}
