import { labelVariable, makeDashboard } from '../make-dashboard.ts';
import { figure, graph } from '../panels.ts';
import { gauge, maxOf, quantileOf, quantilesOf, rateOf, sumOf } from '../promql.ts';

const REQUESTS = 'http_server_request_duration_seconds';
const CALLS = 'http_client_request_duration_seconds';
const PUBLIC = 'listener="gateway"';
const FAILED = 'http_response_status_code=~"5.."';
const CHOSEN = 'listener=~"$listener"';

/** Rate, errors and duration: what clients see, and which service and route it comes from. */
export const overview = makeDashboard({
  uid: 'lintel-overview',
  title: 'Lintel: overview',
  description: 'Rate, errors and duration of requests, by service and by route',
  variables: [
    labelVariable('listener', 'listener', 'http_server_request_duration_seconds_count{job="$job"}', {
      multi: true,
      includeAll: true,
      allValue: '.*',
      current: { text: 'gateway', value: 'gateway' },
    }),
  ],
  rows: {
    Now: [
      [
        figure('Processes that are down', 'short', 'sum(1 - up{job="$job"})', { limits: [1, 1] }),
        figure('Requests', 'reqps', rateOf('', `${REQUESTS}_count`, PUBLIC)),
        figure(
          'Requests with 5xx',
          'percentunit',
          `${rateOf('', `${REQUESTS}_count`, `${PUBLIC},${FAILED}`)} / ${rateOf('', `${REQUESTS}_count`, PUBLIC)}`,
          { limits: [0.001, 0.01], noValue: 'none' },
        ),
        figure('99 % within', 's', quantileOf(0.99, '', REQUESTS, PUBLIC), { limits: [0.5, 1] }),
      ],
      [
        figure('Broker', 'short', `min(${gauge('lintel_broker_connected')})`, {
          description: 'Whether all processes have a connection to RabbitMQ',
          atLeast: 1,
          words: { 0: 'lost', 1: 'connected' },
        }),
        figure('Oldest event in the outbox', 's', maxOf('', 'lintel_outbox_oldest_age_seconds'), { limits: [10, 60] }),
        figure('Statements that wait', 'short', sumOf('', 'db_client_connection_pending_requests'), {
          description: 'for a connection of a pool',
          limits: [1, 10],
        }),
        figure('Report runs that wait', 'short', maxOf('', 'lintel_reports_runs_waiting'), { limits: [5, 20] }),
      ],
    ],
    'Requests of $listener': [
      [
        graph('Rate', 'reqps', { '{{listener}}': rateOf('listener', `${REQUESTS}_count`, CHOSEN) }),
        graph(
          'By status',
          'reqps',
          { '{{http_response_status_code}}': rateOf('http_response_status_code', `${REQUESTS}_count`, CHOSEN) },
          { isStacked: true },
        ),
        graph('Duration', 's', quantilesOf(REQUESTS, CHOSEN)),
      ],
      [
        graph('In flight', 'short', { '{{listener}}': sumOf('listener', 'http_server_active_requests', CHOSEN) }),
        graph('Connections', 'short', { '{{listener}}': sumOf('listener', 'lintel_http_connections', CHOSEN) }),
        graph(
          'Given up by clients',
          'reqps',
          { '{{listener}}': rateOf('listener', 'lintel_http_aborted_requests_total', CHOSEN) },
          { description: 'before the response was complete' },
        ),
      ],
    ],
    'Routes of $listener': [
      [
        graph('Highest rate', 'reqps', {
          '{{http_request_method}} {{http_route}}': `topk(10, ${rateOf('http_request_method, http_route', `${REQUESTS}_count`, CHOSEN)})`,
        }),
        graph(
          'Slowest',
          's',
          {
            '{{http_request_method}} {{http_route}}': `topk(10, ${quantileOf(0.95, 'http_request_method, http_route', REQUESTS, CHOSEN)})`,
          },
          { description: '95 % of the requests are faster' },
        ),
        graph(
          'Longest time',
          'short',
          {
            '{{http_request_method}} {{http_route}}': `topk(10, ${rateOf('http_request_method, http_route', `${REQUESTS}_sum`, CHOSEN)})`,
          },
          { description: 'Seconds of all requests together in a second: how many are under way on average' },
        ),
      ],
      [
        graph('Errors of the platform', 'reqps', {
          '{{http_request_method}} {{http_route}}': `topk(10, ${rateOf('http_request_method, http_route', `${REQUESTS}_count`, `${CHOSEN},${FAILED}`)})`,
        }),
        graph('Errors of clients', 'reqps', {
          '{{http_request_method}} {{http_route}}': `topk(10, ${rateOf('http_request_method, http_route', `${REQUESTS}_count`, `${CHOSEN},http_response_status_code=~"4.."`)})`,
        }),
      ],
    ],
    'Calls of other services': [
      [
        graph('Rate', 'reqps', {
          '{{service_peer_name}} {{http_response_status_code}}': rateOf(
            'service_peer_name, http_response_status_code',
            `${CALLS}_count`,
          ),
        }),
        graph(
          'Duration',
          's',
          { '{{service_peer_name}}': quantileOf(0.95, 'service_peer_name', CALLS) },
          { description: 'to the head of the response, of 95 % of the requests; without a name: other servers' },
        ),
        graph('Logins', 'ops', { '{{outcome}}': rateOf('outcome', 'lintel_auth_logins_total') }, { isStacked: true }),
      ],
    ],
    'Refused by the gateway': [
      [
        graph(
          'By rate limits',
          'reqps',
          { '{{limit}}': rateOf('limit', 'lintel_gateway_rate_limit_refusals_total') },
          { description: 'Requests of a user, client or address above svc.gateway.rate-limit.…: 429' },
        ),
        graph(
          'For the load',
          'reqps',
          { '{{reason}}': rateOf('reason', 'lintel_gateway_refusals_total') },
          {
            description:
              'Too many concurrent requests of a user, client or address, incomplete bodies of one address (429), a full queue for a service, a blocked event loop (503), responses that are read too slowly (connection closed)',
          },
        ),
        graph(
          'Connections',
          'ops',
          { closed: rateOf('', 'lintel_gateway_connection_refusals_total') },
          { description: 'Closed at once: the address has svc.gateway.max-connections-per-address already' },
        ),
      ],
    ],
  },
});
