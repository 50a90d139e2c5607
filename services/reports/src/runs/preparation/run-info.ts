import type { BackgroundRun } from '../background-run.ts';

/** A run as the body of `GET /rest/reports/runs/:id`. */
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
