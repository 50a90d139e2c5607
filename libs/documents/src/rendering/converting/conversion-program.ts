import type { ReportOutputType } from '@lintel/application';
import { PlatformError } from '@lintel/errors';

/** A program that converts documents. */
export interface ConversionProgram {
  readonly name: 'LibreOffice' | 'Chromium';
  /** The property with the path of the program. */
  readonly property: string;
  /** Says that it is not there (contract/reports.md#check-order, row 12). */
  readonly absence: string;
}

export const LIBREOFFICE: ConversionProgram = {
  name: 'LibreOffice',
  property: 'svc.reports.office-path',
  absence: "Couldn't find LibreOffice instance",
};

export const CHROMIUM: ConversionProgram = {
  name: 'Chromium',
  property: 'svc.reports.chromium-path',
  absence: "Couldn't find Chromium, which makes PDF documents of HTML",
};

/** The page of the documentation about the programs. */
export const PROGRAMS_PAGE = 'docs/guide/reports.md#programs-for-pdf';

/** Returns the error of a run that needs a program which is not there. */
export const missingProgram = ({ absence, property }: ConversionProgram): PlatformError =>
  new PlatformError('REPORT_RUN_FAILED', `${absence}. Install it, or set ${property}: see ${PROGRAMS_PAGE}`);

/**
 * Returns the program that makes the documents of a template (contract/report-templates.md#formats), undefined where
 * none is needed.
 *
 * @param file name of the template's file
 */
export function programOf(file: string, outputType: ReportOutputType): ConversionProgram | undefined {
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  if (extension === 'html') return outputType === 'PDF' ? CHROMIUM : undefined;
  const isOffice = extension === 'docx' || extension === 'xlsx' || extension === 'xlsm';
  return isOffice && (outputType === 'PDF' || outputType === 'HTML') ? LIBREOFFICE : undefined;
}
