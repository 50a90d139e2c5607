import type { ServerResponse } from 'node:http';
import { EXPORT_TYPES } from '@lintel/contracts';
import { workbookStream } from '@lintel/documents/tables';
import { PlatformError } from '@lintel/errors';
import { sendStream } from '@lintel/http';
import { csvHeader, csvLineOf, type ExactJson, isExactObject } from '@lintel/query';
import type { ExportFormat } from '@lintel/reading';

const HEADERS = ['row', 'column', 'attribute', 'reason'];
const TABLE = {
  columns: HEADERS.map(
    (name) => ({ name, path: [name], kind: 'text', temporal: undefined, isFloating: false }) as const,
  ),
  lists: [],
};

/**
 * Sends the refused rows of an import as a table (contract/imports.md#refusals).
 *
 * @param report the result or the error of the run
 * @throws PlatformError REQ_NOT_ACCEPTABLE where the run has no report
 */
export async function sendRefusals(response: ServerResponse, report: ExactJson, format: ExportFormat): Promise<void> {
  const errors = isExactObject(report) ? report['errors'] : undefined;
  if (!Array.isArray(errors) || format === 'ndjson')
    throw new PlatformError('REQ_NOT_ACCEPTABLE', 'Only the refused rows of an import that has ended are a table');
  const rows = errors.filter(isExactObject);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Disposition', `attachment; filename="refused.${format}"`);
  if (format === 'csv') {
    response.setHeader('Content-Type', `${EXPORT_TYPES.csv};charset=utf-8`);
    const lines = rows.map((row) => csvLineOf(JSON.stringify(row), TABLE));
    response.end(`\uFEFF${[csvHeader({ headers: HEADERS, delimiter: ',' }), ...lines].join('\n')}\n`);
    return;
  }
  response.setHeader('Content-Type', EXPORT_TYPES.xlsx);
  const cells = rows.map((row) => HEADERS.map((name) => (row[name] === undefined ? null : String(row[name]))));
  async function* batches() {
    yield cells;
  }
  await sendStream(response, workbookStream(HEADERS, batches()));
}
