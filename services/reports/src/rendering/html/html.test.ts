import { createMessages, displayIn } from '@lintel/metadata';
import { appendBand, type BandData, rootBand } from '../../bands/band-data.ts';
import type { Cell, Fields } from '../../bands/cell.ts';
import { createCellFormatter } from '../formats/format-cell.ts';
import { htmlModel } from './html-model.ts';
import { parseHtmlTemplate, renderHtml } from './html-template.ts';

const fieldsOf = (fields: Readonly<Record<string, Cell>>): Fields => new Map(Object.entries(fields));
const add = (parent: BandData, name: string, fields: Readonly<Record<string, Cell>>): BandData =>
  appendBand(parent, { name, orientation: 'horizontal', data: fieldsOf(fields), isPlaceholder: false });
const text = (value: string): Cell => ({ kind: 'text', text: value });
const decimal = (value: string): Cell => ({ kind: 'number', number: 'decimal', text: value });

const root = rootBand(fieldsOf({ title: text('<b>Prices & more</b>') }));
const pen = add(root, 'Lines', {
  name: text('Pen'),
  price: decimal('10.50'),
  count: decimal('3'),
  kind: { kind: 'enum', enumName: 'E', constant: 'NEW' },
});
add(pen, 'Notes', { text: text('blue') });
add(root, 'Lines', { name: text('Ink'), price: decimal('7.00') });

const MESSAGES = createMessages([
  { locale: '', texts: { 'x/title': 'List <1>', 'x/rows': '{n, plural, one {# row} other {# rows}} of {of}' } },
]);

async function render(template: string, formats: Readonly<Record<string, string>> = {}): Promise<string> {
  const locale = displayIn(MESSAGES, 'en');
  return renderHtml(parseHtmlTemplate(template), htmlModel(root, createCellFormatter(formats, locale), locale), locale);
}

describe('html templates', () => {
  test('escape values unless told otherwise', async () => {
    expect(await render('<h1>{{ Root.fields.title }}</h1>')).toBe('<h1>&lt;b&gt;Prices &amp; more&lt;/b&gt;</h1>');
    expect(await render('{{ Root.fields.title | raw }}')).toBe('<b>Prices & more</b>');
  });

  test('walk the bands, also by index and nested', async () => {
    expect(
      await render(
        '{% for line in Root.bands.Lines %}{{ line.fields.name }}:{% for note in line.bands.Notes %}{{ note.fields.text }}{% endfor %};{% endfor %}',
      ),
    ).toBe('Pen:blue;Ink:;');
    expect(await render('{{ Root.bands.Lines[1].fields.name }}')).toBe('Ink');
  });

  test('see numbers as they are, and formatted where the field has a format', async () => {
    expect(await render('{{ Root.bands.Lines[0].fields.price }} {{ Root.bands.Lines[0].fields.count }}')).toBe(
      '10.50 3',
    );
    expect(await render('{{ Root.bands.Lines[0].fields.price }}', { 'Lines.price': '#,##0.000' })).toBe('10.500');
    expect(await render('{% if Root.bands.Lines[0].fields.price > 9 %}dear{% endif %}')).toBe('dear');
  });

  test('find texts by their key, filled with parameters and escaped', async () => {
    expect(await render("{{ 'x/title' | message }}")).toBe('List &lt;1&gt;');
    expect(await render("{{ 'x/rows' | message: n: 2, of: Root.bands.Lines[0].fields.price }}")).toBe(
      '2 rows of 10.50',
    );
    expect(await render("{{ 'x/none' | message }}{{ nothing | message }}")).toBe('x/none');
  });

  test('print nothing for what does not exist', async () => {
    expect(await render('[{{ Root.fields.nothing }}{{ Root.bands.None[3].fields.x }}]')).toBe('[]');
  });

  test.each([
    '{{ Root.constructor }}',
    '{{ Root.fields.constructor.constructor }}',
    '{{ Root.bands.__proto__ }}',
    '{{ Root.fields.title.toString }}',
  ])('cannot reach the program by %s', async (template) => {
    expect(await render(template)).toBe('');
  });

  test.each(["{% include 'x' %}", "{% render '../../../../etc/passwd' %}", "{% layout 'x' %}"])(
    'cannot read files by %s',
    async (template) => {
      await expect(render(template)).rejects.toThrow(/template/i);
    },
  );

  test('that are broken name the line', () => {
    expect(() => parseHtmlTemplate('a\n{% for x in %}')).toThrow(/line:?\s*2/);
    expect(() => parseHtmlTemplate('{{ x | nofilter }}')).toThrow(/nofilter/);
  });
});
