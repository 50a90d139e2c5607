import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Captured, Captures } from './captures.ts';

/** A message of a webhook, with a valid signature. */
export interface WebhookMessage {
  /** Header `webhook-id`; a message that is sent again has the same one. */
  readonly id: string;
  /** Type of the message: `data.entity.changed.v1`. */
  readonly type: string;
  /** When the change was made, as an ISO time. */
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: the entity decides its form
  readonly data: any;
  /** Status of the response to it. */
  readonly status: number;
}

/** A server that receives the messages of a webhook. */
export interface WebhookReceiver {
  /** Address for the webhook. */
  readonly url: string;
  /** Secret for the webhook; the receiver checks signatures with it. */
  readonly secret: string;
  /** The messages with a valid signature; others are refused with 401. */
  readonly messages: Captured<WebhookMessage>;
  /** Sets the status of the next responses, at first 204. */
  respondWith(status: number): void;
  /** Stops the server, also with open connections. */
  close(): Promise<void>;
}

/** Starts a receiver at a free port of loopback. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const key = randomBytes(32);
  const messages = new Captures<WebhookMessage>('message of the webhook');
  let status = 204;
  const server = createServer((request, response) => {
    void receive(request).then((body) => {
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = request.headers;
      const isGenuine = isSigned(String(signatures), `${id}.${timestamp}.${body}`, key);
      if (isGenuine) messages.add({ ...(JSON.parse(body) as WebhookMessage), id: String(id), status });
      response.writeHead(isGenuine ? status : 401).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: `whsec_${key.toString('base64')}`,
    messages,
    respondWith(next) {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** One of the signatures must be valid (Standard Webhooks, "Verifying signatures"). */
function isSigned(signatures: string, signed: string, key: Buffer): boolean {
  const expected = createHmac('sha256', key).update(signed).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const received = Buffer.from(value, 'base64');
    return version === 'v1' && received.length === expected.length && timingSafeEqual(received, expected);
  });
}
