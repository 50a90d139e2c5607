/** Names the parameters (`query.limt`), members (`body.lines.nam`) and headers of a request that had no effect. */
export const IGNORED_HEADER = 'X-Ignored';

/** Names of one request that are reported; `*` stands for more. */
export const MAX_IGNORED = 20;

/** Characters of one name. */
export const MAX_IGNORED_LENGTH = 60;

/** The value of the header: visible ASCII only, and short, for any request. */
export function ignoredText(where: 'query' | 'body' | 'header', names: readonly string[]): string {
  const shown = names.slice(0, MAX_IGNORED).map((name) => `${where}.${safe(name)}`);
  return [...shown, ...(names.length > MAX_IGNORED ? ['*'] : [])].join(', ');
}

/** A part of a value that is not stored: the offset of a time, or digits of its fraction. */
export type IgnoredPart = 'offset' | 'fraction';

/** A member without a meaning, inside of a parameter or a body; or a part of a value without an effect. */
export interface UnknownInside {
  /** Path of the object that has it, with positions; empty for a parameter itself. */
  readonly inside: string;
  readonly name: string;
  /** The member has a meaning, and this part of its value has no effect. */
  readonly part?: IgnoredPart;
  /** The members that the object may have. */
  readonly known: readonly string[];
}

/** The paths of such members without positions, once each, as `ignoredText` takes them. */
export const ignoredPaths = (found: readonly UnknownInside[]): readonly string[] => [
  ...new Set(
    found.map(({ inside, name, part }) => {
      const path = `${inside.replace(/\[\d+\]/g, '')}.${name.slice(0, MAX_IGNORED_LENGTH)}`;
      return withPart(path.replace(/^\./, ''), part);
    }),
  ),
];

/** The path of a part of a value, as `ignoredText` takes it. */
export const withPart = (path: string, part: IgnoredPart | undefined): string =>
  part === undefined ? path : `${path};${part}`;

const safe = (name: string): string => {
  const part = /;(?:offset|fraction)$/.exec(name)?.[0] ?? '';
  return `${visible(name.slice(0, name.length - part.length))}${part}`;
};

const visible = (name: string): string =>
  name
    .slice(0, MAX_IGNORED_LENGTH)
    .toWellFormed()
    .replace(/[^\w.$+-]/gu, (character) => encodeURIComponent(character).replace(/[!'()*~]/g, '_'));
