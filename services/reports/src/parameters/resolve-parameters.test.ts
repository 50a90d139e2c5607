import type { ReportDefinition, ReportParameter } from '@lintel/application';
import { buildModel, standardEntity, string } from '@lintel/metadata';
import { timeZoneOf } from './default-expression.ts';
import type { SubmittedParameter } from './parse-run-request.ts';
import { type ParameterPorts, resolveParameters } from './resolve-parameters.ts';

const model = buildModel({
  entities: [standardEntity('x_Product', { attributes: { name: string(10) } })],
  enums: [],
  fetchPlans: [],
});
const ID = '11111111-1111-4111-8111-111111111111';
const caller = {
  username: 'ann',
  locale: 'de',
  now: new Date(2026, 10, 21, 9, 5, 7).getTime(),
  timeZone: timeZoneOf({ attributes: {} }),
};

const ports = (validate?: ReportDefinition['validation']): ParameterPorts => ({
  model,
  access: { allows: () => true },
  data: {
    async *load() {
      yield { _entityName: 'x_Product', id: ID, _instanceName: 'Pen' };
    },
  },
  caller,
  validate,
});
const text = (value: string): SubmittedParameter => ({ value, values: null });

const resolve = (
  parameters: readonly Partial<ReportParameter>[],
  submitted: Readonly<Record<string, SubmittedParameter>> = {},
  validate?: ReportDefinition['validation'],
) =>
  resolveParameters(
    parameters.map((parameter) => ({ alias: 'p', name: 'P', type: 'TEXT', ...parameter })),
    new Map(Object.entries(submitted)),
    ports(validate),
  );

describe('what a missing parameter gets', () => {
  // Asserts contract/reports.md#report-info, contract/reports.md#run.
  test('a default of a function, called for the caller, before the stored one, before the current date', async () => {
    const seen: unknown[] = [];
    const parameter = {
      type: 'DATE',
      defaultValue: '2026-01-01',
      defaultDateIsCurrent: true,
      defaultFrom: (by: unknown) => {
        seen.push(by);
        return '2026-05-05';
      },
    } as const;
    expect(await resolve([parameter])).toEqual({ p: '2026-05-05' });
    expect(seen).toEqual([caller]);
    expect(await resolve([{ ...parameter, defaultFrom: async () => null }])).toEqual({ p: '2026-01-01' });
    expect(await resolve([{ type: 'DATE', defaultDateIsCurrent: true }])).toEqual({ p: '2026-11-21' });
  });

  // Asserts contract/reports.md#run.
  test.each([
    ['DATE', '2026-11-21'],
    ['TIME', '09:05:07'],
    ['DATETIME', '2026-11-21T09:05:07'],
  ] as const)('%s: now is %s', async (type, expected) => {
    expect(await resolve([{ type, defaultDateIsCurrent: true }])).toEqual({ p: expected });
  });

  test('what its expression is for the caller: a date, the name of the user, the user', async () => {
    expect(await resolve([{ type: 'DATE', defaultExpression: 'startOfMonth' }])).toEqual({ p: '2026-11-01' });
    expect(await resolve([{ defaultExpression: 'currentUser' }])).toEqual({ p: 'ann' });
    expect(await resolve([{ type: 'ENTITY', entity: 'x_Product', defaultExpression: 'currentUser' }])).toEqual({
      p: { _entityName: 'x_Product', id: ID, _instanceName: 'Pen' },
    });
    expect(await resolve([{ type: 'DATE', defaultExpression: 'today' }], { p: text('2020-01-01') })).toEqual({
      p: '2020-01-01',
    });
  });

  test('an instance, by the id that is its default', async () => {
    expect(await resolve([{ type: 'ENTITY', entity: 'x_Product', defaultValue: ID }])).toEqual({
      p: { _entityName: 'x_Product', id: ID, _instanceName: 'Pen' },
    });
  });

  // Asserts contract/reports.md#run.
  test('null, where null was sent and there is no default', async () => {
    expect(await resolve([{}], { p: { value: null, values: null } })).toEqual({ p: null });
  });

  // Asserts contract/reports.md#run.
  test('null, where an instance or a list of them was sent as a blank text', async () => {
    for (const type of ['ENTITY', 'ENTITY_LIST'] as const)
      expect(await resolve([{ type, entity: 'x_Product' }], { p: text(' ') })).toEqual({ p: null });
  });

  test('a function that fails is named, and nothing of what it says', async () => {
    const failing = () => {
      throw new Error('secret');
    };
    await expect(resolve([{ defaultFrom: failing }])).rejects.toThrow(
      'An error occurred in the default of parameter p.',
    );
  });
});

describe('validation', () => {
  const notA = (value: unknown): string | undefined => (value === 'a' ? 'Not a, please' : undefined);
  const refused = (details: string) => expect.objectContaining({ status: 400, error: 'Run report error', details });

  // Asserts contract/reports.md#check-order.
  test('of one parameter returns its message', async () => {
    await expect(resolve([{ validation: notA }], { p: text('a') })).rejects.toEqual(refused('Not a, please'));
    expect(await resolve([{ validation: notA }], { p: text('b') })).toEqual({ p: 'b' });
  });

  // Asserts contract/reports.md#run.
  test('sees defaults, but no null', async () => {
    await expect(resolve([{ validation: notA, defaultValue: 'a' }])).rejects.toEqual(refused('Not a, please'));
    expect(await resolve([{ validation: () => 'never' }])).toEqual({ p: null });
  });

  test('gets the value before its transformation, and the caller', async () => {
    const seen: unknown[] = [];
    const validation = (value: unknown, by: unknown): undefined => {
      seen.push(value, by);
    };
    await resolve([{ validation, transformation: 'CONTAINS' }], { p: text('a') });
    expect(seen).toEqual(['a', caller]);
  });

  // Asserts contract/reports.md#check-order.
  test('of all together comes after that of each, and before required ones', async () => {
    const together: ReportDefinition['validation'] = ({ p, q }) => (p === q ? 'They are the same' : undefined);
    const two = [{ alias: 'p' }, { alias: 'q' }, { alias: 'r', required: true }];
    await expect(resolve(two, { p: text('x'), q: text('x') }, together)).rejects.toEqual(refused('They are the same'));
    await expect(
      resolve([{ alias: 'p', validation: notA }, { alias: 'q' }], { p: text('a'), q: text('a') }, together),
    ).rejects.toEqual(refused('Not a, please'));
    await expect(resolve(two, { p: text('x') }, together)).rejects.toEqual(
      refused('Required report parameter "r" not found'),
    );
  });
});

describe('a transformation', () => {
  // Asserts contract/report-data.md#transformations.
  test.each([
    ['STARTS_WITH', '(?i)5\\% \\_a\\\\b%'],
    ['CONTAINS', '(?i)%5\\% \\_a\\\\b%'],
    ['ENDS_WITH', '(?i)%5\\% \\_a\\\\b'],
  ] as const)('%s makes a pattern of a text', async (transformation, expected) => {
    expect(await resolve([{ transformation }], { p: text('5% _a\\b') })).toEqual({ p: expected });
  });

  // Asserts contract/report-data.md#transformations.
  test('of a function sees the value and all others; null stays null', async () => {
    const parameters: readonly Partial<ReportParameter>[] = [
      { alias: 'p', transformation: async (value, { q }) => `${String(value)}${String(q)}` },
      { alias: 'q', transformation: () => 'other' },
      { alias: 'r', transformation: () => 'never' },
    ];
    expect(await resolve(parameters, { p: text('a'), q: text('b') })).toEqual({ p: 'ab', q: 'other', r: null });
  });
});
