/** The texts of a mail in one language, as templates in the Liquid language. */
export interface MailTemplate {
  readonly subject: string;
  /** Plain text, for every reader. */
  readonly text: string;
  /** An HTML form of the text, in which values are escaped. */
  readonly html?: string;
}

/** The texts of a mail (contract/mail.md#declaration). */
export interface MailOptions {
  /** By locale (`en`, `de`, `pt_BR`). The first one is for all other locales. */
  readonly templates: Readonly<Record<string, MailTemplate>>;
  /** URL where the receiver declines further mails, as a template; becomes `List-Unsubscribe`. */
  readonly unsubscribe?: string;
  /** Values for `lintel mail preview`. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** A mail of the application. */
export interface MailDefinition {
  readonly name: string;
  readonly options: MailOptions;
}

/**
 * Declares a mail, for `mails` of the application.
 *
 * ```ts
 * mail('reminder', { templates: { en: { subject: 'Your visit on {{ date }}', text: 'Dear {{ name }}, …' } } })
 * ```
 */
export const mail = (name: string, options: MailOptions): MailDefinition => Object.freeze({ name, options });

/** A file of a mail: its content, or the reference of a stored file, as reports in the background have it, too. */
export type MailAttachment =
  | { readonly name: string; readonly content: string | Uint8Array }
  | { readonly name: string; readonly fileRef: string };

/** The receiver of a mail, and its values. */
export interface SendMailOptions {
  /** One address. */
  readonly to: string;
  /** The values of the templates, as JSON has them. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The mail itself: while the log has a mail of this name with this key, no other one is sent. */
  readonly key?: string;
  /** Locale of the receiver. */
  readonly locale?: string | null;
  readonly attachments?: readonly MailAttachment[];
}

/** Sends mails of the application. */
export interface MailQueue {
  /**
   * Queues a mail in the transaction of the data manager, without one in a separate transaction: it is sent after the
   * commit, and what is rolled back sends nothing.
   *
   * @returns id of the mail in the log; of the mail that there is already, for a key
   * @throws RangeError for an unknown mail, and for a text that is not one address
   */
  send(name: string, options: SendMailOptions): Promise<string>;
}
