import type { DynamicAttribute } from '@lintel/metadata';
import type { Reference, Scalar } from './value.ts';

/** One value of a dynamic attribute, in the canonical form of the write line. */
export type DynamicItem = NonNullable<Scalar> | Reference;

/** The value of a dynamic attribute of an instance. */
export interface DynamicValue {
  readonly attribute: DynamicAttribute;
  /** Path from the sent root: `+code`, `lines[1].+code`. */
  readonly path: string;
  /** One item, those of a list, or none where there is no value. */
  readonly items: readonly DynamicItem[];
  /** A reference was sent without an id. */
  readonly lacksId: boolean;
}

/** The key of an instance under which its values are stored. */
export const ownerKeyOf = (key: readonly Scalar[]): string => String(key[0]);
