import { parseArguments, UsageError } from './parse-arguments.ts';

test('a command with its options', () => {
  expect(
    parseArguments(['generate', 'add-tags', '--application', './app', '--url', 'postgres://h/d', '--folder', 'x']),
  ).toEqual({
    command: { kind: 'generate', name: 'add-tags', folder: 'x' },
    properties: { 'svc.application': './app', 'svc.datasource.url': 'postgres://h/d' },
  });
  expect(parseArguments(['run'])).toEqual({ command: { kind: 'run' }, properties: {} });
});

test.each([[[]], [['help']], [['--help']], [['run', '-h']]])('%j asks for help', (args) => {
  expect(parseArguments(args).command).toEqual({ kind: 'help' });
});

test.each([
  [['generate'], 'needs a name'],
  [['generate', 'two words'], 'letters, digits and hyphens'],
  [['generate', '../up'], 'letters, digits and hyphens'],
  [['generate', 'a', 'b'], 'Too many arguments: b'],
  [['run', 'now'], 'Too many arguments: now'],
  [['migrate'], 'Unknown command migrate'],
  [['run', '--force'], '--force'],
])('%j is refused', (args, reason) => {
  expect(() => parseArguments(args)).toThrow(UsageError);
  expect(() => parseArguments(args)).toThrow(reason);
});
