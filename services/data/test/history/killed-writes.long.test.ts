import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import sales from '@lintel/example-sales';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { schemaOf } from '../schema-of.ts';

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** A wire that counts the statements of a client, and calls `act` instead of transferring the one with the number. */
async function startCountingWire(port: number) {
  let left = Number.POSITIVE_INFINITY;
  let act = (): void => {};
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    let known = Buffer.alloc(0);
    let isStarted = false;
    client.on('data', (chunk: Buffer) => {
      known = Buffer.concat([known, chunk]);
      for (;;) {
        // The first message of a connection has no type.
        const head = isStarted ? 1 : 0;
        if (known.length < head + 4 || known.length < head + known.readInt32BE(head)) return;
        const end = head + known.readInt32BE(head);
        const message = known.subarray(0, end);
        if (isStarted && (message[0] === EXECUTE || message[0] === QUERY)) {
          left -= 1;
          if (left === 0) act();
        }
        if (left <= 0) return;
        upstream.write(message);
        known = known.subarray(end);
        isStarted = true;
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Acts before the statement with the number from now on. */
    beforeStatement(number: number, what: () => void): void {
      left = number;
      act = what;
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

let database: TestDatabase;
let wire: Awaited<ReturnType<typeof startCountingWire>>;
let calm: { readonly process: ChildProcess; readonly url: string };
const processes: ChildProcess[] = [];

beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(sales.model), 'killed');
  wire = await startCountingWire(Number(new URL(database.url).port));
  calm = await startService(database.url);
});
afterAll(async () => {
  for (const process of processes) process.kill('SIGKILL');
  wire?.close();
  await database?.drop();
});

async function startService(url: string): Promise<typeof calm> {
  const process = fork(fileURLToPath(new URL('../data-process.ts', import.meta.url)), [url], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  processes.push(process);
  const [message] = (await once(process, 'message')) as [{ readonly url: string }];
  return { process, url: message.url };
}

const send = async (url: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}/rest${path}`, {
    method,
    headers: { authorization: 'Bearer admin' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};

/** Effects of a write: the row of the customer, and the changes and entries of the history. */
async function stored(id: string) {
  const [row = { customer: null, changes: 0, entries: 0 }] = await database.query<{
    readonly customer: string | null;
    readonly changes: number;
    readonly entries: number;
  }>(
    `SELECT to_jsonb(c)::text AS customer, (SELECT count(*)::int FROM history.change) AS changes,
       (SELECT count(*)::int FROM history.entry) AS entries FROM sales.customer c WHERE c.id = '${id}'`,
  );
  return row;
}

const lastChange = async (id: string): Promise<string> => {
  const { text } = await send(calm.url, 'GET', `/history/sales_Customer/${id}?limit=1`);
  return (JSON.parse(text) as { change: string }[])[0]?.change ?? '';
};

const WRITES = {
  'an update': {
    prepare: async () => undefined,
    write: (url: string, id: string, at: number) =>
      send(url, 'PUT', `/entities/sales_Customer/${id}`, { name: `K${at}` }),
  },
  'a deletion': {
    prepare: async () => undefined,
    write: (url: string, id: string) => send(url, 'DELETE', `/entities/sales_Customer/${id}`),
  },
  'an undo': {
    prepare: async (id: string, at: number) => {
      await send(calm.url, 'PUT', `/entities/sales_Customer/${id}`, { name: `U${at}` });
      return lastChange(id);
    },
    write: (url: string, _id: string, _at: number, change?: string) =>
      send(url, 'POST', `/history/changes/${change}/undo`),
  },
} as const;

// Asserts contract/history.md#recorded.
test.each(Object.entries(WRITES))(
  'a service that is killed before any statement of %s leaves data and history alike',
  async (_name, { prepare, write }) => {
    const created = await send(calm.url, 'POST', '/entities/sales_Customer', {
      name: 'Killed',
      email: 'k@example.org',
    });
    const { id } = JSON.parse(created.text) as { id: string };
    expect([created.status, id]).toEqual([201, expect.any(String)]);
    const overWire = new URL(database.url);
    overWire.port = String(wire.port);
    let isDone = false;
    let kills = 0;
    for (let at = 1; !isDone; at += 1) {
      const change = await prepare(id, at);
      const before = await stored(id);
      const victim = await startService(overWire.href);
      expect((await send(victim.url, 'GET', `/entities/sales_Customer/${id}`)).status).toBe(200);
      wire.beforeStatement(at, () => victim.process.kill('SIGKILL'));
      const status = await write(victim.url, id, at, change).then(
        (response) => response.status,
        () => 'no response',
      );
      isDone = status !== 'no response';
      wire.beforeStatement(Number.POSITIVE_INFINITY, () => {});
      victim.process.kill('SIGKILL');
      // The database notices that its client is gone.
      await eventually(async () => {
        const [open] = await database.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
        );
        expect(open?.count).toBe(0);
      });
      const after = await stored(id);
      if (isDone) {
        expect([status, after.changes]).toEqual([expect.any(Number), before.changes + 1]);
        expect(after.customer).not.toBe(before.customer);
      } else if (after.changes === before.changes) {
        kills += 1;
        expect(after).toEqual(before);
      } else {
        // Killed after the commit.
        expect(after.changes).toBe(before.changes + 1);
        expect(after.customer).not.toBe(before.customer);
        isDone = true;
      }
    }
    expect(kills).toBeGreaterThan(2);
  },
  600_000,
);
