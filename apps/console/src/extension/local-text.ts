import type { LocalText } from '@lintel/react/console';

/** The text in the language of the page: in the exact one, in that without its region, or in English. */
export function localText(text: LocalText, locale: string): string {
  if (typeof text === 'string') return text;
  const [language = ''] = locale.split('-');
  return text[locale] ?? text[language] ?? text.en;
}
