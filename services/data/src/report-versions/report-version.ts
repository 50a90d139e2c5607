import type { reportContentSchema } from '@lintel/contracts';
import type { z } from 'zod';

/** A version of a report without its content. */
export interface ReportVersionInfo {
  readonly number: number;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** Who saved it; null if the database does not know. */
  readonly username: string | null;
  readonly comment: string | null;
}

/** What a report was when it was saved. */
export type ReportContent = z.output<typeof reportContentSchema>;

/** A template of a version. */
export type TemplateContent = ReportContent['templates'][number];

/** A version of a report with its content. */
export interface ReportVersion extends ReportVersionInfo {
  readonly content: ReportContent;
}
