import type { Principal } from '@lintel/contracts';
import type { Transaction } from '@lintel/persistence';
import { UNLIMITED_ACCESS } from '@lintel/reading';
import { isoTime } from '@lintel/telemetry';
import { writeModelOf } from '../model/write-model.ts';
import { announceWriter } from '../scope/announce-writer.ts';
import { ChangeLog } from '../scope/change-log.ts';
import { errorAccessOf } from '../scope/error-access.ts';
import { hasSpecific } from '../scope/has-specific.ts';
import { createLocalize } from '../scope/localize.ts';
import { nameStatements } from '../scope/name-statements.ts';
import type { WriteEnvironment, Writer, WriteScope } from '../scope/write-scope.ts';

/** The scope of one transaction; its moment is now. */
export const openScope = (
  environment: WriteEnvironment,
  transaction: Transaction,
  writer: Writer,
  isPipelined = false,
): WriteScope => {
  const writeModel = writeModelOf(environment.model);
  return {
    model: environment.model,
    writeModel,
    transaction: nameStatements(announceWriter(transaction, environment.model, writer), writeModel.statementNames),
    username: writer.username,
    kind: writer.kind,
    writer,
    hasSpecific: (permission) => hasSpecific(environment, writer, permission),
    readAccess: () => (isCaller(writer) ? environment.loadAccess(writer) : UNLIMITED_ACCESS).read,
    now: isoTime(environment.clock.now()).slice(0, -1),
    ids: environment.ids,
    hashPassword: environment.hashPassword,
    passwordPolicy: environment.passwordPolicy,
    listeners: environment.listeners,
    jobs: environment.jobs,
    events: environment.events,
    mails: environment.mails,
    dataFor: environment.dataFor,
    changes: new ChangeLog(environment.model),
    errorAccess: errorAccessOf(environment, writer),
    localize: createLocalize(environment, writer),
    isPipelined,
    ...(environment.isRehearsal === true && { isRehearsal: true }),
    depth: 0,
  };
};

/** Only the application writes without a kind; every other writer is the principal of a request. */
const isCaller = (writer: Writer): writer is Principal => writer.kind !== undefined;
