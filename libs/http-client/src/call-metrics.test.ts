import { type RunningMetrics, startMetrics } from '@lintel/telemetry';
import { createCallMetrics } from './call-metrics.ts';

let running: RunningMetrics;
beforeEach(async () => {
  running = await startMetrics('lintel-probe');
});
afterEach(() => running.close());

const counts = async () =>
  [...(await running.render()).matchAll(/^http_client_request_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(
    ([, labels, count]) => [labels, Number(count)],
  );

test('calls of a service are measured by its name, its configured address, method and status', async () => {
  const measured = createCallMetrics(running.metrics, { service: 'auth', url: 'https://[::1]' });
  measured.responded('POST', 200, 5);
  measured.responded('POST', 200, 5);
  measured.responded('POST', 401, 5);
  measured.failed('POST', Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 5);
  const peer = 'service_peer_name="auth",server_address="::1",server_port="443",url_scheme="https"';
  const call = `${peer},http_request_method="POST"`;
  expect(await counts()).toEqual([
    [`${call},http_response_status_code="200",network_protocol_version="1.1"`, 2],
    [`${call},http_response_status_code="401",network_protocol_version="1.1",error_type="401"`, 1],
    [`${call},network_protocol_version="1.1",error_type="ECONNREFUSED"`, 1],
  ]);
});

test('servers that users name are one series: no name and no address of them', async () => {
  createCallMetrics(running.metrics).responded('PROPFIND', 204, 5);
  expect(await counts()).toEqual([
    ['http_request_method="_OTHER",http_response_status_code="204",network_protocol_version="1.1"', 1],
  ]);
});
