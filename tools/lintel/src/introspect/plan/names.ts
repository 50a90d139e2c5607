import pluralize from 'pluralize';

/** Words of a name in any spelling: `order_line`, `OrderLine`, `ORDER-LINE`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `order_line` → `OrderLine`; a name begins with a letter. */
export function pascalCase(name: string): string {
  const joined = wordsOf(name).map(capital).join('');
  return /^[A-Z]/.test(joined) ? joined : `N${joined}`;
}

/** Names that objects have anyway. */
const RESERVED = new Set(['constructor', 'hasOwnProperty', 'isPrototypeOf', 'prototype', 'toString', 'valueOf']);

/** `customer_id` → `customerId`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return RESERVED.has(camel) ? `${camel}Value` : camel;
}

/** `OrderLine` → `order_line`, as columns are spelled elsewhere. */
export const underscored = (name: string): string => wordsOf(name).join('_');

/** `OrderLine` → `order-line`. */
export const kebabCase = (name: string): string => wordsOf(name).join('-');

/** `in progress` → `IN_PROGRESS`. */
export function constantCase(text: string): string {
  const joined = wordsOf(text).join('_').toUpperCase();
  if (joined === '') return 'EMPTY';
  return /^[A-Z]/.test(joined) ? joined : `N${joined}`;
}

// Names of tables that the library does not know, or takes apart further than a table does.
pluralize.addUncountableRule(/data$/i);
pluralize.addIrregularRule('cookie', 'cookies');
pluralize.addIrregularRule('virus', 'viruses');

const lastWord = (name: string, change: (word: string) => string): string => {
  const words = wordsOf(name);
  return [...words.slice(0, -1), change(words.at(-1) ?? '')].join('_');
};

/** The name of one row of a table: `order_lines` → `order_line`. */
export const singular = (name: string): string => lastWord(name, pluralize.singular);

/** `OrderLine` → `order_lines`. */
export const plural = (name: string): string => lastWord(name, pluralize.plural);

/** The first of the names that is free, else the last one with a number; it is taken then. */
export function freeName(taken: Set<string>, ...names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  let name = names.find((each) => !taken.has(each));
  for (let number = 2; name === undefined; number += 1) {
    const numbered = `${last}${number}`;
    if (!taken.has(numbered)) name = numbered;
  }
  taken.add(name);
  return name;
}
