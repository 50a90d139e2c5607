import { PlatformError } from '@lintel/errors';
import type { Step } from '@lintel/http';

/**
 * Refuses the handshake of a WebSocket (RFC 6455 §4.2.1), which no service supports. Other upgrades are offers that a
 * server may ignore.
 */
export const refuseWebSocket: Step = (request, _response, next) => {
  const { upgrade } = request.headers;
  if (upgrade !== undefined && /\bwebsocket\b/i.test(upgrade))
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'WebSocket is not supported: there are no endpoints that speak it',
    );
  next();
};
