import type { FigurePanel, GraphPanel, Panel, Threshold } from './grafana-types.ts';

/** A panel before it has its position. */
export type UnplacedPanel<P extends Panel = Panel> = Omit<P, 'id' | 'gridPos'>;

/** The units of Grafana that panels use. */
export type Unit = 'reqps' | 'ops' | 'eps' | 's' | 'percentunit' | 'bytes' | 'Bps' | 'short' | 'bool';

/** Series with the text of their legend, which may name labels: `{{pool}}`. */
export type Queries = Readonly<Record<string, string>>;

interface GraphOptions {
  /** What one should know to read it. */
  readonly description?: string;
  /** Columns of 24. */
  readonly width?: number;
  /** Areas on top of each other, for parts of a whole. */
  readonly isStacked?: boolean;
  /** The upper end of the axis. */
  readonly max?: number;
}

export const DATA_SOURCE = { type: 'prometheus', uid: '$datasource' } as const;

const targetsOf = (queries: Queries) =>
  Object.entries(queries).map(([legendFormat, expr], index) => ({
    datasource: DATA_SOURCE,
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    expr,
    legendFormat,
  }));

/** Curves over time, from 0 upwards. */
export function graph(
  title: string,
  unit: Unit,
  queries: Queries,
  options: GraphOptions = {},
): UnplacedPanel<GraphPanel> {
  const { description, isStacked = false, max } = options;
  return {
    type: 'timeseries',
    title,
    ...(description !== undefined && { description }),
    datasource: DATA_SOURCE,
    targets: targetsOf(queries),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max !== undefined && { max }),
        custom: {
          drawStyle: 'line',
          lineWidth: 1,
          fillOpacity: isStacked ? 30 : 5,
          showPoints: 'never',
          stacking: { mode: isStacked ? 'normal' : 'none' },
        },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  };
}

interface FigureOptions {
  readonly description?: string;
  /** Above which it is yellow, and red. */
  readonly limits?: readonly [yellow: number, red: number];
  /** Red below this. */
  readonly atLeast?: number;
  /** Shown where there is no number. */
  readonly noValue?: string;
  /** What numbers mean. */
  readonly words?: Readonly<Record<string, string>>;
}

function steps({ limits, atLeast }: FigureOptions): readonly Threshold[] {
  if (atLeast !== undefined)
    return [
      { color: 'red', value: null },
      { color: 'green', value: atLeast },
    ];
  const base = { color: 'green', value: null };
  if (limits === undefined) return [base];
  return [base, { color: 'yellow', value: limits[0] }, { color: 'red', value: limits[1] }];
}

/** The number as it is now, with its course in the background. */
export function figure(
  title: string,
  unit: Unit,
  expr: string,
  options: FigureOptions = {},
): UnplacedPanel<FigurePanel> {
  const { description, noValue, words } = options;
  return {
    type: 'stat',
    title,
    ...(description !== undefined && { description }),
    datasource: DATA_SOURCE,
    targets: targetsOf({ [title]: expr }),
    fieldConfig: {
      defaults: {
        unit,
        ...(noValue !== undefined && { noValue }),
        color: { mode: 'thresholds' },
        thresholds: { mode: 'absolute', steps: steps(options) },
        ...(words !== undefined && {
          mappings: [
            {
              type: 'value',
              options: Object.fromEntries(Object.entries(words).map(([value, text]) => [value, { text }])),
            },
          ],
        }),
      },
      overrides: [],
    },
    options: {
      graphMode: 'area',
      colorMode: 'value',
      justifyMode: 'auto',
      textMode: 'value',
      wideLayout: true,
      showPercentChange: false,
      percentChangeColorMode: 'standard',
      orientation: 'auto',
      reduceOptions: { calcs: ['lastNotNull'] },
    },
  };
}
