import type { ReportParameters } from '@lintel/application';
import { type BandContext, cellOfParameter, type Fields } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import type { LoadedReport } from '../../definitions/report-catalogue.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { RunInput, RunPorts } from './run-input.ts';

/** At most so many rows of data sets are read; the name of the limit is part of the refusal. */
export interface RowLimit {
  readonly max: number;
  readonly name: string;
}

/** What the bands of a prepared run are read with. */
export const bandContextOf = (
  { parameters, data }: Pick<PreparedRun, 'parameters' | 'data'>,
  { report, signal }: RunInput,
  ports: RunPorts,
  rowLimit: RowLimit,
): BandContext => ({
  model: ports.model,
  parameters,
  parameterFields: parameterFields(report, parameters),
  data,
  signal,
  maxPathMs: ports.limits.maxPathMs,
  maxCells: ports.limits.maxCells,
  putEmptyRow: ports.putEmptyRow,
  countRow: rowCounter(rowLimit),
});

const parameterFields = ({ definition }: LoadedReport, values: ReportParameters): Fields =>
  new Map(
    (definition.parameters ?? []).map((parameter) => [
      parameter.alias,
      cellOfParameter(parameter, values[parameter.alias] ?? null),
    ]),
  );

/** @throws REPORT_RUN_ERROR where a run has too many rows */
function rowCounter({ max, name }: RowLimit): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    if (rows > max) throw new PlatformError('REPORT_RUN_ERROR', `The report has more than ${max} rows (${name})`);
  };
}
