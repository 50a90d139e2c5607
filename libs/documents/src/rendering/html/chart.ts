import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { Drop } from 'liquidjs';

echarts.use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const TYPES = ['bar', 'line', 'pie'] as const;
type ChartType = (typeof TYPES)[number];

const MAX_ROWS = 5_000;
/** Pixels of the labels of an axis. */
const [LETTER_WIDTH, LINE_HEIGHT] = [7, 16];
const PALETTE = ['#2f6f9f', '#e08e2b', '#4f9d69', '#b4464b', '#7a5ea6', '#8c8c8c', '#c2a83e', '#4aa5b5'];

/**
 * Draws a chart of the rows of a band, as SVG (contract/report-templates.md#html).
 *
 * Parameters: `type` (`bar`, `line`, `pie`), `category` (field of the labels), `values` (fields of the numbers,
 * separated by commas), `titles` (their names in the legend), `title`, `width` and `height` in pixels.
 *
 * @throws Error naming the invalid parameter
 */
export function renderChart(rows: unknown, parameters: Readonly<Record<string, unknown>>): string {
  const type = chartType(parameters['type'] ?? 'bar');
  const category = String(parameters['category'] ?? '');
  const values = listOf(parameters['values']);
  if (category === '' || values.length === 0) throw new Error('chart: category and values name fields');
  const titles = listOf(parameters['titles']);
  const data = fieldsOf(rows);
  const width = pixels(parameters['width'] ?? 640, 'width');
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width,
    height: pixels(parameters['height'] ?? 320, 'height'),
  });
  try {
    const names = data.map((fields) => String(valueAt(fields, category) ?? ''));
    const numbers = values.map((field) => data.map((fields) => numberOf(valueAt(fields, field))));
    const title = String(parameters['title'] ?? '');
    const series = values.map((field, index) => titles[index] ?? field);
    chart.setOption(optionOf(type, title, names, numbers, series));
    if (type !== 'pie') chart.setOption({ xAxis: { axisLabel: labelsOf(names, width) } });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

function optionOf(
  type: ChartType,
  title: string,
  names: readonly string[],
  numbers: readonly (readonly (number | null)[])[],
  titles: readonly string[],
): echarts.EChartsCoreOption {
  const common = {
    animation: false,
    color: PALETTE,
    textStyle: { fontFamily: 'Liberation Sans, DejaVu Sans, sans-serif' },
    ...(title === '' ? {} : { title: { text: title, left: 'center', textStyle: { fontSize: 14 } } }),
  };
  const legend = { bottom: 0, show: type === 'pie' || titles.length > 1 };
  if (type === 'pie') {
    const slices = names.map((name, index) => ({ name, value: numbers[0]?.[index] ?? 0 }));
    return {
      ...common,
      legend: { ...legend, show: false },
      series: [{ type, radius: '65%', top: title === '' ? 0 : 24, data: slices }],
    };
  }
  return {
    ...common,
    legend,
    grid: { left: 8, right: 16, top: title === '' ? 16 : 40, bottom: legend.show ? 32 : 8, outerBoundsMode: 'same' },
    xAxis: { type: 'category', data: names },
    yAxis: { type: 'value' },
    series: numbers.map((data, index) => ({ type, name: titles[index] ?? '', data })),
  };
}

/** Labels that do not fit beside each other are slanted, or they would be left out; of very many some are left out. */
function labelsOf(names: readonly string[], width: number): object {
  const room = width / names.length;
  const longest = names.reduce((max, { length }) => Math.max(max, length), 0);
  const fits = longest * LETTER_WIDTH <= room || room < LINE_HEIGHT;
  return fits ? {} : { interval: 0, rotate: 40, width: 150, overflow: 'truncate' };
}

function chartType(type: unknown): ChartType {
  const found = TYPES.find((known) => known === type);
  if (found === undefined) throw new Error(`chart: type is one of ${TYPES.join(', ')}`);
  return found;
}

function pixels(value: unknown, name: string): number {
  const side = Number(value);
  if (!Number.isInteger(side) || side < 50 || side > 4_000) throw new Error(`chart: ${name} is 50 to 4000 pixels`);
  return side;
}

const listOf = (value: unknown): readonly string[] =>
  String(value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function fieldsOf(rows: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(rows)) throw new Error('chart: there are no rows of that name');
  if (rows.length > MAX_ROWS) throw new Error(`chart: there are more than ${MAX_ROWS} rows`);
  return rows.map((row: { readonly fields?: Readonly<Record<string, unknown>> }) => row?.fields ?? {});
}

/** The value of a field, or at a path into an object. */
function valueAt(fields: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(fields, path)) return fields[path];
  const [name = '', ...members] = path.split('.');
  return members.reduce<unknown>(
    (value, member) => (value instanceof Drop ? Reflect.get(value, member) : undefined),
    fields[name],
  );
}

/** The precision of a drawing is one pixel, so a binary float is exact enough. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : Number(String(value ?? '').trim() || Number.NaN);
  return Number.isFinite(number) ? number : null;
}
