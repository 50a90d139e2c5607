import { execFileSync } from 'node:child_process';
import { fc } from '@lintel/testkit/properties';
import { pathWithQuery } from '../src/requests/described-request.ts';
import { shellQuoted, toCurl } from '../src/requests/to-curl.ts';

/** What the shell makes of the arguments of each command. */
function argumentsOf(commands: readonly string[], shell: string): readonly (readonly string[])[] {
  const script = [`curl() { printf '%s\\0' "$@" end-of-command; }`, 'TOKEN=secret-of-the-shell', ...commands].join(
    '\n',
  );
  const output = execFileSync(shell, ['-s'], { input: script, encoding: 'utf8', maxBuffer: 100_000_000 });
  return output
    .split('end-of-command\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

const HARD = fc.constantFrom(
  "'",
  '"',
  '`',
  '$',
  '$(x)',
  '\\',
  '!',
  '\n',
  '\r',
  '*',
  '?',
  '~',
  '#',
  '&',
  ';',
  '|',
  '{a,b}',
);
const TEXT = fc
  .array(fc.oneof(HARD, fc.string({ unit: 'binary' })), { maxLength: 12 })
  // No argument of a process can have this character.
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());

test.each(['sh', 'bash'])('every text is one word for %s', (shell) => {
  const texts = fc.sample(TEXT, { numRuns: 1_000, seed: 26 });
  expect(argumentsOf([`curl ${texts.map(shellQuoted).join(' ')}`], shell)).toEqual([texts]);
});

test('a command has the request and no token', () => {
  const requests = fc.sample(fc.tuple(TEXT, TEXT, TEXT), { numRuns: 200, seed: 27 }).map(([name, value, text]) => ({
    method: 'POST',
    path: '/rest/entities/a',
    query: { filter: { [name]: value } },
    body: { text },
  }));
  const commands = requests.map((request) => toCurl('http://localhost:8080', request));
  expect(commands.join()).not.toContain('secret');
  expect(argumentsOf(commands, 'sh')).toEqual(
    requests.map((request) => [
      ...['-X', 'POST', '-g', `http://localhost:8080${pathWithQuery(request)}`],
      ...['-H', 'Authorization: Bearer secret-of-the-shell', '-H', 'content-type: application/json'],
      ...['--data-raw', JSON.stringify(request.body)],
    ]),
  );
});
