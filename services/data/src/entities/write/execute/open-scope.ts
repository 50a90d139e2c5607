import type { Transaction } from '@lintel/persistence';
import { ChangeLog } from './change-log.ts';
import { nameStatements } from './name-statements.ts';
import type { WriteEnvironment, WriteScope } from './write-scope.ts';

/** The scope of one transaction; its moment is now. */
export const openScope = (environment: WriteEnvironment, transaction: Transaction, username: string): WriteScope => ({
  model: environment.model,
  transaction: nameStatements(transaction),
  username,
  now: new Date(environment.clock.now()).toISOString().slice(0, -1),
  ids: environment.ids,
  hashPassword: environment.hashPassword,
  listeners: environment.listeners,
  dataFor: environment.dataFor,
  changes: new ChangeLog(environment.model),
  depth: 0,
});
