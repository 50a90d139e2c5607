import type { ReportBand, ReportDataSet, ReportDefinition } from '@lintel/application';

type Definition = Pick<ReportDefinition, 'bands' | 'rootDataSets'>;

/** The SQL of all data sets of some reports; no other SQL is run. */
export const sqlTextsOf = (reports: readonly Definition[]): ReadonlySet<string> =>
  new Set(
    reports
      .flatMap(({ bands, rootDataSets = [] }) => [...rootDataSets, ...bands.flatMap(dataSetsOf)])
      .flatMap((set) => (set.kind === 'sql' ? [set.sql] : [])),
  );

const dataSetsOf = ({ dataSets = [], bands = [] }: ReportBand): readonly ReportDataSet[] => [
  ...dataSets,
  ...bands.flatMap(dataSetsOf),
];
