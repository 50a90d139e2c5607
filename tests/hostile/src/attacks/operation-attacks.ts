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
        ...['processes', 'queues', 'schema', `dead-letters/${LONG}`, `processes/${LONG}/settings`],
      ];
      return atOnce(paths.length * 10, 30, (index) =>
        send({ method: 'GET', path: `${OPERATIONS}/${paths[index % paths.length]}` }),
      );
    },
    statuses: [200, 400, 404, 429, 503],
    withinMs: 20_000,
  },
];
