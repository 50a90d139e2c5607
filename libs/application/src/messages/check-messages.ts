import { nearestName } from '@lintel/errors';
import {
  type Attribute,
  attributeKey,
  constantKey,
  constraintMessagesOf,
  type Entity,
  entityKey,
  enumKey,
  type MessageBundle,
  messageGroupOf,
  messageSyntaxError,
  referencedKeys,
  uiGroupKey,
} from '@lintel/metadata';
import type { Application } from '../application.ts';
import { PLATFORM_BUNDLES } from './platform/platform-bundles.ts';

/**
 * Returns the problems of an application's texts, one sentence each: captions and validation texts that a
 * locale lacks, keys without an element of the model, invalid patterns. For a test of the application; none of these
 * problems stops a start, since a missing text has a fallback.
 *
 * @param application with its messages (`loadMessages`)
 * @param locales locales that must be complete; `''` are the default texts
 * @param otherKeys further keys that the code of the application uses
 */
export function checkMessages(
  application: Application,
  locales: readonly string[],
  otherKeys: readonly string[] = [],
): readonly string[] {
  const bundles = application.messages.layers.at(-1) ?? [];
  const texts = (locale: string): Readonly<Record<string, string>> => textsOf(bundles, locale);
  const needed = neededKeys(application);
  const known = new Set([...needed.flat(), ...otherKeys, ...PLATFORM_KEYS]);
  return [
    ...locales.flatMap((locale) => [
      ...needed
        .filter((keys) => !keys.some((key) => Object.hasOwn(texts(locale), key)))
        .map(([key]) => `${nameOf(locale)} lacks ${key}`),
      ...otherKeys.filter((key) => !Object.hasOwn(texts(locale), key)).map((key) => `${nameOf(locale)} lacks ${key}`),
    ]),
    ...bundles.flatMap((bundle) =>
      Object.entries(bundle.texts).flatMap(([key, text]) => [
        ...(known.has(key) ? [] : [`${nameOf(bundle.locale)} has ${key}, which names nothing`]),
        ...(text.trim() === '' ? [`${nameOf(bundle.locale)} has no text for ${key}`] : []),
        ...syntaxProblem(bundle.locale, key, text),
      ]),
    ),
  ];
}

/**
 * Keys of a file that are probably misspelt captions, one sentence each: a name of the model differs by a few letters
 * and has no text in the file. Other keys may be those of the application's code.
 */
export function misspeltKeys(application: Application, { texts }: Pick<MessageBundle, 'texts'>): readonly string[] {
  const needed = neededKeys(application).flat();
  const known = new Set([...needed, ...PLATFORM_KEYS]);
  const missing = needed.filter((key) => !Object.hasOwn(texts, key));
  return Object.keys(texts).flatMap((key) => {
    // Captions of a model have a package; other keys are too short to be compared.
    if (known.has(key) || !key.includes('/')) return [];
    const nearest = nearestName(key, missing, { maxChanges: MAX_CHANGES });
    return nearest === undefined ? [] : [`${key} names nothing; did you mean ${nearest}?`];
  });
}

const MAX_CHANGES = 2;

const PLATFORM_KEYS = PLATFORM_BUNDLES.flatMap(({ texts }) => Object.keys(texts));
const nameOf = (locale: string): string => (locale === '' ? 'The default file' : `The file of ${locale}`);

const textsOf = (bundles: readonly MessageBundle[], locale: string): Readonly<Record<string, string>> =>
  Object.assign({}, ...bundles.filter((bundle) => bundle.locale === locale).map((bundle) => bundle.texts));

function syntaxProblem(locale: string, key: string, text: string): readonly string[] {
  const problem = text.includes('{') ? messageSyntaxError(text) : undefined;
  return problem === undefined ? [] : [`${nameOf(locale)}: the text of ${key} is no ICU pattern (${problem})`];
}

/** Keys that must have a text, each with those that may replace it. The platform has its own. */
function neededKeys({ model, entities, enums }: Application): readonly (readonly string[])[] {
  const own = entities.flatMap(({ name }) => model.entities.get(name) ?? []);
  return [
    ...own.flatMap((entity) => [[entityKey(entity.name).key], ...attributeKeys(entity), ...ruleKeys(entity)]),
    ...entities.flatMap(({ name, ui }) => (ui?.groups ?? []).map((group) => [uiGroupKey(name, group.name).key])),
    ...(enums ?? []).flatMap(({ name, values }) => [
      [enumKey(name).key],
      ...values.map((value) => [constantKey(name, value.name).key]),
    ]),
  ];
}

const isDeclaredBy = ({ declaredBy }: Attribute, entity: Entity): boolean => declaredBy === entity.name;

const attributeKeys = (entity: Entity): readonly (readonly string[])[] =>
  [...entity.attributes.values()]
    .filter((attribute) => isDeclaredBy(attribute, entity) && attributeKey(attribute).otherwise === undefined)
    .map((attribute) => [attributeKey(attribute).key]);

function ruleKeys(entity: Entity): readonly (readonly string[])[] {
  const rules = [...entity.rules, ...[...entity.attributes.values()].flatMap((attribute) => attribute.rules)];
  const texts = [...rules.flatMap(({ message }) => message ?? []), ...constraintMessagesOf(entity)];
  return texts.flatMap((text) => referencedKeys(text, messageGroupOf(entity.name)));
}
