import type { Messages, Model } from '@lintel/metadata';

/**
 * Makes a value once for a version of the model and the messages, and a locale; those of earlier versions are
 * forgotten. Locales are those that the service offers, so there are few.
 *
 * @returns the value of this moment in a locale
 */
export function byVersionAndLocale<T>(
  currentModel: () => Model | Promise<Model>,
  currentMessages: () => Messages,
  make: (model: Model, messages: Messages, locale: string) => T,
): (locale: string) => Promise<T> {
  let version = '';
  let byLocale = new Map<string, T>();
  return async (locale) => {
    const model = await currentModel();
    const messages = currentMessages();
    const current = `${model.version} ${messages.version}`;
    if (current !== version) {
      version = current;
      byLocale = new Map();
    }
    const known = byLocale.get(locale);
    if (known !== undefined) return known;
    const made = make(model, messages, locale);
    byLocale.set(locale, made);
    return made;
  };
}
