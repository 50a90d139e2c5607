/** The language of the page, and the application as the user may see it: for components of all areas. */
export type { Text, Texts, TextValues } from './language/create-text.ts';
export { formatTime } from './language/format-time.ts';
export { useLanguage, useText } from './language/text-provider.ts';
export { captionOf, type Model } from './model/model.ts';
export { useApi, useClient, useModel, useRights } from './model/model-provider.ts';
