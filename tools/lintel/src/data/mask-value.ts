import { createHash } from 'node:crypto';
import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import type { ExactJson } from '@lintel/query';

/**
 * A false value in place of a personal one, which is the same in every export, and says nothing about the other: it comes
 * from the id of the instance.
 *
 * @returns undefined if the type or a rule of the attribute has no such value
 */
export function maskedValue(attribute: DetailedAttributeInfo, value: ExactJson, id: string): ExactJson | undefined {
  const { name, type, length = 255, rules = [] } = attribute;
  if (value === null) return null;
  if (Array.isArray(value) || rules.some(({ kind }) => kind === 'pattern' || kind === 'future')) return undefined;
  if (type === 'localDate') return '1900-01-01';
  if (type !== 'string') return undefined;
  const digest = createHash('sha256').update(`${id} ${name}`).digest('hex').slice(0, 12);
  const { min, max } = rules.find((rule) => rule.kind === 'size') ?? { min: 0, max: length };
  const limit = Math.min(max, length);
  if (!rules.some(({ kind }) => kind === 'email')) return `masked ${digest}`.padEnd(min, '0').slice(-limit);
  const address = `masked-${digest}@example.invalid`;
  return address.length < min || address.length > limit ? undefined : address;
}

/** A part of an instance whose values are all personal. */
export const personalPart = (entity: DetailedEntityInfo): DetailedEntityInfo => ({
  ...entity,
  properties: entity.properties.map((each) => ({ ...each, personal: true })),
});
