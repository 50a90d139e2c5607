import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestVhost, eventually, type StartedProgram, startProgram } from '@lintel/testkit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CLIENTS: Readonly<Record<string, string>> = {
  './examples/sales': 'client:secret',
  './examples/dispatch': 'web:secret',
};

const home = await mkdtemp(join(tmpdir(), 'lintel-two-'));
const vhost = await createTestVhost('two');
const programs: StartedProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await rm(home, { recursive: true, force: true });
  await vhost.drop();
});

test('the applications that the guide starts, each in one process, ship an order', async () => {
  // As root, PostgreSQL runs as another user, who must get here.
  await chmod(home, 0o755);
  const page = await readFile(join(ROOT, 'docs/guide/teams.md'), 'utf8');
  const commands = [...page.matchAll(/^SVC_APPLICATION=(\S+) .*npm start$/gm)].map(
    ([, application = '']) => application,
  );
  expect(commands).toEqual(Object.keys(CLIENTS));
  for (const [at, application] of commands.entries())
    programs.push(
      await startProgram(join(ROOT, 'deploy/standalone/src/main.ts'), [], {
        cwd: ROOT,
        variables: {
          SVC_APPLICATION: application,
          LINTEL_HOME: join(home, String(at)),
          SVC_EVENTS_BROKER_URLS: vhost.url,
        },
        client: CLIENTS[application] ?? '',
      }),
    );
  await Promise.all(programs.map((program) => program.ready()));
  const [sales, dispatch] = programs as [StartedProgram, StartedProgram];
  const [order] = (await sales.send('admin', 'GET', '/entities/sales_Order?limit=1')).json();
  const setStatus = (status: string) => sales.send('admin', 'PUT', `/entities/sales_Order/${order.id}`, { status });
  for (const status of ['NEW', 'CONFIRMED']) expect((await setStatus(status)).status).toBe(200);
  const shipments = async () => (await dispatch.send('admin', 'GET', '/entities/dispatch_Shipment')).json();
  await eventually(async () => expect(await shipments()).toMatchObject([{ number: order.number, state: 'PLANNED' }]), {
    timeoutMs: 60_000,
  });
});
