import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-asyncapi-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'asyncapi.json');
const APPLICATION = ['--application', fileURLToPath(new URL('../../test/clinic.ts', import.meta.url))];

async function call(...parameters: string[]) {
  const terminal = fakeTerminal();
  const code = await run([...parameters, ...APPLICATION], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}

test('the AsyncAPI document is written without a server', async () => {
  expect(await call('asyncapi', '--output', file)).toMatchObject({ code: 0, output: expect.stringContaining(file) });
  const document = JSON.parse(readFileSync(file, 'utf8'));
  expect(document.asyncapi).toBe('3.0.0');
  expect(Object.keys(document.channels)).toContain('clinic.visit-confirmed.v1');
  expect(JSON.parse((await call('asyncapi')).output)).toEqual(document);
});

test('events are compared with an earlier document', async () => {
  await call('asyncapi', '--output', file);
  const { output, code } = await call('events', 'check', file);
  expect([code, output]).toEqual([0, `The events of ${file} are readable as before (1).`]);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const { schemas } = document.components;
  schemas['clinic.visit-confirmed.v1'].properties.room = { type: 'integer' };
  schemas['clinic.visit-cancelled.v1'] = { type: 'object' };
  document.operations['send.clinic.visit-cancelled.v1'] = {};
  schemas['of-another.received.v1'] = { type: 'object' };
  writeFileSync(file, JSON.stringify(document));
  const problems = [
    'clinic.visit-confirmed.v1: data.room was removed',
    'clinic.visit-cancelled.v1 was published and is not there any more',
  ];
  expect(await call('events', 'check', file)).toMatchObject({ code: 1, output: problems.join('\n') });
  expect(JSON.parse((await call('events', 'check', file, '--json')).output)).toEqual({ events: 2, problems });
});

test.each([
  ['that is missing', undefined, 'cannot be read'],
  ['that is no JSON', '{', 'cannot be read'],
  ['of another kind', '{"openapi":"3.1.0","components":{"schemas":{}}}', 'is no AsyncAPI document'],
])('a file %s is refused in one sentence', async (_what, text, reason) => {
  const other = join(folder, 'other.json');
  rmSync(other, { force: true });
  if (text !== undefined) writeFileSync(other, text);
  const { code, notes } = await call('events', 'check', other);
  expect([code, notes]).toEqual([2, expect.stringContaining(reason)]);
});
