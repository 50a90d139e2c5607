import { MAIL_ENTITIES, REPORT_DELIVERY_ENTITIES, REPORT_ENTITIES, WEBHOOK_ENTITIES } from '@lintel/application';
import { DYNAMIC_ATTRIBUTE_ENTITIES, MESSAGE_ENTITIES } from '@lintel/metadata';
import { SYSTEM_ENTITIES } from '@lintel/security';

const GUARDED: ReadonlySet<string> = new Set(
  [
    ...SYSTEM_ENTITIES,
    ...DYNAMIC_ATTRIBUTE_ENTITIES,
    ...MESSAGE_ENTITIES,
    ...REPORT_ENTITIES,
    ...WEBHOOK_ENTITIES,
    ...MAIL_ENTITIES,
    ...REPORT_DELIVERY_ENTITIES,
  ].map(({ name }) => name),
);

/**
 * Whether the entity belongs to the platform: its listeners check saved values (rights, passwords), and the services
 * are notified of changes by events. TypeORM calls no listener and publishes no event.
 */
export const isGuarded = (entity: string): boolean => GUARDED.has(entity);
