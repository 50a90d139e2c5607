import { type Attack, atOnce } from './attack.ts';

const OPERATIONS = '/rest/operations';
const LONG = 'x'.repeat(4_000);

/** What operators see of the running system (O). */
export const OPERATION_ATTACKS: readonly Attack[] = [
  {
    finding: 'O',
    title: 'lists of the operation at and above their limits, many at a time, are returned or refused in time',
    sender: 'admin',
    run: ({ send }) => {
      const paths = [
        ...[
          'dead-letters?limit=200',
          'dead-letters?limit=201',
          'slow-statements?limit=1000',
          'slow-statements?limit=1001',
        ],
        `security-events?limit=200&username=${'x'.repeat(255)}`,
        `security-events?limit=200&type=${'login.failed,'.repeat(300)}login.failed`,
        ...['security-events?limit=200', 'security-events?limit=201', `security-events?after=${'9'.repeat(4_000)}`],
        'identity-providers',
        ...['processes', 'queues', 'tasks', 'schema', `dead-letters/${LONG}`, `processes/${LONG}/settings`],
      ];
      return atOnce(paths.length * 10, 30, (index) =>
        send({ method: 'GET', path: `${OPERATIONS}/${paths[index % paths.length]}` }),
      );
    },
    statuses: [200, 400, 404, 429, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'files that nothing refers to are listed, and 100 of them removed, many times at once, in time',
    sender: 'admin',
    run: ({ send }) => {
      const path = `${OPERATIONS}/unreferenced-files`;
      const refs = (count: number) =>
        Array.from(
          { length: count },
          (_, at) => `fs://2026/01/01/${at}${LONG.slice(0, 800)}?name=${LONG.slice(0, 200)}`,
        );
      return atOnce(40, 20, (index) =>
        index % 2 === 0
          ? send({ method: 'GET', path: `${path}?limit=${index % 4 === 0 ? 100 : 101}` })
          : send({ method: 'POST', path: `${path}/remove`, body: { fileRefs: refs(index % 4 === 1 ? 25 : 101) } }),
      );
    },
    statuses: [200, 400, 429, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'event handlers are listed, and changed by wrong names and bodies, many at a time, in time',
    sender: 'admin',
    run: ({ send }) => {
      const bodies = [{ paused: true }, { paused: LONG }, { replayFrom: LONG }, { other: LONG.repeat(40) }];
      return atOnce(60, 20, (index) =>
        index % 2 === 0
          ? send({ method: 'GET', path: `${OPERATIONS}/event-handlers` })
          : send({
              method: 'PUT',
              path: `${OPERATIONS}/event-handlers/none`,
              body: bodies[((index - 1) / 2) % 4] ?? {},
            }),
      );
    },
    statuses: [200, 400, 404, 413, 429, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'runs of jobs are listed with every filter, many at a time, in time',
    sender: 'admin',
    run: ({ send }) => {
      const paths = ['limit=200', 'limit=201', 'state=failed', `state=${LONG}`, `job=${LONG}`, `after=${LONG}`];
      return atOnce(60, 20, (index) =>
        send({ method: 'GET', path: `${OPERATIONS}/job-runs?${paths[index % paths.length]}` }),
      );
    },
    statuses: [200, 400, 404, 414, 429, 431, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'runs of calls are listed, and looked for by every text, many at a time, in time',
    sender: 'admin',
    run: ({ send }) =>
      atOnce(60, 20, (index) => {
        const id = [LONG, 'none', '00000000-0000-4000-8000-000000000000'][index % 3];
        if (index % 5 === 0)
          return send({ method: 'GET', path: `/rest/service-runs${index % 2 === 0 ? '' : `?limit=${LONG}`}` });
        return send({ method: index % 2 === 0 ? 'GET' : 'DELETE', path: `/rest/service-runs/${id}` });
      }),
    statuses: [200, 404, 414, 429, 431, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'the mailbox is read with long parameters, many times at once, in time',
    sender: 'admin',
    run: ({ send }) =>
      atOnce(60, 20, (index) =>
        send({ method: 'GET', path: `${OPERATIONS}/mailbox${index % 2 === 0 ? '' : `?limit=${LONG}`}` }),
      ),
    statuses: [200, 414, 429, 431, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'changes of all instances are listed with every filter, many at a time, in time',
    sender: 'admin',
    run: ({ send }) => {
      const paths = ['limit=100', 'limit=101', 'reason=e', `reason=${LONG}`, 'user=none', 'entity=sales_Customer'];
      return atOnce(60, 20, (index) => send({ method: 'GET', path: `/rest/history?${paths[index % paths.length]}` }));
    },
    statuses: [200, 400, 429, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'the access log is listed with every filter, many at a time, in time',
    sender: 'admin',
    run: ({ send }) => {
      const ids = [crypto.randomUUID(), LONG, '%00'].map((id) => `entity=sales_Party&id=${id}`);
      const paths = ['limit=100', 'limit=101', 'user=none', 'entity=sales_Party', 'entity=sales_Order', ...ids];
      return atOnce(60, 20, (index) =>
        send({ method: 'GET', path: `/rest/access-log?${paths[index % paths.length]}` }),
      );
    },
    statuses: [200, 400, 404, 429, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title: 'one change is rehearsed to be taken back many times at once, and unknown ones are refused',
    sender: 'admin',
    run: async ({ send }) => {
      const { text } = await send({ method: 'GET', path: '/rest/history?limit=1' });
      const [{ change } = { change: 'none' }] = JSON.parse(text) as { readonly change: string }[];
      const headers = { prefer: 'tx=rollback' };
      const changes = [change, change, crypto.randomUUID(), LONG, '%00'];
      return atOnce(50, 20, (index) =>
        send({ method: 'POST', path: `/rest/history/changes/${changes[index % changes.length]}/undo`, headers }),
      );
    },
    statuses: [200, 400, 404, 409, 429, 503],
    withinMs: 20_000,
  },
  {
    finding: 'O',
    title:
      'the history of one instance is read at every time, and its states are rehearsed to be written again, in time',
    sender: 'admin',
    run: async ({ send }) => {
      const { text } = await send({ method: 'GET', path: '/rest/history?limit=1&entity=sales_Customer' });
      const [{ id, time } = { id: 'none', time: '2026-01-01' }] = JSON.parse(text) as { id: string; time: string }[];
      const path = `/rest/history/sales_Customer/${id}`;
      const reads = [
        '?limit=100',
        `?attribute=${LONG}`,
        `/at?time=${time}`,
        '/at?time=x',
        `/diff?from=${time}`,
        '/diff',
      ];
      const body = JSON.stringify({ time, attributes: ['name', LONG] });
      const headers = { prefer: 'tx=rollback', 'content-type': 'application/json' };
      return atOnce(70, 20, (index) => {
        const read = reads[index % (reads.length + 1)];
        return read === undefined
          ? send({ method: 'POST', path: `${path}/restore`, headers, body })
          : send({ method: 'GET', path: `${path}${read}` });
      });
    },
    statuses: [200, 400, 404, 414, 429, 431, 503],
    withinMs: 20_000,
  },
];
