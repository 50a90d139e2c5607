import { createMessages, DEFAULT_LOCALE, type MessageBundle, type Messages } from '@lintel/metadata';

/** A text of the database, as the view of all of them has it. */
interface StoredMessage {
  readonly key: string;
  readonly locale: string;
  readonly text: string;
}

/**
 * Reads the texts of the database over those of the files: each replaces the text of its key in its locale,
 * and the other locales keep theirs.
 *
 * @param messages the platform's and the application's (`Application.messages`)
 */
export function messageReader(messages: Messages): (snapshot: { readonly body: unknown }) => Messages {
  const below = messages.layers.slice(0, -1);
  const files = messages.layers.at(-1) ?? [];
  return ({ body }) => {
    const stored = Array.isArray(body) ? body.filter(isStoredMessage) : [];
    const bundles = stored.map(
      ({ key, locale, text }): MessageBundle => ({
        locale: locale === DEFAULT_LOCALE ? '' : locale,
        texts: { [key]: text },
      }),
    );
    return bundles.length === 0 ? messages : createMessages(...below, [...files, ...bundles]);
  };
}

const isStoredMessage = (value: unknown): value is StoredMessage =>
  typeof value === 'object' &&
  value !== null &&
  ['key', 'locale', 'text'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
