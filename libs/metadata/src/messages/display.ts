import { type Captions, captionsIn } from './captions.ts';
import { formatMessage, type MessageParameters } from './format-message.ts';
import { type LocaleFormats, localeFormats } from './locale-formats.ts';
import type { Messages } from './messages.ts';

/** How values are shown to people in one locale: in instance names and in reports. */
export interface Display extends LocaleFormats {
  readonly captions: Captions;
  /** The text of a message's key, filled with parameters; the key itself where there is no text. */
  readonly message: (key: string, parameters?: MessageParameters) => string;
  /** Differs whenever something is shown differently; part of cache keys. */
  readonly key: string;
}

/** Locales are the available ones, so few. */
const known = new WeakMap<Messages, Map<string, Display>>();

/** The way of showing values in a locale, made once for each. */
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
