import type { HistoryChange } from '@lintel/client';
import type { Model } from '../../../context.ts';
import { isSystem } from '../list/columns.ts';

/** Dialogs of a change. */
export type HistoryAction = 'state' | 'restore' | 'undo';

/** The dialogs that the user may open: a deletion has no state after it, and only an instance that exists is restored. */
export const actionsOf = (
  { rights, isSeen }: Pick<Model, 'rights' | 'isSeen'>,
  entity: string,
  { operation }: Pick<HistoryChange, 'operation'>,
  isMissing: boolean,
): readonly HistoryAction[] => [
  ...(operation === 'deleted' ? [] : (['state'] as const)),
  ...(operation === 'deleted' || isSeen === true || isMissing || !rights.may(entity, 'update')
    ? []
    : (['restore'] as const)),
  ...(isSeen === true ? [] : (['undo'] as const)),
];

/** The attributes whose changes can be searched: stored ones that the user may view, without what the platform sets. */
export const searchableAttributes = (
  { entities, rights }: Pick<Model, 'entities' | 'rights'>,
  entity: string,
): readonly string[] =>
  (entities.get(entity)?.properties ?? [])
    .filter(({ name, persistent, writeOnly }) => persistent && writeOnly !== true && !isSystem(name))
    .map(({ name }) => name)
    .filter((name) => rights.mayView(entity, name));
