// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { createMessages, displayIn } from '@lintel/metadata';
import type { Cell } from '../../bands/cell.ts';
import { createCellFormatter } from '../formats/format-cell.ts';
import { parseCsvTemplate } from './parse-csv-template.ts';
import { type CsvRow, renderCsv } from './render-csv.ts';

const text = (value: string): Cell => ({ kind: 'text', text: value });
const row = (fields: Readonly<Record<string, Cell>>): CsvRow => ({
  band: 'Data',
  fields: new Map(Object.entries(fields)),
});

async function render(template: string, rows: readonly CsvRow[], formulaGuard = false): Promise<string> {
  const options = { formatter: createCellFormatter({}, displayIn(createMessages(), 'en')), formulaGuard };
  const source = (async function* () {
    yield* rows;
  })();
  return (await Array.fromAsync(renderCsv(parseCsvTemplate(template), source, options))).join('');
}

describe('parseCsvTemplate', () => {
  // Asserts contract/report-templates.md#formats.
  test('takes the columns from alias lines and the header from the others, without quotes', () => {
    expect(parseCsvTemplate('"Name","Price"\r\n"${name}","${price}"\r\n')).toMatchObject({
      header: ['Name', 'Price'],
      columns: [{ name: 'name' }, { name: 'price' }],
      separator: ',',
    });
  });

  test.each([
    ['A;B\n${a};${b}', ';', ['A', 'B']],
    ['A|B\n${a}|${b}', '|', ['A', 'B']],
    ['A\tB\n${a}\t${b}', '\t', ['A', 'B']],
    ['A,B\n${a}', ',', ['A', 'B']],
    ['A\nB\n${a},${b}', ',', ['AB']],
    ['${a},${b}', ',', ['']],
  ])('of %j the separator is %j', (template, separator, header) => {
    expect(parseCsvTemplate(template)).toMatchObject({ separator, header });
  });
});

describe('renderCsv', () => {
  // Asserts contract/decisions.md#58, contract/report-templates.md#formats.
  test('quotes every field, doubles quotes and ends lines with LF', async () => {
    const rows = [row({ a: text('say "hi"'), b: text('x\ny, z') }), row({ b: { kind: 'empty' } })];
    expect(await render('A,B\n${a},${b}', rows)).toBe('"A","B"\n"say ""hi""","x\ny, z"\n"",""\n');
  });

  // Asserts contract/report-templates.md#formats.
  test('writes the header alone where there are no rows, and an empty one where there is no header', async () => {
    expect(await render('A,B\n${a},${b}', [])).toBe('"A","B"\n');
    expect(await render('${a},${b}', [row({ a: text('1') })])).toBe('""\n"1",""\n');
  });

  // Asserts contract/report-templates.md#formats.
  test('drops the byte order mark of the template, also where its first line has the aliases', async () => {
    expect(await render('\uFEFFA\n${größe}', [row({ größe: text('1') })])).toBe('"A"\n"1"\n');
    expect(await render('\uFEFF${a},x', [row({ a: text('1') })])).toBe('""\n"1"\n');
  });

  // Asserts contract/report-templates.md#formats.
  test('prints nothing for an alias with the name of a band', async () => {
    expect(await render('A\n${Data.a}', [row({ a: text('1') })])).toBe('"A"\n""\n');
  });

  // Asserts contract/report-templates.md#values.
  test('shows one character of a value where the alias has an index', async () => {
    expect(await render('A\n${a[1]},${ a [9] }', [row({ a: text('xyz') })])).toBe('"A"\n"y",""\n');
  });

  test('finds fields of references by their dotted path', async () => {
    expect(await render('A\n${customer.name}', [row({ 'customer.name': text('ACME') })])).toBe('"A"\n"ACME"\n');
  });

  // Asserts contract/report-templates.md#values.
  test('follows a path into an object', async () => {
    const customer: Cell = {
      kind: 'instance',
      name: '',
      value: { name: 'ACME', address: { city: 'Bonn' }, tags: ['a', 'b'] },
    };
    expect(
      await render('A\n${customer.name},${customer.address.city},${customer.tags},${customer.x}', [row({ customer })]),
    ).toBe('"A"\n"ACME","Bonn","a, b",""\n');
  });

  // Asserts contract/decisions.md#58.
  test('guards texts against being taken for formulas only when asked to, and numbers never', async () => {
    const cells = [
      text('=1+1'),
      text('+1'),
      text('-1'),
      text('@x'),
      text('a=b'),
      { kind: 'number', number: 'integer', text: '-5' } as const,
    ];
    const rows = cells.map((a) => row({ a }));
    expect(await render('A\n${a}', rows)).toBe('"A"\n"=1+1"\n"+1"\n"-1"\n"@x"\n"a=b"\n"-5"\n');
    expect(await render('A\n${a}', rows, true)).toBe('"A"\n"\'=1+1"\n"\'+1"\n"\'-1"\n"\'@x"\n"a=b"\n"-5"\n');
  });

  test.each(['=1+1', '+1', '-1', '@x', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1', '＋1', '－1', '＠x'])(
    'guards %j, which begins a formula',
    async (formula) => {
      expect(await render('A\n${a}', [row({ a: text(formula) })], true)).toBe(`"A"\n"'${formula}"\n`);
    },
  );

  test('writes many rows piece by piece', async () => {
    const rows = Array.from({ length: 1201 }, (_, index) => row({ a: text(String(index)) }));
    expect((await render('A\n${a}', rows)).split('\n').length).toBe(1203);
  });
});
