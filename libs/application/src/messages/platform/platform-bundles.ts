import type { MessageBundle } from '@lintel/metadata';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import zhCN from './zh_CN.json' with { type: 'json' };

/**
 * The texts of the platform: captions of its entities, mails, and the default texts of validation
 * (contract/writing.md#validation), in ICU message syntax. A language without a text has the English one.
 */
export const PLATFORM_BUNDLES: readonly MessageBundle[] = Object.freeze([
  { locale: '', texts: en },
  { locale: 'de', texts: de },
  { locale: 'zh_CN', texts: zhCN },
]);
