import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import type { DynamicValue } from '../values/dynamic-value.ts';
import type { JsonMerge } from '../values/merged-json.ts';
import type { Key, Scalar, Value } from '../values/value.ts';
import type { HiddenAtRead } from './parse-token.ts';

/** The input of a client for one instance, checked against the model; other members of the body are dropped. */
export interface InstanceInput {
  /** The concrete entity. */
  readonly entity: Entity;
  /** Path from the sent root, for validation items: empty, `lines[1]`, `entities[0]`. */
  readonly path: string;
  /** The key as sent; undefined if none was sent. */
  readonly key: Key | undefined;
  /** The parts of an incomplete key, null for each that was not sent: references over the key may have them. */
  readonly keyParts?: readonly Scalar[] | undefined;
  /** Sent version, if optimistic locking requires it. */
  readonly version: string | undefined;
  /** Values of columns, element collections and links by attribute path. */
  readonly values: ReadonlyMap<string, SentValue>;
  /** Composition children by attribute. */
  readonly children: ReadonlyMap<string, SentChildren>;
  /**
   * Values of attributes that are not stored, as they were sent: returned if the response includes these attributes.
   */
  readonly unstored: ReadonlyMap<string, ExactJson>;
  /** Of the security token; undefined without one. */
  readonly hiddenAtRead?: HiddenAtRead | undefined;
  /** Dynamic attributes that were sent. */
  readonly dynamic: readonly DynamicValue[];
  /** Attributes that another child of the same collection names and this one does not; undefined if there are none. */
  readonly filled?: Filled;
}

/** Attributes of a child that are null because another child of the collection names them. */
export interface Filled {
  /** Name of the collection. */
  readonly collection: string;
  readonly paths: ReadonlySet<string>;
}

export interface SentValue {
  /** `missing` stands for a reference whose object has no id. */
  readonly value: Value | 'missing';
  /** As it was sent, for `invalidValue` (contract/decisions.md#50). */
  readonly sent: ExactJson;
  /** A merge patch of a JSON attribute: merged into the stored value, which `value` does not replace. */
  readonly jsonPatch?: JsonMerge;
  /** Of a collection whose other members stay: the keys that leave, by their texts; `value` has those that come. */
  readonly removed?: ReadonlyMap<string, Key>;
}

/**
 * `many` is the whole collection that replaces the stored one; `one` is null to remove the child. In a patch each child
 * is merged by what it names itself (contract/decisions.md#72). With `removed`, only the members with these keys leave.
 */
export type SentChildren =
  | { readonly kind: 'one'; readonly child: InstanceInput | null }
  | {
      readonly kind: 'many';
      readonly children: readonly InstanceInput[];
      readonly isPatch?: boolean;
      readonly removed?: ReadonlyMap<string, Key>;
    };
