import type { EntityDatasetRequest, Principal } from '@lintel/contracts';
import { assertReadable, type ExactJson, parseRead, resolveEntity } from '@lintel/query';
import { maskedAccess, prepareRead, type ReadDependencies, readBatches } from '@lintel/reading';
import type { DatasetLines } from './dataset-lines.ts';

/**
 * The rows of an entity, read like a search of the API with the rights of the caller, but without a limit.
 *
 * @returns batches of rows, each the JSON text of one instance
 * @throws PlatformError like a search, when the first batch is read
 */
export async function* readDataset(
  { entity: name, filter, fetchPlan, sort, locale }: EntityDatasetRequest,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): AsyncGenerator<DatasetLines> {
  const model = deps.currentModel();
  const entity = resolveEntity(model, name);
  const caller = maskedAccess(deps.loadAccess(principal));
  const access = locale === undefined ? caller : { ...caller, locale };
  assertReadable(entity, access.read);
  const parsed = parseRead(
    {
      operation: 'list',
      entityName: entity.name,
      members: {
        // Null fields are included: data sets may be linked by them.
        returnNulls: true,
        ...(filter === undefined ? {} : { filter: filter as ExactJson }),
        ...(fetchPlan === undefined ? {} : { fetchPlan: fetchPlan as ExactJson }),
        ...(sort === undefined ? {} : { sort }),
      },
    },
    // The plan of a report is not sent by a client: the setting for inline plans of clients does not apply.
    { inlineFetchPlansEnabled: true },
    deps.limitsOf(principal),
  );
  const line = prepareRead(parsed, model, access, deps, { isUnlimited: true });
  for await (const lines of readBatches(line, undefined, deps, signal)) yield { lines, rows: lines.length };
}
