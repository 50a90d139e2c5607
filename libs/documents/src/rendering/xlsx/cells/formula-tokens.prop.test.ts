import { cases, fc } from '@lintel/testkit/properties';
import { areaText, columnName, columnNumber, MAX_COLUMNS, MAX_ROWS, parseArea } from './area.ts';
import { tokenizeFormula } from './formula-tokens.ts';
import { shiftRelative } from './shift-relative.ts';

const CASES = cases(300);
const cell = fc
  .tuple(
    fc.constantFrom('', '$'),
    fc.integer({ min: 1, max: 16_000 }),
    fc.constantFrom('', '$'),
    fc.integer({ min: 1, max: 1_000_000 }),
  )
  .map(([fixedColumn, column, fixedRow, row]) => `${fixedColumn}${columnName(column)}${fixedRow}${row}`);
const sheet = fc.constantFrom('', 'Sheet1!', "'A sheet'!", "'It''s'!");
const reference = fc
  .tuple(sheet, cell, fc.option(cell))
  .map(([prefix, one, other]) => prefix + one + (other === null ? '' : `:${other}`));
const literal = fc.string({ maxLength: 8 }).map((text) => `"${text.replaceAll('"', '""')}"`);
const piece = fc.oneof(
  reference,
  literal,
  fc.constantFrom(
    '+',
    '(',
    ')',
    'SUM(',
    ',',
    ' ',
    'IF(',
    '{',
    ';',
    '}',
    '#REF!',
    'TRUE',
    '1.5',
    '2E3',
    '[',
    ']',
    "'",
    '"',
    '!',
    '$',
    'name',
  ),
  fc.string({ maxLength: 4 }),
);

// Asserts contract/report-templates.md#xlsx.
test('the pieces of any text together are the text', () => {
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (formula) => {
        expect(
          tokenizeFormula(formula)
            .map(({ text }) => text)
            .join(''),
        ).toBe(formula);
      },
    ),
    CASES,
  );
});

// Asserts contract/report-templates.md#xlsx.
test('references between operators are found, and those in texts are not', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(reference, literal), { minLength: 1 }), (pairs) => {
      const formula = pairs.map(([one, text]) => `${one}&${text}`).join('&');
      const found = tokenizeFormula(formula).flatMap((token) => (token.kind === 'reference' ? [token.text] : []));
      expect(found).toEqual(pairs.map(([one]) => one));
    }),
    CASES,
  );
});

test('what is moved and moved back is what it was', () => {
  fc.assert(
    fc.property(reference, fc.nat(300), fc.nat(300), (one, rows, columns) => {
      const there = shiftRelative(tokenizeFormula(one), { rows, columns });
      const back = shiftRelative(tokenizeFormula(there), { rows: -rows, columns: -columns });
      expect(back.replaceAll("'Sheet1'", 'Sheet1')).toBe(one);
    }),
    CASES,
  );
});

test('columns and areas read as they are written', () => {
  const area = fc.tuple(
    fc.integer({ min: 1, max: MAX_ROWS }),
    fc.integer({ min: 1, max: MAX_COLUMNS }),
    fc.integer({ min: 1, max: MAX_ROWS }),
    fc.integer({ min: 1, max: MAX_COLUMNS }),
  );
  fc.assert(
    fc.property(area, ([row, column, otherRow, otherColumn]) => {
      expect(columnNumber(columnName(column))).toBe(column);
      const written = {
        top: Math.min(row, otherRow),
        bottom: Math.max(row, otherRow),
        left: Math.min(column, otherColumn),
        right: Math.max(column, otherColumn),
      };
      expect(parseArea(areaText(written))).toEqual(written);
    }),
    CASES,
  );
});
