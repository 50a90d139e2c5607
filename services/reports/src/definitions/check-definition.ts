import {
  type Application,
  type ReportBand,
  type ReportDefinition,
  type ReportParameter,
  unknownReportMembers,
} from '@lintel/application';
import { ROOT_BAND, setsOfCrossBand, withDescendants } from '@lintel/documents';
import { suggestion } from '@lintel/errors';
import { expressionProblem } from '../parameters/default-expression.ts';
import { lookupProblem } from '../parameters/lookup-filter.ts';
import { parseScalarParameter } from '../parameters/parse-scalar.ts';
import { type DescribedQueries, dataSetProblems } from './check-data-sets.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BAND_NAME = /^[A-Za-z0-9_]+$/;

type Known = Pick<Application, 'model' | 'resourceRoles' | 'reportGroups'>;

/** Returns the problems of a definition (contract/reports.md#code); templates are checked when they are compiled. */
export function problemsOf(
  report: ReportDefinition,
  application: Known,
  queries?: DescribedQueries,
): readonly string[] {
  const problems: string[] = [];
  if (report.code?.trim() === '') problems.push('the code is empty');
  if (!UUID.test(report.id)) problems.push(`the id ${report.id} is no UUID in lower case`);
  if (report.group !== undefined && !application.reportGroups?.some(({ id }) => id === report.group))
    problems.push(`there is no report group ${report.group}`);
  for (const role of report.roles ?? [])
    if (!application.resourceRoles.has(role))
      problems.push(`there is no role ${role}${suggestion(role, application.resourceRoles.keys())}`);
  problems.push(...unknownReportMembers(report));
  problems.push(...parameterProblems(report.parameters ?? [], application));
  problems.push(...bandProblems(report, application, queries));
  problems.push(...templateProblems(report));
  return problems.map((problem) => `${nameInProblems(report)}: ${problem}`);
}

/** The code, or the id of a report without one. */
export const nameInProblems = ({ code, id }: Pick<ReportDefinition, 'code' | 'id'>): string => code ?? id;

function parameterProblems(parameters: readonly ReportParameter[], application: Known): readonly string[] {
  const problems = duplicatesOf(parameters.map(({ alias }) => alias)).map(
    (alias) => `two parameters are named ${alias}`,
  );
  for (const parameter of parameters) {
    const { alias, type, entity, enumeration, defaultValue } = parameter;
    if (alias.trim() === '') problems.push('a parameter has no alias');
    const isEntity = type === 'ENTITY' || type === 'ENTITY_LIST';
    if (isEntity && application.model.entities.get(entity ?? '')?.key === undefined)
      problems.push(
        `parameter ${alias}: there is no entity ${entity ?? '(none named)'} that can be loaded${suggestion(entity ?? '', application.model.entities.keys())}`,
      );
    if (type === 'ENUMERATION' && !application.model.enums.has(enumeration ?? ''))
      problems.push(
        `parameter ${alias}: there is no enum ${enumeration ?? '(none named)'}${suggestion(enumeration ?? '', application.model.enums.keys())}`,
      );
    else if (defaultValue !== undefined && !isEntity) {
      try {
        parseScalarParameter(parameter, defaultValue, application.model);
      } catch (error) {
        problems.push(`parameter ${alias}: the default value is not valid (${(error as Error).message})`);
      }
    }
    const problem = expressionProblem(parameter) ?? lookupProblem(parameter, application.model);
    if (problem !== undefined) problems.push(`parameter ${alias}: ${problem}`);
    if (typeof parameter.transformation === 'string' && type !== 'TEXT')
      problems.push(`parameter ${alias}: only TEXT can be ${parameter.transformation}`);
    if (parameter.defaultDateIsCurrent === true && !['DATE', 'TIME', 'DATETIME'].includes(type))
      problems.push(`parameter ${alias}: only DATE, TIME and DATETIME can be the current date`);
  }
  return problems;
}

function bandProblems(
  report: ReportDefinition,
  application: Known,
  queries: DescribedQueries | undefined,
): readonly string[] {
  const all = report.bands.flatMap(withDescendants);
  const problems = duplicatesOf([ROOT_BAND, ...all.map(({ name }) => name)]).map(
    (name) => `two bands are named ${name}`,
  );
  for (const band of all) {
    const { name, orientation, dataSets = [] } = band;
    if (!BAND_NAME.test(name)) problems.push(`band ${name}: a name has letters, digits and underscores only`);
    if (orientation === 'cross') problems.push(...crossProblems(band));
    for (const set of duplicatesOf(dataSets.map((set) => set.name)))
      problems.push(`band ${name}: two data sets are named ${set}`);
  }
  return [...problems, ...dataSetProblems(report, application.model, queries)];
}

function crossProblems(band: ReportBand): readonly string[] {
  const problems: string[] = [];
  const { columns, rows, cells } = setsOfCrossBand(band);
  if (columns.length !== 1 || rows.length !== 1 || cells.length === 0)
    problems.push(
      `band ${band.name}: a cross band has one data set named …dynamic_header, one named …master_data, and others for its cells`,
    );
  if ((band.bands ?? []).length > 0) problems.push(`band ${band.name}: a cross band has no child bands`);
  return problems;
}

function templateProblems(report: ReportDefinition): readonly string[] {
  const problems = duplicatesOf(report.templates.map(({ code }) => code)).map(
    (code) => `two templates have the code ${code}`,
  );
  if (report.templates.length === 0) problems.push('it has no template');
  if (report.templates.filter((template) => template.default === true).length > 1)
    problems.push('it has several default templates');
  return problems;
}

const duplicatesOf = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
