import { parseArguments, UsageError } from './parse-arguments.ts';

test('a command with its options', () => {
  expect(
    parseArguments(['generate', 'add-tags', '--application', './app', '--url', 'postgres://h/d', '--folder', 'x']),
  ).toEqual({
    command: { kind: 'generate', name: 'add-tags', folder: 'x' },
    json: false,
    properties: { 'svc.application': './app', 'svc.datasource.url': 'postgres://h/d' },
  });
  expect(parseArguments(['run'])).toEqual({ command: { kind: 'run', dryRun: false }, json: false, properties: {} });
  expect(parseArguments(['run', '--dry-run', '--json', '--lock-timeout', '500ms', '--lock-attempts', '3'])).toEqual({
    command: { kind: 'run', dryRun: true, lockTimeoutMs: 500, lockAttempts: 3 },
    json: true,
    properties: {},
  });
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
  [['accept'], 'needs the name'],
  [['status', '--dry-run'], '--dry-run belongs to run'],
  [['run', '--lock-timeout', 'soon'], '--lock-timeout soon'],
  [['run', '--lock-attempts', '0'], '--lock-attempts 0'],
])('%j is refused', (args, reason) => {
  expect(() => parseArguments(args)).toThrow(UsageError);
  expect(() => parseArguments(args)).toThrow(reason);
});
