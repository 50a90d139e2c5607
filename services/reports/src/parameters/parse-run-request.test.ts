import { ExactNumber } from '@lintel/query';
import { parseRunRequest } from './parse-run-request.ts';

const NOTHING = {
  template: null,
  outputType: null,
  attachment: false,
  bom: false,
  parameters: new Map(),
  unknown: [],
  unknownInParameters: [],
};

// Asserts contract/decisions.md#33, contract/reports.md#run.
test.each(['', '  \n', 'null', '{}', '{"template":null,"attachment":null,"parameters":null}', '{"parameters":[]}'])(
  '%j asks for the defaults',
  async (body) => {
    expect(await parseRunRequest(body)).toEqual(NOTHING);
  },
);

// Asserts contract/reports.md#run.
test('a value is any JSON, with exact numbers; the first of two equal names wins', async () => {
  const body = `{"template":"csv","outputType":"PDF","attachment":true,"bom":true,"unknown":1,"parameters":[
    {"name":"a","value":12.500},{"name":"b","value":true},{"name":"c","value":"x"},{"name":"d","nam":1,"vals":2},
    {"name":"e","values":["1",2,{"id":3}]},{"name":"a","value":"later"},{"name":"f","value":12345678901234567890.12},{"name":"g","value":["x",{"id":7}]},{"name":"h","value":null}]}`;
  expect(await parseRunRequest(body)).toEqual({
    template: 'csv',
    outputType: 'PDF',
    attachment: true,
    bom: true,
    unknown: ['unknown'],
    unknownInParameters: ['nam', 'vals'],
    parameters: new Map([
      ['a', { value: new ExactNumber('12.500'), values: null }],
      ['b', { value: true, values: null }],
      ['c', { value: 'x', values: null }],
      ['d', { value: null, values: null }],
      ['e', { value: null, values: ['1', '2', { id: new ExactNumber('3') }] }],
      ['f', { value: new ExactNumber('12345678901234567890.12'), values: null }],
      ['g', { value: ['x', { id: new ExactNumber('7') }], values: null }],
      ['h', { value: null, values: null }],
    ]),
  });
});

// Asserts contract/reports.md#run.
test.each([
  ['true', true],
  ['TRUE', true],
  ['yes', false],
])('attachment as the text %j is %s', async (text, expected) => {
  expect((await parseRunRequest(JSON.stringify({ attachment: text }))).attachment).toBe(expected);
});

// Asserts contract/conventions.md#general-rules, contract/reports.md#check-order, contract/reports.md#run.
test.each([
  ['{', 'is not valid JSON'],
  ['['.repeat(100_000), 'is nested too deeply'],
  ["{'template':'a'}", ''],
  ['[]', 'object'],
  ['"text"', 'object'],
  ['{"template":1}', 'template'],
  ['{"outputType":1}', 'outputType'],
  ['{"attachment":1}', 'attachment'],
  ['{"bom":1}', 'bom'],
  ['{"parameters":{}}', 'parameters'],
  ['{"parameters":["a"]}', 'parameters[0]'],
  ['{"parameters":[{"value":"a"}]}', 'parameters[0].name'],
  ['{"parameters":[{"name":"a"},{"name":"b","values":[[1]]}]}', 'parameters[1].values[0]'],
  ['{"parameters":[{"name":"a","values":"b"}]}', 'parameters[0].values'],
  ['{"parameters":[{"name":"a","values":[null]}]}', 'parameters[0].values[0]'],
])('%j is refused, naming %j', async (body, named) => {
  await expect(parseRunRequest(body)).rejects.toEqual(
    expect.objectContaining({
      code: 'REPORT_INVALID_BODY',
      error: 'Invalid JSON body',
      details: expect.stringContaining(named),
    }),
  );
});
