import { AUDIENCE_FILE, AUDIENCE_REST } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { eventually } from '@lintel/testkit';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createTokenVerifier, type RemoteTokenVerifier } from './token-verifier.ts';

const ISSUER = 'http://issuer.test';
const START_MS = Date.UTC(2026, 10, 21);

async function setUp() {
  let now = START_MS;
  let steadyMs = 0;
  const pairs = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();
  const published: object[] = [];
  const addKey = async (kid: string) => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    pairs.set(kid, pair);
    published.push({ ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256' });
  };
  await addKey('k1');
  const auth = { fetches: 0, isDown: false };
  const advance = (ms: number) => {
    now += ms;
    steadyMs += ms;
  };
  /** Sets the clock of the machine. */
  const setClock = (byMs: number) => {
    now += byMs;
  };
  const verifier = createTokenVerifier({
    jwksUrl: 'http://auth.test/jwks',
    issuer: ISSUER,
    clock: { now: () => now },
    monotonicClock: { now: () => steadyMs },
    fetch: async () => {
      auth.fetches += 1;
      if (auth.isDown) throw new Error('ECONNREFUSED');
      return Response.json({ keys: published });
    },
  });
  const sign = async (
    change: { kid?: string; typ?: string; iss?: string; aud?: string; seconds?: number; claims?: object } = {},
  ) => {
    const kid = change.kid ?? 'k1';
    const pair = pairs.get(kid);
    if (pair === undefined) throw new Error(`no key ${kid}`);
    return new SignJWT({ client_id: 'c', sid: 's', ...change.claims })
      .setProtectedHeader({ alg: 'RS256', kid, typ: change.typ ?? 'at+jwt' })
      .setIssuer(change.iss ?? ISSUER)
      .setAudience(change.aud ?? AUDIENCE_REST)
      .setSubject('clerk')
      .setJti('j')
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(now / 1000) + (change.seconds ?? 60))
      .sign(pair.privateKey);
  };
  const refusal = async (token: string) => {
    try {
      await verifier.verify(token, AUDIENCE_REST);
      return 'accepted';
    } catch (error) {
      return isPlatformError(error) ? `${error.code} ${error.details}` : String(error);
    }
  };
  return { verifier, sign, refusal, auth, addKey, published, pairs, advance, setClock };
}

// Asserts contract/tokens.md#file-tickets.
test('a token is for its audience, which may be one of several that are accepted', async () => {
  const { verifier, sign, refusal } = await setUp();
  const token = await sign({ aud: AUDIENCE_FILE, claims: { file: 'fs://a' } });
  expect(await refusal(token)).toBe('AUTH_INVALID_TOKEN Invalid access token');
  expect((await verifier.verify(token, AUDIENCE_REST, AUDIENCE_FILE)).file).toBe('fs://a');
});

function rotated({ caches }: RemoteTokenVerifier): void {
  const event = {
    specversion: '1.0',
    id: '1',
    source: '/lintel/auth',
    type: 'auth.keys.rotated.v1',
    time: '2026-11-21T00:00:00Z',
    datacontenttype: 'application/json',
    data: { kid: 'k2' },
  } as const;
  for (const cache of caches) cache.handleEvent(event);
}

function reconnected({ caches }: RemoteTokenVerifier): void {
  for (const cache of caches) {
    cache.dropAll();
    cache.setConnected(true);
  }
}

const INVALID = 'AUTH_INVALID_TOKEN Invalid access token';
const EXPIRED = 'AUTH_INVALID_TOKEN Access token expired';

test('a valid token gives its claims, and the keys are fetched once', async () => {
  const { verifier, sign, auth } = await setUp();
  const claims = await verifier.verify(await sign(), AUDIENCE_REST);
  expect(claims).toMatchObject({ sub: 'clerk', sid: 's', client_id: 'c' });
  await verifier.verify(await sign({ seconds: 30 }), AUDIENCE_REST);
  expect(auth.fetches).toBe(1);
});

// Asserts contract/decisions.md#55.
test('another issuer, audience, type, missing claims and garbage are refused', async () => {
  const { sign, refusal } = await setUp();
  expect(await refusal(await sign({ iss: 'http://other' }))).toBe(INVALID);
  expect(await refusal(await sign({ aud: 'lintel:internal' }))).toBe(INVALID);
  expect(await refusal(await sign({ typ: 'JWT' }))).toBe(INVALID);
  expect(await refusal(await sign({ claims: { sid: undefined } }))).toBe(INVALID);
  expect(await refusal(await sign({ seconds: Date.UTC(10_000, 0) / 1_000 }))).toBe(INVALID);
  expect(await refusal('eyJ.x.y')).toBe(INVALID);
  expect(await refusal('')).toBe(INVALID);
});

test('a token of the future is refused, unless the clocks may differ so much', async () => {
  const { sign, refusal, setClock } = await setUp();
  const [near, far] = [await sign({ seconds: 600 }), await sign({ seconds: 601 })];
  setClock(-30_000);
  expect(await refusal(near)).toBe('accepted');
  setClock(-1_000);
  expect(await refusal(far)).toBe(INVALID);
});

test('a token signed with the public key as secret, or not at all, is refused', async () => {
  const { refusal, pairs } = await setUp();
  const jwk = await exportJWK(
    pairs.get('k1')?.publicKey ??
      (() => {
        throw new Error();
      })(),
  );
  const payload = {
    client_id: 'c',
    sid: 's',
    sub: 'admin',
    iss: ISSUER,
    aud: AUDIENCE_REST,
    exp: START_MS / 1000 + 60,
  };
  const forged = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', kid: 'k1', typ: 'at+jwt' })
    .sign(new TextEncoder().encode(JSON.stringify(jwk)));
  expect(await refusal(forged)).toBe(INVALID);
  const none = [{ alg: 'none', typ: 'at+jwt' }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  expect(await refusal(`${none.join('.')}.`)).toBe(INVALID);
});

test('a remembered token is refused once it has been expired for longer than clocks may differ, and for another audience at once', async () => {
  const { verifier, sign, refusal, advance } = await setUp();
  const token = await sign();
  await verifier.verify(token, AUDIENCE_REST);
  await expect(verifier.verify(token, 'lintel:internal')).rejects.toThrow('Invalid access token');
  advance(59_000);
  expect(await refusal(token)).toBe('accepted');
  advance(30_000);
  expect(await refusal(token)).toBe('accepted');
  advance(1_000);
  expect(await refusal(token)).toBe(EXPIRED);
  expect(await refusal(token)).toBe(EXPIRED);
});

test('a new key is found by its id; unknown ids ask auth at most once in five seconds', async () => {
  const { sign, refusal, auth, addKey, advance } = await setUp();
  expect(await refusal(await sign())).toBe('accepted');
  await addKey('k2');
  expect(await refusal(await sign({ kid: 'k2' }))).toBe(INVALID);
  advance(6_000);
  expect(await refusal(await sign({ kid: 'k2' }))).toBe('accepted');
  expect(auth.fetches).toBe(2);
});

test.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])('a clock that is set %s by an hour makes new keys neither be missed nor asked for more often', async (_, byMs) => {
  const { sign, refusal, auth, addKey, advance, setClock } = await setUp();
  expect(await refusal(await sign())).toBe('accepted');
  setClock(byMs);
  await addKey('k2');
  const token = await sign({ kid: 'k2' });
  expect(await refusal(token)).toBe(INVALID);
  expect(auth.fetches).toBe(1);
  advance(6_000);
  expect(await refusal(token)).toBe('accepted');
  expect(auth.fetches).toBe(2);
});

test.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])('a clock that is set %s by an hour keeps no token longer than its key', async (_, byMs) => {
  const { sign, refusal, published, addKey, advance, setClock } = await setUp();
  const token = await sign({ seconds: 1_800 });
  expect(await refusal(token)).toBe('accepted');
  await addKey('k2');
  published.shift();
  setClock(byMs);
  advance(11 * 60_000);
  // The first request begins to fetch the keys.
  await eventually(async () => expect(await refusal(token)).toBe(INVALID));
});

// Asserts contract/decisions.md#55.
test('keys keep working while auth is away, however old they are', async () => {
  const { sign, refusal, auth, advance } = await setUp();
  expect(await refusal(await sign())).toBe('accepted');
  auth.isDown = true;
  advance(24 * 3_600_000);
  expect(await refusal(await sign())).toBe('accepted');
});

// Asserts contract/decisions.md#55.
test('without any key ever fetched the answer has the status 503, and it recovers', async () => {
  const { sign, refusal, auth } = await setUp();
  auth.isDown = true;
  const token = await sign();
  expect(await refusal(token)).toMatch(/^AUTH_UNAVAILABLE/);
  auth.isDown = false;
  expect(await refusal(token)).toBe('accepted');
});

test.each([
  ['word of them comes', rotated],
  ['the broker is back, and word of them may have been missed', reconnected],
])('new keys are fetched at once when %s', async (_when, happened) => {
  const { verifier, sign, refusal, addKey, auth } = await setUp();
  await refusal(await sign());
  await addKey('k2');
  const before = auth.fetches;
  happened(verifier);
  expect(auth.fetches).toBe(before + 1);
  expect(await refusal(await sign({ kid: 'k2' }))).toBe('accepted');
  expect(auth.fetches).toBe(before + 1);
});

// Asserts contract/decisions.md#55.
test('a token that was verified with a key that is gone is refused, as soon as that is known', async () => {
  const { verifier, sign, refusal, published, addKey } = await setUp();
  const token = await sign({ seconds: 3_600 });
  expect(await refusal(token)).toBe('accepted');
  await addKey('k2');
  published.shift();
  rotated(verifier);
  await eventually(async () => expect(await refusal(token)).toBe(INVALID));
  expect(await refusal(await sign({ kid: 'k2' }))).toBe('accepted');
});

// Asserts contract/decisions.md#55.
test('that is known after ten minutes without word of it, though no other token comes', async () => {
  const { sign, refusal, published, addKey, advance } = await setUp();
  const token = await sign({ seconds: 3_600 });
  expect(await refusal(token)).toBe('accepted');
  await addKey('k2');
  published.shift();
  advance(10 * 60_000 + 1);
  // The first request begins to fetch the keys.
  await eventually(async () => expect(await refusal(token)).toBe(INVALID));
});

// Asserts contract/decisions.md#55.
test('word of new keys that cannot be fetched is remembered', async () => {
  const { verifier, sign, refusal, auth, published, addKey, advance } = await setUp();
  const token = await sign({ seconds: 3_600 });
  expect(await refusal(token)).toBe('accepted');
  await addKey('k2');
  published.shift();
  auth.isDown = true;
  rotated(verifier);
  expect(await refusal(token)).toBe('accepted');
  auth.isDown = false;
  advance(5_001);
  // The first request begins to fetch the keys.
  await eventually(async () => expect(await refusal(token)).toBe(INVALID));
});
