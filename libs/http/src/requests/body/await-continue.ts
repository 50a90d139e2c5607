import { IncomingMessage, type ServerResponse } from 'node:http';

/** Whether a 100 is still to be sent. Not in a `WeakMap`: its entries live until the next full garbage collection. */
const AWAITED = Symbol('awaits 100');

interface ExpectingRequest extends IncomingMessage {
  [AWAITED]?: boolean;
}

/** Whether the client waits for a 100 before it sends the body. */
export const awaitsContinue = (request: ExpectingRequest): boolean => request[AWAITED] === true && !request.complete;

/**
 * Lets the client of a request with `Expect: 100-continue` wait until its body is read: what refuses the request before
 * sees nothing of the body, and the client need not send it. Then Node ends the connection after the response, since it
 * is unknown whether the body follows (RFC 9110 §10.1.1).
 */
export function continueWhenRead(request: ExpectingRequest, response: ServerResponse): void {
  request[AWAITED] = true;
  request._read = (size) => {
    if (awaitsContinue(request)) {
      if (response.headersSent) return;
      response.writeContinue();
    }
    request[AWAITED] = false;
    IncomingMessage.prototype._read.call(request, size);
  };
}
