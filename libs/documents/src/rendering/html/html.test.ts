// biome-ignore-all lint/suspicious/noTemplateCurlyInString: formats of pictures look like placeholders
import { createMessages, displayIn } from '@lintel/metadata';
import { appendBand, type BandData, rootBand } from '../../bands/band-data.ts';
import type { Cell, Fields } from '../../bands/cell.ts';
import { createCellFormatter } from '../formats/format-cell.ts';
import { renderChart } from './chart.ts';
import { embedPictures } from './embed-pictures.ts';
import { htmlModel } from './html-model.ts';
import { parseHtmlTemplate, parseTextTemplate, renderLiquid } from './liquid-template.ts';

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
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
const address = { city: 'Bonn & more', size: 3 };
add(root, 'Objects', {
  customer: { kind: 'instance', name: 'C<1>', value: { name: 'ACME', address, tags: ['a', { name: 'b' }], sum: 4 } },
});

const MESSAGES = createMessages([
  { locale: '', texts: { 'x/title': 'List <1>', 'x/rows': '{n, plural, one {# row} other {# rows}} of {of}' } },
]);

const LIMITS = { maxRenderMs: 60_000, maxOutputLength: 1_000_000 };

async function render(template: string, formats: Readonly<Record<string, string>> = {}): Promise<string> {
  const locale = displayIn(MESSAGES, 'en');
  return renderLiquid(
    parseHtmlTemplate(template, 5_000),
    htmlModel(root, createCellFormatter(formats, locale), locale),
    locale,
    LIMITS,
  );
}

describe('html templates', () => {
  // Asserts contract/report-templates.md#html.
  test('escape values, except where the template says raw', async () => {
    expect(await render('<h1>{{ Root.fields.title }}</h1>')).toBe('<h1>&lt;b&gt;Prices &amp; more&lt;/b&gt;</h1>');
    expect(await render('{{ Root.fields.title | raw }}')).toBe('<b>Prices & more</b>');
  });

  // Asserts contract/report-templates.md#html.
  test('walk the bands, also by index and nested', async () => {
    expect(
      await render(
        '{% for line in Root.bands.Lines %}{{ line.fields.name }}:{% for note in line.bands.Notes %}{{ note.fields.text }}{% endfor %};{% endfor %}',
      ),
    ).toBe('Pen:blue;Ink:;');
    expect(await render('{{ Root.bands.Lines[1].fields.name }}')).toBe('Ink');
  });

  // Asserts contract/report-templates.md#html.
  test('see numbers as they are, and formatted where the field has a format', async () => {
    expect(await render('{{ Root.bands.Lines[0].fields.price }} {{ Root.bands.Lines[0].fields.count }}')).toBe(
      '10.50 3',
    );
    expect(await render('{{ Root.bands.Lines[0].fields.price }}', { 'Lines.price': '#,##0.000' })).toBe('10.500');
    expect(await render('{% if Root.bands.Lines[0].fields.price > 9 %}dear{% endif %}')).toBe('dear');
  });

  // Asserts contract/report-templates.md#formats.
  test('find texts by their key, filled with parameters and escaped', async () => {
    expect(await render("{{ 'x/title' | message }}")).toBe('List &lt;1&gt;');
    expect(await render("{{ 'x/rows' | message: n: 2, of: Root.bands.Lines[0].fields.price }}")).toBe(
      '2 rows of 10.50',
    );
    expect(await render("{{ 'x/none' | message }}{{ nothing | message }}")).toBe('x/none');
  });

  // Asserts contract/report-templates.md#html.
  test('print nothing for what does not exist', async () => {
    expect(await render('[{{ Root.fields.nothing }}{{ Root.bands.None[3].fields.x }}]')).toBe('[]');
  });

  // Asserts contract/report-templates.md#conversion.
  test.each([
    '{{ Root.constructor }}',
    '{{ Root.fields.constructor.constructor }}',
    '{{ Root.bands.__proto__ }}',
    '{{ Root.fields.title.toString }}',
    '{{ Root.bands.Objects[0].fields.customer.constructor }}',
    '{{ Root.bands.Objects[0].fields.customer.__proto__.constructor.name }}',
    '{{ Root.bands.Objects[0].fields.customer.address.hasOwnProperty }}',
  ])('cannot reach the program by %s', async (template) => {
    expect(await render(template)).toBe('');
  });

  // Asserts contract/report-templates.md#conversion.
  test.each(["{% include 'x' %}", "{% render '../../../../etc/passwd' %}", "{% layout 'x' %}"])(
    'cannot read files by %s',
    async (template) => {
      await expect(render(template)).rejects.toThrow(/template/i);
    },
  );

  test('that are broken name the line', () => {
    expect(() => parseHtmlTemplate('a\n{% for x in %}', 5_000)).toThrow(/line:?\s*2/);
    expect(() => parseHtmlTemplate('{{ x | nofilter }}', 5_000)).toThrow(/nofilter/);
  });

  // Asserts contract/report-templates.md#formats.
  test('of plain text do not escape', async () => {
    const locale = displayIn(MESSAGES, 'en');
    const model = htmlModel(root, createCellFormatter({}, locale), locale);
    expect(await renderLiquid(parseTextTemplate('{{ Root.fields.title }}\n', 5_000), model, locale, LIMITS)).toBe(
      '<b>Prices & more</b>\n',
    );
  });

  // Asserts contract/report-templates.md#values.
  test('follow paths into objects and lists, and write an object as its name', async () => {
    const of = async (path: string): Promise<string> => render(`{{ Root.bands.Objects[0].fields.${path} }}`);
    expect(await of('customer')).toBe('C&lt;1&gt;');
    expect(await of('customer.name')).toBe('ACME');
    expect(await of('customer.address.city | upcase')).toBe('BONN &amp; MORE');
    expect(await of('customer.tags[1].name')).toBe('b');
    expect(await of('customer.none.at.all')).toBe('');
    expect(
      await render(
        "{% assign c = Root.bands.Objects[0].fields.customer %}{% if c == 'C<1>' %}{% for tag in c.tags %}{{ tag.name }};{% endfor %}{% endif %}",
      ),
    ).toBe(';b;');
    expect(
      await render("{{ Root.bands.Objects | chart: category: 'customer.address.city', values: 'customer.sum' }}"),
    ).toContain('Bonn');
  });

  test('draw the labels of a pie below its title', () => {
    const rows = Array.from({ length: 25 }, (_, at) => ({ fields: { name: `P${at}`, value: 10 } }));
    const chart = renderChart(rows, { type: 'pie', category: 'name', values: 'value', title: 'T', height: 260 });
    const heightOf = (text: string): number =>
      Number(new RegExp(`translate\\([\\d.]+ ([\\d.]+)\\)"[^>]*>${text}<`).exec(chart)?.[1]);
    for (const { fields } of rows) expect(heightOf(fields.name)).toBeGreaterThan(heightOf('T') + 20);
  });

  // Asserts contract/report-templates.md#html.
  test('draw the labels of all categories, of very many of some', () => {
    const labels = (count: number): number => {
      const rows = Array.from({ length: count }, (_, at) => ({ fields: { name: `Customer ${at}`, value: at } }));
      return renderChart(rows, { category: 'name', values: 'value' }).match(/>Customer /g)?.length ?? 0;
    };
    expect([labels(3), labels(12), labels(30), labels(200) < 100]).toEqual([3, 12, 30, true]);
  });

  // Asserts contract/report-templates.md#html.
  test('draw charts of the rows of a band, with escaped texts', async () => {
    const chart = await render(
      "{{ Root.bands.Lines | chart: type: 'bar', category: 'name', values: 'price', title: '<b>T</b>', width: 400 }}",
    );
    expect(chart).toMatch(/^<svg width="400" height="320"/);
    expect(chart).toContain('Pen');
    expect(chart).toContain('&lt;b&gt;T&lt;/b&gt;');
    expect(chart).not.toContain('<script');
  });

  // Asserts contract/report-templates.md#html.
  test.each([
    ["chart: type: 'x', category: 'name', values: 'price'", /type is one of bar, line, pie/],
    ["chart: category: 'name'", /category and values name fields/],
    ["chart: category: 'name', values: 'price', width: 1", /width is 50 to 4000 pixels/],
  ])('say what is wrong with %s', async (filter, message) => {
    await expect(render(`{{ Root.bands.Lines | ${filter} }}`)).rejects.toThrow(message);
  });

  // Asserts contract/report-templates.md#conversion.
  test('that take up too much are stopped', async () => {
    await expect(render('{% assign all = (1..1000000000) %}')).rejects.toThrow('characters and list items');
  });

  // Asserts contract/report-templates.md#formats.
  test('have pictures that no address leads to as addresses', async () => {
    const locale = displayIn(MESSAGES, 'en');
    const formatter = createCellFormatter({ photo: '${imageFileId:10x10}' }, locale);
    const one = rootBand(fieldsOf({ photo: text('fs://photo.png') }));
    const asked: unknown[] = [];
    const pictures = await embedPictures(one, formatter, {
      maxTotalBytes: 1_000_000,
      load: async (request) => {
        asked.push(request);
        return Buffer.from(PIXEL, 'base64');
      },
    });
    expect(asked).toMatchObject([{ kind: 'imageFileId', source: 'fs://photo.png' }]);
    const template = parseHtmlTemplate('<img src="{{ Root.fields.photo }}">', 5_000);
    expect(await renderLiquid(template, htmlModel(one, formatter, locale, pictures), locale, LIMITS)).toBe(
      `<img src="data:image/png;base64,${PIXEL}">`,
    );
  });
});
