import { localeProblem } from '../messages/known-locale.ts';

/** What is wrong in the defaults of properties that name other things than properties: one sentence each. */
export const checkProperties = (properties: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) => {
    if (normalForm(name) !== LOCALES) return [];
    return value
      .split(',')
      .map((locale) => locale.trim())
      .flatMap((locale) => {
        const problem = locale === '' ? undefined : localeProblem(locale);
        return problem === undefined ? [] : [`properties, ${name}: ${problem}`];
      });
  });

/** Spellings of a property differ in case and separators (contract/decisions.md#40). */
const normalForm = (name: string): string => name.replace(/[._-]/g, '').toLowerCase();

const LOCALES = normalForm('svc.core.available-locales');
