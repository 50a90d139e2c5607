import { Agent, createServer, get, type Server } from 'node:http';
import { eventually, freePort } from '@lintel/testkit';
import { createFront, type Front } from './front.ts';

let front: Front;
let url: string;
const servers: Server[] = [];
beforeEach(async () => {
  front = createFront();
  const port = await freePort();
  await front.listen(port, '127.0.0.1');
  url = `http://127.0.0.1:${port}/`;
});
afterEach(async () => {
  await front.close();
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A process that responds with its name. */
async function serve(name: string): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((_request, response) => response.end(name));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, server };
}

const receive = (agent?: Agent): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    get(url, agent === undefined ? {} : { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    }).on('error', reject);
  });

test('a request waits for a process', async () => {
  const waiting = receive();
  const { port } = await serve('one');
  front.leadTo({ kind: 'running', port });
  expect(await waiting).toEqual({ status: 200, text: 'one' });
});

test('a kept connection survives the replacement of the process', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const one = await serve('one');
  front.leadTo({ kind: 'running', port: one.port });
  expect((await receive(agent)).text).toBe('one');
  const socket = Object.values(agent.freeSockets)[0]?.[0];
  front.leadTo({ kind: 'waiting' });
  await new Promise((resolve) => {
    one.server.close(resolve);
    one.server.closeIdleConnections();
  });
  const waiting = receive(agent);
  const two = await serve('two');
  front.leadTo({ kind: 'running', port: two.port });
  expect((await waiting).text).toBe('two');
  expect(Object.values(agent.freeSockets)[0]?.[0]).toBe(socket);
  agent.destroy();
});

test('a kept connection gets the failure of the next process', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const one = await serve('one');
  front.leadTo({ kind: 'running', port: one.port });
  expect((await receive(agent)).text).toBe('one');
  front.leadTo({ kind: 'waiting' });
  await new Promise((resolve) => {
    one.server.close(resolve);
    one.server.closeIdleConnections();
  });
  const waiting = receive(agent);
  front.leadTo({ kind: 'failed', text: 'wrong' });
  expect((await waiting).status).toBe(503);
  front.leadTo({ kind: 'running', port: (await serve('two')).port });
  expect((await receive(agent)).text).toBe('two');
  agent.destroy();
});

test('a request whose process has ended without a response ends, and one that it never got waits', async () => {
  const gone = await serve('gone');
  gone.server.removeAllListeners('request').on('request', (request) => request.socket.destroy());
  front.leadTo({ kind: 'running', port: gone.port });
  await expect(receive()).rejects.toThrow('socket hang up');
  await new Promise((resolve) => gone.server.close(resolve));
  const waiting = receive();
  const { port } = await serve('next');
  await eventually(() => front.leadTo({ kind: 'running', port }));
  expect((await waiting).text).toBe('next');
});

test('a failure returns 503 with its text', async () => {
  front.leadTo({ kind: 'failed', text: 'a <b> & c' });
  const { status, text } = await receive();
  expect([status, JSON.parse(text)]).toEqual([503, { error: 'The application does not start', details: 'a <b> & c' }]);
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<pre>a &lt;b> &amp; c</pre>');
});
