import { z } from 'zod';
import { isVisibleName } from './plain-text.ts';

const path = z.string().min(1).max(200);
/** Operators of texts with the masks of their parameters. */
export const DRAFT_MASKS: Readonly<Record<string, 'STARTS_WITH' | 'CONTAINS' | 'ENDS_WITH'>> = {
  startsWith: 'STARTS_WITH',
  contains: 'CONTAINS',
  endsWith: 'ENDS_WITH',
};

/** A condition, whose value is a parameter of the report with a default. */
const condition = z.strictObject({
  attribute: path,
  operator: z.enum(['=', '<>', '>', '>=', '<', '<=', ...Object.keys(DRAFT_MASKS), 'in', 'isNull', 'notEmpty']),
  value: z.string().max(1_000).optional().describe('Default of the parameter, as in a run'),
  defaultExpression: z.string().max(50).optional().describe('`startOfMonth`'),
  isAsked: z.boolean().default(true).describe('Whether runs are asked for a value'),
});
const total = z.strictObject({ attribute: path, function: z.enum(['sum', 'avg', 'min', 'max', 'count']) });

/** A simple report: rows of an entity, with groups and totals (contract/reports.md#drafts). */
export const reportDraftSchema = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine(isVisibleName, 'must not be blank or have invisible or direction characters')
    .refine((title) => !title.includes('${'), 'may not contain ${, which begins the alias of a template'),
  entity: z.string().min(1).max(255),
  attributes: z.array(path).min(1).max(40).describe('The columns: `number`, `customer.name`'),
  groups: z.array(path).max(3).default([]).describe('The outermost first'),
  totals: z.array(total).max(40).default([]),
  filter: z.array(condition).max(20).default([]),
  sort: z.array(path).max(5).default([]).describe('`-date`: descending'),
  template: z.enum(['XLSX', 'DOCX']).default('XLSX').describe('A workbook or a Word document'),
});
/** The body of `POST /definition/draft/run`. */
export const reportDraftRunSchema = z.strictObject({
  draft: reportDraftSchema,
  outputType: z.string().max(20).optional().describe('`PDF`, `HTML`'),
});
export type ReportDraft = z.infer<typeof reportDraftSchema>;
