import {
  type Attribute,
  attributeKey,
  type Captions,
  captionsIn,
  constantKey,
  entityKey,
  enumKey,
  type MessageBundle,
  type Messages,
  type Model,
  uiGroupKey,
} from '@lintel/metadata';

/** Where the text of a caption comes from. */
export type CaptionSource = 'platform' | 'application' | 'database';

/** One caption of the model in one locale (contract/messages.md#captions). */
export interface Caption {
  readonly target: string;
  readonly key: string;
  /** Null if the locale has no text of its own. */
  readonly text: string | null;
  readonly source: CaptionSource | null;
  readonly shown: string;
}

interface OwnText {
  readonly text: string;
  readonly source: CaptionSource;
}

/** The texts, and what decides on the language of the default ones. */
export interface TextSources {
  /** All messages, with those of the database. */
  readonly messages: Messages;
  /** The messages of the files. */
  readonly files: Messages;
  /** The first available locale, in underscore form. */
  readonly firstLocale: string | undefined;
}

/**
 * The captions of the model by target, each key once.
 *
 * @param locale underscore form; `''` for the default texts
 */
export function listCaptions(model: Model, sources: TextSources, locale: string): readonly Caption[] {
  const { messages } = sources;
  const own = ownTexts(sources, locale);
  const captions = captionsIn(messages, locale);
  const listed = new Map<string, Caption>();
  for (const { target, key, otherwise, shown } of targetsOf(model, captions)) {
    if (listed.has(key)) continue;
    const found = own.get(key) ?? (otherwise === undefined ? undefined : own.get(otherwise));
    listed.set(key, { target, key, text: found?.text ?? null, source: found?.source ?? null, shown });
  }
  return [...listed.values()].sort((one, other) => (one.target < other.target ? -1 : 1));
}

/**
 * The texts that are no captions, by key: of validation rules, of mails, of services and reports of the application.
 * Parameters are those of `listCaptions`.
 */
export function listOtherTexts(model: Model, sources: TextSources, locale: string): readonly Caption[] {
  const { messages } = sources;
  const captions = new Set(
    targetsOf(model, captionsIn(messages, locale)).flatMap(({ key, otherwise }) => [key, otherwise]),
  );
  const own = ownTexts(sources, locale);
  const keys = new Set(messages.layers.flat().flatMap(({ texts }) => Object.keys(texts)));
  return [...keys]
    .filter((key) => !captions.has(key))
    .sort()
    .map((key) => {
      const found = own.get(key);
      return {
        target: key,
        key,
        text: found?.text ?? null,
        source: found?.source ?? null,
        shown: messages.find(key, locale) ?? key,
      };
    });
}

interface Target {
  readonly target: string;
  readonly key: string;
  readonly otherwise?: string | undefined;
  readonly shown: string;
}

function targetsOf(model: Model, captions: Captions): readonly Target[] {
  const attributeTarget = (attribute: Attribute): Target => ({
    target: `${attribute.declaredBy}.${attribute.name}`,
    ...attributeKey(attribute),
    shown: captions.attribute(attribute),
  });
  return [
    ...[...model.entities.values()].flatMap(({ name, attributes, ui, ancestor }) => [
      { target: name, key: entityKey(name).key, shown: captions.entity(name) },
      ...[...attributes.values()].map(attributeTarget),
      // Those of hints that it has from its ancestor are there already.
      ...(ui === model.entities.get(ancestor ?? '')?.ui ? [] : (ui?.groups ?? [])).map((group) => ({
        target: `${name}.ui.${group.name}`,
        key: uiGroupKey(name, group.name).key,
        shown: captions.uiGroup([name], group.name),
      })),
    ]),
    ...[...model.enums.values()].flatMap(({ name, values }) => [
      { target: name, key: enumKey(name).key, shown: captions.enumeration(name) },
      ...values.map((value) => ({
        target: `${name}.${value.name}`,
        key: constantKey(name, value.name).key,
        shown: captions.constant(name, value.name),
      })),
    ]),
  ];
}

/** The texts of the locale and of its language, with the default texts if they are in this language. */
function ownTexts(
  { messages: { layers }, files, firstLocale }: TextSources,
  locale: string,
): ReadonlyMap<string, OwnText> {
  const chain = chainOf(locale);
  const ofApplication = languageOfDefaults(files, firstLocale);
  const fileBundles = files.layers.at(-1)?.length ?? 0;
  const sourceOf = (layer: number, bundle: number): CaptionSource => {
    if (layer < layers.length - 1) return 'platform';
    return bundle < fileBundles ? 'application' : 'database';
  };
  const texts = new Map<string, OwnText>();
  layers.forEach((bundles, layer) => {
    const language = layer < layers.length - 1 ? PLATFORM_LANGUAGE : ofApplication;
    for (const name of language !== undefined && chain.includes(language) ? ['', ...chain] : chain)
      bundles.forEach((bundle: MessageBundle, at) => {
        if (normal(bundle.locale) !== name) return;
        for (const [key, text] of Object.entries(bundle.texts)) texts.set(key, { text, source: sourceOf(layer, at) });
      });
  });
  return texts;
}

const normal = (locale: string): string => locale.replaceAll('-', '_').toLowerCase();

/** `zh_CN` → `zh`, `zh_cn`: the most specific one is the last. */
function chainOf(locale: string): readonly string[] {
  const parts = normal(locale).split('_');
  return parts.map((_, at) => parts.slice(0, at + 1).join('_'));
}

/** Language of the default texts of the platform. */
const PLATFORM_LANGUAGE = 'en';

/** The default texts of an application are those of the first locale, unless it has a file of its own. */
function languageOfDefaults(files: Messages, firstLocale: string | undefined): string | undefined {
  if (firstLocale === undefined) return undefined;
  const chain = chainOf(firstLocale);
  const hasFile = files.layers.at(-1)?.some(({ locale }) => chain.includes(normal(locale))) === true;
  return hasFile ? undefined : chain.at(-1);
}
