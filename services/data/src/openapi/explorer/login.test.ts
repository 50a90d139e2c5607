import { setImmediate } from 'node:timers/promises';

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

const FOLDER = new URL('../../../explorer/', import.meta.url);
const HOUR_MS = 3_600_000;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresIn?: number;
}
interface Login extends EventTarget {
  accessToken(): Promise<string>;
  close(): void;
}
type Renew = (refreshToken: string) => Promise<Tokens>;

const TOKENS = { accessToken: 'access 1', refreshToken: 'refresh 1', expiresIn: 3600 };

let logIn: (tokens: Tokens, renew: Renew) => Login;
beforeAll(async () => {
  const { Login } = await import(new URL('login.js', FOLDER).href);
  logIn = (tokens, renew) => new Login(tokens, renew);
});
beforeEach(() => {
  fake.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  fake.useRealTimers();
});

/** Renewals that succeed, with the refresh tokens that they were sent. */
function renewals() {
  const sent: string[] = [];
  const renew: Renew = async (refreshToken) => {
    sent.push(refreshToken);
    const next = sent.length + 1;
    return { accessToken: `access ${next}`, refreshToken: `refresh ${next}`, expiresIn: 3600 };
  };
  return { sent, renew };
}

const pass = async (ms: number) => {
  fake.advanceTimersByTime(ms);
  await setImmediate();
};

// Asserts contract/api-documents.md#explorer.
test('a token is renewed before it expires, each time with the refresh token of the last renewal', async () => {
  const { sent, renew } = renewals();
  const login = logIn(TOKENS, renew);
  await pass(HOUR_MS - 61_000);
  expect([await login.accessToken(), sent]).toEqual(['access 1', []]);
  await pass(1_000);
  expect([await login.accessToken(), sent]).toEqual(['access 2', ['refresh 1']]);
  await pass(HOUR_MS);
  expect([await login.accessToken(), sent]).toEqual(['access 3', ['refresh 1', 'refresh 2']]);
  login.close();
});

test('requests at the end of the life wait for one renewal', async () => {
  const { sent, renew } = renewals();
  const login = logIn(TOKENS, renew);
  // The timers of a suspended machine do not run.
  fake.setSystemTime(Date.now() + 2 * HOUR_MS);
  expect(await Promise.all([login.accessToken(), login.accessToken()])).toEqual(['access 2', 'access 2']);
  expect(sent).toEqual(['refresh 1']);
  login.close();
});

test('a server that keeps the refresh token is sent it again', async () => {
  const sent: string[] = [];
  const login = logIn(TOKENS, async (refreshToken) => {
    sent.push(refreshToken);
    return { accessToken: 'access', expiresIn: 3600 };
  });
  await pass(HOUR_MS);
  await pass(HOUR_MS);
  expect(sent).toEqual(['refresh 1', 'refresh 1']);
  login.close();
});

test('a refused renewal ends the login; one that did not reach the server is repeated', async () => {
  const errors = [new Error('no network'), Object.assign(new Error('400: invalid_grant'), { isFinal: true })];
  let attempts = 0;
  const login = logIn(TOKENS, async () => {
    attempts += 1;
    throw errors[attempts - 1];
  });
  const ends: unknown[] = [];
  login.addEventListener('end', (event) => ends.push((event as CustomEvent).detail));
  await pass(HOUR_MS - 60_000);
  expect([attempts, ends]).toEqual([1, []]);
  await pass(10_000);
  expect([attempts, ends]).toEqual([2, ['400: invalid_grant']]);
  await pass(HOUR_MS);
  expect([attempts, await login.accessToken()]).toEqual([2, 'access 1']);
});

test('a login that is closed, and one without a refresh token, renew nothing', async () => {
  const { sent, renew } = renewals();
  logIn(TOKENS, renew).close();
  const other = logIn({ accessToken: 'access', expiresIn: 60 }, renew);
  await pass(2 * HOUR_MS);
  expect([await other.accessToken(), sent]).toEqual(['access', []]);
});

test('a life that is longer than a timer can wait is waited for in parts', async () => {
  const { sent, renew } = renewals();
  const days = 100;
  const login = logIn({ ...TOKENS, expiresIn: days * 24 * 3600 }, renew);
  await pass(days * 24 * HOUR_MS - 61_000);
  expect(sent).toEqual([]);
  await pass(2_000);
  expect(sent).toEqual(['refresh 1']);
  login.close();
});
