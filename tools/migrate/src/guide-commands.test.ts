import { readFileSync } from 'node:fs';
import { parseArguments } from './parse-arguments.ts';

const guide = (name: string): string =>
  readFileSync(new URL(`../../../docs/guide/${name}.md`, import.meta.url), 'utf8');

/** The commands after `npx lintel migrate` in a guide. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npx lintel migrate ([a-z][^`#\n|,;]*)/g)].map(([, command = '']) => command.trim());

test.each([...new Set(['migrations', 'deploy', 'applications'].flatMap((name) => commandsIn(guide(name))))])(
  'the guide’s command "npx lintel migrate %s" is one',
  (command) => {
    expect(parseArguments(command.split(' ')).command.kind).not.toBe('help');
  },
);

test('the guide shows every command', () => {
  const kinds = commandsIn(guide('migrations')).map((command) => command.split(' ')[0]);
  expect(new Set(kinds)).toEqual(
    new Set(['generate', 'check', 'run', 'status', 'drift', 'accept', 'baseline', 'revert']),
  );
});
