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

test('the events of another application are written as typed declarations', async () => {
  await call('asyncapi', '--output', file);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const id = '#/components/schemas/clinic.visit-confirmed.v1/definitions/id';
  document.components.schemas['clinic.visit-confirmed.v1'] = {
    type: 'object',
    required: ['visit', 'state'],
    properties: {
      visit: { $ref: id },
      state: { enum: ['NEW', 5, null] },
      'room-number': { type: ['integer', 'null'] },
      any: true,
      of: { type: 'array', items: { anyOf: [{ const: true }, { type: 'object' }] } },
    },
    definitions: { id: { type: 'string' } },
  };
  writeFileSync(file, JSON.stringify(document));
  const terminal = fakeTerminal();
  expect(await run(['events', 'types', file], terminal)).toBe(0);
  const text = terminal.output();
  expect(text).toContain(
    'export type ClinicVisitConfirmedV1 = { readonly visit: unknown; readonly state: "NEW" | 5 | null; ' +
      'readonly "room-number"?: number | null; readonly any?: unknown; readonly of?: readonly (true | Readonly<Record<string, unknown>>)[] };',
  );
  expect(text).toContain(
    'export const clinicVisitConfirmedV1 = event<ClinicVisitConfirmedV1>("clinic.visit-confirmed.v1", {',
  );
  expect(text).toContain('{ source: "/clinic" }');
  expect(text).toContain('"#/definitions/id"');
  delete document.operations['send.clinic.visit-confirmed.v1'];
  writeFileSync(file, JSON.stringify(document));
  expect(await run(['events', 'types', file], terminal)).toBe(2);
  expect(terminal.notes()).toContain('has no events of an application');
});

test('the commands of the guide for two applications write what examples/dispatch has', async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const page = readFileSync(join(root, 'docs/guide/teams.md'), 'utf8');
  const commands = [...page.matchAll(/^npx lintel ((?:asyncapi|events) .*)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(3);
  const written = join(folder, 'sales.ts');
  for (const command of commands) {
    const parameters = command
      .replaceAll('./examples', join(root, 'examples'))
      .replaceAll('examples/dispatch/src/events/sales.ts', written)
      .replaceAll('sales.json', file);
    const terminal = fakeTerminal();
    expect([await run(parameters.split(' '), terminal), terminal.notes()]).toEqual([0, '']);
  }
  expect(readFileSync(written, 'utf8')).toBe(readFileSync(join(root, 'examples/dispatch/src/events/sales.ts'), 'utf8'));
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
