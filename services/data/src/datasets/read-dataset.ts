import type { Principal } from '@lintel/contracts';
import { assertReadable, type ExactObject, parseRead, resolveEntity } from '@lintel/query';
import type { ReadDependencies } from '../entities/read-dependencies.ts';
import { enterLine, readBatches } from '../entities/read-line.ts';

/**
 * The rows of a data set, read like a search of the API with the rights of the caller, but without limit.
 *
 * @param members of a `DatasetRequest`
 * @returns batches of rows, each the JSON text of one instance
 * @throws PlatformError as a search does, when the first batch is asked for
 */
export async function* readDataset(
  members: ExactObject,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const { entity: name, filter, fetchPlan, sort, locale } = members;
  const model = deps.currentModel();
  const entity = resolveEntity(model, String(name));
  const caller = deps.loadAccess(principal);
  const access = typeof locale === 'string' ? { ...caller, locale } : caller;
  assertReadable(entity, access.read);
  const parsed = parseRead(
    {
      operation: 'list',
      entityName: entity.name,
      members: {
        ...(filter === undefined ? {} : { filter }),
        ...(fetchPlan === undefined ? {} : { fetchPlan }),
        ...(sort === undefined ? {} : { sort }),
      },
    },
    // A report's own plan is no client's: the switch for clients does not matter.
    { inlineFetchPlansEnabled: true },
  );
  const line = enterLine(parsed, model, access, deps, true);
  yield* readBatches(line, undefined, deps, signal);
}
