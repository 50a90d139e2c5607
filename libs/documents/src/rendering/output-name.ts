import type { ReportTemplate } from '@lintel/application';
import { ROOT_BAND } from '../bands/band-data.ts';
import { ReportFailure } from '../report-failure.ts';

/** A field of the root with the file name, which has precedence. */
const OWN_NAME = '__REPORT_FILE_NAME';

/** A name contains values, which must not change the folder or add a header. */
const safeName = (name: string): string => name.replace(/[\p{C}/\\]/gu, '_');

/**
 * Returns the file name of a document (contract/reports.md#file-name): the template's file name or its pattern, in
 * which the first `${Band.field}` is substituted, with the extension of the output type.
 *
 * @param textOf returns the text of a field of the first row of a band; undefined where there is none
 */
export function outputName(
  template: ReportTemplate,
  textOf: (band: string, field: string) => string | undefined,
): string {
  const own = textOf(ROOT_BAND, OWN_NAME)?.trim() ?? '';
  if (own !== '') return safeName(own);
  const base = template.outputName ?? template.file.slice(template.file.lastIndexOf('/') + 1);
  const substituted = base.replace(/\$\{([A-Za-z0-9_]+)\.([A-Za-z0-9_.]+)\}/, (_, band: string, field: string) => {
    const value = textOf(band, field);
    if (value === undefined || value === '')
      throw new ReportFailure(`No data in band [${band}] field [${field}] used for output file name generation.`);
    return value;
  });
  const safe = safeName(substituted);
  if (template.outputType === 'CUSTOM') return safe;
  const dot = safe.lastIndexOf('.');
  return `${dot < 0 ? safe : safe.slice(0, dot)}.${template.outputType.toLowerCase()}`;
}
