import type { reportContentSchema } from '@lintel/contracts';
import { z } from 'zod';

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

/** Characters of a comment. */
const MAX_COMMENT = 1_000;

const comment = z
  .string()
  .max(MAX_COMMENT)
  .refine((text) => !text.includes('\0'), 'must not have a NUL character');

/** The body of a request that changes the comment of a version. */
export const commentSchema = z.strictObject({ comment: comment.nullable() });

/** The body of a request that restores a version; it may be absent. */
export const restorationSchema = z
  .strictObject({ comment: comment.nullable().default(null) })
  .default({ comment: null });
