import { cases, fc } from '@lintel/testkit/properties';
import { fittingOverload, type MethodInfo } from './call-info.ts';
import { methodRequest, offsetOf, PAGE_SIZE, queryRequest } from './call-requests.ts';
import type { NamedType } from './fields/value-type.ts';

const parameter = (name: string, type = 'string', required = false): NamedType => ({
  ...{ name, required },
  valueType: { kind: 'datatype', type },
});
const paths = { services: '/api/services', queries: '/api/queries' };
const method: Pick<MethodInfo, 'service' | 'name' | 'params'> = {
  ...{ service: 'sales/Orders', name: 'close #1' },
  params: [parameter('number'), parameter('isPaid', 'boolean')],
};
const entered = { number: '12345678901234567890', isPaid: 'false', other: 'x' };

test('a method is called with its parameters alone, in the types of the API', () => {
  expect(methodRequest(paths, { ...method, method: 'POST' }, entered)).toEqual({
    method: 'POST',
    path: '/api/services/sales%2FOrders/close%20%231',
    body: { number: '12345678901234567890', isPaid: false },
  });
});

test('by GET the parameters are in the address', () => {
  expect(methodRequest(paths, { ...method, method: 'GET' }, { number: '' })).toEqual({
    ...{ method: 'GET', path: '/api/services/sales%2FOrders/close%20%231' },
    query: {},
  });
});

test('a query is sent by POST, with the part that is shown', () => {
  const query = { entityName: 'Order', name: 'by day/week' };
  const path = '/api/queries/Order/by%20day%2Fweek';
  const body = { day: '2026-01-31' };
  expect(queryRequest(paths, query, body, 0)).toEqual({ method: 'POST', path, query: { limit: PAGE_SIZE }, body });
  expect(queryRequest(paths, query, body, 100).query).toEqual({ limit: PAGE_SIZE, offset: 100 });
});

test.each([
  [undefined, 0],
  ['', 0],
  ['next', 0],
  [-100, 0],
  [0.5, 0],
  [49, 0],
  [50, 50],
  ['149', 100],
  [null, 0],
])('the page at %j begins at %i', (skipped, expected) => {
  expect(offsetOf(skipped)).toBe(expected);
});

test('every page begins at a multiple of its size', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.string(), fc.anything()), (skipped) => {
      const offset = typeof skipped === 'object' ? 0 : offsetOf(String(skipped));
      expect([offset >= 0, offset % PAGE_SIZE]).toEqual([true, 0]);
    }),
    cases(100),
  );
});

test('the method is shown whose parameters the address has', () => {
  const overloads = [['id'], ['id', 'day'], []].map((names) => ({ params: names.map((name) => parameter(name)) }));
  const shown = (given: object) => fittingOverload(overloads, { ...given });
  expect([shown({ id: 1 }), shown({ day: 1, id: 2 }), shown({}), shown({ other: 1 })]).toEqual([0, 1, 2, 0]);
  expect(fittingOverload([], {})).toBe(0);
  // A parameter that was left empty is not in the address.
  expect(shown({ day: 1 })).toBe(1);
});
