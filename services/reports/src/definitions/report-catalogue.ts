import type { Application, ReportDefinition, ReportGroup, ReportTemplate } from '@lintel/application';
import { ConfigurationError } from '@lintel/config';
import { type CompiledTemplate, compileTemplate, isView, type TemplateLimits } from '@lintel/documents';
import { StartError } from '@lintel/errors';
import type { TemplateMemory } from '../limits/template-memory.ts';
import { nameInProblems, problemsOf } from './check-definition.ts';
import type { StoredReports } from './stored-reports.ts';

/** A checked definition, with its templates. */
export interface LoadedReport {
  readonly definition: ReportDefinition;
  /** Whether it is in the database, and not in code. */
  readonly isStored: boolean;
  /** Why it cannot be run; empty for a report in code. */
  readonly problems: readonly string[];
  /**
   * Returns a template that makes a document, ready for rendering. The caller ends its use.
   *
   * @throws Error with the problem of the template; the error of `readFile`; as `TemplateShare.reserve`
   */
  readonly compile: (template: ReportTemplate, context: CompileContext) => Promise<UsedTemplate>;
  /** Streams the file of a template, as it was uploaded or as the application has it. */
  readonly streamFile: (
    template: ReportTemplate,
    streamStored: (fileRef: string) => AsyncIterable<Uint8Array>,
  ) => AsyncIterable<Uint8Array>;
}

/** The run that a template is compiled for. */
export interface CompileContext {
  /** Returns the bytes of a file by its reference. */
  readonly readFile: (fileRef: string) => Promise<Uint8Array>;
  readonly limits: Pick<TemplateLimits, 'maxTags'>;
  readonly memory: TemplateMemory;
  readonly signal: AbortSignal;
}

/** A template that a run uses. */
export interface UsedTemplate {
  readonly template: CompiledTemplate;
  /** Ends the use; further calls have no effect. */
  readonly release: () => void;
}

/** All reports, regardless of the caller. */
export interface ReportCatalogue {
  readonly reports: readonly LoadedReport[];
  readonly groups: readonly ReportGroup[];
  findById(id: string): LoadedReport | undefined;
  findByCode(code: string): LoadedReport | undefined;
  findGroup(id: string): ReportGroup | undefined;
}

/** The group that always exists (contract/reports.md#report-info). */
const GENERAL_GROUP: ReportGroup = {
  id: '4e083530-0b9c-11e1-9b41-6bdaa41bff94',
  title: 'General',
  code: 'ReportGroup.default',
};

type Known = Pick<Application, 'model' | 'resourceRoles' | 'reports' | 'reportGroups'>;

/**
 * Checks all definitions and compiles their templates.
 *
 * @param readTemplate returns the bytes of a resource of the application
 * @throws ReportDefinitionError with all problems
 */
export async function loadReportCatalogue(
  application: Known,
  readTemplate: (file: string) => Promise<Uint8Array>,
  limits: TemplateLimits,
): Promise<ReportCatalogue> {
  const groups = [GENERAL_GROUP, ...(application.reportGroups ?? [])];
  const known = { ...application, reportGroups: groups };
  const definitions = application.reports ?? [];
  const problems = [
    ...repeated(definitions.flatMap(({ code }) => code ?? [])).map((code) => `two reports have the code ${code}`),
    ...repeated(definitions.map(({ id }) => id)).map((id) => `two reports have the id ${id}`),
    ...repeated(groups.map(({ id }) => id)).map((id) => `two report groups have the id ${id}`),
    ...definitions.flatMap((definition) => problemsOf(definition, known)),
  ];
  const reports = await Promise.all(
    definitions.map(async (definition): Promise<LoadedReport> => {
      const templates = await compileTemplates(definition, readTemplate, limits, problems);
      // Every template was compiled, or the service does not start.
      const compile: LoadedReport['compile'] = async ({ code }) => ({
        template: templates.get(code) as CompiledTemplate,
        release: () => undefined,
      });
      const streamFile: LoadedReport['streamFile'] = async function* ({ file }) {
        yield await readTemplate(file);
      };
      return { definition, isStored: false, problems: [], compile, streamFile };
    }),
  );
  if (problems.length > 0) throw new ReportDefinitionError(problems);
  return catalogueOf(reports, groups);
}

/**
 * Combines the reports of the application and of the database; those of the application have precedence by code and id.
 */
export function combineCatalogue(ofApplication: ReportCatalogue, stored: StoredReports): ReportCatalogue {
  const isTaken = ({ id, code }: ReportDefinition): boolean =>
    ofApplication.findById(id) !== undefined || (code !== undefined && ofApplication.findByCode(code) !== undefined);
  return catalogueOf(
    [...ofApplication.reports, ...stored.reports.filter(({ definition }) => !isTaken(definition))],
    [...stored.groups, ...ofApplication.groups],
  );
}

function catalogueOf(reports: readonly LoadedReport[], groups: readonly ReportGroup[]): ReportCatalogue {
  const byId = new Map(reports.map((report) => [report.definition.id, report]));
  const byCode = new Map(
    reports.flatMap((report) => (report.definition.code === undefined ? [] : [[report.definition.code, report]])),
  );
  const groupById = new Map(groups.map((group) => [group.id, group]));
  return {
    reports,
    groups,
    findById: (id) => byId.get(id),
    findByCode: (code) => byCode.get(code),
    findGroup: (id) => groupById.get(id),
  };
}

async function compileTemplates(
  definition: ReportDefinition,
  readTemplate: (file: string) => Promise<Uint8Array>,
  limits: TemplateLimits,
  problems: string[],
): Promise<ReadonlyMap<string, CompiledTemplate>> {
  const compiled = new Map<string, CompiledTemplate>();
  for (const template of definition.templates) {
    if (isView(template.outputType)) continue;
    try {
      compiled.set(
        template.code,
        await compileTemplate(template, () => readTemplate(template.file), definition, limits),
      );
    } catch (error) {
      problems.push(`${nameInProblems(definition)}: template ${template.code}: ${reasonOf(error)}`);
    }
  }
  return compiled;
}

const reasonOf = (error: unknown): string =>
  error instanceof ConfigurationError ? error.problems.join('; ') : (error as Error).message;

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];

/** Invalid report definitions. Stops the start. */
class ReportDefinitionError extends StartError {
  constructor(problems: readonly string[]) {
    super(`The reports of the application are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ReportDefinitionError';
  }
}
