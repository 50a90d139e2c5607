import type { ReportCaller, ReportDefinition, ReportGroup, ReportParameter } from '@lintel/application';
import type { Display } from '@lintel/metadata';
import { defaultText } from '../parameters/resolve-parameters.ts';

/** The caller and the texts in the locale of the request. */
export interface InfoContext {
  readonly caller: ReportCaller;
  readonly message: Display['message'];
}

/** Describes a report of the database in lists. */
export const reportSummary = (report: ReportDefinition, context: Pick<InfoContext, 'message'>) => ({
  id: report.id,
  name: caption(report.name, context),
  ...optional('code', report.code),
  ...optional('group', report.group),
});

/**
 * Describes a report for the API (contract/reports.md#report-info). Members without a value are absent. Lists contain
 * this form for reports that are defined in code.
 */
export const reportInfo = async (report: ReportDefinition, context: InfoContext) => ({
  ...reportSummary(report, context),
  templates: report.templates.map((template) => ({
    code: template.code,
    outputType: template.outputType,
    default: template.default ?? false,
  })),
  inputParameters: await Promise.all((report.parameters ?? []).map((parameter) => parameterInfo(parameter, context))),
});

const parameterInfo = async (parameter: ReportParameter, context: InfoContext) => ({
  ...optional('name', caption(parameter.name, context)),
  alias: parameter.alias,
  type: parameter.type,
  required: parameter.required ?? false,
  hidden: parameter.hidden ?? false,
  ...optional('entityMetaClass', parameter.entity),
  ...optional('enumerationClass', parameter.enumeration),
  ...optional('defaultExpression', parameter.defaultExpression),
  ...optional('lookupFilter', parameter.lookupFilter),
  ...optional('defaultValue', (await defaultText(parameter, context.caller)) ?? undefined),
});

/** Describes a group for the API. */
export const groupInfo = (group: ReportGroup, context: InfoContext) => ({
  id: group.id,
  title: caption(group.title, context),
  ...optional('code', group.code),
});

/** Resolves `msg://group/key`, a text of the application (contract/reports.md#code); any other text is the caption. */
export function caption(text: string, { message }: Pick<InfoContext, 'message'>): string {
  const key = /^msg:\/\/(.+)$/.exec(text)?.[1];
  return key === undefined ? text : message(key.replace(/^\//, ''));
}

const optional = <N extends string, V>(name: N, value: V | undefined): Partial<Record<N, V>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<N, V>>;
