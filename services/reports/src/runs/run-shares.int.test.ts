import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { eventually } from '@lintel/testkit';
import { SALES_ID, startReports } from '../../test/reports-fixture.ts';

test('runs of one user wait for each other, and the runs of others are executed', async () => {
  const release = Promise.withResolvers<void>();
  let begun = 0;
  const server = await startReports(() => undefined, {
    datasets: {
      select: () => {
        throw new Error('No data set of the fixture is a query');
      },
      async *read(_request, token) {
        if (!(await token()).startsWith('user')) return;
        begun += 1;
        await release.promise;
        yield* [];
      },
    },
  });
  const run = (token: string) =>
    fetch(`${server.url}/rest/reports/run/${SALES_ID}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ parameters: [{ name: 'from', value: '2026-01-01' }] }),
    });
  try {
    const ended: Response[] = [];
    const runs = Array.from({ length: 30 }, () => run('user').then((response) => void ended.push(response)));
    // Four of eight are carried out, twenty wait.
    await eventually(() => expect([begun, ended.length]).toEqual([4, 6]));
    for (const { status, headers } of ended)
      expect([status, Number(headers.get('retry-after')) >= 1]).toEqual([429, true]);
    expect((await run('boss')).status).toBe(200);
    release.resolve();
    await Promise.all(runs);
    expect(ended.filter(({ status }) => status === 200)).toHaveLength(24);
  } finally {
    release.resolve();
    await server.close();
  }
});

test('a client that does not read its document leaves the slot to other runs', async () => {
  // More than the buffers of a connection.
  const rows = 20_000;
  const server = await startReports(() => undefined, {
    datasets: {
      select: () => {
        throw new Error('No data set of the fixture is a query');
      },
      async *read() {
        for (let row = 0; row < rows; row += 1)
          yield { _entityName: 'x_Product', id: SALES_ID, name: 'n'.repeat(1_000), price: null, grade: null };
      },
    },
  });
  const body = JSON.stringify({ parameters: [{ name: 'from', value: '2026-01-01' }] });
  // One user has four of eight slots.
  const open = async (): Promise<IncomingMessage> => {
    const sent = request(`${server.url}/rest/reports/run/${SALES_ID}`, {
      method: 'POST',
      headers: { authorization: 'Bearer user' },
      agent: false,
    }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response.pause();
  };
  try {
    const unread = await Promise.all([open(), open(), open(), open()]);
    const last = await open();
    const sizes = await Promise.all(
      [...unread, last].map(async (response) => {
        let bytes = 0;
        for await (const chunk of response) bytes += (chunk as Buffer).length;
        return bytes;
      }),
    );
    expect(sizes[0]).toBeGreaterThan(rows * 1_000);
    expect(new Set(sizes).size).toBe(1);
  } finally {
    await server.close();
  }
});
