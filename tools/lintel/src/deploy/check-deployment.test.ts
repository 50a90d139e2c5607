import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

const TEMPLATE = fileURLToPath(new URL('../../template/compose.yaml', import.meta.url));
const SECRET = '0123456789abcdef0123456789abcdef';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(name: string, text: string) {
  const file = join(folder, name);
  writeFileSync(file, text);
  const terminal = fakeTerminal();
  const code = await run(['deploy', 'check', file], terminal);
  return { code, lines: terminal.output().split('\n'), notes: terminal.notes() };
}

test('variables without a value and settings that are refused are printed in one round, with their services', async () => {
  const compose = readFileSync(TEMPLATE, 'utf8').replace(
    '  SVC_SECURITY_PROFILE: hardened\n',
    '  SVC_APPLICATION: "@lintel/example-sales"\n  SVC_SECURITY_PROFILE: hard\n',
  );
  writeFileSync(join(folder, '.env'), `DATABASE_PASSWORD=a\nREDIS_PASSWORD=\nWEB_CLIENT_SECRET=${SECRET}\n`);
  const { code, lines } = await check('compose.yaml', compose);
  expect(code).toBe(1);
  expect(lines.map((line) => line.replace(folder, ''))).toEqual([
    '✗ INTERNAL_SECRET: has no value (/compose.yaml)',
    '✗ REDIS_PASSWORD: has no value (/compose.yaml)',
    '✗ BROKER_PASSWORD: has no value (/compose.yaml)',
    '✗ KEY_ENCRYPTION_SECRET: has no value (/compose.yaml)',
    expect.stringMatching(/^✗ svc.security.profile: .*"hard".* \(gateway, auth, data, worker, files, reports\)$/),
    // The client of the template, which this application does not have.
    '✗ svc.authserver.client.web.client-id: is required (environment) (auth)',
  ]);
});

test('a file of variables is judged as the settings of all services', async () => {
  const variables = [
    'SVC_APPLICATION=@lintel/example-sales',
    `SVC_INTERNAL_SECRET=${SECRET}`,
    `SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET=${SECRET}`,
    'SVC_REDIS_URL=redis://redis:6379/0',
    'SVC_BROKER_URLS=amqp://rabbitmq:5672',
  ];
  expect(await check('shop.env', variables.join('\n'))).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/^✗ svc.datasource.url \(SVC_DATASOURCE_URL\): is required.* \(all services\)$/)],
  });
  const complete = [...variables, 'SVC_DATASOURCE_URL=postgres://postgres/shop'].join('\n');
  expect(await check('shop.env', complete)).toMatchObject({ code: 0, lines: ['Nothing is missing for all services.'] });
});

test.each([
  ['compose.yaml', 'services: { web: { image: nginx } }', 'starts no service of Lintel'],
  ['compose.yaml', 'services: [', 'The compose file is not valid'],
  ['compose.yaml', 'services: { data: { env_file: none.env } }', 'none.env is missing'],
])('%s with the content %j is refused', async (name, text, message) => {
  const { code, notes } = await check(name, text);
  expect([code, notes]).toEqual([2, expect.stringContaining(message)]);
});

test('an error in a compose file names the position without its text', async () => {
  const text = 'services:\n  data:\n    environment: { SVC_INTERNAL_SECRET: hunter2';
  const { code, lines, notes } = await check('compose.yaml', text);
  expect([code, notes]).toEqual([2, expect.stringContaining('at line 3')]);
  expect(lines.join('') + notes).not.toContain('hunter2');
});

test('a file that does not exist is refused', async () => {
  const terminal = fakeTerminal();
  expect(await run(['deploy', 'check', join(folder, 'none.yaml')], terminal)).toBe(2);
  expect(terminal.notes()).toContain('none.yaml cannot be read');
});
