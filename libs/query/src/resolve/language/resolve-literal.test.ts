import { buildModel, entityOf, enumeration, standardEntity } from '@lintel/metadata';
import { ExactNumber } from '../../json/exact-json.ts';
import type { ValueType } from './bound-expression.ts';
import { resolveLiteral, resolveNull } from './resolve-literal.ts';
import { ofLiteral, scalar } from './value-types.ts';

const model = buildModel({ entities: [standardEntity('t_Car', { attributes: {} })] });
const car: ValueType = { kind: 'entity', entity: entityOf(model, 't_Car') };
const color = ofLiteral({ kind: 'enum', enumeration: enumeration('t.Color', { RED: 'R', BLUE: 'B' }) });
const grade = ofLiteral({ kind: 'enum', enumeration: enumeration('t.Grade', { GOOD: 1, BAD: 2 }) });
const UUID = '00000000-0000-4000-8000-00000000000A';

const number = (text: string) => new ExactNumber(text);
const resolve = (value: string | boolean | ExactNumber, expected?: ValueType) => {
  const bound = resolveLiteral({ kind: 'literal', value, position: { line: 1, column: 8 } }, expected);
  if (bound.kind !== 'constant') throw new Error('It is a constant');
  return [bound.value, bound.type];
};

test.each([
  ['x', 'x', 'string'],
  ['', '', 'string'],
  [true, true, 'boolean'],
  [false, false, 'boolean'],
  [number('7'), '7', 'long'],
  [number('-7'), '-7', 'long'],
  [number('9223372036854775807'), '9223372036854775807', 'long'],
  [number('9223372036854775808'), '9223372036854775808', 'decimal'],
  [number('-9223372036854775807'), '-9223372036854775807', 'long'],
  [number('-9223372036854775809'), '-9223372036854775809', 'decimal'],
  [number('1.5'), '1.5', 'decimal'],
] as const)('the constant %j of no expected type is %j of the type %s', (value, expected, datatype) => {
  expect(resolve(value)).toEqual([expected, scalar(datatype)]);
});

test.each<[string | boolean | ExactNumber, ValueType, unknown]>([
  ['2026-02-03', scalar('localDate'), '2026-02-03'],
  [UUID, scalar('uuid'), UUID.toLowerCase()],
  ['x', scalar('string'), 'x'],
  ['12', scalar('string'), '12'],
  [true, scalar('boolean'), true],
  [false, scalar('boolean'), false],
  [number('7'), scalar('int'), '7'],
  [number('7'), scalar('decimal'), '7'],
  [number('1.5'), scalar('double'), '1.5'],
  ['RED', color, 'R'],
  ['B', color, 'B'],
  ['GOOD', grade, 1],
  [number('2'), grade, 2],
])('the constant %j is a value of the expected type', (value, type, expected) => {
  expect(resolve(value, type)).toEqual([expected, type]);
});

test('a number that an integer cannot have is compared as the number that it is', () => {
  expect(resolve(number('1.5'), scalar('int'))).toEqual(['1.5', scalar('decimal')]);
  expect(resolve(number('3000000000'), scalar('int'))).toEqual(['3000000000', scalar('long')]);
});

test.each<[string | boolean | ExactNumber, ValueType, string]>([
  ['7', scalar('int'), "Expected a value of type int, but found '7'"],
  [true, scalar('int'), 'Expected a value of type int, but found true'],
  ['true', scalar('boolean'), "Expected a value of type boolean, but found 'true'"],
  [number('1'), scalar('boolean'), 'Expected a value of type boolean, but found 1'],
  [number('1'), scalar('string'), 'Expected a value of type string, but found 1'],
  [true, scalar('string'), 'Expected a value of type string, but found true'],
  ['x', scalar('localDate'), "Expected a value of type localDate, but found 'x'"],
  [number('2026'), scalar('localDate'), 'Expected a value of type localDate, but found 2026'],
  ['x', scalar('uuid'), "Expected a value of type uuid, but found 'x'"],
  ['red', color, "Expected a constant of t.Color: RED, BLUE, but found 'red'"],
  [true, color, 'Expected a constant of t.Color: RED, BLUE, but found true'],
  [number('1'), color, 'Expected a constant of t.Color: RED, BLUE, but found 1'],
  ['1', grade, "Expected a constant of t.Grade: GOOD, BAD, but found '1'"],
  [number('3'), grade, 'Expected a constant of t.Grade: GOOD, BAD, but found 3'],
  ['x', car, "Expected a value of type t_Car, but found 'x'"],
  [number('1'), car, 'Expected a value of type t_Car, but found 1'],
  ['x', { ...car, kind: 'entity-type' }, "Expected a value of type type of t_Car, but found 'x'"],
])('the constant %j is refused where another type is expected', (value, type, message) => {
  expect(() => resolve(value, type)).toThrow(`${message} (line 1, column 8)`);
});

test('a text with the character zero is refused', () => {
  expect(() => resolve('a\0')).toThrow("'a\0' is no value (line 1, column 8)");
  expect(() => resolve('a\0', scalar('string'))).toThrow('Expected a value of type string');
});

test('null has the expected type, otherwise the type of texts', () => {
  expect(resolveNull(color)).toEqual({ kind: 'null', type: color });
  expect(resolveNull(undefined)).toEqual({ kind: 'null', type: scalar('string') });
});
