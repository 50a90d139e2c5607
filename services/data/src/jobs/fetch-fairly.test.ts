import { job } from '@lintel/application';
import { createFairFetch } from './fetch-fairly.ts';

// Asserts contract/jobs.md#fairness.
test('a user who comes after two hundred others has turns as they have', async () => {
  const others = Array.from({ length: 200 }, (_, at) => `user ${at}`);
  const groups = [...others, ...Array.from({ length: 1_000 }, () => 'late'), ...others];
  const waiting = groups.map((groupId, at) => ({ id: String(at), groupId, retryCount: 0, data: null }));
  const fetch = async (_name: string, { ignoreGroups = [] as readonly string[] } = {}) => {
    const at = waiting.findIndex(({ groupId }) => !ignoreGroups.includes(groupId));
    return at < 0 ? [] : waiting.splice(at, 1);
  };
  const fetchNext = createFairFetch(
    { fetch } as never,
    job('a', { as: '', overlap: true }, () => {}),
    5,
  );
  const taken: (string | null | undefined)[] = [];
  for (let at = 0; at < 210; at++) taken.push((await fetchNext(1, [])).runs[0]?.groupId);
  expect(taken).toEqual([...others, 'late', ...others.slice(0, 9)]);
});
