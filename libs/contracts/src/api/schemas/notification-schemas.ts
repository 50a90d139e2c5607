import { z } from 'zod';
import type { Schema } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';

/** The body of a request that marks notifications as read (contract/mail.md#reading). */
export const notificationsReadBody = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(50).optional().describe('All notifications without it'),
});

const notifications = z.object({
  unread: z.int().describe('At most 100 are counted'),
  notifications: z.array(
    z.object({
      id: z.uuid(),
      createdAt: z.iso.datetime(),
      readAt: z.iso.datetime().nullable(),
      title: z.string(),
      text: z.string().nullable(),
      link: z
        .object({
          type: z.enum(['entity', 'report-run', 'service-run']),
          entityName: z.string().optional(),
          id: z.unknown().describe('As in the JSON of the instance or run'),
        })
        .nullable(),
    }),
  ),
});

/** The schemas of notifications. */
export const notificationSchemas = (): Readonly<Record<string, Schema>> =>
  schemasOf({ Notifications: notifications, NotificationsRead: notificationsReadBody });
