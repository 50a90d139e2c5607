import { dateTimeOffsetOf } from '@lintel/config';
import type { Messages } from '@lintel/metadata';
import type { ReportsConfig } from './config.ts';
import { NO_HISTORY } from './history/execution-history.ts';
import { TemplateMemory } from './limits/template-memory.ts';
import type { ReportsPorts } from './reports-ports.ts';
import type { RunPorts } from './runs/preparation/run-input.ts';
import { createRunMetrics } from './runs/run-metrics.ts';

/** What a run uses: ports of the service, and its settings as limits. */
export const createRunPorts = (
  ports: ReportsPorts,
  config: ReportsConfig,
  currentMessages: () => Messages,
): RunPorts => ({
  model: ports.application.model,
  currentMessages,
  datasets: ports.datasets,
  remote: ports.remote,
  serviceTokens: ports.serviceTokens,
  clock: ports.clock,
  limits: {
    htmlMaxRows: config.htmlMaxRows,
    liquid: { maxRenderMs: config.template.maxRenderMs, maxOutputLength: config.template.maxOutputLength },
    csvFormulaGuard: config.csvFormulaGuard,
    maxElements: config.limits.documentElements,
    template: { maxTags: config.limits.templateTags },
    maxPathMs: config.limits.jsonPathMs,
    maxCells: config.limits.crossTableCells,
    maxPicturesBytes: config.limits.picturesBytes,
    xlsxMaxRows: config.xlsxMaxRows,
  },
  templateMemory: new TemplateMemory({ maxBytes: config.limits.templatesBytes, maxWaitMs: config.shares.maxWaitMs }),
  converters: ports.converters,
  files: ports.files,
  dateTimeOffset: dateTimeOffsetOf(config),
  putEmptyRow: config.putEmptyRow,
  maxRows: config.maxRows,
  history: ports.history ?? NO_HISTORY,
  documents: ports.background?.documents,
  measured: createRunMetrics(ports.metrics),
  logger: ports.logger,
});
