import { fingerprint } from '../builders/fingerprint.ts';

/** Texts of one locale: the content of one messages file. */
export interface MessageBundle {
  /** Locale in underscore form (`de`, `zh_CN`); `''` for default texts. */
  readonly locale: string;
  /** Texts by their keys. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Localized texts as one immutable value. A change creates a new value. */
export interface Messages {
  /** Changes whenever a text does; part of every cache key that a text went into. */
  readonly version: string;
  /**
   * The text of a key: `zh_CN`, then `zh`, then the default texts (contract/messages.md#bundles).
   * Undefined if there is none. The locale of the server is never used.
   */
  find(key: string, locale: string): string | undefined;
  /** The bundles of the texts, layer by layer; later layers win. */
  readonly layers: readonly (readonly MessageBundle[])[];
}

/** `zh_CN`, `zh-cn` and `ZH-CN` are one locale. */
const normal = (locale: string): string => locale.replaceAll('-', '_').toLowerCase();

/** A locale and those it falls back to: `zh_CN` → `zh_cn`, `zh`, `''`. */
function chainOf(locale: string): readonly string[] {
  const parts = normal(locale).split('_');
  const chain = parts.map((_, at) => parts.slice(0, parts.length - at).join('_')).filter((name) => name !== '');
  return [...chain, ''];
}

type Texts = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The bundles of one layer by locale; of two with one locale the later one wins, key by key. */
function indexLayer(bundles: readonly MessageBundle[]): Texts {
  const index = new Map<string, Map<string, string>>();
  for (const { locale, texts } of bundles) {
    const name = normal(locale);
    const known = index.get(name) ?? new Map<string, string>();
    for (const [key, text] of Object.entries(texts)) known.set(key, text);
    index.set(name, known);
  }
  return index;
}

/**
 * Builds messages from layers of bundles: the platform's, then the application's. A text of a later layer overrides
 * one of an earlier layer in every locale, as an application's file replaces the platform's text.
 */
export function createMessages(...layers: readonly (readonly MessageBundle[])[]): Messages {
  const indexed = layers.map(indexLayer).reverse();
  let version: string | undefined;
  return Object.freeze({
    // Most messages are replaced by others before their version is asked for.
    get version() {
      version ??= fingerprint(layers);
      return version;
    },
    layers,
    find(key: string, locale: string): string | undefined {
      const chain = chainOf(locale);
      for (const layer of indexed) {
        for (const name of chain) {
          const text = layer.get(name)?.get(key);
          if (text !== undefined) return text;
        }
      }
      return undefined;
    },
  });
}
