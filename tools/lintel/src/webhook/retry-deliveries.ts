import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { readTime } from '../events/read-selection.ts';
import type { Terminal } from '../terminal.ts';
import type { RetryOptions } from './webhook.command.ts';

const STATES = ['failed', 'refused', 'skipped', 'delivered', 'pending'];

const FIND = 'SELECT id::text, name FROM sys.webhook ORDER BY name, id';
const SELECTED = `webhook_id = ANY($1::uuid[]) AND state = ANY($2::text[])
  AND ($3::timestamptz IS NULL OR changed_at >= $3::timestamptz AT TIME ZONE 'UTC')`;
const COUNT = `SELECT webhook_id::text AS id FROM sys.webhook_delivery WHERE ${SELECTED}`;
const NOW = `date_trunc('milliseconds', now() AT TIME ZONE 'UTC')`;
/** As after a PUT of the state: attempts and their time begin again, except those of a delivery that waits. */
const RETRY = `UPDATE sys.webhook_delivery SET state = 'pending', finished_at = NULL, next_attempt = ${NOW},
  attempts = CASE state WHEN 'pending' THEN attempts ELSE 0 END,
  queued_at = CASE state WHEN 'pending' THEN queued_at ELSE ${NOW} END
WHERE ${SELECTED} RETURNING webhook_id::text AS id`;

interface Found {
  readonly id: string;
  readonly name: string;
}

/**
 * Makes deliveries due that have ended or that wait; the data services send them.
 *
 * @throws CommandError where no webhook is named, a name or state is unknown, or the time is none
 */
export async function retryDeliveries(
  names: readonly string[],
  options: RetryOptions,
  terminal: Terminal,
): Promise<void> {
  const { state: states = ['failed'], dryRun = false } = options;
  if (names.length === 0 && options.all !== true)
    throw new CommandError('No webhook is named', 'Name webhooks as "lintel webhook list" shows them, or give --all');
  if (names.length > 0 && options.all === true)
    throw new CommandError('--all and names exclude each other', 'Give one of them');
  const unknownState = states.find((state) => !STATES.includes(state));
  if (unknownState !== undefined)
    throw new CommandError(`There is no state ${unknownState}`, `Choose of ${STATES.join(', ')}`);
  const since = options.since === undefined ? null : readTime('--since', options.since, new Date());
  const context = await openApplication(options);
  const counts = await withAdministration(context, terminal, async ({ database }) => {
    const webhooks = selected(await database.query<Found>({ text: FIND, values: [] }), names);
    const ids = webhooks.map(({ id }) => id);
    const text = dryRun ? COUNT : RETRY;
    const rows = await database.query<{ id: string }>({ text, values: [ids, states, since?.toISOString() ?? null] });
    return webhooks.map(({ id, name }) => ({ id, name, deliveries: rows.filter((row) => row.id === id).length }));
  });
  if (options.json === true) terminal.print(JSON.stringify(counts, null, 2));
  else if (counts.length === 0) terminal.print('There are no webhooks.');
  else
    for (const { name, deliveries } of counts)
      terminal.print(
        `${name}: ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} ${dryRun ? 'would be' : 'will be'} sent again`,
      );
}

/** The named webhooks, or all without names. @throws CommandError where a name means none */
function selected(all: readonly Found[], names: readonly string[]): readonly Found[] {
  const isNamed = ({ id, name }: Found): boolean => names.includes(name) || names.includes(id);
  const unknown = names.find((named) => !all.some(({ id, name }) => id === named || name === named));
  if (unknown !== undefined)
    throw new CommandError(
      `There is no webhook ${unknown}`,
      all.length === 0 ? 'There are none' : `There are ${all.map(({ name }) => name).join(', ')}`,
    );
  return names.length === 0 ? all : all.filter(isNamed);
}
