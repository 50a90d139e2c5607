import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-mail-'));
afterAll(() => rmSync(folder, { recursive: true }));
const preview = async (...parameters: string[]) => {
  const terminal = fakeTerminal();
  const code = await run(['mail', 'preview', '--application', '@lintel/example-garage', ...parameters], terminal);
  return { code, output: terminal.output().trim(), notes: terminal.notes() };
};

test('a mail is printed with the values of its example, in a locale', async () => {
  expect(await preview('inspection-reminder')).toMatchObject({
    code: 0,
    output: 'Subject: Inspection of B-NB 412\n\nDear Nora Brandt,\n\nB-NB 412 is due on 2026-12-01.',
  });
  const { output } = await preview('inspection-reminder', '--locale', 'de', '--json');
  expect(JSON.parse(output)).toMatchObject({ subject: 'Prüfung von B-NB 412' });
});

test('the command of the guide to mail prints the mail in German', async () => {
  const page = readFileSync(new URL('../../../../docs/guide/mail.md', import.meta.url), 'utf8');
  const [, command = ''] = /^npx lintel mail preview (.*)$/m.exec(page) ?? [];
  expect(await preview(...command.split(' '))).toMatchObject({
    code: 0,
    output: expect.stringContaining('B-NB 412 ist am 2026-12-01 fällig.'),
  });
});

test('values of a file replace the example, and one that is missing is named', async () => {
  const file = join(folder, 'values.json');
  writeFileSync(file, '{"plate": "X 1", "name": "Bo"}');
  expect(await preview('inspection-reminder', '--data', file)).toMatchObject({
    code: 2,
    notes: expect.stringContaining('en.text: undefined variable: due'),
  });
});

test('an unknown mail, a file that cannot be read and a page that does not exist are errors', async () => {
  expect((await preview('inspection-reminders')).notes).toContain('did you mean inspection-reminder?');
  expect((await preview('inspection-reminder', '--data', join(folder, 'none.json'))).notes).toContain('cannot be read');
  expect((await preview('inspection-reminder', '--html')).notes).toContain('has no page in this locale');
});
