import { makeDashboard } from '../make-dashboard.ts';
import { graph } from '../panels.ts';
import { maxOf, quantileOf, rateOf, sumOf } from '../promql.ts';

const HITS = rateOf('cache', 'lintel_cache_hits_total');
const MISSES = rateOf('cache', 'lintel_cache_misses_total');
const POOL = 'db_client_connection_pool_name';
const perPool = (metric: string) => ({ [`{{${POOL}}}`]: quantileOf(0.95, POOL, metric) });

/** Connections, statements and caches. */
export const data = makeDashboard({
  uid: 'lintel-data',
  title: 'Lintel: database and caches',
  description: 'Pools of connections, statements, prepared statements, replicas, and caches in memory',
  rows: {
    Connections: [
      [
        graph('Open', 'short', {
          [`{{${POOL}}} {{db_client_connection_state}}`]: sumOf(
            `${POOL}, db_client_connection_state`,
            'db_client_connection_count',
          ),
        }),
        graph(
          'In use',
          'percentunit',
          {
            [`{{${POOL}}}`]: `${sumOf(POOL, 'db_client_connection_count', 'db_client_connection_state="used"')} / ${sumOf(POOL, 'db_client_connection_limit')}`,
          },
          { description: 'of those that the pool may open', max: 1 },
        ),
        graph('Statements that wait for one', 'short', {
          [`{{${POOL}}}`]: sumOf(POOL, 'db_client_connection_pending_requests'),
        }),
        graph('Wait for one', 's', perPool('db_client_connection_wait_time_seconds'), {
          description: '95 % wait less',
        }),
      ],
      [
        graph('Highest number of idle ones', 'short', {
          [`{{${POOL}}}`]: sumOf(POOL, 'db_client_connection_idle_max'),
        }),
      ],
    ],
    Statements: [
      [
        graph('Rate', 'ops', {
          [`{{${POOL}}} {{db_operation_name}}`]: rateOf(
            `${POOL}, db_operation_name`,
            'db_client_operation_duration_seconds_count',
          ),
        }),
        graph('Duration', 's', perPool('db_client_operation_duration_seconds'), { description: '95 % are faster' }),
        graph(
          'Slow statements',
          'ops',
          { '{{pool}}': rateOf('pool', 'lintel_db_slow_statements_total') },
          {
            description: 'Slower than svc.datasource.slow-query-threshold: the log has them',
          },
        ),
        graph(
          'Prepared statements',
          'short',
          { '{{pool}}': maxOf('pool', 'lintel_db_prepared_statements') },
          {
            description: 'of the process with the highest number; at 2,000 its connections are replaced',
          },
        ),
      ],
      [
        graph('Failed', 'ops', {
          [`{{${POOL}}} {{error_type}}`]: rateOf(
            `${POOL}, error_type`,
            'db_client_operation_duration_seconds_count',
            'error_type!=""',
          ),
        }),
      ],
    ],
    'Fair shares': [
      [
        graph(
          'Slots in use',
          'short',
          { '{{queue}}': sumOf('queue', 'lintel_shares_running') },
          { description: 'Statements and transactions of requests, and runs of reports' },
        ),
        graph('Operations that wait for a slot', 'short', { '{{queue}}': sumOf('queue', 'lintel_shares_waiting') }),
        graph(
          'Wait for a slot',
          's',
          { '{{queue}}': quantileOf(0.95, 'queue', 'lintel_shares_wait_time_seconds') },
          { description: '95 % wait less, of those that did not get one at once' },
        ),
        graph(
          'Refused',
          'ops',
          { '{{queue}} {{reason}}': rateOf('queue, reason', 'lintel_shares_refusals_total') },
          { description: 'The caller has used up its share (share, 429), or the queue is full (overload, 503)' },
        ),
      ],
    ],
    'Replicas of PostgreSQL': [
      [
        graph('Reads by server', 'ops', {
          '{{server}}, {{reason}}': rateOf('server, reason', 'lintel_db_reads_total'),
        }),
        graph(
          'Age of replicas',
          's',
          { '{{pool}}': maxOf('pool', 'lintel_db_replica_lag_seconds') },
          { description: 'as the process has it that knows least' },
        ),
        graph('Processes that read from it', 'short', { '{{pool}}': sumOf('pool', 'lintel_db_replica_usable') }),
      ],
    ],
    'Caches in memory': [
      [
        graph('Served from memory', 'percentunit', { '{{cache}}': `${HITS} / (${HITS} + ${MISSES})` }, { max: 1 }),
        graph('Loaded', 'ops', { '{{cache}}': MISSES }),
        graph(
          'Entries',
          'short',
          { '{{cache}}': maxOf('cache', 'lintel_cache_entries') },
          {
            description: 'of the process with the highest number',
          },
        ),
      ],
      [
        graph('Age of the oldest entry', 's', { '{{cache}}': maxOf('cache', 'lintel_cache_age_seconds') }),
        graph('Dropped', 'ops', { '{{cache}}': rateOf('cache', 'lintel_cache_evictions_total') }),
        graph('Made wrong by events', 'eps', {
          '{{cache}}: {{event}}': rateOf('cache, event', 'lintel_cache_invalidations_total'),
        }),
      ],
    ],
  },
});
