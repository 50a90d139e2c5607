import { EXTERNAL_AUDIENCE, startExternalIssuer } from '../../test/external-issuer.ts';
import { createExternalVerifier } from './external-verifier.ts';
import type { ResourceServerConfig } from './resource-server-settings.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function verifierOf(issuer: string, warnings: unknown[] = []) {
  const config = { issuer, audience: [EXTERNAL_AUDIENCE], jwksUrl: undefined, clockToleranceMs: 30_000 };
  return createExternalVerifier(config as unknown as ResourceServerConfig & { readonly issuer: string }, {
    clock: { now: () => Date.now() },
    logger: { warn: (facts) => warnings.push(facts) },
  });
}

/** Runs with a clock that the test moves; jose has one of its own. */
async function withClock(work: (moveTo: (laterMs: number) => void) => Promise<void>): Promise<void> {
  const realNow = Date.now;
  let later = 0;
  Date.now = () => realNow() + later;
  try {
    await work((laterMs) => {
      later = laterMs;
    });
  } finally {
    Date.now = realNow;
  }
}

test('known keys stay in use while the issuer is away, and are loaded again afterwards', async () => {
  const other = await startExternalIssuer();
  try {
    await withClock(async (moveTo) => {
      const warnings: unknown[] = [];
      const verifier = verifierOf(other.issuer, warnings);
      const verified = async () => verifier.verify(await other.token());
      expect(await verified()).toMatchObject({ sub: 'subject-1' });
      other.setAvailable(false);
      moveTo(HOUR_MS);
      expect(await verified()).toMatchObject({ sub: 'subject-1' });
      expect(warnings).toEqual([{ issuer: other.issuer, error: expect.any(Error) }]);
      other.setAvailable(true);
      moveTo(2 * HOUR_MS);
      expect(await verified()).toMatchObject({ sub: 'subject-1' });
      expect(await verified()).toMatchObject({ sub: 'subject-1' });
      expect(other.keyRequests()).toBe(2);
    });
  } finally {
    await other.close();
  }
});

// Asserts contract/tokens.md#external-tokens.
test('a new key of the issuer is accepted, and a former one refused after the issuer has removed it', async () => {
  const other = await startExternalIssuer();
  try {
    await withClock(async (moveTo) => {
      const verifier = verifierOf(other.issuer);
      const exp = Math.floor((Date.now() + HOUR_MS) / 1000);
      const former = await other.token({ exp });
      expect(await verifier.verify(former)).toMatchObject({ sub: 'subject-1' });
      await other.rotate();
      moveTo(MINUTE_MS);
      expect(await verifier.verify(await other.token({ exp }))).toMatchObject({ sub: 'subject-1' });
      expect(await verifier.verify(former)).toMatchObject({ sub: 'subject-1' });
      other.retire();
      // Known keys are used for ten minutes.
      moveTo(12 * MINUTE_MS);
      expect(await verifier.verify(former)).toBe('invalid');
      expect(await verifier.verify(await other.token({ exp }))).toMatchObject({ sub: 'subject-1' });
      expect(other.keyRequests()).toBe(3);
    });
  } finally {
    await other.close();
  }
});

// Asserts contract/tokens.md#external-tokens.
test('tokens with unknown keys, also many at a time, load the keys at most every half minute', async () => {
  const other = await startExternalIssuer();
  try {
    await withClock(async (moveTo) => {
      const verifier = verifierOf(other.issuer);
      await verifier.verify(await other.token());
      const flood = async () => {
        const tokens = await Promise.all(
          Array.from({ length: 50 }, (_, kid) => other.token({}, { kid: `unknown-${kid}` })),
        );
        return Promise.all(tokens.map((token) => verifier.verify(token)));
      };
      moveTo(MINUTE_MS);
      expect(new Set(await flood())).toEqual(new Set(['invalid']));
      expect(new Set(await flood())).toEqual(new Set(['invalid']));
      expect(other.keyRequests()).toBe(2);
      moveTo(2 * MINUTE_MS);
      await flood();
      expect(other.keyRequests()).toBe(3);
    });
  } finally {
    await other.close();
  }
});
