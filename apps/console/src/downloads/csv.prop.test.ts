import { cases, fc } from '@lintel/testkit/properties';
import { csvLine } from './csv.ts';
import { parseCsv } from './parse-csv.ts';

/** Cells that a spreadsheet reads as formulas are written with an apostrophe: they are another property. */
const CELL = fc
  .oneof(
    fc.constantFrom('', '"', '""', 'a,b', 'a;b', 'line\nbreak', 'tab\t', '|', ' 1 '),
    fc.string({ unit: 'binary' }),
  )
  .filter((cell) => !/^[=+\-@＝＋－＠\t\r\n]/.test(cell) && !cell.includes('\r'));
/** The separator is found in the captions. */
const TABLE = fc
  .integer({ min: 2, max: 4 })
  .chain((width) => fc.array(fc.array(CELL, { minLength: width, maxLength: width }), { maxLength: 6 }))
  .map((rows) => [(rows[0] ?? ['a', 'b']).map((_, at) => `Größe ${at}`), ...rows]);

test('a table with any text in its cells is the same after it is written as CSV and read', () => {
  fc.assert(
    fc.property(TABLE, (table) => {
      expect(parseCsv(table.map(csvLine).join(''), 100)).toEqual(table);
    }),
    cases(300),
  );
});

test('no cell of a line begins like a formula, unless it is a number', () => {
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '＝', '\t'), fc.string({ unit: 'binary' }), (sign, rest) => {
      const cell = csvLine([`${sign}${rest}`]).replace(/^"/, '');
      expect(/^[=@＝\t]/.test(cell)).toBe(false);
      if (/^[+-]/.test(cell)) expect(cell).toMatch(/^[+-]\d/);
    }),
    cases(200),
  );
});

test('never more rows are read than asked for, and those are the first ones', () => {
  fc.assert(
    fc.property(TABLE, fc.nat({ max: 7 }), (table, max) => {
      expect(parseCsv(table.map(csvLine).join(''), max)).toEqual(table.slice(0, max));
    }),
    cases(100),
  );
});
