import { chooseReplica, type ReplicaFacts } from './choose-replica.ts';

const replica = (number: number, position: string | undefined = 'M', freshAtMs = 1_000): ReplicaFacts => ({
  number,
  position,
  freshAtMs,
});
const asked = { nowMs: 1_500, maxLagMs: 1_000, caller: 'session', mark: undefined };
const CALLERS = Array.from({ length: 600 }, (_, at) => `session ${at}`);

test('a replica is chosen that has replayed the mark, be it just', () => {
  const [behind, level] = [replica(1, 'L'), replica(2, 'M')];
  expect(chooseReplica([behind, level], { ...asked, mark: 'M' })).toBe(level);
  expect(chooseReplica([behind], { ...asked, mark: 'M' })).toBeUndefined();
});

test('none is chosen that may lack something older than the greatest lag', () => {
  expect(chooseReplica([replica(1, 'M', 500)], asked)).toBeDefined();
  expect(chooseReplica([replica(1, 'M', 499)], asked)).toBeUndefined();
  expect(chooseReplica([replica(1, 'M', Number.NEGATIVE_INFINITY)], asked)).toBeUndefined();
});

test('none is chosen that is away, and there may be none at all', () => {
  expect(chooseReplica([{ number: 1, position: undefined, freshAtMs: 1_400 }], asked)).toBeUndefined();
  expect(chooseReplica([], asked)).toBeUndefined();
});

test('callers are spread, and each stays with its replica when another one goes', () => {
  const all = [replica(1), replica(2), replica(3)];
  const chosen = (replicas: readonly ReplicaFacts[]) =>
    CALLERS.map((caller) => chooseReplica(replicas, { ...asked, caller })?.number);
  const [before, after] = [chosen(all), chosen(all.slice(0, 2))];
  for (const number of [1, 2, 3]) expect(before.filter((each) => each === number).length).toBeGreaterThan(120);
  for (const [at, number] of before.entries()) if (number !== 3) expect(after[at]).toBe(number);
});
