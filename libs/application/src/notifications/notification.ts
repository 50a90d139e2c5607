/** A text for all languages, or a message of the application, which each reader gets in the own language. */
export type NotificationText =
  | string
  | { readonly message: string; readonly parameters?: Readonly<Record<string, string | number>> };

/** A notification as users read it in the console (contract/mail.md#notifications). */
export interface NotificationOptions {
  /** Name of the user. */
  readonly to: string;
  readonly title: NotificationText;
  readonly text?: NotificationText;
  /** The instance that it is about; readers who may not read the entity get no link. */
  readonly link?: { readonly entity: string; readonly id: unknown };
  /** The notification itself: while the user has one with this key, no other one is sent. */
  readonly key?: string;
  /** Jobs of the application that carry it further, each with the notification as arguments of a run. */
  readonly channels?: readonly string[];
}

/** Sends notifications to users. */
export interface NotificationQueue {
  /**
   * Sends a notification in the transaction of the data manager, without one in a separate transaction: what is rolled
   * back reaches no user.
   *
   * @returns its id; of the notification that there is already, for a key
   * @throws RangeError for an unknown user, entity or channel, and for a text that is too long
   */
  send(options: NotificationOptions): Promise<string>;
}
