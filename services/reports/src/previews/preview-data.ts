import { hasSql } from '@lintel/application';
import { type BandData, extractBands } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import { type Access, assertStrongLogin } from '@lintel/security';
import { assertSqlRight } from '../definitions/find-report.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { bandContextOf } from '../runs/preparation/band-context-of.ts';
import { prepareData, receiveRun } from '../runs/preparation/prepare-run.ts';
import type { RunInput, RunPorts } from '../runs/preparation/run-input.ts';
import { toRunError } from '../runs/run-error.ts';
import { type PreviewedValue, previewedRow } from './previewed-row.ts';

/** Rows of a band that are shown. */
const MAX_PREVIEWED_ROWS = 50;
/** Rows of data sets that are read for it, where those of a band are merged. */
const MAX_READ_ROWS = 10_000;

/** The first rows of a band. */
export interface PreviewedBand {
  readonly name: string;
  /** Null for the root. */
  readonly parent: string | null;
  readonly rows: readonly Readonly<Record<string, PreviewedValue>>[];
  /** Whether there are more. */
  readonly truncated: boolean;
}

/**
 * Who may change reports may see what their data sets read: a template could show all of it.
 *
 * @throws ACCESS_UPDATE_DENIED, AUTH_STEP_UP_REQUIRED
 */
export function assertMayChangeReports(access: Access): void {
  if (access.allows('report_Report', 'update')) return;
  assertStrongLogin(access, (stronger) => stronger.allows('report_Report', 'update'));
  throw new PlatformError('ACCESS_UPDATE_DENIED', 'Updating of the report_Report is forbidden');
}

/**
 * Asserts that what the data sets of a report read may be shown as it is. Code of the application may compute rows that
 * its templates never show; SQL reads all rows, for those who may write it.
 *
 * @throws REPORT_RUN_ERROR, ACCESS_DENIED
 */
export function assertPreviewable({ definition, isStored }: LoadedReport, access: Access): void {
  if (!isStored)
    throw new PlatformError('REPORT_RUN_ERROR', 'The report is defined in code: its data cannot be previewed');
  if (hasSql(definition)) assertSqlRight(access);
}

/** Reads the first rows of all bands of a report, with the rights of the caller (contract/reports.md#preview). */
export async function previewData(input: RunInput, ports: RunPorts): Promise<readonly PreviewedBand[]> {
  const request = await receiveRun(input);
  const prepared = await prepareData(request, input, ports);
  const { definition } = input.report;
  try {
    const context = bandContextOf(prepared, input, ports, { max: MAX_READ_ROWS, name: 'the limit of previews' });
    return bandsOf(await extractBands(definition, context, () => undefined, MAX_PREVIEWED_ROWS + 1));
  } catch (error) {
    throw toRunError(error, definition);
  }
}

/** The rows of each band together, the bands in the order of the tree. */
function bandsOf(root: BandData): readonly PreviewedBand[] {
  const found = new Map<string, { readonly parent: string | null; readonly rows: BandData[] }>();
  const add = (name: string, parent: string | null, rows: readonly BandData[]): void => {
    const band = found.get(name) ?? { parent, rows: [] };
    found.set(name, band);
    for (const row of rows) {
      if (!row.isPlaceholder && band.rows.length <= MAX_PREVIEWED_ROWS) band.rows.push(row);
      for (const [child, childRows] of row.children) add(child, name, childRows);
    }
  };
  add(root.name, null, [root]);
  return [...found].map(([name, { parent, rows }]) => ({
    name,
    parent,
    rows: rows.slice(0, MAX_PREVIEWED_ROWS).map(({ data }) => previewedRow(data)),
    truncated: rows.length > MAX_PREVIEWED_ROWS,
  }));
}
