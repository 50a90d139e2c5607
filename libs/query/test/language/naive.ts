import { fc } from '@lintel/testkit/properties';

/** A pet as the naive evaluation sees it. */
export interface Pet {
  readonly id: string;
  readonly name: string;
  readonly age: number | null;
  readonly weight: number | null;
  readonly alive: boolean | null;
  readonly color: 'RED' | 'GREEN' | null;
  readonly owner: { readonly name: string; readonly level: 'LOW' | 'HIGH' | null } | null;
  readonly visits: readonly { readonly cost: number | null }[];
}

/** Nothing is a value that is missing. */
type Verdict = boolean | null;
type Value = string | number | boolean | null;

/** A piece of a query: its text, and what it means. */
interface Piece<T> {
  readonly text: string;
  readonly of: (pet: Pet) => T;
}

export type NaiveTest = Piece<Verdict>;

const not = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);
const both = (one: Verdict, other: Verdict): Verdict =>
  one === false || other === false ? false : one === null || other === null ? null : true;
const either = (one: Verdict, other: Verdict): Verdict => not(both(not(one), not(other)));

/** Texts compare by code points, as the test database does for these. */
const order = (one: Value, other: Value): number | null => {
  if (one === null || other === null) return null;
  return one < other ? -1 : one > other ? 1 : 0;
};

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (at) => at === 0,
  '<>': (at) => at !== 0,
  '<': (at) => at < 0,
  '<=': (at) => at <= 0,
  '>': (at) => at > 0,
  '>=': (at) => at >= 0,
};
const operators = fc.constantFrom(...Object.keys(OPERATORS));

const piece = <T>(text: string, of: (pet: Pet) => T): Piece<T> => ({ text, of });
const negated =
  (negate: boolean, test: NaiveTest['of']): NaiveTest['of'] =>
  (pet) =>
    negate ? not(test(pet)) : test(pet);

const integers = fc.integer({ min: -2, max: 12 });
const numbers: fc.Arbitrary<Piece<number | null>> = fc.oneof(
  { maxDepth: 2 },
  fc.constantFrom(
    piece('p.age', ({ age }) => age),
    piece('p.weight', ({ weight }) => weight),
    piece('size(p.visits)', ({ visits }) => visits.length),
    piece('coalesce(p.age, 5)', ({ age }) => age ?? 5),
    piece('(p.age + p.weight)', ({ age, weight }) => (age === null || weight === null ? null : age + weight)),
    piece('(p.age * 2 - 3)', ({ age }) => (age === null ? null : age * 2 - 3)),
    piece('(p.age / 2)', ({ age }) => (age === null ? null : Math.trunc(age / 2))),
    piece('mod(p.age, 3)', ({ age }) => (age === null ? null : age % 3)),
    piece('abs(p.age - 4)', ({ age }) => (age === null ? null : Math.abs(age - 4))),
    piece('length(p.name)', ({ name }) => name.length),
    piece('case when p.alive = true then p.age else 0 end', ({ alive, age }) => (alive === true ? age : 0)),
    piece('nullif(p.age, 3)', ({ age }) => (age === 3 ? null : age)),
    piece('(select max(v.cost) from t_Visit v where v.pet = p)', ({ visits }) => {
      const costs = visits.flatMap(({ cost }) => (cost === null ? [] : [cost]));
      return costs.length === 0 ? null : Math.max(...costs);
    }),
  ),
  integers.map((value) => piece(String(value), () => value)),
);

const words: fc.Arbitrary<Piece<string | null>> = fc.oneof(
  fc.constantFrom(
    piece('p.name', ({ name }) => name),
    piece('p.owner.name', ({ owner }) => owner?.name ?? null),
    piece("concat(p.name, '-')", ({ name }) => `${name}-`),
    piece('substring(p.name, 2, 2)', ({ name }) => name.slice(1, 3)),
    piece('upper(p.name)', ({ name }) => name.toUpperCase()),
  ),
  fc.constantFrom('ab', 'b', 'aa', 'c').map((value) => piece(`'${value}'`, () => value)),
);

const like = (text: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(text);

const comparison = (values: fc.Arbitrary<Piece<Value>>): fc.Arbitrary<NaiveTest> =>
  fc.tuple(values, operators, values).map(([one, operator, other]) =>
    piece(`${one.text} ${operator} ${other.text}`, (pet) => {
      const at = order(one.of(pet), other.of(pet));
      return at === null ? null : (OPERATORS[operator]?.(at) ?? null);
    }),
  );

const leaf: fc.Arbitrary<NaiveTest> = fc.oneof(
  comparison(numbers),
  comparison(words),
  fc
    .tuple(fc.constantFrom('RED', 'GREEN'), fc.boolean())
    .map(([color, negate]) =>
      piece(`p.color ${negate ? '<>' : '='} '${color}'`, (pet) =>
        negated(negate, (one) => (one.color === null ? null : one.color === color))(pet),
      ),
    ),
  fc.tuple(numbers, integers, integers, fc.boolean()).map(([value, low, high, negate]) =>
    piece(
      `${value.text} ${negate ? 'not ' : ''}between ${low} and ${high}`,
      negated(negate, (pet) => {
        const at = value.of(pet);
        return at === null ? null : at >= low && at <= high;
      }),
    ),
  ),
  fc.tuple(words, fc.subarray(['ab', 'b', 'aab', 'c'], { minLength: 1 }), fc.boolean()).map(([value, among, negate]) =>
    piece(
      `${value.text} ${negate ? 'not ' : ''}in (${among.map((one) => `'${one}'`).join(', ')})`,
      negated(negate, (pet) => {
        const found = value.of(pet);
        return found === null ? null : among.includes(found);
      }),
    ),
  ),
  fc.tuple(words, fc.constantFrom('a%', '%b', '_b', '%a%', 'ab'), fc.boolean()).map(([value, pattern, negate]) =>
    piece(
      `${value.text} ${negate ? 'not ' : ''}like '${pattern}'`,
      negated(negate, (pet) => {
        const found = value.of(pet);
        return found === null ? null : like(found, pattern);
      }),
    ),
  ),
  fc
    .tuple(fc.constantFrom('age', 'color', 'owner', 'weight'), fc.boolean())
    .map(([name, negate]) =>
      piece(`p.${name} is ${negate ? 'not ' : ''}null`, (pet) => (pet[name] === null) !== negate),
    ),
  fc
    .boolean()
    .map((negate) =>
      piece(`p.visits is ${negate ? 'not ' : ''}empty`, ({ visits }) => (visits.length === 0) !== negate),
    ),
  fc
    .tuple(integers, fc.boolean())
    .map(([least, negate]) =>
      piece(
        `${negate ? 'not ' : ''}exists (select v from p.visits v where v.cost > ${least})`,
        ({ visits }) => visits.some(({ cost }) => cost !== null && cost > least) !== negate,
      ),
    ),
  fc.constant(
    piece('p.owner.level = t.Level.HIGH', ({ owner }) => (owner?.level == null ? null : owner.level === 'HIGH')),
  ),
);

/** Conditions on pets, and what they say of one. */
export const naiveTest: fc.Arbitrary<NaiveTest> = fc.letrec<{ test: NaiveTest }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    tie('test').map(({ text, of }) => piece(`not (${text})`, (pet) => not(of(pet)))),
    fc
      .tuple(tie('test'), fc.constantFrom('and', 'or'), tie('test'))
      .map(([one, word, other]) =>
        piece(`(${one.text} ${word} ${other.text})`, (pet) =>
          word === 'and' ? both(one.of(pet), other.of(pet)) : either(one.of(pet), other.of(pet)),
        ),
      ),
  ),
})).test;
