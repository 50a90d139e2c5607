import type { PredefinedQueries, PredefinedQuery } from '@lintel/application';
import type { Model } from '@lintel/metadata';
import { isSelectVisible } from '@lintel/query';
import type { DocumentCaller } from './caller.ts';

/**
 * The predefined queries that the caller may run: every entity and attribute that the text names is visible
 * (contract/queries.md#errors).
 */
export const callerQueries = (
  queries: PredefinedQueries,
  model: Model,
  { read }: Pick<DocumentCaller, 'read'>,
): PredefinedQueries =>
  new Map(
    [...queries].map(([entity, named]) => [
      entity,
      new Map([...named].filter(([, query]) => mayRun(query, model, read))),
    ]),
  );

function mayRun({ entity, select, declared }: PredefinedQuery, model: Model, read: DocumentCaller['read']): boolean {
  const root = model.entities.get(entity);
  return root !== undefined && isSelectVisible(model, root, select, declared, read);
}
