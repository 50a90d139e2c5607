import type { MessageBundle } from '@lintel/metadata';
import { TEXTS } from './texts.ts';
import { TEXTS_DE } from './texts-de.ts';
import { TEXTS_ZH_CN } from './texts-zh-cn.ts';

/** The texts of the platform: English if the language has none. */
export const PLATFORM_BUNDLES: readonly MessageBundle[] = Object.freeze([
  { locale: '', texts: TEXTS },
  { locale: 'de', texts: TEXTS_DE },
  { locale: 'zh_CN', texts: TEXTS_ZH_CN },
]);
