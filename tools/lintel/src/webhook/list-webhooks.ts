import { formatTable } from '../administration/format-table.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { type ApplicationOptions, openApplication } from '../application-context.ts';
import type { Terminal } from '../terminal.ts';

const WEBHOOKS = `SELECT w.id::text, w.name, w.url, w.entity_name AS "entityName", w.owner, w.active,
  count(*) FILTER (WHERE d.state = 'pending')::int AS pending,
  count(*) FILTER (WHERE d.state = 'failed')::int AS failed,
  count(*) FILTER (WHERE d.state = 'refused')::int AS refused,
  (array_agg(d.last_error ORDER BY d.finished_at DESC) FILTER (WHERE d.state = 'failed'))[1] AS "lastError"
FROM sys.webhook w LEFT JOIN sys.webhook_delivery d ON d.webhook_id = w.id AND d.state IN ('pending', 'failed', 'refused')
GROUP BY w.id ORDER BY w.name, w.id`;

/** A webhook, with the number of its deliveries that have not been accepted. */
interface ListedWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly entityName: string;
  readonly owner: string;
  readonly active: boolean;
  readonly pending: number;
  readonly failed: number;
  readonly refused: number;
  /** Reason of the delivery that failed last. */
  readonly lastError: string | null;
}

/** Prints the webhooks, by name. */
export async function listWebhooks(options: ApplicationOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  const webhooks = await withAdministration(context, terminal, ({ database }) =>
    database.query<ListedWebhook>({ text: WEBHOOKS, values: [] }),
  );
  if (options.json === true) terminal.print(JSON.stringify(webhooks, null, 2));
  else if (webhooks.length === 0) terminal.print('There are no webhooks.');
  else
    terminal.print(
      formatTable(
        ['Name', 'Entity', 'Owner', 'Active', 'Pending', 'Failed', 'Refused', 'Last error'],
        webhooks.map((webhook) => [
          webhook.name,
          webhook.entityName,
          webhook.owner,
          webhook.active ? 'yes' : 'no',
          String(webhook.pending),
          String(webhook.failed),
          String(webhook.refused),
          webhook.lastError ?? '–',
        ]),
      ),
    );
}
