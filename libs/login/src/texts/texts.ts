import { chooseLocale } from '@lintel/http';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import zhCN from './zh-CN.json' with { type: 'json' };

/**
 * Texts of all pages, and descriptions of refused logins at the token endpoints: the English ones are those of
 * contract/tokens.md#oauth-errors.
 */
export type LoginTexts = typeof en;

/** Why a form is shown again, besides a refused login. */
export type DeviceProblem = keyof LoginTexts['device']['problems'];
export type PasswordProblem = keyof LoginTexts['passwords']['problems'];
export type FactorProblem = keyof LoginTexts['factors']['problems'];
export type SecurityProblem = keyof LoginTexts['security']['problems'];

const TEXTS: Readonly<Record<string, LoginTexts>> = { en, de, zh_CN: zhCN };

/** Languages of the texts, the most common one first. */
export const TEXT_LOCALES: readonly string[] = Object.keys(TEXTS);

/** The locale of `Accept-Language` in underscore form, and its texts; English where there are none. */
export function loginTexts(acceptLanguage: string | undefined): {
  readonly locale: string;
  readonly texts: LoginTexts;
} {
  const locale = chooseLocale(acceptLanguage, null, TEXT_LOCALES);
  return { locale, texts: TEXTS[locale] ?? en };
}

/** Replaces the names in braces by their values: `to continue to {client}`. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
