import { parseOptions } from './options.ts';

test('without options everything runs, three times, and is recorded', () => {
  const options = parseOptions([]);
  expect(options).toMatchObject({ rounds: 3, runMs: 2_500, referenceMs: 1_200, record: true });
  expect(options).toHaveProperty('operations', [
    'R1',
    'R2',
    'R3',
    'R4',
    'R5',
    'A1',
    'A2',
    'A3',
    'A4',
    'W1',
    'W2',
    'W3',
  ]);
  expect(options).toHaveProperty('systems.0', 'data');
});

test('a quick run has the data service alone and records nothing', () => {
  expect(parseOptions(['--quick'])).toMatchObject({ systems: ['data'], rounds: 2, record: false });
});

test('operations and systems can be chosen, in any order and case, and are run in theirs', () => {
  const options = parseOptions(['--only', 'w3,R1', '--systems', 'gateway,DATA', '--rounds', '5', '--seconds', '0.5']);
  expect(options).toMatchObject({ operations: ['R1', 'W3'], systems: ['data', 'gateway'], rounds: 5, runMs: 500 });
  expect(options).toHaveProperty('record', false);
});

test('a part can be recorded, and a whole run need not be', () => {
  expect(parseOptions(['--only', 'R1', '--record'])).toHaveProperty('record', true);
  expect(parseOptions(['--no-record'])).toHaveProperty('record', false);
});

test('figures with other numbers of connections are not for the record', () => {
  expect(parseOptions(['--connections', '4'])).toMatchObject({ connections: 4, record: false });
});

test('growth, soak, forwarders, starts, peers and the console are modes of their own', () => {
  expect(parseOptions(['--growth', '1,4'])).toHaveProperty('mode', { kind: 'growth', scales: [1, 4] });
  const soak = { kind: 'soak', durationMs: 90_000, isStandalone: false, share: 1 };
  expect(parseOptions(['--soak', '90s'])).toHaveProperty('mode', soak);
  const standalone = { ...soak, isStandalone: true, share: 0.2 };
  expect(parseOptions(['--standalone', '--share', '0.2', '--soak', '90s'])).toHaveProperty('mode', standalone);
  expect(parseOptions(['--forwarders'])).toHaveProperty('mode', { kind: 'forwarders' });
  expect(parseOptions(['--console', 'http://a'])).toHaveProperty('mode', { kind: 'console', url: 'http://a' });
  expect(parseOptions(['--peers'])).toHaveProperty('mode', { kind: 'peers' });
  expect(parseOptions(['--starts'])).toHaveProperty('mode', { kind: 'starts' });
  expect(parseOptions(['--pool', '40'])).toMatchObject({ poolSize: 40, record: false });
});

test.each([
  [['--soak', '60'], /--soak must be a time like 90s, 60m or 1h, not 60/],
  [['--soak', '1m', '--share', '2'], /--share must be a number from above 0 to 1, not 2/],
  [['--standalone'], /--standalone and --share belong to --soak/],
  [['--growth', '1,x'], /--growth must be a number above 0, not x/],
  [['--connections', '0'], /--connections must be a number above 0/],
  [['--fast'], /Unknown option '--fast'/],
  [['--only', 'R9'], /--only: there is no r9; choose from R1, R2/],
  [['--only'], /--only <value>' argument missing/],
  [['--rounds', 'many'], /--rounds must be a number above 0, not many/],
])('%p is refused by name', (parameters, message) => {
  expect(() => parseOptions(parameters)).toThrow(message);
});

test('help is asked for before anything is checked', () => {
  expect(parseOptions(['--help', '--fast'])).toBe('help');
});
