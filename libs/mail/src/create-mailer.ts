import { ConfigurationError, type SettingsOf } from '@lintel/config';
import type { mailSettings } from './mail-settings.ts';

/** A message in plain text. */
export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** @throws Error if the server does not accept the message */
  send(mail: Mail): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/**
 * Sends by SMTP; undefined without a server.
 *
 * @throws ConfigurationError without an address that mails are from
 */
export function createMailer(settings: SettingsOf<typeof mailSettings>): Mailer | undefined {
  const { host, port, encryption, username, password, from } = settings;
  if (host === undefined) return undefined;
  if (from === undefined) throw new ConfigurationError(['svc.mail.from: is needed with svc.mail.smtp-host']);
  const openTransport = async () =>
    (await import('nodemailer')).createTransport({
      host,
      port,
      secure: encryption === 'tls',
      requireTLS: encryption === 'starttls',
      ignoreTLS: encryption === 'none',
      ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    async send({ to, subject, text }) {
      transport ??= openTransport();
      // As an object: a text could hold several addresses.
      await (await transport).sendMail({ from, to: { name: '', address: to }, subject, text });
    },
  };
}

const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u;

/** Whether a text is one e-mail address: no list, no comment, no route through several hosts. */
export const isOneAddress = (email: string): boolean => ADDRESS.test(email);
