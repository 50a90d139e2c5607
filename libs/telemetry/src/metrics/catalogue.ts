import { CONVENTIONAL_METRICS } from './conventional-rows.ts';
import { counter, gauge, histogram, type MetricRow } from './metric-row.ts';
import { RUNTIME_METRICS } from './runtime-rows.ts';

const LISTENER = ['listener'] as const;
const POOL = ['pool'] as const;
const QUEUE = ['queue'] as const;
const CACHE = ['cache'] as const;
const DIRECTION = ['direction'] as const;

/**
 * Every metric of the platform; `docs/reference/metrics.md` is generated from it. Where the semantic conventions of
 * OpenTelemetry define a metric, it has their name (`conventional-rows.ts`); all others begin with `lintel`.
 */
export const METRICS = {
  ...CONVENTIONAL_METRICS,
  'lintel.http.aborted_requests': counter(
    '{request}',
    LISTENER,
    'Requests whose client disconnected before the response was complete',
  ),
  'lintel.http.connections': gauge('{connection}', LISTENER, 'Open connections, idle ones included'),
  'lintel.gateway.rate_limit.refusals': counter(
    '{request}',
    ['limit'],
    'Requests refused with 429, by the limit that was exceeded',
  ),
  'lintel.gateway.refusals': counter(
    '{request}',
    ['reason'],
    'Requests refused for the load: concurrent requests of one `user`, `client` or `address`, `tokens` of one address that auth is asked about, its incomplete `bodies` (429), a full queue for a service (`queue`), a blocked event loop (`overload`, 503), or a response that the client read too slowly (`slow-reader`, connection closed)',
  ),
  'lintel.gateway.connection_refusals': counter(
    '{connection}',
    [],
    'Connections closed at once, since their address has `svc.gateway.max-connections-per-address` already',
  ),
  'lintel.shares.running': gauge(
    '{operation}',
    QUEUE,
    'Operations that have a slot of a fair queue: statements and transactions of requests, large bodies, runs of reports, hashing of passwords',
  ),
  'lintel.shares.waiting': gauge('{operation}', QUEUE, 'Operations that wait for a slot'),
  'lintel.shares.wait_time': histogram('waits', QUEUE, 'Wait for a slot, of operations that did not get one at once'),
  'lintel.shares.refusals': counter(
    '{operation}',
    ['queue', 'reason'],
    'Operations refused: the caller has used up its `share` (429), or the queue is full (`overload`, 503)',
  ),
  'lintel.auth.logins': counter(
    '{login}',
    ['outcome'],
    'Passwords checked: `ok`, `wrong`, `locked` (too many failures) or `disabled` (the account)',
  ),
  'lintel.db.slow_statements': counter(
    '{statement}',
    POOL,
    'Statements that took longer than `svc.datasource.slow-query-threshold`',
  ),
  'lintel.db.prepared_statements': gauge(
    '{statement}',
    POOL,
    'Names of prepared statements in use; at 2,000 connections are made anew',
  ),
  'lintel.db.replica.lag': gauge(
    's',
    POOL,
    'Age of what a replica of the database shows, as far as is known: everything older is there',
  ),
  'lintel.db.replica.usable': gauge('{replica}', POOL, 'Whether a replica of the database may be read from: 1 or 0'),
  'lintel.db.reads': counter(
    '{request}',
    ['server', 'reason'],
    'Requests that replicas may serve, by the server that did: `replica`, or `primary` since the session has just written (`own-write`), that is not known (`unsure`), no replica can be used (`none`), or the chosen one has failed (`failed`) or does not have the instance (`missing`), which are counted for the replica, too',
  ),
  'lintel.cache.hits': counter('{lookup}', CACHE, 'Values returned from memory'),
  'lintel.cache.misses': counter('{lookup}', CACHE, 'Values that had to be loaded'),
  'lintel.cache.evictions': counter(
    '{entry}',
    CACHE,
    'Entries dropped for an event, a lost connection to the broker or want of room',
  ),
  'lintel.cache.entries': gauge('{entry}', CACHE, 'Entries held'),
  'lintel.cache.age': gauge('s', CACHE, 'Age of the oldest entry'),
  'lintel.cache.invalidations': counter(
    '{event}',
    ['cache', 'event'],
    'Events that made entries wrong, by type; `connection`: everything was dropped, since events may have been missed',
  ),
  'lintel.broker.connected': gauge('{connection}', [], '1 while there is a connection to the message broker, else 0'),
  'lintel.events.published': counter('{event}', ['type'], 'Events handed to the broker'),
  'lintel.events.confirmed': counter('{event}', ['type'], 'Events that the broker has confirmed'),
  'lintel.events.returned': counter(
    '{event}',
    ['type'],
    'Events that came back: exchanges or queues are missing. They are published again',
  ),
  'lintel.events.consumed': counter(
    '{event}',
    ['queue', 'outcome'],
    'Events taken from a queue: `handled`, `refused` (dead-lettered) or `abandoned` (delivered again)',
  ),
  'lintel.events.retried': counter('{event}', QUEUE, 'Further attempts after a handler failed'),
  'lintel.events.dead_lettered': counter(
    '{event}',
    QUEUE,
    'Events refused for good; they lie in the dead-letter queue of the service',
  ),
  'lintel.events.in_flight': gauge('{event}', QUEUE, 'Events being handled, waits between attempts included'),
  'lintel.outbox.entries': gauge('{event}', [], 'Events in the outbox that are not published yet'),
  'lintel.outbox.oldest_age': gauge('s', [], 'Age of the oldest event that is not published yet; 0 when there is none'),
  'lintel.outbox.published': counter('{event}', [], 'Events carried from the outbox to the broker by this process'),
  'lintel.outbox.failures': counter(
    '{batch}',
    [],
    'Batches of the outbox that could not be published; they are tried again',
  ),
  'lintel.webhooks.attempts': counter(
    '{attempt}',
    ['outcome'],
    'Attempts to deliver a webhook: `delivered`, `retried`, `failed` (given up), `refused` (its owner has no access), `skipped` (nothing that its owner may see)',
  ),
  'lintel.webhooks.oldest_age': gauge(
    's',
    [],
    'Age of the oldest delivery of a webhook that waits; 0 when there is none',
  ),
  'lintel.webhooks.unread_age': gauge(
    's',
    [],
    'Age of the oldest published event that webhooks have not read; it has no deliveries yet. 0 when there is none',
  ),
  'lintel.exchange.unread_age': gauge(
    's',
    [],
    'Age of the oldest published event that `svc.events.broker-urls` does not have yet; 0 when there is none',
  ),
  'lintel.jobs.runs': gauge(
    '{run}',
    ['queue', 'state'],
    'Runs of a job (`queue`) in all processes, at most 30 seconds ago: `queued`, `active` or `failed` (while they are kept)',
  ),
  'lintel.changes.connections': gauge('{connection}', [], 'Clients that follow changes of entities'),
  'lintel.changes.sent': counter(
    '{change}',
    ['change'],
    'Changes sent to clients that follow: `created`, `updated`, `deleted`, `removed` (out of sight), or `published` (events)',
  ),
  'lintel.reports.runs.waiting': gauge(
    '{run}',
    [],
    'Runs in the background, of all processes, that no worker has taken yet: the length of the queue',
  ),
  'lintel.reports.runs.running': gauge(
    '{run}',
    ['mode'],
    'Runs that this process carries out: `direct` (a client waits) or `background`',
  ),
  'lintel.reports.run.duration': histogram(
    'runs',
    ['mode', 'outcome'],
    'Runs of reports from their start to their end: `ok` or `error`',
  ),
  'lintel.files.transfers.active': gauge(
    '{transfer}',
    DIRECTION,
    'Files being received (`upload`) or sent (`download`)',
  ),
  'lintel.files.transfers': counter(
    '{transfer}',
    ['direction', 'outcome'],
    'Transfers that have ended: `ok` or `error`, cut ones included',
  ),
  'lintel.files.bytes': counter('By', DIRECTION, 'Bytes of files received and sent'),
  ...RUNTIME_METRICS,
} as const satisfies Readonly<Record<string, MetricRow>>;

type Catalogue = typeof METRICS;

export type MetricName = keyof Catalogue;

type NamesOf<Type extends MetricRow['type']> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];

export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
/** What can be read whenever metrics are collected. */
export type ObservedName = NamesOf<'counter' | 'gauge' | 'updown'>;

type LabelValue = string | number;
type OptionalOf<Row> = Row extends { readonly optional: readonly (infer Label extends string)[] } ? Label : never;

/** The labels of a metric: all of them, but the optional ones may be missing. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<Exclude<Catalogue[Name]['labels'][number], OptionalOf<Catalogue[Name]>>, LabelValue> &
    Partial<Record<OptionalOf<Catalogue[Name]>, LabelValue | undefined>>
>;
