import type { Database } from '@lintel/persistence';
import { z } from 'zod';
import type { StoredReport } from '../definitions/stored-reports.ts';

/** Reads a version of a report of the database; undefined if there is none. */
export type VersionReader = (reportId: string, number: number) => Promise<StoredReport | undefined>;

/** `report.version_content` of the database. */
const contentSchema = z.object({
  name: z.string(),
  code: z.string().nullable(),
  restAccess: z.boolean(),
  definition: z.string(),
  templates: z.array(
    z.object({
      code: z.string(),
      reportOutputType: z.number(),
      isDefault: z.boolean(),
      name: z.string(),
      content: z.string(),
      outputNamePattern: z.string().nullable(),
    }),
  ),
});

/** Creates the reader of the versions that triggers of the database keep (ADR 73). They have no group: it may be gone. */
export const createVersionReader =
  (database: Pick<Database, 'query'>): VersionReader =>
  async (reportId, number) => {
    const [row] = await database.query<{ readonly content: string }>({
      name: 'reports_report_version',
      text: 'SELECT content::text AS content FROM report.report_version WHERE report_id = $1 AND number = $2',
      values: [reportId, number],
    });
    if (row === undefined) return undefined;
    const { templates, ...report } = contentSchema.parse(JSON.parse(row.content));
    return {
      ...report,
      id: reportId,
      group: null,
      templates: templates.map(({ reportOutputType: outputType, ...template }) => ({ ...template, outputType })),
    };
  };
