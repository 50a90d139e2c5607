import type { ReportParameters } from '@lintel/application';
import type { Model } from '@lintel/metadata';
import type { Fields } from './cell.ts';
import type { ReportDataSource } from './report-data-source.ts';

/** Context of reading the bands of one run. */
export interface BandContext {
  readonly model: Model;
  readonly parameters: ReportParameters;
  /** The parameters as fields: of the root band, and of bands without data sets. */
  readonly parameterFields: Fields;
  readonly data: ReportDataSource;
  readonly signal: AbortSignal;
  /** Time of one JSONPath. */
  readonly maxPathMs: number;
  /** Cells of all cross tables. */
  readonly maxCells: number;
  /** `svc.reports.put-empty-row-if-no-data-selected` */
  readonly putEmptyRow: boolean;
  /** Called for every row of a band that is no placeholder; throws where there are too many rows. */
  readonly countRow?: () => void;
}
