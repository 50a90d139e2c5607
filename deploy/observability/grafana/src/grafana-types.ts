import type * as dashboards from '@grafana/grafana-foundation-sdk/dashboard';
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus';
import type { Options as FigureOptions } from '@grafana/grafana-foundation-sdk/stat';
import type {
  FieldConfig as GraphFieldConfig,
  Options as GraphOptions,
} from '@grafana/grafana-foundation-sdk/timeseries';

/** A type of Grafana as JSON has it: enumerations are their values, and nothing has methods. */
type Json<T> = T extends string
  ? `${T}`
  : T extends number
    ? `${T}` extends `${infer N extends number}`
      ? N
      : never
    : T extends readonly (infer Item)[]
      ? readonly Json<Item>[]
      : T extends object
        ? { readonly [K in keyof T as T[K] extends (...parameters: never) => unknown ? never : K]: Json<T[K]> }
        : T;

type FieldConfig<Custom> = Omit<Json<dashboards.FieldConfig>, 'custom'> & { readonly custom?: Custom };

interface PanelOf<Type extends string, Options, Custom>
  extends Omit<Json<dashboards.Panel>, 'type' | 'targets' | 'options' | 'fieldConfig'> {
  readonly type: Type;
  readonly targets: readonly Json<Dataquery>[];
  readonly options: Json<Options>;
  readonly fieldConfig: { readonly defaults: FieldConfig<Custom>; readonly overrides: readonly [] };
}

/** Curves over time. */
export type GraphPanel = PanelOf<'timeseries', GraphOptions, Json<GraphFieldConfig>>;
/** One number, or a few. */
export type FigurePanel = PanelOf<'stat', FigureOptions, never>;
export type Panel = GraphPanel | FigurePanel;
export type RowPanel = Json<dashboards.RowPanel>;
export type Variable = Json<dashboards.VariableModel>;
export type Threshold = Json<dashboards.Threshold>;

/** What Grafana reads from a file: its own types say what it may hold. */
export type Dashboard = Omit<Json<dashboards.Dashboard>, 'panels'> & {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly (Panel | RowPanel)[];
  readonly templating: { readonly list: readonly Variable[] };
};
