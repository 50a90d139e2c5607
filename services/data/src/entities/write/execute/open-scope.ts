import type { Transaction } from '@lintel/persistence';
import { ChangeLog } from './change-log.ts';
import { hasSpecific } from './has-specific.ts';
import { createLocalize } from './localize.ts';
import { nameStatements } from './name-statements.ts';
import type { WriteEnvironment, Writer, WriteScope } from './write-scope.ts';

/** The scope of one transaction; its moment is now. */
export const openScope = (
  environment: WriteEnvironment,
  transaction: Transaction,
  writer: Writer,
  isEager = false,
): WriteScope => ({
  model: environment.model,
  transaction: nameStatements(transaction),
  username: writer.username,
  hasSpecific: (permission) => hasSpecific(environment, writer, permission),
  now: new Date(environment.clock.now()).toISOString().slice(0, -1),
  ids: environment.ids,
  hashPassword: environment.hashPassword,
  listeners: environment.listeners,
  dataFor: environment.dataFor,
  changes: new ChangeLog(environment.model),
  localize: createLocalize(environment, writer),
  isEager,
  depth: 0,
});
