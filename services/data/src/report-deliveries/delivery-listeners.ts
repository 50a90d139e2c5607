import { type EntityListener, type EntityValues, entityListener, type ListenerContext } from '@lintel/application';
import { isOneAddress } from '@lintel/contracts';
import { LazyListenerContext, refusalBy } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { nextRunOf, timeOf } from '../schedules/next-run.ts';

const ENTITY = 'sys_ReportDelivery';
const MAX_RECIPIENTS = 20;
const MAX_PER_OWNER = 50;
const MAX_PARAMETERS_LENGTH = 20_000;

/** The addresses of a delivery. */
export const recipientsOf = (recipients: string): readonly string[] => recipients.split(',').map((each) => each.trim());

/**
 * Refuses deliveries that cannot run, sets when they run next, and queues those that are due after their save. They
 * belong to the user who created them.
 */
export const deliveryListeners = (
  model: Model,
  locales: readonly string[],
  now: () => number,
  queueDue: () => Promise<void>,
): readonly EntityListener[] =>
  !model.entities.has(ENTITY)
    ? []
    : [
        entityListener({
          entity: ENTITY,
          async beforeSave({ before, after = {} }, context) {
            const ownerId = LazyListenerContext.loggedInUserOf(context);
            // Runs have the rights of the owner: another author could choose what is read with them.
            if (ownerId === undefined || (before !== undefined && before['ownerId'] !== ownerId))
              throw new PlatformError('ACCESS_DENIED', 'Reports on a schedule are saved by their owner, with a login');
            const next = await nextOf(after, now(), context);
            assertSendable(after, locales, context);
            const nextRun =
              after['active'] === true
                ? earlierOf(after['nextRun'], before?.['nextRun'], timeOf(next), timeOf(new Date(now())))
                : null;
            return { owner: context.username, ownerId, nextRun };
          },
          // Others of the same request are stored by now.
          async afterSave({ before, after = {} }, context) {
            if (before?.['active'] !== true && after['active'] === true) await assertFew(after['ownerId'], context);
          },
          async afterCommit({ after }) {
            const next = after?.['nextRun'];
            if (typeof next === 'string' && next <= timeOf(new Date(now()))) await queueDue();
          },
        }),
      ];

/** The time that the owner has set or that has come, if it is earlier than the next one of the schedule. */
const earlierOf = (given: unknown, former: unknown, next: string, now: string): string =>
  typeof given === 'string' && (given !== former || given <= now) && given < next ? given : next;

async function nextOf({ schedule, timeZone }: EntityValues, now: number, { message }: ListenerContext): Promise<Date> {
  const next = await nextRunOf(String(schedule), String(timeZone), new Date(now));
  if (next === 'zone') throw refusalBy('DeliveryTimeZone', message, 'timeZone', timeZone);
  if (next === undefined) throw refusalBy('DeliverySchedule', message, 'schedule', schedule);
  return next;
}

function assertSendable(
  { recipients, parameters, locale }: EntityValues,
  locales: readonly string[],
  { message }: ListenerContext,
): void {
  const addresses = typeof recipients === 'string' ? recipientsOf(recipients) : [];
  const isSendable = addresses.every((each) => each.length <= 320 && isOneAddress(each));
  if (!isSendable || addresses.length > MAX_RECIPIENTS)
    throw refusalBy('DeliveryRecipients', message, 'recipients', recipients, { max: String(MAX_RECIPIENTS) });
  if (typeof locale === 'string' && !locales.includes(locale))
    throw refusalBy('DeliveryLocale', message, 'locale', locale, { locales: locales.join(', ') });
  if (JSON.stringify(parameters ?? null).length > MAX_PARAMETERS_LENGTH)
    throw refusalBy('Size', message, 'parameters', null, { min: '0', max: String(MAX_PARAMETERS_LENGTH) });
}

async function assertFew(ownerId: unknown, context: ListenerContext): Promise<void> {
  const { data, message } = context;
  // Requests at the same time would count only their own.
  await LazyListenerContext.lock(context, `${ENTITY} ${ownerId}`);
  const conditions = [
    { property: 'ownerId', operator: '=', value: ownerId },
    { property: 'active', operator: '=', value: true },
  ];
  if ((await data.count(ENTITY, { filter: { conditions } })) > MAX_PER_OWNER)
    throw refusalBy('DeliveryLimit', message, 'active', 'true', { max: String(MAX_PER_OWNER) });
}
