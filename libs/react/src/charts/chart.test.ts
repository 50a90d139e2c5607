import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Chart, type ChartRow } from './chart.ts';
import type { Question } from './question.ts';
import { barsOf, HEIGHT, lineOf, slicesOf, WIDTH } from './shapes.ts';

const ROWS = [
  { status: 'NEW', total: 10 },
  { status: 'SHIPPED', total: 30 },
  { status: null, total: null },
];
const QUESTION: Question = { groupBy: ['status'], aggregates: { total: { sum: 'amount' } } };

const markupOf = (question: Question, rows: readonly ChartRow[] = ROWS): string =>
  renderToStaticMarkup(createElement(Chart, { caption: 'Totals', question, rows }));
const countOf = (markup: string, tag: string): number => markup.split(`<${tag} `).length - 1;

test.each([
  ['bar', 'rect', 2],
  ['line', 'circle', 2],
  ['pie', 'path', 2],
] as const)(
  'a %s chart draws each value, hidden from screen readers, beside a table of all rows',
  (kind, tag, count) => {
    const markup = markupOf({ ...QUESTION, chart: { kind } });
    const [, drawing = ''] = /<svg [^>]*aria-hidden="true"[^>]*>(.*)<\/svg>/.exec(markup) ?? [];
    expect(countOf(drawing, tag)).toBe(count);
    expect(drawing).toContain('<title>SHIPPED: 30</title>');
    expect(markup).toContain('<table aria-label="Totals"');
    expect(markup.split('<tr>').length - 1).toBe(4);
  },
);

test('a number is the value of the only row, without a drawing and a table', () => {
  const chart = { kind: 'number' } as const;
  const markup = markupOf({ aggregates: { total: { sum: 'amount' } }, chart }, [{ total: 1234.5 }]);
  expect(markup).toBe('<figure><figcaption>Totals</figcaption><strong>1,234.5</strong></figure>');
  expect(markupOf({ chart }, [])).toContain('<strong></strong>');
});

test('a question without a chart is a table, with names and values as the page writes them', () => {
  const markup = renderToStaticMarkup(
    createElement(Chart, {
      ...{ caption: 'Totals', question: QUESTION, rows: ROWS },
      labelOf: (name) => name.toUpperCase(),
      format: (name, value) => `${name}=${value}`,
    }),
  );
  expect(markup).not.toContain('<svg');
  expect(markup).toContain('<th scope="col">TOTAL</th>');
  expect(markup).toContain('<td>total=30</td>');
});

test('a row of several groups has all of them in its label, the chosen one first', () => {
  const question: Question = {
    groupBy: ['status', { attribute: 'date', by: 'month', as: 'month' }],
    aggregates: { n: { count: '*' } },
    chart: { kind: 'bar', x: 'month' },
  };
  expect(markupOf(question, [{ status: 'NEW', month: '2026-01-01', n: 2 }])).toContain(
    '<title>2026-01-01 · NEW: 2</title>',
  );
});

test('a group with a caption is shown by it', () => {
  const question: Question = {
    groupBy: ['status', { attribute: 'customer', as: 'by', captionAs: 'name' }],
    aggregates: { n: { count: '*' } },
    chart: { kind: 'bar', x: 'by' },
  };
  const markup = markupOf(question, [{ status: 'NEW', by: 7, name: 'Brandt', n: 2 }]);
  expect(markup).toContain('<title>Brandt · NEW: 2</title>');
  expect(markup).not.toContain('>7<');
});

test('bars begin at the line of 0, also below it', () => {
  expect(barsOf([30, null, -10])).toEqual([
    expect.objectContaining({ y: 0, height: HEIGHT * 0.75 }),
    undefined,
    expect.objectContaining({ y: HEIGHT * 0.75, height: HEIGHT * 0.25 }),
  ]);
  expect(barsOf([0])).toEqual([expect.objectContaining({ height: 0, x: WIDTH * 0.1 })]);
});

test('a line has a gap where a value is missing', () => {
  expect(lineOf([1, 2, null, 1]).replace(/[\d. ]+/g, '')).toBe('MLM');
});

test('sectors are parts of the numbers above 0, of one number nearly the whole circle', () => {
  const [half, none, negative, other] = slicesOf([5, 0, -3, 5]);
  expect([none, negative]).toEqual([undefined, undefined]);
  expect(half).toBe('M120 120L120.000 0.000A120 120 0 0 1 120.000 240.000Z');
  expect(other).toContain('A120 120 0 0 1 120.000 0.000Z');
  expect(slicesOf([7])).toEqual([expect.stringContaining('A120 120 0 1 1 ')]);
});
