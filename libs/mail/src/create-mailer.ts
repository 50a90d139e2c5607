import { ConfigurationError, type SettingsOf } from '@lintel/config';
import type { mailSettings } from './mail-settings.ts';

/** A message: plain text, and optionally the same as HTML. */
export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** Becomes the `Message-ID`, by which receivers recognize a message that they have. */
  readonly id?: string;
  /** URL where the receiver declines further messages. */
  readonly unsubscribe?: string | undefined;
  readonly attachments?: readonly MailFile[];
}

/** A file of a message; its name decides the content type. */
export interface MailFile {
  readonly name: string;
  readonly content: Uint8Array;
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
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
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
    async send({ to, subject, text, html, id, unsubscribe, attachments = [] }) {
      transport ??= openTransport();
      await (await transport).sendMail({
        from,
        // As an object: a text could hold several addresses.
        to: { name: '', address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
        ...(unsubscribe !== undefined && { headers: unsubscribeHeaders(unsubscribe) }),
        attachments: attachments.map(({ name, content }) => ({ filename: name, content: Buffer.from(content) })),
      });
    },
  };
}

/** RFC 2369, and RFC 8058 for a request without a page. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

/** Responses to a receiver that does not exist: RFC 3463, and servers without its codes. */
const NO_MAILBOX = /\b5\.(?:1\.\d+|2\.1)\b/;
const ENHANCED = /\b5\.\d{1,3}\.\d{1,3}\b/;
const WITHOUT_CODE: ReadonlySet<unknown> = new Set([550, 551, 553]);

/**
 * The reason for which a server will never accept a message: its receiver does not exist (`bounced`), or the server
 * refuses the message itself. Undefined if a later attempt may succeed.
 */
export function permanentFailure(error: unknown): 'bounced' | 'refused' | undefined {
  const { responseCode = 0, command, response = '' } = error as SmtpError;
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return undefined;
  const isUnknown = ENHANCED.test(response) ? NO_MAILBOX.test(response) : WITHOUT_CODE.has(responseCode);
  return command === 'RCPT TO' && isUnknown ? 'bounced' : 'refused';
}

interface SmtpError {
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}
