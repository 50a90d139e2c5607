import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUDIENCE_API } from '@lintel/contracts';
import { type EventStream, eventually, openEventStream } from '@lintel/testkit';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

/** Timeout of the gateway for other responses; shorter than the silence of the streams of these tests. */
const PATIENCE_MS = 1_500;

let gateway: RunningGateway;
let responses: ServerResponse[];
const streams: EventStream[] = [];

beforeEach(async () => {
  responses = [];
  gateway = await startGateway({
    'svc.gateway.max-connections': '1',
    streamCheckIntervalMs: 100,
    minCodedBytes: 1,
  });
  gateway.upstreams.data.handle = (request, response) => {
    if (!request.url?.startsWith('/rest/changes/')) return void response.end('{}');
    responses.push(response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('id: 1\n\n');
  };
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await gateway.close();
});

async function open(
  token = 'opaque-clerk',
  headers: Readonly<Record<string, string>> = {},
  { url }: Pick<RunningGateway, 'url'> = gateway,
): Promise<EventStream> {
  const all = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br', ...headers };
  const stream = await openEventStream(`${url}/rest/changes/t_A`, all);
  streams.push(stream);
  return stream;
}

test('events are forwarded at once and unchanged, also after a long pause', async () => {
  const patient = await startGateway({
    'svc.gateway.upstream-timeout': `${PATIENCE_MS}ms`,
    minCodedBytes: 1,
  });
  patient.upstreams.data.handle = gateway.upstreams.data.handle;
  // Its first byte has to come in that time, too: a machine that stands still needs another attempt.
  const stream = await eventually(async () => {
    responses = [];
    const opened = await open('opaque-clerk', { 'last-event-id': '0' }, patient);
    expect(opened.status).toBe(200);
    return opened;
  });
  await eventually(() => expect(stream.lastEventId).toBe('1'));
  expect(stream.headers.get('content-encoding')).toBeNull();
  expect(patient.upstreams.data.seen[0]?.headers).toMatchObject({ 'last-event-id': '0' });
  await sleep(2 * PATIENCE_MS);
  responses[0]?.write('event: created\nid: 2\ndata: {}\n\n');
  await eventually(() => expect(stream.events).toEqual([{ event: 'created', id: '2', data: '{}' }]));
  responses[0]?.end();
  await eventually(() => expect(stream.state).toBe('ended'));
  await patient.close();
});

test('streams take no connections from other requests', async () => {
  await Promise.all([open(), open(), open()]);
  const response = await fetch(`${gateway.url}/rest/userInfo`, { headers: { authorization: 'Bearer opaque-clerk' } });
  expect([response.status, responses.length]).toEqual([200, 3]);
});

test('when the client leaves, the request to the service ends', async () => {
  const stream = await open();
  stream.close();
  await eventually(() => expect(responses[0]?.destroyed).toBe(true));
});

test('a stream that ends before its first byte is not requested again', async () => {
  gateway.upstreams.data.handle = (request) => request.socket.destroy();
  expect((await open()).status).toBe(502);
  expect(gateway.upstreams.data.seen).toHaveLength(1);
});

test('a revoked token ends its streams at once, and no others', async () => {
  const other = await startGateway({ streamCheckIntervalMs: 3_600_000 });
  other.upstreams.data.handle = gateway.upstreams.data.handle;
  const openThere = (token: string) =>
    openEventStream(`${other.url}/rest/changes/t_A`, { authorization: `Bearer ${token}` });
  const token = await other.sign('clerk', 's', 60, AUDIENCE_API, 'the-token');
  const [ending, staying] = await Promise.all([openThere(token), openThere('opaque-other')]);
  other.revokedJwts.add('the-token');
  await other.bus.deliver('auth.token.revoked.v1', { tokenHash: 'the-token', sessionId: 'session-clerk' });
  await eventually(() => expect(ending.state).toBe('cut'));
  expect(staying.state).toBe('open');
  // The request to the service ends, too.
  await eventually(() => expect(responses.filter(({ destroyed }) => destroyed)).toHaveLength(1));
  await other.close();
});

test('a token that ends without an event ends its stream at the next check', async () => {
  const token = await gateway.sign('clerk', 's', 60, AUDIENCE_API, 'the-token');
  const stream = await open(token);
  gateway.revokedJwts.add('the-token');
  // Its token is dropped from the cache without an event.
  gateway.bus.setConnected(false);
  gateway.bus.setConnected(true);
  await eventually(() => expect(stream.state).toBe('cut'));
});

test('without a token there is no stream', async () => {
  const stream = await openEventStream(`${gateway.url}/rest/changes/t_A`);
  expect([stream.status, responses]).toEqual([401, []]);
});

test('a gateway that closes does not wait for streams', async () => {
  const stream = await open();
  const other = await startGateway({ 'svc.shutdown.timeout': '1d' });
  other.upstreams.data.handle = (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('id: 1\n\n');
  const closing = await openEventStream(`${other.url}/rest/changes/t_A`, { authorization: 'Bearer opaque-clerk' });
  await other.close();
  await eventually(() => expect(closing.state).toBe('cut'));
  expect(stream.state).toBe('open');
});
