import { type ExactJson, jsonText, MAX_JSON_DEPTH, readExactJson } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import { CopyBudget, isEqualJson, putAt, removeAt, valueAt } from './json-pointer.ts';

const exact = (value: unknown): ExactJson => readExactJson(JSON.stringify(value));
const plain = (value: ExactJson): unknown => JSON.parse(JSON.stringify(value));

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 1, 1.5, 'x', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', '0', '-'), tie('value'), { maxKeys: 3 }),
  ),
})).value as fc.Arbitrary<unknown>;
const tokens = fc.array(fc.constantFrom('a', 'b', '', '0', '1', '2', '-', '01'), { minLength: 1, maxLength: 3 });

/** RFC 6902 §4.1 to §4.3 as they read, on copies; undefined where the target is not there. */
function naive(kind: 'add' | 'replace' | 'remove', root: unknown, path: readonly string[], value: unknown): unknown {
  const [token = '', ...rest] = path;
  const isIndex = /^(0|[1-9]\d*)$/.test(token);
  if (Array.isArray(root)) {
    const index = token === '-' ? root.length : isIndex ? Number(token) : -1;
    if (index < 0 || index > root.length) return undefined;
    if (rest.length > 0) {
      if (token === '-' || index === root.length) return undefined;
      const inner = naive(kind, root[index], rest, value);
      return inner === undefined ? undefined : root.with(index, inner);
    }
    if (kind === 'add') return root.toSpliced(index, 0, value);
    if (token === '-' || index === root.length) return undefined;
    return kind === 'remove' ? root.toSpliced(index, 1) : root.with(index, value);
  }
  if (typeof root !== 'object' || root === null) return undefined;
  const members = new Map(Object.entries(root));
  if (rest.length > 0) {
    if (!members.has(token)) return undefined;
    const inner = naive(kind, members.get(token), rest, value);
    return inner === undefined ? undefined : Object.fromEntries(members.set(token, inner));
  }
  if (kind !== 'add' && !members.has(token)) return undefined;
  if (kind === 'remove') members.delete(token);
  else members.set(token, value);
  return Object.fromEntries(members);
}

// Asserts contract/writing.md#json-patch.
test.each(['add', 'replace', 'remove'] as const)('%s changes what RFC 6902 says, and nothing else', (kind) => {
  fc.assert(
    fc.property(json, tokens, json, (before, path, value) => {
      const root = exact(before);
      const isDone = kind === 'remove' ? removeAt(root, path) : putAt(root, path, exact(value), kind === 'replace');
      const expected = naive(kind, before, path, value);
      expect(isDone).toBe(expected !== undefined);
      expect(jsonText(root)).toBe(jsonText(exact(expected ?? before)));
    }),
    cases(500),
  );
});

test('equality is that of JSON values: numbers by value, objects without order', () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(isEqualJson(exact(left), exact(left))).toBe(true);
      expect(isEqualJson(exact(left), exact(right))).toBe(jsonText(exact(left)) === jsonText(exact(right)));
    }),
    cases(300),
  );
  expect(isEqualJson(readExactJson('[1.0,1e2]'), readExactJson('[1,100]'))).toBe(true);
  expect(isEqualJson(readExactJson('1'), 'x')).toBe(false);
});

test('__proto__ is a member as any other', () => {
  const root = exact({});
  expect(putAt(root, ['__proto__'], 'x', false)).toBe(true);
  expect([JSON.stringify(root), Object.getPrototypeOf(root) === Object.prototype]).toEqual(['{"__proto__":"x"}', true]);
  expect(valueAt(root, ['constructor'])).toBeUndefined();
  expect(plain(new CopyBudget(100).copy(root))).toEqual(JSON.parse('{"__proto__":"x"}'));
});

test('copies of copies end at the budget', () => {
  const budget = new CopyBudget(1_000);
  const value: ExactJson[] = ['x'];
  const grow = (): void => {
    for (let at = 0; at < 40; at += 1) value.push(budget.copy([...value]));
  };
  expect(grow).toThrow('(svc.rest.max-body-size)');
});

// Asserts contract/writing.md#json-patch.
test('copies of a value into itself end at the depth that a body may have', () => {
  const budget = new CopyBudget(1_000_000);
  const root = exact({ a: 0 });
  let depth = 1;
  const nest = (): void => {
    for (; depth < 300; depth += 1) putAt(root, ['a'], budget.copy(root, 1), false);
  };
  expect(nest).toThrow(expect.objectContaining({ code: 'REQ_INVALID_PATCH' }));
  expect(depth).toBe(MAX_JSON_DEPTH);
  expect(() => budget.copy([], MAX_JSON_DEPTH - 1)).not.toThrow();
  expect(() => budget.copy([], MAX_JSON_DEPTH)).toThrow('more than 200 levels');
});
