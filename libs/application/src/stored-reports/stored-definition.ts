import { suggestion } from '@lintel/errors';
import { z } from 'zod';
import { DEFAULT_EXPRESSION } from '../reports/default-expression.ts';
import type { ReportBand, ReportDefinition } from '../reports/report.ts';
import type { ReportDataSet } from '../reports/report-data-set.ts';

/** The content of the attribute `definition` of `report_Report`: a report without the members of other attributes. */
export type StoredDefinition = Pick<ReportDefinition, 'parameters' | 'bands' | 'rootDataSets' | 'formats' | 'roles'>;

/** A definition that cannot be read. The message names the path of the wrong value. */
export class StoredDefinitionError extends Error {
  /** The rule that it breaks: `lintel.validation.<rule>.message` is its text in all languages, with `parameters`. */
  readonly rule: string;
  readonly parameters: Readonly<Record<string, string>>;

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoredDefinitionError';
    this.rule = rule;
    this.parameters = { details: message };
  }
}

const NAME = z.string().min(1);
const named = { name: NAME, link: NAME.optional() };
/** Named or inline. */
const plan = z.union([NAME, z.record(z.string(), z.unknown())]);

const members = z.record(z.string(), z.unknown()).optional();
const question = z.strictObject({
  ...{ groupBy: z.array(z.unknown()).optional(), aggregates: members, filter: members, having: members },
  ...{ sort: NAME.optional(), limit: z.int().min(1).optional() },
});

/** Those of code but for functions. */
const dataSet = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('entities'),
    ...named,
    entity: NAME,
    fetchPlan: plan,
    sort: NAME.optional(),
    below: z.strictObject({ attribute: NAME, field: NAME }).optional(),
  }),
  z.strictObject({ kind: z.literal('query'), ...named, query: NAME, fetchPlan: plan.optional() }),
  z.strictObject({ kind: z.literal('sql'), ...named, sql: NAME }),
  z.strictObject({ kind: z.literal('aggregates'), ...named, entity: NAME, question }),
  z.strictObject({ kind: z.literal('entity'), ...named, parameter: NAME.optional(), fetchPlan: plan }),
  z.strictObject({ kind: z.literal('entityList'), ...named, parameter: NAME.optional(), fetchPlan: plan }),
  z.strictObject({ kind: z.literal('collection'), ...named, field: NAME }),
  z.strictObject({
    kind: z.literal('json'),
    ...named,
    source: z.union([z.strictObject({ parameter: NAME }), z.strictObject({ url: NAME })]),
    path: NAME,
  }),
]);

const band: z.ZodType<ReportBand> = z.lazy(() =>
  z.strictObject({
    name: NAME,
    orientation: z.enum(['horizontal', 'vertical', 'cross']).optional(),
    position: z.int().optional(),
    streaming: z.boolean().optional(),
    dataSets: z.array(dataSet).optional(),
    bands: z.array(band).optional(),
  }),
) as z.ZodType<ReportBand>;

const parameter = z.strictObject({
  alias: NAME,
  name: NAME,
  type: z.enum([
    ...(['DATE', 'TEXT', 'ENTITY', 'BOOLEAN', 'NUMERIC', 'ENTITY_LIST', 'ENUMERATION', 'DATETIME', 'TIME'] as const),
  ]),
  required: z.boolean().optional(),
  hidden: z.boolean().optional(),
  entity: NAME.optional(),
  enumeration: NAME.optional(),
  defaultValue: z.string().optional(),
  defaultDateIsCurrent: z.boolean().optional(),
  defaultExpression: z
    .string()
    .regex(DEFAULT_EXPRESSION, { error: ({ input }) => `there is no default expression ${input}` })
    .optional(),
  lookupFilter: z.record(z.string(), z.unknown()).optional(),
  transformation: z.enum(['STARTS_WITH', 'CONTAINS', 'ENDS_WITH']).optional(),
});

/** Bands are compared with one another; far more than any template shows. */
const MAX_BANDS = 200;

const countOf = (bands: readonly ReportBand[]): number =>
  bands.reduce((count, { bands: below = [] }) => count + 1 + countOf(below), 0);

/**
 * Members of parameters and data sets in code that no report has, one sentence each: the compiler does not see those of
 * objects that the code computes.
 */
export function unknownReportMembers({
  parameters = [],
  bands,
  rootDataSets = [],
}: StoredDefinition): readonly string[] {
  const unknown = (where: string, object: object, known: readonly string[]): readonly string[] =>
    Object.keys(object)
      .filter((name) => !known.includes(name))
      .map((name) => `${where}: there is no ${name}${suggestion(name, known, { maxChanges: 3 })}`);
  const ofParameter = [...Object.keys(parameter.shape), 'defaultFrom', 'validation'];
  return [
    ...parameters.flatMap((each) => unknown(`parameter ${each.alias}`, each, ofParameter)),
    ...[...rootDataSets, ...bands.flatMap(dataSetsOf)].flatMap((set) => {
      const shape = dataSet.options.find((option) => option.shape.kind.value === set.kind)?.shape;
      const ofKind = shape === undefined ? ['kind', ...Object.keys(named), 'rows'] : Object.keys(shape);
      return unknown(`data set ${set.name}`, set, set.kind === 'entities' ? [...ofKind, 'filter'] : ofKind);
    }),
  ];
}

const definition = z.strictObject({
  parameters: z.array(parameter).optional(),
  bands: z.array(band).refine((bands) => countOf(bands) <= MAX_BANDS, `more than ${MAX_BANDS} bands`),
  rootDataSets: z.array(dataSet).optional(),
  formats: z.record(z.string(), z.string()).optional(),
  roles: z.array(NAME).optional(),
});

/**
 * Reads the attribute `definition` of `report_Report`. Scripts and functions do not exist in it.
 *
 * @throws StoredDefinitionError naming the first mistake
 */
export function readStoredDefinition(text: string): StoredDefinition {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StoredDefinitionError('ReportDefinitionJson', 'The definition is not JSON', { cause });
  }
  if (depthOf(value) > DEEPEST)
    throw new StoredDefinitionError('ReportDefinitionDepth', 'The definition is nested too deeply');
  const { success, data, error } = definition.safeParse(value);
  if (success) return data as StoredDefinition;
  const [issue] = error.issues;
  const path = z.core.toDotPath(issue?.path ?? []);
  throw new StoredDefinitionError(
    'ReportDefinition',
    `${path === '' ? 'The definition' : path}: ${issue?.message ?? ''}`,
  );
}

/** Bands in bands; far more than any template shows. */
const DEEPEST = 100;

/** How many objects and arrays are inside one another; not by recursion, which deep ones would break. */
function depthOf(value: unknown): number {
  let level = [value];
  for (let depth = 0; ; depth += 1) {
    const inner = level.filter((each) => typeof each === 'object' && each !== null);
    if (inner.length === 0 || depth > DEEPEST) return depth;
    level = inner.flatMap((each) => Object.values(each as object));
  }
}

type DataSets = Pick<StoredDefinition, 'bands' | 'rootDataSets'>;

/** All data sets of a definition. */
export const dataSetsIn = ({ bands, rootDataSets = [] }: DataSets): readonly ReportDataSet[] => [
  ...rootDataSets,
  ...bands.flatMap(dataSetsOf),
];

/** The SQL of all data sets of a definition. */
export const sqlTextsOf = (definition: DataSets): ReadonlySet<string> =>
  new Set(dataSetsIn(definition).flatMap((set) => (set.kind === 'sql' ? [set.sql] : [])));

const dataSetsOf = ({ dataSets = [], bands = [] }: ReportBand): readonly ReportDataSet[] => [
  ...dataSets,
  ...bands.flatMap(dataSetsOf),
];

/** Whether SQL is in a definition: only who has the permission `reports.sql.edit` may save it. */
export const hasSql = (definition: StoredDefinition): boolean => sqlTextsOf(definition).size > 0;
