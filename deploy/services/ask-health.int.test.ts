import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { askHealth } from '../images/ask-health.mjs';

const pem = (name: string) =>
  readFileSync(new URL(`../../services/gateway/test/certificates/first.${name}.pem`, import.meta.url));

test.each([
  ['http', () => createServer()],
  ['https', () => createSecureServer({ cert: pem('cert'), key: pem('key') })],
])('health is asked by %s, whatever name a certificate is for', async (scheme, create) => {
  const server = create().on('request', (request, response) => {
    response.writeHead(request.url === '/health/ready' ? 503 : 404).end('{"checks":{"redis":"down"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await askHealth(url, 2_000)).toEqual({ status: 503, text: '{"checks":{"redis":"down"}}' });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  await expect(askHealth(url, 2_000)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
