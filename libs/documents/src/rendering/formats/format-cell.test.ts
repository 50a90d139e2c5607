// biome-ignore-all lint/suspicious/noTemplateCurlyInString: formats of pictures look like placeholders
import { createMessages, displayIn } from '@lintel/metadata';
import type { Cell } from '../../bands/cell.ts';
import { createCellFormatter, machineText } from './format-cell.ts';

const CELLS: Readonly<Record<string, Cell>> = {
  year: { kind: 'number', number: 'integer', text: '2021' },
  price: { kind: 'number', number: 'decimal', text: '1234.5' },
  weight: { kind: 'number', number: 'floating', text: '0.12345' },
  day: { kind: 'temporal', temporal: 'date', text: '2026-11-05' },
  at: { kind: 'temporal', temporal: 'dateTime', text: '2026-11-05T14:07:00.000' },
  from: { kind: 'temporal', temporal: 'time', text: '08:30:00' },
  placed: { kind: 'temporal', temporal: 'offsetDateTime', text: '2026-11-05T14:07:00.000+01:00' },
  active: { kind: 'boolean', value: true },
  status: { kind: 'enum', enumName: 'sales.OrderStatus', constant: 'NEW' },
  customer: { kind: 'instance', name: 'ACME', value: {} },
  tags: {
    kind: 'list',
    cells: [
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ],
  },
  nothing: { kind: 'empty' },
};
const MESSAGES = createMessages([
  { locale: '', texts: { 'sales/OrderStatus.NEW': 'New' } },
  { locale: 'de', texts: { 'sales/OrderStatus.NEW': 'Neu' } },
]);
const texts = (locale: string): Readonly<Record<string, string>> => {
  const { format } = createCellFormatter({}, displayIn(MESSAGES, locale));
  return Object.fromEntries(Object.entries(CELLS).map(([field, cell]) => [field, format('Band', field, cell)]));
};

// Asserts contract/report-templates.md#values.
test('values without a format are written as the locale of the request writes them', () => {
  expect(texts('en')).toEqual({
    year: '2,021',
    price: '1,234.50',
    weight: '0.123',
    day: '05/11/2026',
    at: '05/11/2026 14:07',
    from: '08:30',
    placed: '05/11/2026 14:07 +0100',
    active: 'True',
    status: 'New',
    customer: 'ACME',
    tags: 'a, b',
    nothing: '',
  });
  expect(texts('de')).toMatchObject({ price: '1.234,50', day: '05.11.2026', active: 'Ja', status: 'Neu' });
  expect(texts('zh_CN')).toMatchObject({ price: '1,234.50', day: '2026-11-05', status: 'New' });
});

// Asserts contract/report-templates.md#formats.
test('texts for programs have a decimal point, no grouping and ISO dates in each locale, unless a format is given', () => {
  const cells = {
    ...CELLS,
    tags: { kind: 'list', cells: [CELLS['price'], CELLS['day']] } as Cell,
    large: { kind: 'number', number: 'floating', text: '1.5E+21' } as Cell,
  };
  for (const locale of ['en', 'de']) {
    const { format } = createCellFormatter({ weight: '0.0' }, displayIn(MESSAGES, locale), machineText);
    const written = Object.entries(cells).map(([field, cell]) => [field, format('Band', field, cell)]);
    expect(Object.fromEntries(written)).toMatchObject({
      year: '2021',
      price: '1234.5',
      large: '1500000000000000000000',
      weight: locale === 'de' ? '0,1' : '0.1',
      day: '2026-11-05',
      at: '2026-11-05T14:07:00.000',
      from: '08:30:00',
      placed: '2026-11-05T14:07:00.000+01:00',
      status: locale === 'de' ? 'Neu' : 'New',
      tags: '1234.5, 2026-11-05',
      nothing: '',
    });
  }
});

// Asserts contract/report-templates.md#values.
test('a format of the band wins over one of the field, which wins over the default', () => {
  const { format, hasFormat } = createCellFormatter(
    { 'Band.price': '0', price: '0.000', code: '%-4s|' },
    displayIn(createMessages(), 'en'),
  );
  const price = CELLS['price'] as Cell;
  expect(format('Band', 'price', price)).toBe('1234');
  expect(format('Other', 'price', price)).toBe('1234.500');
  expect(format('Other', 'code', { kind: 'text', text: 'ab' })).toBe('ab  |');
  expect(format('Band', 'price', { kind: 'empty' })).toBe('');
  expect([hasFormat('Other', 'price'), hasFormat('Other', 'weight')]).toEqual([true, false]);
});

// Asserts contract/report-templates.md#values.
test('a format may be a function, which sees the value and the locale; empty fields have no text', () => {
  const { format } = createCellFormatter(
    {
      'Band.price': (value, locale) => `${String(value)} ${locale}`,
      broken: () => {
        throw new Error('secret');
      },
    },
    displayIn(createMessages(), 'de'),
  );
  expect(format('Band', 'price', CELLS['price'] as Cell)).toBe('1234.5 de');
  expect(format('Band', 'price', { kind: 'empty' })).toBe('');
  expect(() => format('Band', 'broken', CELLS['year'] as Cell)).toThrow('An error occurred in the format of a field.');
});

// Asserts contract/report-templates.md#values.
test('a format can make a field a picture or HTML; its text is then the plain one', () => {
  const formats = {
    'Band.picture': '${image:200x100}',
    scan: '${imageFileId:10x20}',
    note: '${html}',
    bad: '${image:0x5}',
  };
  const { format, hasFormat, contentFormat } = createCellFormatter(formats, displayIn(createMessages(), 'en'));
  expect(contentFormat('Band', 'picture')).toEqual({ kind: 'image', width: 200, height: 100 });
  expect(contentFormat('Other', 'scan')).toEqual({ kind: 'imageFileId', width: 10, height: 20 });
  expect([contentFormat('Band', 'note'), contentFormat('Band', 'bad')]).toEqual([{ kind: 'html' }, undefined]);
  expect([hasFormat('Band', 'picture'), format('Band', 'note', { kind: 'text', text: '<b>x</b>' })]).toEqual([
    false,
    '<b>x</b>',
  ]);
});
