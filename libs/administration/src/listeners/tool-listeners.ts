import { type EntityListener, entityListener } from '@lintel/application';
import { PlatformError } from '@lintel/errors';

/** Refuses, in tools that run outside the services, what only the data service can check. */
export const toolListeners = (): readonly EntityListener[] => [
  entityListener({
    entity: 'sys_Webhook',
    async beforeSave() {
      throw new PlatformError(
        'ACCESS_DENIED',
        'Webhooks can only be saved with the API: the data service checks the receiver and encrypts the secret',
      );
    },
  }),
];
