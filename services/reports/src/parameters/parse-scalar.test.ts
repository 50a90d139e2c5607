import type { ReportParameterType } from '@lintel/application';
import { buildModel, enumeration } from '@lintel/metadata';
import { parseScalarParameter } from './parse-scalar.ts';

const model = buildModel({ entities: [], enums: [enumeration('Grade', { GOLD: 'G', SILVER: 'S' })], fetchPlans: [] });
const parse = (type: ReportParameterType, text: string) =>
  parseScalarParameter({ alias: 'p', type, enumeration: 'Grade' }, text, model);

// Asserts contract/decisions.md#15, contract/reports.md#run.
test.each([
  ['TEXT', ' as it is ', ' as it is '],
  ['TEXT', '', ''],
  ['BOOLEAN', 'true', true],
  ['BOOLEAN', 'FALSE', false],
  ['NUMERIC', '12.50', '12.50'],
  ['NUMERIC', '-0.12345', '-0.12345'],
  ['NUMERIC', '1e3', '1000'],
  ['NUMERIC', '1e399', `1${'0'.repeat(399)}`],
  ['NUMERIC', '123456789012345678901234567890.1', '123456789012345678901234567890.1'],
  ['DATE', '2026-02-28', '2026-02-28'],
  ['TIME', '08:30', '08:30:00'],
  ['TIME', '08:30:15', '08:30:15'],
  ['DATETIME', '2026-02-28T08:30', '2026-02-28T08:30:00'],
  ['DATETIME', '2026-02-28T08:30:15.250', '2026-02-28T08:30:15.250'],
  ['ENUMERATION', 'GOLD', 'GOLD'],
  ['BOOLEAN', ' ', null],
  ['NUMERIC', '', null],
  ['DATE', '', null],
  ['ENUMERATION', '', null],
] as const)('%s reads %j as %j', (type, text, expected) => {
  expect(parse(type, text)).toBe(expected);
});

test.each([
  ['ignore', '2026-02-28T08:30:00+02:00', '2026-02-28T08:30:00'],
  ['convert', '2026-02-28T08:30:00.1234567+02:00', '2026-02-28T06:30:00.123456'],
] as const)('an offset of DATETIME: %s', (offsets, text, expected) => {
  expect(parseScalarParameter({ alias: 'p', type: 'DATETIME' }, text, model, { offsets })).toBe(expected);
});

test('an offset may be refused', () => {
  const read = () =>
    parseScalarParameter({ alias: 'p', type: 'DATETIME' }, '2026-02-28T08:30Z', model, { offsets: 'refuse' });
  expect(read).toThrow('Parameter "p"');
});

// Asserts contract/decisions.md#32, contract/reports.md#check-order.
test.each([
  ['TEXT', 'a\u0000b'],
  ['TEXT', '\ud800'],
  ['BOOLEAN', 'yes'],
  ['NUMERIC', 'abc'],
  ['NUMERIC', '1,000'],
  ['NUMERIC', 'NaN'],
  ['NUMERIC', '1e999'],
  ['NUMERIC', '1e400'],
  ['NUMERIC', '1e-401'],
  ['DATE', '31.12.2020'],
  ['DATE', '2026-02-30'],
  ['TIME', '25:00'],
  ['DATETIME', '2026-02-28'],
  ['ENUMERATION', 'G'],
  ['ENUMERATION', 'gold'],
] as const)('%s refuses %j and names the parameter', (type, text) => {
  expect(() => parse(type, text)).toThrow(
    expect.objectContaining({
      code: 'REPORT_INVALID_PARAMETER',
      status: 400,
      details: expect.stringContaining('Parameter "p"'),
    }),
  );
});
