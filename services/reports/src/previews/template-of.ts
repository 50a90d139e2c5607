import { extname } from 'node:path/posix';
import type { ReportOutputType, ReportTemplate } from '@lintel/application';

/** A template that is only checked: its output is the first one that its file can have. */
export const templateOf = (
  code: string,
  file: string,
  outputType: ReportOutputType = OUTPUTS[extname(file).toLowerCase()] ?? 'CUSTOM',
): ReportTemplate => ({ code, file, outputType });

const OUTPUTS: Readonly<Record<string, ReportOutputType>> = {
  '.xlsx': 'XLSX',
  '.xlsm': 'XLSX',
  '.docx': 'DOCX',
  '.html': 'HTML',
  '.txt': 'TXT',
  '.csv': 'CSV',
};
