import { type EntityListener, entityListener } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';

/** Refuses entries of the log that no mail is the reason for. Suppressed addresses are compared in lower case. */
export const mailListeners = (model: Model): readonly EntityListener[] =>
  !model.entities.has('sys_Mail')
    ? []
    : [
        entityListener({
          entity: 'sys_Mail',
          beforeSave() {
            throw new PlatformError('ACCESS_DENIED', 'Mails are recorded by sending them alone');
          },
        }),
        entityListener({
          entity: 'sys_SuppressedAddress',
          async beforeSave({ after }) {
            const address = after?.['address'];
            return typeof address === 'string' ? { address: address.toLowerCase() } : undefined;
          },
        }),
      ];
