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

/**
 * The captions of the model by target, each key once.
 *
 * @param files the messages without those of the database
 * @param locale underscore form; `''` for the default texts
 */
export function listCaptions(model: Model, messages: Messages, files: Messages, locale: string): readonly Caption[] {
  const own = ownTexts(messages, files, locale);
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
export function listOtherTexts(model: Model, messages: Messages, files: Messages, locale: string): readonly Caption[] {
  const captions = new Set(
    targetsOf(model, captionsIn(messages, locale)).flatMap(({ key, otherwise }) => [key, otherwise]),
  );
  const own = ownTexts(messages, files, locale);
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

/** The texts of the locale and of its language, without those of the default files. */
function ownTexts({ layers }: Messages, files: Messages, locale: string): ReadonlyMap<string, OwnText> {
  const parts = locale.toLowerCase().split('_');
  // The most specific one is the last.
  const chain = parts.map((_, at) => parts.slice(0, at + 1).join('_'));
  const fileBundles = files.layers.at(-1)?.length ?? 0;
  const sourceOf = (layer: number, bundle: number): CaptionSource => {
    if (layer < layers.length - 1) return 'platform';
    return bundle < fileBundles ? 'application' : 'database';
  };
  const texts = new Map<string, OwnText>();
  layers.forEach((bundles, layer) => {
    for (const name of chain)
      bundles.forEach((bundle: MessageBundle, at) => {
        if (bundle.locale.replaceAll('-', '_').toLowerCase() !== name) return;
        for (const [key, text] of Object.entries(bundle.texts)) texts.set(key, { text, source: sourceOf(layer, at) });
      });
  });
  return texts;
}
