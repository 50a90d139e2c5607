/** Values of attributes by their names, as the API has them. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * A child of a composition while it is edited: its values, and two members that are no attributes. `_key` is the
 * identity of a child without an id; `_removed` says that it is removed by the next save, until then it can be restored.
 */
export type Line = Values & { readonly _key?: string; readonly _removed?: true };

/** The lines of a composition. */
export const linesOf = (value: unknown): readonly Line[] => (Array.isArray(value) ? (value as readonly Line[]) : []);

/** Whether a value is an object with members, such as an embedded object or a child. */
export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The identity of a line in a draft. */
export const keyOfLine = (line: Line): string => line._key ?? `id:${JSON.stringify(line['id'])}`;

/** A line that the next save creates. */
export const createLine = (values: Values): Line => ({ ...values, _key: `new:${crypto.randomUUID()}` });

/** Whether the next save creates the line. */
export const isNewLine = (line: Line): boolean => line._key !== undefined;

/** The lines that are stored after a save, in their order. */
export const keptLines = (value: unknown): readonly Line[] =>
  linesOf(value).filter(({ _removed }) => _removed !== true);

/**
 * Where a value is in a draft: names of attributes and keys of lines, joined by `/`. A path of a line ends with its key.
 */
export const joinPath = (path: string, segment: string): string =>
  path === '' ? encodeURIComponent(segment) : `${path}/${encodeURIComponent(segment)}`;

const segmentsOf = (path: string): readonly string[] => path.split('/').map(decodeURIComponent);

/** The draft with another value at a path; undefined at the path of a line takes it out. */
export const withValueAt = (draft: Values, path: string, value: unknown): Values =>
  changed(draft, segmentsOf(path), value) as Values;

function changed(at: unknown, [segment, ...rest]: readonly string[], value: unknown): unknown {
  if (segment === undefined) return value;
  if (Array.isArray(at))
    return at.flatMap((line: Line) => {
      if (keyOfLine(line) !== segment) return [line];
      const next = changed(line, rest, value);
      return next === undefined ? [] : [next];
    });
  const before = isObject(at) ? at : {};
  return { ...before, [segment]: changed(before[segment], rest, value) };
}
