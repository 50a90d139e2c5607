import { type ListedMethod, methodsOf } from './call-info.ts';

const listed = (name: string, httpMethod: ListedMethod['httpMethod'], ...names: string[]): ListedMethod => ({
  name,
  httpMethod,
  params: names.map((each) => ({ name: each, required: true, valueType: { kind: 'any' } })),
  returns: { kind: 'any' },
  confirm: false,
  longRunning: false,
});

test('a method is there once for each list of parameters, by POST where that is possible', () => {
  const methods = methodsOf({
    name: 's',
    methods: [
      listed('both', 'GET', 'a'),
      listed('both', 'POST', 'a'),
      listed('any', null),
      listed('read', 'GET'),
      listed('sum', 'POST', 'a', 'b'),
      listed('sum', 'GET', 'a', 'b'),
      listed('sum', 'GET', 'a', 'b', 'c'),
    ],
  });
  expect(methods.map(({ service, name, method, params }) => [service, name, method, params.length])).toEqual([
    ['s', 'both', 'POST', 1],
    ['s', 'any', 'POST', 0],
    ['s', 'read', 'GET', 0],
    ['s', 'sum', 'POST', 2],
    ['s', 'sum', 'GET', 3],
  ]);
});
