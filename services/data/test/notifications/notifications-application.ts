import {
  defineApplication,
  entityListener,
  type JobContext,
  job,
  type NotificationOptions,
  restMethod,
  service,
  t,
  ValidationError,
} from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { entityPolicy, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';

/** The arguments of the runs of the channel `chat`. */
export const carried: unknown[] = [];

/** An application that notifies users from a listener and a service method. */
export const notificationsApplication = defineApplication({
  id: 'n',
  name: 'Notifications',
  entities: [standardEntity('n_Visit', { attributes: { guest: string(100) }, instanceName: ['guest'] })],
  roles: [
    resourceRole('n-reader', {
      name: 'Reads visits',
      policies: [specificPolicy('rest.enabled'), entityPolicy('n_Visit', 'read'), viewAttributes('n_Visit', '*')],
    }),
  ],
  listeners: [
    entityListener({
      entity: 'n_Visit',
      async afterSave({ id, after }, { data }) {
        await data.notifications.send({
          to: 'ada',
          title: { message: 'n/booked', parameters: { guest: String(after?.['guest']) } },
          link: { entity: 'n_Visit', id },
          key: String(id),
          channels: ['chat'],
        });
        if (after?.['guest'] === 'refused') throw new ValidationError('refused');
      },
    }),
  ],
  services: [
    service('n_Notifications', {
      send: restMethod({ params: { options: t.any }, methods: ['POST'] }, ({ options }, { data }) =>
        data.notifications.send(options as NotificationOptions),
      ),
      fail: restMethod({ params: {}, methods: ['POST'], longRunning: true }, () => {
        throw new ValidationError('no');
      }),
    }),
  ],
  jobs: [
    job('chat', { as: { resourceRoles: [] } }, async ({ args }: JobContext<NotificationOptions>) => {
      carried.push(args);
    }),
  ],
});
