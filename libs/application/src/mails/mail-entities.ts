import { dateTime, keyedEntity, standardEntity, string, uuid } from '@lintel/metadata';

/**
 * The log: a mail and its receiver, without its texts and values. `state` is `queued`, `sent`, `shown` (in the mailbox
 * of one process), `bounced`, `suppressed` or `failed`.
 */
const Mail = keyedEntity('sys_Mail', {
  key: 'id',
  attributes: {
    /** The id of the run of the job, too. */
    id: uuid(),
    name: string(63).mandatory(),
    recipient: string(320).mandatory().personal(),
    locale: string(20),
    state: string(10).mandatory(),
    queuedAt: dateTime().mandatory(),
    finishedAt: dateTime(),
    /** The reason of the last attempt that failed. */
    error: string(500),
  },
  instanceName: ['{name}', ' ', '{recipient}'],
  indexes: [
    { attributes: ['recipient'], unique: false },
    { attributes: ['queuedAt'], unique: false },
  ],
});

/** An address to which nothing is sent, until it is deleted. */
const SuppressedAddress = standardEntity('sys_SuppressedAddress', {
  attributes: {
    address: string(320).mandatory().personal(),
    reason: string(500),
  },
  instanceName: ['address'],
  indexes: [{ attributes: ['address'], unique: true }],
});

/** Entities of an application with mails. */
export const MAIL_ENTITIES = [Mail, SuppressedAddress] as const;
