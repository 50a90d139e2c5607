import { PlatformError, shortened } from '@lintel/errors';
import { type ExactJson, type ExactObject, isExactObject } from '@lintel/query';

const NAMES = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** One operation of a JSON Patch (RFC 6902 §4). */
export interface Operation {
  readonly name: (typeof NAMES)[number];
  /** Position in the patch, for errors. */
  readonly at: number;
  /** Tokens of the JSON Pointer. */
  readonly path: readonly string[];
  /** Of `move` and `copy`; empty for the others. */
  readonly from: readonly string[];
  /** Of `add`, `replace` and `test`; null for the others. */
  readonly value: ExactJson;
}

/** Takes the members that an operation does not define. */
export type NoteMembers = (json: ExactObject, known: readonly string[], path: string) => void;

/** A mistake in one operation. */
export const invalidOperation = (at: number, mistake: string): PlatformError =>
  new PlatformError('REQ_INVALID_PATCH', `operations[${at}]: ${shortened(mistake)}`);

/** The pointer in an error. */
export const shownPointer = (tokens: readonly string[]): string =>
  shortened(`/${tokens.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`);

/**
 * The operations of a JSON Patch. Members that the operation does not define are ignored (RFC 6902 §4).
 *
 * @throws PlatformError REQ_INVALID_PATCH naming the operation
 */
export function parseJsonPatch(json: ExactJson, noteMembers?: NoteMembers): readonly Operation[] {
  if (!Array.isArray(json)) throw new PlatformError('REQ_INVALID_PATCH', 'A JSON Patch is an array of operations');
  return (json as readonly ExactJson[]).map((operation, at) => parseOperation(operation, at, noteMembers));
}

function parseOperation(json: ExactJson, at: number, noteMembers?: NoteMembers): Operation {
  if (!isExactObject(json)) throw invalidOperation(at, 'it must be a JSON object');
  const name = NAMES.find((one) => one === memberOf(json, 'op'));
  if (name === undefined) throw invalidOperation(at, `'op' must be one of ${NAMES.join(', ')}`);
  const hasFrom = name === 'move' || name === 'copy';
  const hasValue = name === 'add' || name === 'replace' || name === 'test';
  const value = memberOf(json, 'value');
  if (hasValue && value === undefined) throw invalidOperation(at, "'value' is missing");
  noteMembers?.(
    json,
    ['op', 'path', ...(hasFrom ? ['from'] : []), ...(hasValue ? ['value'] : [])],
    `operations[${at}]`,
  );
  const path = pointerOf(json, 'path', at);
  const from = hasFrom ? pointerOf(json, 'from', at) : [];
  if (name === 'move' && from.length < path.length && from.every((token, index) => token === path[index]))
    throw invalidOperation(at, "'path' is inside of 'from'");
  return { name, at, path, from, value: hasValue ? (value ?? null) : null };
}

const memberOf = (json: ExactObject, name: string): ExactJson | undefined =>
  Object.hasOwn(json, name) ? json[name] : undefined;

/** The whole instance (an empty pointer) cannot be addressed: only its attributes can. */
function pointerOf(json: ExactObject, member: 'path' | 'from', at: number): readonly string[] {
  const text = memberOf(json, member);
  if (typeof text !== 'string' || !text.startsWith('/') || /~(?![01])/.test(text))
    throw invalidOperation(at, `'${member}' must be a JSON Pointer to an attribute, such as /name`);
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
