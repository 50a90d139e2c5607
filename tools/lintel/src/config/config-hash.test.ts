import { verifyPassword } from '@lintel/passwords';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

test('the hash of a secret is printed, from standard input or a prompt that is repeated', async () => {
  for (const given of [{ input: 'a secret\n' }, { inputs: ['a secret', 'a secret'] }]) {
    const terminal = fakeTerminal(given);
    expect(await run(['config', 'hash'], terminal)).toBe(0);
    expect(await verifyPassword(terminal.output(), 'a secret')).toMatchObject({ ok: true });
    expect(terminal.output() + terminal.notes()).not.toContain('a secret');
  }
});

test('an empty secret has no hash', async () => {
  const terminal = fakeTerminal({ input: '\n' });
  expect([await run(['config', 'hash'], terminal), terminal.output()]).toEqual([2, '']);
});
