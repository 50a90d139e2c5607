import { parseArguments, UsageError } from './parse-arguments.ts';

test('a command with its options', () => {
  expect(
    parseArguments([
      'generate',
      'add-tags',
      '--application',
      './app',
      '--url',
      'postgres://h/d',
      '--folder',
      'x',
      '--rename',
      's.t.a=b',
      '--rename',
      's.t=r.u',
    ]),
  ).toEqual({
    command: {
      kind: 'generate',
      name: 'add-tags',
      folder: 'x',
      renames: [
        { table: 's.t', from: 'a', to: 'b' },
        { table: 's.t', to: 'r.u' },
      ],
      allowDataLoss: false,
      withReferences: false,
    },
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

test('baseline records all migrations, or those up to one', () => {
  const command = (...options: string[]) => parseArguments(['baseline', ...options]).command;
  expect(command()).toEqual({ kind: 'baseline', dryRun: false });
  expect(command('--to', '1795000000000-a', '--dry-run')).toEqual({
    kind: 'baseline',
    dryRun: true,
    to: '1795000000000-a',
  });
});

test('revert goes back one migration, several, or to one, and loses nothing unless it may', () => {
  const command = (...options: string[]) => parseArguments(['revert', ...options]).command;
  expect(command()).toEqual({ kind: 'revert', dryRun: false, allowDataLoss: false });
  expect(command('--steps', '3', '--dry-run')).toMatchObject({ steps: 3, dryRun: true });
  expect(command('--to', '1795000000000-a', '--allow-data-loss', '--lock-attempts', '2')).toEqual({
    kind: 'revert',
    to: '1795000000000-a',
    dryRun: false,
    allowDataLoss: true,
    lockAttempts: 2,
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
  [['status', '--dry-run'], '--dry-run belongs to run, baseline, revert'],
  [['run', '--allow-data-loss'], '--allow-data-loss belongs to generate, revert'],
  [['revert', '--steps', '0'], '--steps 0 is no number'],
  [['revert', '--steps', '2', '--to', '1795000000000-a'], '--steps and --to'],
  [['run', '--lock-timeout', 'soon'], '--lock-timeout soon'],
  [['run', '--lock-attempts', '0'], '--lock-attempts 0'],
])('%j is refused', (args, reason) => {
  expect(() => parseArguments(args)).toThrow(UsageError);
  expect(() => parseArguments(args)).toThrow(reason);
});
