import type { Mail, Mailer } from '@lintel/mail';

/** A mail that is shown instead of being sent. */
export interface ShownMail extends Mail {
  readonly id: string;
  /** A time in UTC. */
  readonly sentAt: string;
}

/** The mails of one process that has no SMTP server, in its memory. */
export interface Mailbox extends Mailer {
  /** The newest first. */
  list(): readonly ShownMail[];
}

/** The last ones that are kept; their attachments are in memory, too. */
const MAX_MAILS = 100;

export function createMailbox(): Mailbox {
  const mails: ShownMail[] = [];
  return {
    async send(mail) {
      mails.unshift({ ...mail, id: mail.id ?? '', sentAt: new Date().toISOString() });
      mails.splice(MAX_MAILS);
    },
    list: () => [...mails],
  };
}
