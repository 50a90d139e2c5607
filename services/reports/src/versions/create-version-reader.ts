import { reportContentSchema } from '@lintel/contracts';
import type { Database } from '@lintel/persistence';
import type { StoredReport } from '../definitions/stored-reports.ts';

/** Reads a version of a report of the database; undefined if there is none. */
export type VersionReader = (reportId: string, number: number) => Promise<StoredReport | undefined>;

/**
 * Creates the reader of the versions that triggers of the database keep (contract/reports.md#versions). They have no
 * group: it may be gone.
 */
export const createVersionReader =
  (database: Pick<Database, 'query'>): VersionReader =>
  async (reportId, number) => {
    const [row] = await database.query<{ readonly content: string }>({
      name: 'reports_report_version',
      text: 'SELECT content::text AS content FROM report.report_version WHERE report_id = $1 AND number = $2',
      values: [reportId, number],
    });
    if (row === undefined) return undefined;
    const { name, code, restAccess, definition, templates } = reportContentSchema.parse(JSON.parse(row.content));
    return {
      ...{ name, code, restAccess, definition },
      id: reportId,
      group: null,
      templates: templates.map(({ reportOutputType: outputType, ...template }) => ({ ...template, outputType })),
    };
  };
