import { type ExactJson, isExactObject } from '@lintel/query';

/** Whether a value has at most the given number of levels; recursion over a deeper value could overflow the stack. */
export function nestsWithin(json: ExactJson, levels: number): boolean {
  if (Array.isArray(json)) {
    return levels > 0 && (json as readonly ExactJson[]).every((item) => nestsWithin(item, levels - 1));
  }
  return !isExactObject(json) || (levels > 0 && Object.values(json).every((item) => nestsWithin(item, levels - 1)));
}
