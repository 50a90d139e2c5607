import { makeDashboard } from '../make-dashboard.ts';
import { graph } from '../panels.ts';
import { gauge, maxOf, OF_JOB, quantileOf, rateOf, sumOf } from '../promql.ts';

const NAME = 'messaging_destination_name';
const DESTINATION = `{{${NAME}}}`;

/** From the outbox over the broker to the consumers. */
export const events = makeDashboard({
  uid: 'lintel-events',
  title: 'Lintel: events',
  description: 'Outbox, broker, consumers, webhooks and feeds of changes',
  rows: {
    Outbox: [
      [
        graph('Waiting', 'short', { events: maxOf('', 'lintel_outbox_entries') }),
        graph(
          'Age of the oldest event',
          's',
          { age: maxOf('', 'lintel_outbox_oldest_age_seconds') },
          {
            description: 'A minute or more: the broker is away, and caches and sessions are stale',
          },
        ),
        graph('Carried to the broker', 'eps', { events: rateOf('', 'lintel_outbox_published_total') }),
        graph('Batches that failed', 'ops', { batches: rateOf('', 'lintel_outbox_failures_total') }),
      ],
    ],
    Broker: [
      [
        graph('Connected', 'bool', { '{{instance}}': gauge('lintel_broker_connected') }, { max: 1 }),
        graph('Published', 'eps', { '{{type}}': rateOf('type', 'lintel_events_published_total') }),
        graph('Confirmed', 'eps', { '{{type}}': rateOf('type', 'lintel_events_confirmed_total') }),
        graph(
          'Returned',
          'eps',
          { '{{type}}': rateOf('type', 'lintel_events_returned_total') },
          {
            description: 'Exchanges or queues are missing; they are published again',
          },
        ),
      ],
    ],
    'By destination': [
      [
        graph('Sent', 'eps', { [DESTINATION]: rateOf(NAME, 'messaging_client_sent_messages_total') }),
        graph(
          'Sending',
          's',
          { [DESTINATION]: quantileOf(0.95, NAME, 'messaging_client_operation_duration_seconds') },
          { description: 'to the confirm of the broker, of 95 % of the events' },
        ),
        graph('Delivered', 'eps', { [DESTINATION]: rateOf(NAME, 'messaging_client_consumed_messages_total') }),
        graph(
          'Handling',
          's',
          { [DESTINATION]: quantileOf(0.95, NAME, 'messaging_process_duration_seconds') },
          { description: 'one attempt, of 95 % of them' },
        ),
      ],
    ],
    Consumers: [
      [
        graph('Taken', 'eps', { '{{queue}} {{outcome}}': rateOf('queue, outcome', 'lintel_events_consumed_total') }),
        graph('Being handled', 'short', { '{{queue}}': sumOf('queue', 'lintel_events_in_flight') }),
        graph('Tried again', 'eps', { '{{queue}}': rateOf('queue', 'lintel_events_retried_total') }),
        graph('Dead letters', 'short', {
          '{{queue}}': `sum by (queue) (increase(lintel_events_dead_lettered_total{${OF_JOB}}[$__rate_interval]))`,
        }),
      ],
    ],
    Webhooks: [
      [
        graph('Attempts', 'ops', { '{{outcome}}': rateOf('outcome', 'lintel_webhooks_attempts_total') }),
        graph(
          'Age of the oldest delivery',
          's',
          { age: maxOf('', 'lintel_webhooks_oldest_age_seconds') },
          {
            description: 'Minutes or more: a receiver is away, or the dispatchers are',
          },
        ),
      ],
    ],
    'Feeds of changes': [
      [
        graph('Clients that follow', 'short', { '{{instance}}': gauge('lintel_changes_connections') }),
        graph('Sent', 'ops', { '{{change}}': rateOf('change', 'lintel_changes_sent_total') }),
      ],
    ],
  },
});
