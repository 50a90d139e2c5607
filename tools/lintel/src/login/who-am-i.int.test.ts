import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';
import { saveLogins } from './credentials.ts';

let server: Server;
let url: string;
let folder: string;
let respond: (response: ServerResponse) => void;
const before = process.env['XDG_CONFIG_HOME'];

/** A server whose access tokens have ended; the test decides what the token endpoint responds. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-whoami-'));
  process.env['XDG_CONFIG_HOME'] = folder;
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/rest/userInfo') response.writeHead(401).end();
    else if (pathname === '/token') respond(response);
    else json(response, 200, { issuer: url, token_endpoint: `${url}/token` });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = { clientId: 'lintel-cli', accessToken: 'ended', refreshToken: 'refresh', expiresAt: 0 };
  saveLogins(join(folder, 'lintel', 'credentials.json'), { [url]: login });
});
afterAll(() => {
  if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before;
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function whoAmI() {
  const terminal = fakeTerminal();
  return { code: await run(['whoami', '--server', url], terminal), ...terminal };
}

test('a refresh token that has ended is no login', async () => {
  respond = (response) => json(response, 400, { error: 'invalid_grant' });
  const { code, output } = await whoAmI();
  expect([code, output()]).toEqual([1, expect.stringContaining(`at ${url}. "lintel login" logs in.`)]);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ['an outage', (response) => json(response, 503, { error: 'temporarily_unavailable' }), 'it responds with 503'],
  ['another refusal', (response) => json(response, 401, { error: 'invalid_client' }), '401 invalid_client'],
  ['a response of a proxy', (response) => response.writeHead(502).end('Bad gateway'), 'it responds with 502'],
])('%s is shown as what it is', async (_case, given, text) => {
  respond = given;
  const { code, output, notes } = await whoAmI();
  expect([code, output(), notes()]).toEqual([2, '', expect.stringContaining(text)]);
});
