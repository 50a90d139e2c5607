export { sourceOf } from './family-statement.ts';
export { formerBody } from './former-body.ts';
export { listAccess } from './list-access.ts';
export { listAllChanges } from './list-all-changes.ts';
export { differenceOf, entryAt, listChanges, secretsOf } from './list-changes.ts';
export { beginChange, END_CHANGE } from './one-change.ts';
export { ownedKeysStatement, referredKeysStatement, rowsByKey } from './owned-keys.ts';
export { entitiesWithRetention, type Pruned, pruneHistory } from './prune-history.ts';
export { type HistoryReading, type HistorySubject, historyAccess, keyInEntries, readStates } from './read-states.ts';
export { needingReasons, recordedEntities, recordedNames, recordedValues } from './recorded.ts';
export { assertSeesChildren, assertSeesWhole } from './undo/created-again.ts';
export { undoMembers } from './undo/undo-body.ts';
export {
  assertUnchanged,
  isLarge,
  MAX_UNDONE_LATER,
  MAX_UNDONE_ROWS,
  type Undone,
  visibleInstances,
} from './undo/undone-instances.ts';
