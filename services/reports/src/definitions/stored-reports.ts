import {
  type Application,
  type ReportDefinition,
  type ReportGroup,
  type ReportOutputType,
  type ReportTemplate,
  readStoredDefinition,
} from '@lintel/application';
import { type CompiledTemplate, compileTemplate } from '@lintel/documents';
import { z } from 'zod';
import type { TemplateMemory, TemplateShare } from '../limits/template-memory.ts';
import { problemsOf } from './check-definition.ts';
import type { CompileContext, LoadedReport } from './report-catalogue.ts';

/** The reports and groups of the database at one moment. */
export interface StoredReports {
  readonly reports: readonly LoadedReport[];
  readonly groups: readonly ReportGroup[];
}

/** `report_ReportTemplate.reportOutputType` (contract/reports.md#definitions). */
const OUTPUT_TYPES: Readonly<Record<number, ReportOutputType>> = {
  20: 'PDF',
  30: 'HTML',
  40: 'DOCX',
  50: 'XLSX',
  60: 'CUSTOM',
  70: 'CHART',
  80: 'CSV',
  90: 'TABLE',
  100: 'PIVOT_TABLE',
};

const templateSchema = z.object({
  code: z.string(),
  outputType: z.number(),
  isDefault: z.boolean(),
  name: z.string(),
  content: z.string(),
  outputNamePattern: z.string().nullable(),
});
const reportSchema = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string().nullable(),
  group: z.string().nullable(),
  restAccess: z.boolean(),
  definition: z.string(),
  templates: z.array(templateSchema),
});
/** A report as the database has it. */
export type StoredReport = z.infer<typeof reportSchema>;
/** Body of the view `report.report_snapshot`. */
const snapshotSchema = z.object({
  groups: z.array(z.object({ id: z.string(), title: z.string(), code: z.string().nullable() })),
  reports: z.array(reportSchema),
});

type Known = Pick<Application, 'model' | 'resourceRoles'>;

/**
 * Creates the reader of the reports of the database. A report that cannot be run, since the model has changed after it
 * was saved, stays visible, with its problems.
 */
export const storedReportReader =
  (application: Known) =>
  ({ body }: { readonly body: unknown }): StoredReports => {
    const { groups, reports } = snapshotSchema.parse(body);
    const reportGroups = groups.map(({ id, title, code }) => ({ id, title, ...(code !== null && { code }) }));
    const known = { ...application, reportGroups };
    return { groups: reportGroups, reports: reports.map((report) => loadStored(report, known)) };
  };

/** A report of the database with its problems. */
export function loadStored(stored: StoredReport, known: Known & Pick<Application, 'reportGroups'>): LoadedReport {
  const { id, name, code, group, restAccess } = stored;
  const problems: string[] = [];
  const templates = stored.templates.map(toTemplate);
  let definition: ReportDefinition = { id, name, restAccess, bands: [], templates };
  if (code !== null) definition = { ...definition, code };
  if (group !== null) definition = { ...definition, group };
  try {
    definition = { ...definition, ...readStoredDefinition(stored.definition) };
    // Roles may be in the database as well, so they are not checked; a role that was deleted admits no caller.
    const { roles: _roles, ...checked } = definition;
    problems.push(...problemsOf(checked, known));
  } catch (error) {
    problems.push((error as Error).message);
  }
  const contents = new Map(stored.templates.map(({ code: template, content }) => [template, content]));
  return {
    ...{ definition, isStored: true, problems, compile: compilerOf(definition, contents) },
    streamFile: ({ code: template }, streamStored) => streamStored(contents.get(template) ?? ''),
  };
}

const toTemplate = (stored: StoredReport['templates'][number]): ReportTemplate => ({
  code: stored.code,
  outputType: OUTPUT_TYPES[stored.outputType] ?? 'CUSTOM',
  default: stored.isDefault,
  file: stored.name,
  ...(stored.outputNamePattern !== null && { outputName: stored.outputNamePattern }),
});

/** Files do not change, so a template is compiled once per version of the report, while the memory for templates suffices. */
function compilerOf(definition: ReportDefinition, contents: ReadonlyMap<string, string>): LoadedReport['compile'] {
  const kept = new Map<string, KeptTemplate>();
  return async (template, context) => {
    for (;;) {
      const known = kept.get(template.code);
      const { share, compiled } = known ?? keep(kept, template, definition, contents.get(template.code) ?? '', context);
      const release = share.use();
      try {
        return { template: await compiled, release };
      } catch (error) {
        release();
        // It was compiled for another run, which may have ended early: this run compiles it itself.
        if (known === undefined) throw error;
        context.signal.throwIfAborted();
      }
    }
  };
}

interface KeptTemplate {
  readonly share: TemplateShare;
  readonly compiled: Promise<CompiledTemplate>;
}

/** Begins to compile a template, and keeps it if that succeeds. */
function keep(
  kept: Map<string, KeptTemplate>,
  template: ReportTemplate,
  definition: ReportDefinition,
  content: string,
  { readFile, limits, memory, signal }: CompileContext,
): KeptTemplate {
  const share = openShare(memory, kept, template.code);
  const compiled = compileTemplate(template, () => readFile(content), definition, {
    ...limits,
    reserve: (bytes) => share.reserve(bytes, signal),
  });
  kept.set(template.code, { share, compiled });
  compiled.catch(() => {
    kept.delete(template.code);
    share.forget();
  });
  return { share, compiled };
}

/** The memory does not keep a report alive whose next version was loaded: its templates end with it. */
function openShare(memory: TemplateMemory, kept: Map<string, KeptTemplate>, code: string): TemplateShare {
  const owner = new WeakRef(kept);
  return memory.open(() => owner.deref()?.delete(code));
}
