import { type Captions, captionsIn } from './captions.ts';
import { type LocaleFormats, localeFormats } from './locale-formats.ts';
import type { Messages } from './messages.ts';

/** How values are shown to people in one locale: in instance names and in reports. */
export interface Display extends LocaleFormats {
  readonly captions: Captions;
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
    key: `${locale} ${messages.version}`,
  };
  displays.set(locale, display);
  known.set(messages, displays);
  return display;
}
