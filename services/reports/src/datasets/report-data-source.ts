import type { ReportData } from '@lintel/application';

/** What one run reads through: entity data under the caller's rights, numbers as `ExactNumber`. */
export type ReportDataSource = ReportData;
