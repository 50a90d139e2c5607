import type { ReportDefinition, ReportGroup, ReportParameter } from '@lintel/application';

/**
 * A report as the API describes it (contract-reports-files-metadata.md §1.2). Members without a value are
 * absent. Reports defined in code have all of it in lists too.
 */
export const reportInfo = (report: ReportDefinition) => ({
  id: report.id,
  name: report.name,
  ...optional('code', report.code),
  ...optional('group', report.group),
  templates: report.templates.map((template) => ({
    code: template.code,
    outputType: template.outputType,
    default: template.default ?? false,
  })),
  inputParameters: (report.parameters ?? []).map(parameterInfo),
});

const parameterInfo = (parameter: ReportParameter) => ({
  ...optional('name', parameter.name),
  alias: parameter.alias,
  type: parameter.type,
  required: parameter.required ?? false,
  hidden: parameter.hidden ?? false,
  ...optional('entityMetaClass', parameter.entity),
  ...optional('enumerationClass', parameter.enumeration),
  ...optional('defaultValue', parameter.defaultValue),
});

/** A group as the API describes it. */
export const groupInfo = (group: ReportGroup) => ({
  id: group.id,
  title: group.title,
  ...optional('code', group.code),
});

const optional = <N extends string>(name: N, value: string | undefined): Partial<Record<N, string>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<N, string>>;
