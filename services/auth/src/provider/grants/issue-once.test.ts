import { createMemoryStore } from '@lintel/cache';
import { type IssuedTokens, issueOnce } from './issue-once.ts';

const TOKENS: IssuedTokens = {
  accessToken: 'a',
  tokenId: 'hash of a',
  refreshToken: 'r',
  expiresAt: 1,
  scope: 'rest-api',
  sessionId: 's',
};

function start() {
  let nowMs = 0;
  const clock = { now: () => nowMs };
  const keyValues = createMemoryStore({ clock });
  let issued = 0;
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    issued: () => issued,
    issue: (options: Partial<Parameters<typeof issueOnce>[0]> = {}) =>
      issueOnce(
        {
          presented: 'secret',
          proof: ['client', undefined],
          lifeMs: 10_000,
          isCurrent: () => true,
          async issue() {
            issued += 1;
            return { ...TOKENS, accessToken: `a${issued}` };
          },
          ...options,
        },
        { keyValues, clock },
      ),
  };
}

test('requests with the same secret and the same proof share tokens until their life ends', async () => {
  const { issue, issued, pass } = start();
  const responses = await Promise.all([issue(), issue(), issue()]);
  expect(responses.map(({ accessToken }) => accessToken)).toEqual(['a1', 'a1', 'a1']);
  pass(9_999);
  expect([(await issue()).accessToken, issued()]).toEqual(['a1', 1]);
  pass(1);
  expect((await issue()).accessToken).toBe('a2');
});

test.each([
  ['another secret', { presented: 'other' }],
  ['another proof', { proof: ['client', 'key'] }],
  ['no life', { lifeMs: 0 }],
])('a request with %s gets tokens of its own', async (_case, options) => {
  const { issue, issued } = start();
  await issue();
  await issue(options);
  expect(issued()).toBe(2);
});

test('a request after a failed one learns what the failed one began', async () => {
  const { issue } = start();
  const failed = issue({
    async issue(_earlier, begin) {
      await begin('successor');
      throw new Error('outage');
    },
  });
  await expect(failed).rejects.toThrow('outage');
  const tokens = await issue({ issue: async (earlier) => ({ ...TOKENS, refreshToken: earlier?.successor }) });
  expect(tokens.refreshToken).toBe('successor');
});

test('a request takes over from a process that has ended', async () => {
  const { issue, pass } = start();
  let began: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve;
  });
  // Never settles, as the requests of a process that has ended.
  void issue({ issue: () => new Promise(() => began()) });
  await hasBegun;
  const waiting = issue();
  pass(10_000);
  expect((await waiting).accessToken).toBe('a1');
});
