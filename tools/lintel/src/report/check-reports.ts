import { readFile } from 'node:fs/promises';
import type { Application } from '@lintel/application';
import { readResourceBytes } from '@lintel/config';
import { type CheckContext, checkReport, checkStored, type ReportProblem, templateOf } from '@lintel/reports';
import { type ApplicationOptions, openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { messageOf } from '../message-of.ts';
import type { ExitCode } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';

/** Tags of templates on this machine are not limited. */
const LIMITS = { maxTags: Number.POSITIVE_INFINITY };

interface NamedProblem extends ReportProblem {
  /** Code or id of a report of the application. */
  readonly report?: string;
}

/** Checks a definition and its templates, or all reports of the application. */
export async function checkReports(
  definition: string | undefined,
  templates: readonly string[],
  { application: specifier, json }: ApplicationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { application } = await openApplication({ ...(specifier !== undefined && { application: specifier }) });
  const problems =
    definition === undefined
      ? await problemsInCode(application)
      : await checkStored(
          {
            definition: (await read(definition)).toString(),
            templates: templates.map((file) => templateOf(file, file)),
          },
          application,
          contextOf(application, ({ file }) => read(file)),
        );
  if (json === true) terminal.print(JSON.stringify({ problems }));
  else if (problems.length === 0) terminal.print('There are no problems.');
  else for (const problem of problems) terminal.print(lineOf(problem));
  return problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

async function problemsInCode(application: Application): Promise<readonly NamedProblem[]> {
  const context = contextOf(application, ({ file }) => readResourceBytes(application, file));
  const found: NamedProblem[] = [];
  for (const report of application.reports ?? [])
    for (const problem of await checkReport(report, context))
      found.push({ report: report.code ?? report.id, ...problem });
  return found;
}

const contextOf = ({ model, messages }: Application, readFileOf: CheckContext['readFile']): CheckContext => ({
  model,
  messages,
  locales: [...new Set(['en', ...messages.layers.flat().map(({ locale }) => locale)])].filter(
    (locale) => locale !== '',
  ),
  readFile: readFileOf,
  limits: LIMITS,
});

const lineOf = ({ report, template, location, severity, message }: NamedProblem): string =>
  [report, template, location, severity]
    .filter((part) => part !== undefined)
    .join(': ')
    .concat(`: ${message}`);

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${messageOf(error)})`, 'Check the path');
  }
}
