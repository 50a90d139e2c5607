import { type ReportParameter, sentValues } from './sent-values.ts';

const parameter = (alias: string): ReportParameter => ({
  name: alias,
  alias,
  type: 'TEXT',
  required: false,
  hidden: false,
});

test('what was left empty is not sent, so that the default of the report applies', () => {
  const parameters = ['from', 'to', 'names', 'isShort', 'count'].map(parameter);
  const values = { from: '2026-01-01', to: '', names: [], isShort: false, count: '0', other: 'x' };
  expect(sentValues(parameters, values)).toEqual({ from: '2026-01-01', isShort: false, count: '0' });
});
