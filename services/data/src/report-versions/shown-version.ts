import type { Enumeration } from '@lintel/metadata';
import type { ReadAccess } from '@lintel/query';
import type { ReportContent, TemplateContent } from './report-version.ts';

export const REPORT = 'report_Report';
export const TEMPLATE = 'report_ReportTemplate';
const GROUP = 'report_ReportGroup';

/** Attributes of a report that versions have, in the order of responses. */
export const REPORT_ATTRIBUTES = [
  'name',
  'code',
  'localeNames',
  'description',
  'group',
  'restAccess',
  'definition',
] as const satisfies readonly (keyof ReportContent)[];

/** Attributes of a template that versions have. */
export const TEMPLATE_ATTRIBUTES = [
  'code',
  'reportOutputType',
  'isDefault',
  'name',
  'content',
  'outputNamePattern',
] as const satisfies readonly (keyof TemplateContent)[];

/** Values by attribute, without those that the caller may not view. */
export type ShownValues = Readonly<Record<string, unknown>>;

/** The content of a version as the caller may see it. */
export interface ShownContent {
  readonly attributes: ShownValues;
  /** Absent if the caller does not see all templates of reports. */
  readonly templates?: readonly ShownValues[];
}

/** Whether the caller sees all instances of an entity: old states cannot be compared with row-level policies. */
const seesAll = (access: ReadAccess, entity: string): boolean => {
  const { canRead, rows, predicates } = access.entity(entity);
  return canRead && rows === undefined && predicates.length === 0;
};

/** Whether the caller sees the templates of versions. */
export const seesTemplates = (access: ReadAccess): boolean => seesAll(access, TEMPLATE);

/** Removes what the caller may not view (contract/reports.md#versions). */
export function shownContent(content: ReportContent, access: ReadAccess, outputTypes: Enumeration): ShownContent {
  const attributes = viewed(content, REPORT_ATTRIBUTES, access, REPORT);
  const { group: _group, ...withoutGroup } = attributes;
  const shown = { attributes: seesAll(access, GROUP) ? attributes : withoutGroup };
  if (!seesTemplates(access)) return shown;
  const templates = content.templates.map((template) => {
    const reportOutputType = outputTypeOf(template, outputTypes);
    return viewed({ ...template, reportOutputType }, TEMPLATE_ATTRIBUTES, access, TEMPLATE);
  });
  return { ...shown, templates };
}

/** The output type of a template as the API has it. */
export const outputTypeOf = ({ reportOutputType }: TemplateContent, outputTypes: Enumeration): string | number =>
  outputTypes.values.find(({ id }) => id === reportOutputType)?.name ?? reportOutputType;

const viewed = (
  values: ShownValues | ReportContent,
  attributes: readonly string[],
  access: ReadAccess,
  entity: string,
): ShownValues =>
  Object.fromEntries(
    attributes
      .filter((attribute) => access.entity(entity).mayView(attribute))
      .map((attribute) => [attribute, (values as ShownValues)[attribute]]),
  );
