import type { DatasetColumn, Principal, QueryDatasetRequest } from '@lintel/contracts';
import { fingerprint, type Model } from '@lintel/metadata';
import {
  assertReadable,
  compileEach,
  describeSelect,
  type ExactJson,
  isExactObject,
  type ParameterSource,
  parseSelect,
  parseSelectRead,
  type QueryParameter,
  QuerySyntaxError,
  type SelectDescription,
  type SelectedValue,
  type SelectQuery,
  writeDataSetText,
} from '@lintel/query';
import {
  bindRead,
  maskedAccess,
  prepareRead,
  type ReadDependencies,
  readBatches,
  shapeRows,
  streamRows,
} from '@lintel/reading';
import { columnsLine, createParentNumbers, type DatasetLines } from './dataset-lines.ts';
import { type Placeholder, readDatasetText, refuse } from './dataset-values.ts';

/**
 * The rows of a query in the entity query language, with the rights of the caller and without a limit. If values
 * differ between parents, one statement returns the rows of all parents.
 *
 * @throws PlatformError for a text that does not match the model; 403
 */
export async function* readQueryDataset(
  request: QueryDatasetRequest,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): AsyncGenerator<DatasetLines> {
  const model = deps.currentModel();
  const caller = maskedAccess(deps.loadAccess(principal));
  const access = request.locale === undefined ? caller : { ...caller, locale: request.locale };
  const { query, entity, values, used } = understand(request, model);
  assertReadable(entity, access.read);
  const parameters = used.map(parameterOf);
  const key = fingerprint(['data set', query.text, parameters]);
  const parsed = parseSelectRead(
    {
      entity: entity.name,
      key,
      query: query.select,
      parameters,
      fetchPlan: undefined,
      limit: undefined,
      offset: undefined,
    },
    used.map(({ value }) => value),
    {
      returnNulls: true,
      ...(values !== undefined || request.fetchPlan === undefined
        ? {}
        : { fetchPlan: planOf(entity.name, request.fetchPlan as ExactJson) }),
    },
    // The plan of a report is not sent by a client: the setting for inline plans of clients does not apply.
    { inlineFetchPlansEnabled: true },
    deps.limitsOf(principal),
  );
  const line = prepareRead(parsed, model, access, deps, { isUnlimited: true });
  if (values !== undefined) yield { lines: [columnsLine(values.map(columnOf))], rows: 0 };
  const varying = new Set(used.flatMap(({ isVarying }, index) => (isVarying ? [index] : [])));
  if (varying.size === 0) {
    for await (const lines of readBatches(line, undefined, deps, signal)) yield { lines, rows: lines.length };
    return;
  }
  const isVarying = (source: ParameterSource) => source.kind === 'argument' && varying.has(source.index);
  const statement = bindRead(line, compileEach(line.compiled.streamed(), isVarying));
  const withParentNumbers = createParentNumbers();
  for await (const rows of streamRows(statement, undefined, { isKnown: false }, deps.database, signal))
    yield withParentNumbers(await shapeRows(line, rows, (json, row) => ({ at: Number(row.at), json })));
}

interface Understood extends SelectDescription {
  readonly query: { readonly text: string; readonly select: SelectQuery };
  /** In the order of their positions in the text. */
  readonly used: readonly Placeholder[];
}

/** Parses the text with its values and binds it to the model. */
function understand(request: QueryDatasetRequest, model: Model): Understood {
  const { text, placeholders } = readDatasetText(request.query, request, model);
  const used: Placeholder[] = [];
  const written = writeDataSetText(text, {
    isMissing: (name) => isMissing(placeholders.get(name)),
    isList: (name) => placeholders.get(name)?.isList === true,
    isFolded: (name) => placeholders.get(name)?.isFolded === true,
    write: (name) => `:p${used.push(placeholders.get(name) as Placeholder) - 1}`,
  });
  try {
    const select = parseSelect(written);
    return { query: { text: written, select }, used, ...describeSelect(model, select, used.map(parameterOf)) };
  } catch (cause) {
    if (cause instanceof QuerySyntaxError) throw refuse(cause.message, cause);
    throw cause;
  }
}

/** An inline plan may omit the entity that the query selects. */
const planOf = (entity: string, plan: ExactJson): ExactJson => (isExactObject(plan) ? { entity, ...plan } : plan);

/** Fields of bands are never missing: they are null (contract/report-data.md#data). */
export const isMissing = (placeholder: Placeholder | undefined): boolean =>
  placeholder !== undefined &&
  !placeholder.isVarying &&
  (placeholder.value === null || (placeholder.isList && (placeholder.value as readonly unknown[]).length === 0));

const parameterOf = ({ type, isList }: Placeholder, index: number): QueryParameter => ({
  name: `p${index}`,
  type: type ?? { kind: 'datatype', datatype: 'string' },
  isList,
  isOpen: type === undefined,
});

export const columnOf = ({ name, type }: SelectedValue): DatasetColumn =>
  type.kind === 'enum' ? { name, type: 'string', enumName: type.enumeration.name } : { name, type: type.datatype };
