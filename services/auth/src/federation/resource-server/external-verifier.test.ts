import { EXTERNAL_AUDIENCE, startExternalIssuer } from '../../../test/external-issuer.ts';
import { createExternalVerifier } from './external-verifier.ts';
import type { ResourceServerConfig } from './resource-server-settings.ts';

const HOUR_MS = 3_600_000;

test('known keys stay in use while the issuer is away, and are loaded again afterwards', async () => {
  const other = await startExternalIssuer();
  const realNow = Date.now;
  try {
    let later = 0;
    // jose has a clock of its own.
    Date.now = () => realNow() + later;
    const config = {
      issuer: other.issuer,
      audience: [EXTERNAL_AUDIENCE],
      jwksUrl: undefined,
      clockToleranceMs: 30_000,
    };
    const verifier = createExternalVerifier(config as unknown as ResourceServerConfig & { readonly issuer: string }, {
      now: () => Date.now(),
    });
    const verified = async () => verifier.verify(await other.token());
    expect(await verified()).toMatchObject({ sub: 'subject-1' });
    other.setAvailable(false);
    later = HOUR_MS;
    expect(await verified()).toMatchObject({ sub: 'subject-1' });
    other.setAvailable(true);
    later = 2 * HOUR_MS;
    expect(await verified()).toMatchObject({ sub: 'subject-1' });
    expect(await verified()).toMatchObject({ sub: 'subject-1' });
    expect(other.keyRequests()).toBe(2);
  } finally {
    Date.now = realNow;
    await other.close();
  }
});
