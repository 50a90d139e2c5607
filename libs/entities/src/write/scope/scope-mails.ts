import type { MailDefinition, MailQueue } from '@lintel/application';
import { isOneAddress } from '@lintel/contracts';
import { suggestion } from '@lintel/errors';
import { logMail } from '@lintel/persistence';
import { MAIL_JOB } from './platform-jobs.ts';
import { runIdOf, type ScopeJobs } from './scope-jobs.ts';
import type { WriteScope } from './write-scope.ts';

/** An attachment as it waits in the arguments of the run. */
export type QueuedAttachment =
  | { readonly name: string; readonly base64: string }
  | { readonly name: string; readonly fileRef: string };

/** The arguments of a run of `MAIL_JOB`. */
export interface QueuedMail {
  readonly name: string;
  readonly to: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly locale: string | null;
  readonly attachments: readonly QueuedAttachment[];
}

/** The mails of the application, as writes queue them. */
export interface ScopeMails {
  /** Queues a mail in the transaction of the scope; returns its id. */
  send(
    scope: Pick<WriteScope, 'transaction' | 'ids' | 'changes' | 'now' | 'username'>,
    ...mail: Parameters<MailQueue['send']>
  ): Promise<string>;
}

/** Larger files are stored, and attached by their reference. */
const MAX_CONTENT_BYTES = 5 * 1024 * 1024;

/** @returns undefined for an application without mails */
export function createScopeMails(
  mails: readonly MailDefinition[] = [],
  jobs: ScopeJobs | undefined,
): ScopeMails | undefined {
  if (mails.length === 0 || jobs === undefined) return undefined;
  const names = new Set(mails.map(({ name }) => name));
  return {
    async send(scope, name, { to, data = {}, key, locale = null, attachments = [] }) {
      if (!names.has(name)) throw new RangeError(`There is no mail ${name}${suggestion(name, names)}`);
      if (typeof to !== 'string' || to.length > 320 || !isOneAddress(to))
        throw new RangeError(`Mail ${name}: to must be one address`);
      const queued = attachments.map(
        (each): QueuedAttachment =>
          'fileRef' in each
            ? { name: each.name, fileRef: each.fileRef }
            : { name: each.name, base64: Buffer.from(each.content).toString('base64') },
      );
      const bytes = queued.reduce((sum, each) => sum + ('base64' in each ? (each.base64.length * 3) / 4 : 0), 0);
      if (bytes > MAX_CONTENT_BYTES)
        throw new RangeError(`Mail ${name}: attachments with more than 5 MiB must be stored files`);
      const id = key === undefined ? scope.ids.next() : runIdOf(MAIL_JOB.name, `${name}\0${key}`);
      const isNew = await logMail(scope.transaction, { id, name, recipient: to, locale }, scope.now);
      const args: QueuedMail = { name, to, data, locale, attachments: queued };
      if (isNew) await jobs.enqueue(scope, MAIL_JOB.name, args, { id });
      return id;
    },
  };
}
