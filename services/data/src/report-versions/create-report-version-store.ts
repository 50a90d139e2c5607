import { reportContentSchema } from '@lintel/contracts';
import { type Database, utcText } from '@lintel/persistence';
import type { ReportContent, ReportVersion, ReportVersionInfo } from './report-version.ts';

/** The columns of a version without its content. */
const INFO = `number, ${utcText('created_at')} AS "createdAt",
  username, comment`;

/** Which versions of a report are listed. */
export interface VersionPage {
  /** Only versions with smaller numbers. */
  readonly before: number;
  readonly limit: number;
}

/** Versions of reports, which triggers of the database keep (contract/reports.md#versions). */
export interface ReportVersionStore {
  /** The newest first. */
  list(reportId: string, page: VersionPage): Promise<readonly ReportVersionInfo[]>;
  /** The version with the number, or the newest one; undefined if there is none. */
  load(reportId: string, number?: number): Promise<ReportVersion | undefined>;
  /** Changes the comment; undefined if there is no such version. */
  setComment(reportId: string, number: number, comment: string | null): Promise<ReportVersionInfo | undefined>;
  /** The first version after `after` with this content: of a version that may have been deleted since. */
  findRestored(reportId: string, after: number, content: ReportContent): Promise<number | undefined>;
  /** The ids of the templates that the report has now, by their codes. */
  templateIds(reportId: string): Promise<ReadonlyMap<string, string>>;
  /** Sets how many versions of a report are kept. */
  limit(kept: number): Promise<void>;
}

export function createReportVersionStore(database: Pick<Database, 'query'>): ReportVersionStore {
  return {
    list: async (reportId, { before, limit }) =>
      await database.query<ReportVersionInfo>({
        name: 'data_report_versions',
        text: `SELECT ${INFO} FROM report.report_version
WHERE report_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`,
        values: [reportId, before, limit],
      }),
    async load(reportId, number) {
      const [row] = await database.query<ReportVersionInfo & { readonly content: string }>({
        name: 'data_report_version',
        text: `SELECT ${INFO}, content::text AS content FROM report.report_version
WHERE report_id = $1 AND ($2::integer IS NULL OR number = $2) ORDER BY number DESC LIMIT 1`,
        values: [reportId, number ?? null],
      });
      return row && { ...row, content: reportContentSchema.parse(JSON.parse(row.content)) };
    },
    async setComment(reportId, number, comment) {
      const [row] = await database.query<ReportVersionInfo>({
        name: 'data_report_version_comment',
        text: `UPDATE report.report_version SET comment = $3 WHERE report_id = $1 AND number = $2 RETURNING ${INFO}`,
        values: [reportId, number, comment],
      });
      return row;
    },
    async findRestored(reportId, after, content) {
      const [row] = await database.query<{ readonly number: number }>({
        name: 'data_report_version_restored',
        text: `SELECT number FROM report.report_version
WHERE report_id = $1 AND number > $2 AND content = $3::jsonb ORDER BY number LIMIT 1`,
        values: [reportId, after, JSON.stringify(content)],
      });
      return row?.number;
    },
    async templateIds(reportId) {
      const rows = await database.query<{ readonly code: string; readonly id: string }>({
        name: 'data_report_version_templates',
        text: 'SELECT code, id::text AS id FROM report.report_template WHERE report_id = $1 AND deleted_date IS NULL',
        values: [reportId],
      });
      return new Map(rows.map(({ code, id }) => [code, id]));
    },
    async limit(kept) {
      await database.query({
        name: 'data_report_version_limit',
        text: 'UPDATE report.version_limit SET kept = $1 WHERE kept <> $1',
        values: [kept],
      });
    },
  };
}
