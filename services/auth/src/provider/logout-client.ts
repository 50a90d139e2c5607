import { createAddressList } from '@lintel/http';
import { createExternalClient, isPrivateAddress } from '@lintel/http-client';

/** Sends logout tokens to clients, but to no private address that is not allowed. */
export interface LogoutClient {
  readonly send: typeof fetch;
  close(): Promise<void>;
}

/** A user waits for the logout. */
const TIMEOUT_MS = 2_500;
/** Bodies are not read. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** @throws Error with an invalid entry of `svc.authserver.backchannel-logout-allowed-networks` */
export function createLogoutClient(allowedNetworks: readonly string[]): LogoutClient {
  const isAllowed = createAddressList('svc.authserver.backchannel-logout-allowed-networks', allowedNetworks);
  const client = createExternalClient({
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    isRefused: (address) => isPrivateAddress(address) && !isAllowed(address),
  });
  return {
    async send(url, { headers, body } = {}) {
      const response = await client.send(new URL(url instanceof Request ? url.url : url), {
        method: 'POST',
        headers: Object.fromEntries(new Headers(headers)),
        body: String(body),
      });
      await response.body.dump();
      return new Response(null, { status: response.statusCode });
    },
    close: () => client.close(),
  };
}
