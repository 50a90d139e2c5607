import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** Sends the response. */
export type Reply = (response: ServerResponse) => void;

/** A reply with a JSON document. */
export const json =
  (value: unknown, status = 200): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A server with the metadata and the keys of an issuer, which a test chooses. */
export interface IssuerOfTests {
  readonly issuer: string;
  /** A public key that verifies signatures. */
  readonly key: JWK;
  /** Paths of the requests until now. */
  readonly requests: string[];
  metadata: Reply;
  /** The reply to `/keys`. */
  keys: Reply;
  close(): Promise<void>;
}

/** Starts an issuer on a free port; its metadata and keys are empty until a test sets them. */
export async function startIssuerOfTests(): Promise<IssuerOfTests> {
  const { publicKey } = await generateKeyPair('RS256');
  const server = createServer((request, response) => {
    started.requests.push(request.url ?? '');
    (request.url === '/keys' ? started.keys : started.metadata)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: IssuerOfTests = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: { ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' },
    requests: [],
    metadata: json({}),
    keys: json({}),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return started;
}
