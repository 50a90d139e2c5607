import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { runMigrate } from './run-migrate.ts';

test('a database that cannot be reached is an error with the reason', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const errors: string[] = [];
  const output = { print: () => undefined, printError: (line: string) => void errors.push(line) };
  const environment = {
    LINTEL_APPLICATION: '@lintel/example-sales',
    SVC_DATASOURCE_URL: `postgres://lintel:secret@127.0.0.1:${port}/lintel`,
  };
  expect(await runMigrate(['status'], output, { environment })).toBe(2);
  expect(errors).toEqual([`The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`]);
});
