import { createInProcessBus, createOutboxRelay } from '@lintel/events';
import { createOutboxStore } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, eventually } from '@lintel/testkit';
import { startDataOn, type TestResponse } from '../data-fixture.ts';
import { DEAL_TABLE, deals } from './deals-application.ts';
import { startReceiver } from './receiver.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => SILENT };
const CLOCK = { now: () => Date.now() };

let secrets = 0;

/** A unique secret. */
export function newSecret(): string {
  secrets += 1;
  return `whsec_${Buffer.alloc(32, `secret ${secrets}.`).toString('base64')}`;
}

/** A row of the delivery log. */
export interface LoggedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly state: string;
  readonly change: string;
  readonly attempts: number;
  readonly lastStatus?: number;
  readonly lastError?: string;
}

/** A data service with webhooks, and a receiver. */
export async function startWebhooks() {
  const bus = createInProcessBus({ logger: SILENT }).forService('data');
  const receiver = await startReceiver();
  const database = await cloneTestDatabase(
    // Built by the migrations, so that the tests use the tables of the platform's migrations.
    { key: 'webhooks', build: (url) => runMigrations({ url, migrations: [DEAL_TABLE] }) },
    'webhooks',
  );
  const data = await startDataOn(
    database,
    deals,
    {
      root: { resourceRoles: ['system-full-access'] },
      editor: { resourceRoles: ['webhook-editor'] },
      keeper: { resourceRoles: ['webhook-editor', 'delivery-editor'] },
      reader: { resourceRoles: ['deal-reader'] },
      chooser: { resourceRoles: ['webhook-editor', 'owner-chooser'] },
      key: { resourceRoles: ['webhook-editor'], username: 'reseller', clientId: 'api-key:1' },
      robot: { resourceRoles: ['webhook-editor'], kind: 'client' },
    },
    {
      'svc.webhooks.enabled': 'true',
      'svc.webhooks.allow-insecure-http': 'true',
      'svc.webhooks.allowed-networks': '127.0.0.0/8',
      'svc.webhooks.retry-delay': '20ms',
    },
    CLOCK,
  );
  const relay = createOutboxRelay({ store: createOutboxStore(data.database), bus, logger: SILENT, clock: CLOCK });
  await data.service.start();
  await data.service.follow(bus);
  relay.start();
  const root = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
    data.send('root', method, path, body);

  /** The body of the response; throws if its status is another one. */
  const expected = async (status: number, response: Promise<TestResponse>) => {
    const { status: actual, text, json } = await response;
    if (actual !== status) throw new Error(`${actual} instead of ${status}: ${text}`);
    return text === '' ? undefined : json();
  };

  const fixture = {
    data,
    receiver,
    root,
    expected,
    /** Adds a user with roles, the owner of webhooks. */
    async addUser(username: string, roles: readonly string[], rowLevelRoles: readonly string[] = []) {
      await expected(201, root('POST', '/entities/sec_User', { username, active: true }));
      const assignments = [
        ...roles.map((roleCode) => ({ username, roleCode, roleType: 'resource' })),
        ...rowLevelRoles.map((roleCode) => ({ username, roleCode, roleType: 'row-level' })),
      ];
      for (const assignment of assignments)
        await expected(201, root('POST', '/entities/sec_RoleAssignment', assignment));
    },
    /** Adds a webhook with a path of the receiver; returns its id. */
    async addWebhook(path: string, values: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const { id } = await expected(
        201,
        root('POST', '/entities/sys_Webhook', {
          ...{ name: path, url: receiver.url + path, entityName: 't_Deal', secret: newSecret() },
          ...values,
        }),
      );
      return id;
    },
    async addDeal(values: Readonly<Record<string, unknown>> = {}): Promise<string> {
      return (await expected(201, root('POST', '/entities/t_Deal', { title: 'A deal', ...values }))).id;
    },
    /** Adds deliveries of a deleted instance after three attempts, which wait for hours; returns their ids. */
    async addWaiting(webhookId: string, count: number): Promise<readonly string[]> {
      const rows = await data.query(`INSERT INTO sys.webhook_delivery (webhook_id, webhook_name, event_id, entity_name,
          entity_id, change, changed_at, changed_attributes, lane, state, attempts, queued_at,
          next_attempt)
        SELECT '${webhookId}', 'n', 'waiting ' || n, 't_Deal', gen_random_uuid(), 'updated', now() AT TIME ZONE 'UTC',
          'title', 'one', 'pending', 3, now() AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC' + interval '6 hours'
        FROM generate_series(1, ${count}) n RETURNING id`);
      return rows.map(({ id }) => String(id));
    },
    changeDeal: (id: string, values: Readonly<Record<string, unknown>>) =>
      expected(200, root('PUT', `/entities/t_Deal/${id}`, values)),
    /** The log of a webhook, oldest first. */
    async log(webhookId: string): Promise<readonly LoggedDelivery[]> {
      const filter = { conditions: [{ property: 'webhookId', operator: '=', value: webhookId }] };
      const body = { filter, sort: 'id', fetchPlan: '_local' };
      return expected(200, root('POST', '/entities/sys_WebhookDelivery/search', body));
    },
    /** Waits until the log of a webhook has deliveries in these states, in their order. */
    untilStates: (webhookId: string, states: readonly string[]) =>
      eventually(
        async () => {
          const log = await fixture.log(webhookId);
          expect(log.map(({ state }) => state)).toEqual(states);
          return log;
        },
        { timeoutMs: 30_000, intervalMs: 50 },
      ),
    async close() {
      await relay.stop();
      await bus.close();
      await data.close();
      await database.drop();
      await receiver.close();
    },
  };
  return fixture;
}

export type WebhooksFixture = Awaited<ReturnType<typeof startWebhooks>>;
