import { eventually, freePort } from '@lintel/testkit';
import { type FakeUpstream, type RunningGateway, startGateway, startUpstream } from '../../test/gateway-fixture.ts';

let one: FakeUpstream;
let two: FakeUpstream;
let gateway: RunningGateway;
let nobody: string;

beforeAll(async () => {
  [one, two] = [await startUpstream('data'), await startUpstream('data')];
  nobody = `http://127.0.0.1:${await freePort()}`;
  gateway = await startGateway({
    'svc.gateway.data-url': `${one.url}, ${two.url}`,
    'svc.gateway.reports-url': nobody,
  });
});
afterAll(async () => {
  await gateway.close();
  await one.close();
  await two.close();
});

test('the state of each replica of each service is returned, with its checks', async () => {
  two.isReady = false;
  const { services, status } = await eventually(async () => {
    const found = await gateway.askServices();
    // A replica that does not respond in time counts as unreachable, also where the machine is busy.
    expect(JSON.stringify(found).split('"unreachable"')).toHaveLength(2);
    return found;
  });
  expect(status).toBe('not ready');
  expect(services['auth']).toMatchObject({
    status: 'ready',
    replicas: [{ status: 'ready', checks: { database: 'up' } }],
  });
  expect(services['data']).toEqual({
    status: 'degraded',
    replicas: [
      { address: one.url, status: 'ready', checks: { database: 'up' } },
      { address: two.url, status: 'not ready', checks: { database: 'down' } },
    ],
  });
  expect(services['reports']).toEqual({
    status: 'unavailable',
    replicas: [{ address: nobody, status: 'unreachable' }],
  });
});

test('the public listener returns nothing of it', async () => {
  for (const path of ['/health/services', '/metrics']) expect((await fetch(gateway.url + path)).status).toBe(404);
  expect(await (await fetch(`${gateway.url}/health/ready`)).json()).toEqual({
    service: 'gateway',
    status: 'ready',
    checks: {},
  });
});

describe('the time of a service', () => {
  const ask = () => fetch(`${gateway.url}/rest/userInfo`, { headers: { authorization: 'Bearer opaque-clerk' } });
  const respondWith = (headers: Record<string, string>) => {
    for (const upstream of [one, two])
      upstream.handle = (_request, response) => void response.writeHead(200, headers).end('{}');
  };

  test('is appended to the Server-Timing of the service, where the service sends one', async () => {
    respondWith({ 'Server-Timing': 'db;dur=7.7' });
    expect((await ask()).headers.get('server-timing')).toMatch(/^db;dur=7\.7, upstream;dur=\d+\.\d$/);
    respondWith({});
    expect((await ask()).headers.get('server-timing')).toBeNull();
  });

  test('is measured by service and status, also where there is no response', async () => {
    await (
      await fetch(`${gateway.url}/rest/reports/report`, { headers: { authorization: 'Bearer opaque-clerk' } })
    ).text();
    const text = await gateway.metrics();
    expect(text).toMatch(
      /^http_client_request_duration_seconds_count\{service_peer_name="data",server_address="127.0.0.1",server_port="\d+",url_scheme="http",http_request_method="GET",http_response_status_code="200",network_protocol_version="1.1"\} [1-9]/m,
    );
    expect(text).toMatch(
      /^http_client_request_duration_seconds_count\{service_peer_name="reports",.*,error_type="ECONNREFUSED"\} [1-9]/m,
    );
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{listener="gateway",http_request_method="GET",http_route="\/rest\/reports\/\*\*",http_response_status_code="50\d",url_scheme="http",network_protocol_version="1.1",error_type="50\d"\} 1$/m,
    );
  });
});
