import type { DataManager } from '@lintel/application';
import { writeModelOf } from '../model/write-model.ts';
import type { ChangeRecord } from '../scope/change-log.ts';
import { hasSpecific } from '../scope/has-specific.ts';
import { createLocalize, messageWith } from '../scope/localize.ts';
import type { Writer, WriteScope } from '../scope/write-scope.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { changeOf, listenersOf } from './call-listeners.ts';

/** Runs work in a transaction of its own. */
export type RunInOwn = <T>(work: (scope: WriteScope) => Promise<T>) => Promise<T>;

/**
 * Calls `afterCommit` once for each instance that the transaction changed, with the first state and the last. The
 * changes are committed before: a failure of a listener is logged, and the others are called.
 */
export async function afterCommit(
  { environment, logger }: Pick<WriteDependencies, 'environment' | 'logger'>,
  writer: Writer,
  changes: readonly ChangeRecord[],
  runInOwn: RunInOwn,
): Promise<void> {
  const heard = changes.filter(({ entity }) =>
    listenersOf(environment, entity).some((listener) => listener.afterCommit !== undefined),
  );
  if (heard.length === 0) return;
  const writeModel = writeModelOf(environment.model);
  const message = messageWith(createLocalize(environment, writer));
  const context = {
    username: writer.username,
    kind: writer.kind,
    hasSpecific: (permission: string) => hasSpecific(environment, writer, permission),
    isDryRun: false,
    data: dataOfItsOwn(environment, runInOwn),
    message,
  };
  for (const { entity, key, change, before, after } of heard) {
    for (const listener of listenersOf(environment, entity)) {
      try {
        await listener.afterCommit?.(changeOf(writeModel, entity, key, change, before, after, true), context);
      } catch (err) {
        logger.error({ err, entity: entity.name, change }, 'A listener failed after the commit');
      }
    }
  }
}

/** Each call is a transaction of its own. */
function dataOfItsOwn({ dataFor }: Pick<WriteScope, 'dataFor'>, runInOwn: RunInOwn): DataManager {
  return {
    load: (...asked) => runInOwn((scope) => dataFor(scope).load(...asked)),
    loadList: (...asked) => runInOwn((scope) => dataFor(scope).loadList(...asked)),
    count: (...asked) => runInOwn((scope) => dataFor(scope).count(...asked)),
    aggregate: (...asked) => runInOwn((scope) => dataFor(scope).aggregate(...asked)),
    create: (...asked) => runInOwn((scope) => dataFor(scope).create(...asked)),
    save: (...asked) => runInOwn((scope) => dataFor(scope).save(...asked)),
    update: (...asked) => runInOwn((scope) => dataFor(scope).update(...asked)),
    restore: (...asked) => runInOwn((scope) => dataFor(scope).restore(...asked)),
    remove: (...asked) => runInOwn((scope) => dataFor(scope).remove(...asked)),
    jobs: {
      enqueue: (...asked) => runInOwn((scope) => dataFor(scope).jobs.enqueue(...asked)),
      cancel: (...asked) => runInOwn((scope) => dataFor(scope).jobs.cancel(...asked)),
    },
    events: { publish: (...asked) => runInOwn((scope) => dataFor(scope).events.publish(...asked)) },
    mails: { send: (...asked) => runInOwn((scope) => dataFor(scope).mails.send(...asked)) },
    notifications: { send: (...asked) => runInOwn((scope) => dataFor(scope).notifications.send(...asked)) },
  };
}
