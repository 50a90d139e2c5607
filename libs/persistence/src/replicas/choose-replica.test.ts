import { chooseReplica, type ReplicaFacts } from './choose-replica.ts';

const replica = (number: number, position: string | undefined = 'M', freshAtMs = 1_000): ReplicaFacts => ({
  number,
  position,
  freshAtMs,
});
const choice = { nowMs: 1_500, maxLagMs: 1_000, caller: 'session', minPosition: undefined };
const CALLERS = Array.from({ length: 600 }, (_, at) => `session ${at}`);

test('a replica is chosen that has replayed the log up to the minimum position', () => {
  const [lagging, level] = [replica(1, 'L'), replica(2, 'M')];
  expect(chooseReplica([lagging, level], { ...choice, minPosition: 'M' })).toBe(level);
  expect(chooseReplica([lagging], { ...choice, minPosition: 'M' })).toBeUndefined();
});

test('none is chosen that may lack something older than the maximum lag', () => {
  expect(chooseReplica([replica(1, 'M', 500)], choice)).toBeDefined();
  expect(chooseReplica([replica(1, 'M', 499)], choice)).toBeUndefined();
  expect(chooseReplica([replica(1, 'M', Number.NEGATIVE_INFINITY)], choice)).toBeUndefined();
});

test('none is chosen that is unavailable, and none where there is no replica', () => {
  expect(chooseReplica([{ number: 1, position: undefined, freshAtMs: 1_400 }], choice)).toBeUndefined();
  expect(chooseReplica([], choice)).toBeUndefined();
});

test('callers are distributed, and each keeps its replica when another one is lost', () => {
  const all = [replica(1), replica(2), replica(3)];
  const chosen = (replicas: readonly ReplicaFacts[]) =>
    CALLERS.map((caller) => chooseReplica(replicas, { ...choice, caller })?.number);
  const [before, after] = [chosen(all), chosen(all.slice(0, 2))];
  for (const number of [1, 2, 3]) expect(before.filter((each) => each === number).length).toBeGreaterThan(120);
  for (const [at, number] of before.entries()) if (number !== 3) expect(after[at]).toBe(number);
});
