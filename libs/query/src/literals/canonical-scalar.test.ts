import { type Datatype, enumeration } from '@lintel/metadata';
import { type ExactJson, readExactJson } from '../json/exact-json.ts';
import { canonicalScalar } from './canonical-scalar.ts';
import { fromColumn, toParameter } from './column-value.ts';
import type { LiteralType } from './literal-type.ts';

const typeOf = (datatype: Datatype): LiteralType => ({ kind: 'datatype', datatype });
const json = (text: string): ExactJson => readExactJson(text);

// Asserts contract/decisions.md#3, contract/instances.md#values.
test.each<[Datatype, string, unknown]>([
  ['string', '"x"', 'x'],
  ['string', '""', ''],
  ['int', '7', 7],
  ['int', '"-7"', -7],
  ['int', '7.0', 7],
  ['short', '1e2', 100],
  ['long', '9223372036854775807.0', '9223372036854775807'],
  ['bigInteger', '-1.0', '-1'],
  ['long', '9223372036854775807', '9223372036854775807'],
  ['long', '"007"', '7'],
  ['decimal', '10.50', '10.50'],
  ['decimal', '1e2', '100'],
  ['double', '0.1', 0.1],
  ['float', '0.1', Math.fround(0.1)],
  ['boolean', '"False"', false],
  ['uuid', '"6B1B36C22F0E4A548F0E0D0F5F3D7A11"', '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11'],
  ['localDate', '"2026-02-28Z"', '2026-02-28'],
  ['localDateTime', '"2026-02-28T10:20"', '2026-02-28T10:20:00.000'],
  ['localDateTime', '"2026-02-28T10:20:30.12345"', '2026-02-28T10:20:30.123'],
  ['dateTime', '"2026-02-28T10:20:30+02:00"', '2026-02-28T10:20:30.000'],
  ['offsetDateTime', '"2026-02-28T00:20:30+02:00"', '2026-02-27T22:20:30.000Z'],
  ['offsetDateTime', '"0001-01-01T00:00:00Z"', '0001-01-01T00:00:00.000Z'],
  ['offsetDateTime', '"9999-12-31T23:59:59+12:00"', '9999-12-31T11:59:59.000Z'],
  ['localTime', '"10:20"', '10:20:00'],
  ['localTime', '"10:20:30.9"', '10:20:30'],
  ['offsetTime', '"10:20Z"', '10:20:00+00:00'],
  ['offsetTime', '"10:20:30.5-05:30"', '10:20:30-05:30'],
  ['byteArray', '"AP8="', 'AP8='],
  ['fileRef', '"fs://a/b.pdf?name=b.pdf"', 'fs://a/b.pdf?name=b.pdf'],
  ['uuid', '" "', null],
  ['localDate', '""', null],
  ['boolean', '""', null],
  ['int', 'null', null],
])('%s: %s is kept as %j', (datatype, text, expected) => {
  expect(canonicalScalar(typeOf(datatype), json(text))).toEqual({ value: expected });
});

// Asserts contract/conventions.md#general-rules, contract/decisions.md#15, contract/decisions.md#49,
// contract/files.md#reference, contract/instances.md#values.
test.each<[Datatype, string]>([
  ['string', '5'],
  ['string', 'true'],
  ['string', '"a\\u0000"'],
  ['int', '1.5'],
  ['int', '"1.0"'],
  ['int', '1e10'],
  ['int', '""'],
  ['int', '2147483648'],
  ['decimal', '"x"'],
  ['decimal', '""'],
  ['boolean', '0'],
  ['uuid', '"1-1-1-1-1"'],
  ['localDate', '"2026-02-29"'],
  ['offsetDateTime', '"2026-02-28T10:20"'],
  ['offsetDateTime', '"0001-01-01T00:00:00+15:00"'],
  ['offsetDateTime', '"9999-12-31T23:59:59-12:00"'],
  ['localTime', '"24:00"'],
  ['byteArray', '"A"'],
  ['fileRef', '"a.pdf"'],
  ['fileRef', '"fs://a"'],
  ['fileRef', '"my_store://a/b.pdf?name=b.pdf"'],
  ['fileRef', '"fs://a/b.pdf?name=b=c"'],
  ['fileRef', '"fs://a<b>?name=b.pdf"'],
  ['fileRef', '"fs://a/b.pdf?name=%zz"'],
])('%s: %s is refused', (datatype, text) => {
  expect(canonicalScalar(typeOf(datatype), json(text))).toBeUndefined();
});

// Asserts contract/instances.md#values.
test('an enum is kept by name and stored by id', () => {
  const type: LiteralType = { kind: 'enum', enumeration: enumeration('t.State', { OPEN: 10, CLOSED: 40 }) };
  expect(canonicalScalar(type, 'CLOSED')).toEqual({ value: 'CLOSED' });
  expect(canonicalScalar(type, json('40'))).toBeUndefined();
  expect([toParameter(type, 'CLOSED'), fromColumn(type, 40), fromColumn(type, 99)]).toEqual([40, 'CLOSED', null]);
});
