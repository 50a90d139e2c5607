import type { NotificationOptions, NotificationText } from '@lintel/application';
import { suggestion } from '@lintel/errors';
import { addNotification, isStorable } from '@lintel/persistence';
import { runIdOf } from './scope-jobs.ts';
import type { WriteScope } from './write-scope.ts';

/** Characters; a list of notifications is one response. */
const MAX_LENGTHS = { title: 200, text: 2_000 } as const;
const MAX_ID_LENGTH = 500;

/**
 * Sends a notification in the transaction of a scope; returns its id.
 *
 * @throws RangeError as `NotificationQueue.send`
 */
export async function sendNotification(scope: WriteScope, options: NotificationOptions): Promise<string> {
  const { to, title, text, link, key, channels = [] } = options;
  const { transaction, model, ids, jobs, now } = scope;
  assertShort('title', title);
  if (text !== undefined) assertShort('text', text);
  if (link !== undefined && !model.entities.has(link.entity))
    throw new RangeError(`There is no entity ${link.entity}${suggestion(link.entity, model.entities.keys())}`);
  if ((JSON.stringify(link?.id ?? null)?.length ?? 0) > MAX_ID_LENGTH) throw new RangeError('link.id is too long');
  const id = key === undefined ? ids.next() : runIdOf('lintel.notification', `${to}\0${key}`);
  const content = {
    title,
    text,
    ...(link !== undefined && { link: { type: 'entity', entityName: link.entity, id: link.id } }),
  };
  const isNew = isStorable(to)
    ? await addNotification(transaction, { id, to: { username: to }, content }, now)
    : undefined;
  if (isNew === undefined) throw new RangeError('to: there is no such user');
  if (!isNew) return id;
  for (const channel of channels) {
    if (jobs === undefined) throw new RangeError(`There is no job ${channel}: the application declares none`);
    await jobs.enqueue(scope, channel, { id, to, title, text, link }, {});
  }
  return id;
}

function assertShort(name: keyof typeof MAX_LENGTHS, value: NotificationText): void {
  const isText = typeof value === 'string' || typeof value?.message === 'string';
  const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
  if (!isText || length === 0 || length > MAX_LENGTHS[name])
    throw new RangeError(`${name} must be a text or a message of at most ${MAX_LENGTHS[name]} characters`);
}
