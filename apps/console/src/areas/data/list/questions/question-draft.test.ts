import { formatUnit } from './format-unit.ts';
import { draftOfQuestion, fits, functionOf, isGroup, type QuestionDraft, questionOf } from './question-draft.ts';

const attribute = (name: string, type: string, more: object = {}) => ({
  ...{ name, type, attributeType: 'DATATYPE', cardinality: 'NONE', persistent: true, ...more },
});
const ORDER = {
  entityName: 'sales_Order',
  properties: [
    attribute('amount', 'decimal'),
    attribute('date', 'localDate'),
    attribute('paid', 'boolean'),
    attribute('secret', 'string', { writeOnly: true }),
    attribute('customer', 'sales_Customer', { attributeType: 'ASSOCIATION', cardinality: 'MANY_TO_ONE' }),
  ],
};
const CUSTOMER = { entityName: 'sales_Customer', properties: [attribute('name', 'string')] };
const model = {
  entities: new Map([ORDER, CUSTOMER].map((each) => [each.entityName, each])),
  rights: { may: () => true, mayView: () => true },
  captions: new Map(),
} as never;

const DRAFT: QuestionDraft = { group: '', unit: '', aggregate: 'count', path: '', kind: 'bar' };
const ask = (draft: Partial<QuestionDraft>) => questionOf(model, 'sales_Order', { ...DRAFT, ...draft });

test('without a group the question is a number', () => {
  expect(ask({})).toEqual({ aggregates: { value: { count: '*' } }, chart: { kind: 'number' } });
});

test('dates are grouped by their unit, other values by themselves, and a table has no chart', () => {
  expect(ask({ group: 'date', unit: 'month', aggregate: 'sum', path: 'amount', kind: 'line' })).toEqual({
    groupBy: [{ attribute: 'date', by: 'month' }],
    limit: 100,
    aggregates: { value: { sum: 'amount' } },
    chart: { kind: 'line' },
  });
  expect(ask({ group: 'customer.name', unit: 'month', kind: 'table' })).toEqual({
    groupBy: ['customer.name'],
    limit: 100,
    aggregates: { value: { count: '*' } },
  });
});

test('references are grouped by themselves, and shown by their names', () => {
  const question = ask({ group: 'customer', aggregate: 'countDistinct', path: 'customer', kind: 'pie' });
  expect(question?.groupBy).toEqual([{ attribute: 'customer', captionAs: 'name' }]);
  expect(ask({ aggregate: 'max', path: 'customer' })).toBeUndefined();
});

test.each<Partial<QuestionDraft>>([
  { group: 'none' },
  { group: 'secret' },
  { aggregate: 'sum' },
  { aggregate: 'sum', path: 'date' },
  { aggregate: 'max', path: 'paid' },
])('the draft %j is not complete', (draft) => {
  expect(ask(draft)).toBeUndefined();
});

test('a question of the form is the same draft again, of others the form shows what it has', () => {
  const draft: QuestionDraft = { group: 'date', unit: 'month', aggregate: 'sum', path: 'amount', kind: 'pie' };
  expect(draftOfQuestion(ask(draft) ?? {})).toEqual(draft);
  expect(draftOfQuestion({})).toEqual({ ...DRAFT, kind: 'table' });
  const other = { groupBy: [{ attribute: 'date', by: 'hour' }], aggregates: { p: { percentile: 'amount', at: 0.9 } } };
  expect(draftOfQuestion(other as never)).toEqual({ ...DRAFT, group: 'date', kind: 'table' });
  expect(functionOf({ at: 0.9, percentile: 'amount' })).toEqual(['percentile', 'amount']);
});

test('functions take the values that the server takes', () => {
  const [amount, date, paid] = ORDER.properties as never[];
  expect([amount, date, paid].map((each) => fits('avg', each as never))).toEqual([true, false, false]);
  expect([amount, date, paid].map((each) => fits('min', each as never))).toEqual([true, true, false]);
  expect(fits('countDistinct', paid as never)).toBe(true);
  expect(isGroup(attribute('tags', 'json') as never)).toBe(false);
});

test.each([
  ['2026-11-01', 'month', 'Nov 2026'],
  ['2026-10-01', 'quarter', 'Oct 2026'],
  ['2026-01-01', 'year', '2026'],
  ['2026-11-30', 'week', 'Nov 30, 2026'],
  ['2026-11-30T10:00:00', 'hour', undefined],
  ['infinity', 'month', undefined],
])('%s by %s is %s', (day, unit, text) => {
  expect(formatUnit(day, unit, 'en')).toBe(text);
});
