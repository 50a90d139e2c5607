import { costExceeded } from '@lintel/errors';
import { type ExactJson, type ExactObject, isExactObject, jsonText, readExactJson } from '@lintel/query';
import type { Value } from './value.ts';

/** A merge patch (RFC 7396) inside a JSON attribute. */
export interface JsonMerge {
  readonly members: ExactObject;
  /** Characters of the result. */
  readonly maxLength: number;
}

/**
 * The value of a JSON attribute after a merge patch (RFC 7396 §2).
 *
 * @param stored canonical text of the stored value
 * @throws PlatformError REQ_COST_EXCEEDED if it became longer than any value that can be sent
 */
export function mergedJson(path: string, stored: Value | undefined, { members, maxLength }: JsonMerge): string {
  const target = typeof stored === 'string' ? readExactJson(stored) : null;
  const text = jsonText(merge(target, members));
  if (text === undefined) throw new Error(`The merged value of ${path} cannot be stored`);
  assertJsonLength(path, text, maxLength);
  return text;
}

/**
 * Patches cannot make a value that is longer than any that can be sent.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertJsonLength(path: string, text: string, maxLength: number): void {
  if (text.length > maxLength)
    throw costExceeded(
      `Attribute '${path}' would have ${text.length} characters, at most ${maxLength} are allowed`,
      'svc.rest.max-body-size',
    );
}

/** Values that a client sent are nested 100 levels at most, so the recursion is bounded. */
function merge(target: ExactJson, patch: ExactJson): ExactJson {
  if (!isExactObject(patch)) return patch;
  const members = new Map<string, ExactJson>(isExactObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch as ExactObject)) {
    if (value === null) members.delete(name);
    else members.set(name, merge(members.get(name) ?? null, value));
  }
  return Object.fromEntries(members);
}
