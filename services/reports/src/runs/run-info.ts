import type { BackgroundRun } from '../background/background-run.ts';

/** A run as `GET /rest/reports/runs/:id` shows it. */
export const runInfo = (run: BackgroundRun) => ({
  id: run.id,
  report: run.report,
  template: run.templateCode,
  status: run.status,
  progress: { phase: run.phase, rows: run.rows },
  createdAt: run.createdAt,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
  error: run.failure,
  result: run.result,
});
