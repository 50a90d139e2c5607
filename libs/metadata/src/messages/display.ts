import { type Captions, captionsIn } from './captions.ts';
import { formatMessage, type MessageParameters } from './format-message.ts';
import { type LocaleFormats, localeFormats } from './locale-formats.ts';
import type { Messages } from './messages.ts';

/** Formats values for people in one locale: in instance names and in reports. */
export interface Display extends LocaleFormats {
  /** Names of entities and attributes, and the texts of constants of enums. */
  readonly captions: Captions;
  /** The text of a message's key, filled with parameters; the key itself if there is no text. */
  readonly message: (key: string, parameters?: MessageParameters) => string;
  /** Two displays with the same key format every value equally; part of cache keys. */
  readonly key: string;
}

/** Only the available locales occur, so there are few entries. */
const known = new WeakMap<Messages, Map<string, Display>>();

/** The display of a locale; created once for each locale. */
export function displayIn(messages: Messages, locale: string): Display {
  const displays = known.get(messages) ?? new Map<string, Display>();
  const display = displays.get(locale) ?? {
    ...localeFormats(locale),
    captions: captionsIn(messages, locale),
    message: (key: string, parameters: MessageParameters = {}) => {
      const text = messages.find(key, locale);
      return text === undefined ? key : formatMessage(text, parameters, locale);
    },
    key: `${locale} ${messages.version}`,
  };
  displays.set(locale, display);
  known.set(messages, displays);
  return display;
}
