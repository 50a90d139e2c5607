// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of data sets look like placeholders
import { cases, fc } from '@lintel/testkit/properties';
import { parseDataSetText, writeDataSetText } from './data-set-text.ts';

/** A condition, the text it is written as, and what it is where missing comparisons decide nothing. */
interface Condition {
  readonly text: string;
  /** Undefined if all of it is missing. */
  readonly holds: boolean | undefined;
}

const OPERANDS = ['a', 'o.customer.id', 'lower(a.b)', '(x + 1)', "coalesce(a, 'or [[ ${')", '"and"'];
const OPERATORS = ['=', '<>', '>=', '<', 'like', 'not like', 'in', 'not in'];

const leaf: fc.Arbitrary<Condition> = fc
  .record({
    operand: fc.constantFrom(...OPERANDS.filter((operand) => !operand.includes('${'))),
    operator: fc.constantFrom(...OPERATORS),
    value: fc.constantFrom('true', 'false', 'none'),
    isSwapped: fc.boolean(),
  })
  .map(({ operand, operator, value, isSwapped }) => {
    const text =
      isSwapped && /^[=<>]/.test(operator)
        ? `\${${value}} ${operator} ${operand}`
        : `${operand} ${operator} \${${value}}`;
    return { text, holds: value === 'none' ? undefined : value === 'true' };
  });

/** A chain of one connective, whose members are comparisons, or groups in parentheses. */
const { condition } = fc.letrec<{ readonly condition: Condition; readonly member: Condition }>((tie) => ({
  member: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    tie('condition').map(({ text, holds }) => ({ text: `(${text})`, holds })),
  ),
  condition: fc
    .record({
      connective: fc.constantFrom('and', 'or'),
      members: fc.array(tie('member'), { minLength: 2, maxLength: 4 }),
      space: fc.constantFrom(' ', '\n  '),
    })
    .map(({ connective, members, space }) => {
      const isAnd = connective === 'and';
      // A missing comparison is neutral here; a group of such comparisons stays a group.
      const values = members.map(({ holds }) => holds ?? isAnd);
      return {
        text: members.map(({ text }) => text).join(`${space}${connective} `),
        holds: isAnd ? values.every(Boolean) : values.some(Boolean),
      };
    }),
}));

/** What a written condition is, where every comparison stands for the value it is compared with. */
function evaluate(text: string): boolean {
  const code = text
    .replace(/1=1/g, ' true ')
    .replace(/1=0/g, ' false ')
    .replace(/@(true|false)@ [=<>]+ (?:[\w.]+(?:\([\w.]+\))?|\(x \+ 1\)|"and")/g, ' $1 ')
    .replace(/(?:[\w.]+(?:\([\w.]+\))?|\(x \+ 1\)|"and") (?:[=<>]+|not like|like|not in|in) @(true|false)@/g, ' $1 ')
    .replace(/\band\b/g, '&&')
    .replace(/\bor\b/g, '||');
  if (!/^(?:true|false|&&|\|\||[()\s])*$/.test(code)) throw new Error(`What is ${code}?`);
  return Boolean(new Function(`return ${code}`)());
}

const write = (text: string): string =>
  writeDataSetText(parseDataSetText(text), {
    isMissing: (name) => name === 'none',
    isList: () => false,
    write: (name) => `@${name}@`,
  });

test('comparisons without a value decide nothing, wherever they stand', () => {
  fc.assert(
    fc.property(condition, ({ text, holds }) => {
      expect(evaluate(write(text))).toBe(holds);
    }),
    cases(500),
  );
});

test('a text without placeholders stays as it is', () => {
  const pieces = fc.constantFrom(
    ...OPERANDS.map((operand) => operand.replace('${', '')),
    ...OPERATORS,
    ...['select', 'from', '(', ')', ',', ';', "'it''s'", '-- or ${x}\n', '/* [[ */', '$q$ ]] $q$', '1.50', ' ', '::'],
  );
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const text = parts.join(' ');
      expect(write(text)).toBe(text.replace(/[\s;]+$/, ''));
    }),
    cases(300),
  );
});
