import type { Page } from 'playwright-core';

/** An authenticator of a browser that confirms what it is asked, with or without having verified its user. */
export interface Authenticator {
  setVerified(isVerified: boolean): Promise<void>;
}

/** Adds a virtual authenticator for passkeys, whose user is verified. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async setVerified(isUserVerified) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
