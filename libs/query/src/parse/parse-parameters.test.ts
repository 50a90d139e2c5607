import { readExactJson } from '../json/exact-json.ts';
import { parseCount, parseFlag } from './parse-parameters.ts';

const members = (text: string) => ({ value: readExactJson(text) });

describe('parameters (contract/conventions.md#endpoints)', () => {
  test.each([
    ['"10"', 10],
    ['" 10 "', 10],
    ['" "', undefined],
    ['""', undefined],
    ['10', 10],
    ['10.0', 10],
    ['1e1', 10],
  ])('%s is the count %j', (text, count) => {
    expect(parseCount(members(text), 'value')).toBe(count);
  });

  // Asserts contract/conventions.md#endpoints.
  test.each(['"10.0"', '"+10"', '"1 0"', '10.5', '-1', 'null', 'true'])('%s is no count', (text) => {
    expect(() => parseCount(members(text), 'value')).toThrow("Parameter 'value' must be an integer");
  });

  // Asserts contract/conventions.md#endpoints.
  test.each([
    ['" true "', true],
    ['"ON"', true],
    ['"no "', false],
    ['" "', false],
    ['true', true],
  ])('%s is the flag %j', (text, flag) => {
    expect(parseFlag(members(text), 'value')).toBe(flag);
  });
});
