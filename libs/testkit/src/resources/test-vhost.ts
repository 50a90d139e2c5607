import { testEnvironment } from './test-environment.ts';
import { uniqueName } from './unique-name.ts';

/** A virtual host of its own for one suite: exchanges and queues with the real names do not meet others'. */
export interface TestVhost {
  readonly name: string;
  /** Connection string with the virtual host in it. */
  readonly url: string;
  /** Closes all connections of the virtual host, as an operator or a failing node would. */
  closeConnections(): Promise<void>;
  /** Takes away all exchanges, queues, messages and connections: a broker that has lost its disk. */
  loseEverything(): Promise<void>;
  /** Consumes messages of a queue; returns their payloads. */
  take(queue: string): Promise<readonly string[]>;
  drop(): Promise<void>;
}

/** Makes an empty virtual host on the broker of the test run. */
export async function createTestVhost(prefix = 'test'): Promise<TestVhost> {
  const brokerUrl = new URL(testEnvironment('LINTEL_TEST_AMQP_URL'));
  const management = managementOf(brokerUrl);
  const name = uniqueName(prefix);
  const user = brokerUrl.username === '' ? 'guest' : brokerUrl.username;
  const make = async (): Promise<void> => {
    await management('PUT', `/api/vhosts/${name}`);
    await management('PUT', `/api/permissions/${name}/${user}`, { configure: '.*', write: '.*', read: '.*' });
  };
  const drop = async (): Promise<void> => {
    await management('DELETE', `/api/vhosts/${name}`);
  };
  await make();
  const url = new URL(brokerUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    closeConnections: async () => {
      const connections = (await management('GET', `/api/vhosts/${name}/connections`)) as { name: string }[];
      for (const connection of connections) {
        await management('DELETE', `/api/connections/${encodeURIComponent(connection.name)}`);
      }
    },
    loseEverything: async () => {
      await drop();
      await make();
    },
    take: async (queue) => {
      const body = { count: 100, ackmode: 'ack_requeue_false', encoding: 'auto' };
      const messages = await management('POST', `/api/queues/${name}/${encodeURIComponent(queue)}/get`, body);
      return (messages as { payload: string }[]).map(({ payload }) => payload);
    },
    drop,
  };
}

type Management = (method: string, path: string, body?: unknown) => Promise<unknown>;

function managementOf(brokerUrl: URL): Management {
  const address = new URL(
    process.env['LINTEL_TEST_AMQP_MANAGEMENT_URL'] ??
      `http://${brokerUrl.username || 'guest'}:${brokerUrl.password || 'guest'}@${brokerUrl.hostname}:15672`,
  );
  const authorization = `Basic ${btoa(`${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`)}`;
  return async (method, path, body) => {
    const response = await fetch(`${address.origin}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(
        `The management API of RabbitMQ does not respond at ${address.origin}; set LINTEL_TEST_AMQP_MANAGEMENT_URL and enable the plugin rabbitmq_management.`,
        { cause },
      );
    });
    const text = await response.text();
    if (!response.ok && !(method === 'DELETE' && response.status === 404)) {
      throw new Error(`RabbitMQ returned ${response.status} to ${method} ${path}: ${text}`);
    }
    return text === '' || !response.ok ? undefined : JSON.parse(text);
  };
}
