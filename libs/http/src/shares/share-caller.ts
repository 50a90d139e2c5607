import type { IncomingMessage } from 'node:http';
import { callerKeyOf, type Principal } from '@lintel/contracts';
import { clientAddressOf } from '../requests/addresses/client-address.ts';
import { networkOf } from '../requests/addresses/network-of.ts';

/**
 * The caller of a request, for a fair queue: the user or client, and of anonymous calls the address that the gateway forwards.
 * Only the gateway gets tokens of anonymous calls, so no other client can choose the address.
 */
export const shareCallerOf = (request: IncomingMessage, principal: Pick<Principal, 'kind' | 'username'>): string =>
  principal.kind === 'anonymous'
    ? `address:${networkOf(clientAddressOf(request))}`
    : `caller:${callerKeyOf(principal)}`;
