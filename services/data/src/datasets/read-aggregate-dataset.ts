import type { AggregateDatasetRequest, Principal } from '@lintel/contracts';
import {
  assertReadable,
  describeAggregates,
  type ExactObject,
  pageOf,
  parseAggregates,
  resolveEntity,
  resolveRead,
} from '@lintel/query';
import { maskedAccess, prepareRead, type ReadDependencies, readBatches } from '@lintel/reading';
import { columnsLine, type DatasetLines } from './dataset-lines.ts';
import { columnOf } from './read-query-dataset.ts';

/**
 * Groups and aggregates of an entity, with the rights of the caller and without another limit than the question's.
 *
 * @throws PlatformError like a request for aggregates, when the first batch is read
 */
export async function* readAggregateDataset(
  { aggregates: name, question, locale }: AggregateDatasetRequest,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): AsyncGenerator<DatasetLines> {
  const model = deps.currentModel();
  const entity = resolveEntity(model, name);
  const caller = maskedAccess(deps.loadAccess(principal));
  const access = locale === undefined ? caller : { ...caller, locale };
  assertReadable(entity, access.read);
  const parsed = parseAggregates(
    { entityName: entity.name, members: question as ExactObject },
    { inlineFetchPlansEnabled: true },
    deps.limitsOf(principal),
  );
  const { selection } = resolveRead(parsed, model);
  if (selection === undefined) throw new Error('Aggregates are a selection');
  const page = parsed.limit === undefined ? undefined : pageOf(parsed, parsed.limit);
  const read = prepareRead(parsed, model, access, deps, { isUnlimited: page === undefined });
  yield { lines: [columnsLine(describeAggregates(selection).map(columnOf))], rows: 0 };
  for await (const lines of readBatches(read, page, deps, signal)) yield { lines, rows: lines.length };
}
