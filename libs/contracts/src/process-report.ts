import { z } from 'zod';

const count = z.int().min(0);

/** The state of one check of a process. `reason` has neither addresses nor secrets. */
export const processCheckSchema = z.object({
  status: z.enum(['up', 'degraded', 'down']),
  reason: z.string().optional(),
});
export type ProcessCheck = z.infer<typeof processCheckSchema>;

/** What a running process reports about itself every few seconds (contract/operations.md#processes). */
export const processReportSchema = z.object({
  /** Unique among all processes that run: service, host and process id. */
  id: z.string(),
  service: z.string().describe('`standalone` for all services in one process'),
  host: z.string(),
  processId: z.int(),
  nodeVersion: z.string(),
  startedAt: z.iso.datetime(),
  reportedAt: z.iso.datetime(),
  status: z.enum(['ready', 'degraded', 'not ready']),
  checks: z.record(z.string(), processCheckSchema),
  memoryBytes: count,
});
export type ProcessReport = z.infer<typeof processReportSchema>;

/** A property in force in a process (contract/operations.md#settings). */
export const processSettingSchema = z.object({
  name: z.string(),
  value: z.string().nullable().describe('With secrets masked; null if there is no value'),
  secret: z.boolean(),
  origin: z.string().describe('`default`, `environment: SVC_DATA_PORT`, `/etc/lintel.yml:12`, `application`'),
});
export type ProcessSetting = z.infer<typeof processSettingSchema>;

/** A statement that took longer than `svc.datasource.slow-query-threshold` (contract/operations.md#slow-statements). */
export const slowStatementSchema = z.object({
  pool: z.string(),
  statement: z.string().nullable().describe('Its name'),
  /** At most 2,000 characters. */
  text: z.string().describe('With `$1` for values'),
  /** How often it was slow since the start of the process. */
  count,
  lastAt: z.iso.datetime(),
  lastMs: count,
  maxMs: count,
  /** Of the last execution that was slow. */
  traceId: z.string().nullable(),
  plan: z.string().nullable().describe('The generic plan, if `svc.datasource.slow-query-plan` is set'),
});
export type SlowStatement = z.infer<typeof slowStatementSchema>;
