import { createElement as h, type ReactElement, type ReactNode } from 'react';
import { namesOfQuestion, type Question } from './question.ts';
import {
  barsOf,
  extentOf,
  HEIGHT,
  heightsOf,
  lineOf,
  middleOf,
  type Numbers,
  pointsOf,
  slicesOf,
  WIDTH,
} from './shapes.ts';

/** A group as `useAggregate` returns it. */
export type ChartRow = Readonly<Record<string, unknown>>;

/** Properties of a chart. */
export interface ChartProps {
  /** The name of the chart and of its table. */
  readonly caption: string;
  /** Groups and aggregates of the rows, and how they are drawn. */
  readonly question: Question;
  readonly rows: readonly ChartRow[];
  /** The header of a column; the name in the rows without it. */
  readonly labelOf?: ((name: string) => string) | undefined;
  /** The text of a value; without it numbers are in the form of the browser's language. */
  readonly format?: ((name: string, value: unknown) => string) | undefined;
  readonly className?: string | undefined;
}

/** Contrast of 3:1 or more beside white and beside black. */
const COLOURS = ['#1c7ed6', '#e8590c', '#2f9e44', '#ae3ec9', '#e03131', '#0c8599', '#a07000', '#6b7787'];
/** Captions below an axis that can be read. */
const MAX_TICKS = 10;
const TICK_LENGTH = 12;
const MARGIN = 24;

const colourOf = (index: number): string | undefined => COLOURS[index % COLOURS.length];
const plainText = (_name: string, value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString() : String(value ?? '');

/**
 * Groups with aggregates, drawn as the question says, beside a table of all values. The drawing is hidden from screen
 * readers: the table says the same.
 */
export function Chart({ caption, question, rows, labelOf, format = plainText, className }: ChartProps): ReactElement {
  const { groups, values, shownAs } = namesOfQuestion(question);
  const { kind, x, y = values[0] ?? '' } = question.chart ?? {};
  const textOf = (value: unknown): string => format(y, value);
  const title = h('figcaption', null, caption);
  if (kind === 'number')
    return h('figure', { className }, title, h('strong', null, rows[0] === undefined ? '' : textOf(rows[0][y])));
  // A row is known by all of its groups.
  const shown = [...new Set([...(x === undefined ? [] : [shownAs(x)]), ...groups])];
  const labels = rows.map((row) => shown.map((name) => format(name, row[name])).join(' · '));
  const drawn = { numbers: rows.map((row) => numberOf(row[y])), labels, textOf };
  const names = [...groups, ...values];
  const headers = names.map((name) => h('th', { key: name, scope: 'col' }, labelOf?.(name) ?? name));
  const body = rows.map((row, at) => {
    const cells = names.map((name, column) => {
      const colour = kind === 'pie' && column === 0 && h('span', { style: { color: colourOf(at) } }, '■ ');
      return h('td', { key: name }, colour, format(name, row[name]));
    });
    return h('tr', { key: at }, cells);
  });
  return h(
    'figure',
    { className },
    title,
    kind !== undefined && h(Drawing, { kind, ...drawn }),
    h('table', { 'aria-label': caption }, h('thead', null, h('tr', null, headers)), h('tbody', null, body)),
  );
}

/** Null for what is no number: texts have aggregates, too. */
function numberOf(value: unknown): number | null {
  const number = value === null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

interface DrawingProps {
  readonly kind: 'bar' | 'line' | 'pie';
  readonly numbers: Numbers;
  readonly labels: readonly string[];
  readonly textOf: (value: number | null) => string;
}

function Drawing({ kind, ...drawn }: DrawingProps): ReactElement {
  const { numbers, labels, textOf } = drawn;
  const named = (tag: string, at: number, shape: object | false | undefined): ReactNode =>
    shape && h(tag, { key: at, ...shape }, h('title', null, `${labels[at]}: ${textOf(numbers[at] ?? null)}`));
  const svg = { 'aria-hidden': true, width: '100%', style: { maxHeight: 320 } } as const;
  if (kind === 'pie') {
    const slices = slicesOf(numbers).map((d, at) => named('path', at, d !== undefined && { d, fill: colourOf(at) }));
    return h('svg', { ...svg, viewBox: `0 0 ${HEIGHT} ${HEIGHT}` }, slices);
  }
  const [fill] = COLOURS;
  const shapes =
    kind === 'bar'
      ? barsOf(numbers).map((bar, at) => named('rect', at, bar && { ...bar, fill }))
      : pointsOf(numbers).map((point, at) => named('circle', at, point && { ...point, r: 4, fill }));
  return h(
    'svg',
    { ...svg, viewBox: `${-MARGIN} ${-MARGIN} ${WIDTH + 2 * MARGIN} ${HEIGHT + 2.5 * MARGIN}` },
    kind === 'line' && h('path', { d: lineOf(numbers), fill: 'none', stroke: fill, strokeWidth: 2 }),
    shapes,
    h(Axes, drawn),
  );
}

function Axes({ numbers, labels, textOf }: Omit<DrawingProps, 'kind'>): ReactElement {
  const [min, max] = extentOf(numbers);
  const every = Math.ceil(labels.length / MAX_TICKS);
  const ticks = labels.map((label, at) => {
    const text = label.length > TICK_LENGTH ? `${label.slice(0, TICK_LENGTH)}…` : label;
    const position = { x: middleOf(at, labels.length), y: HEIGHT + MARGIN, textAnchor: 'middle' } as const;
    return at % every === 0 && h('text', { key: at, ...position }, text);
  });
  return h(
    'g',
    { fill: 'currentColor', fontSize: 12 },
    h('path', { d: `M0 ${heightsOf(numbers)(0)}H${WIDTH}`, stroke: 'currentColor' }),
    h('text', { x: 0, y: -8 }, textOf(max)),
    min < 0 && h('text', { x: 0, y: HEIGHT }, textOf(min)),
    ticks,
  );
}
