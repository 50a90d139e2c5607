import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import type { ColumnSlot } from '../model/layout.ts';
import type { StoredEntity } from '../model/stored-entity.ts';
import type { WriteModel } from '../model/write-model.ts';
import type { Filled } from '../parse/instance-input.ts';
import type { HiddenAtRead } from '../parse/parse-token.ts';
import type { StoredRow } from '../rows/rows.ts';
import type { DynamicValue } from '../values/dynamic-value.ts';
import type { Key, Values } from '../values/value.ts';

/** One instance of a save, after the client's values were merged into it. */
export interface InstanceNode {
  readonly entity: Entity;
  readonly layout: StoredEntity;
  readonly key: Key;
  readonly kind: 'create' | 'update';
  /** Path from the sent root, for validation items. */
  readonly path: string;
  /** Stored values; undefined for a new instance. Collections only where the request names them. */
  readonly before: Values | undefined;
  readonly after: Values;
  /** Values as they were sent, by path. */
  readonly sent: ReadonlyMap<string, ExactJson>;
  /** Attributes that were filled in because siblings in the collection name them. */
  readonly filled?: Filled | undefined;
  /** Members of references that the caller did not see when the instance was read, by its security token. */
  readonly hiddenAtRead?: HiddenAtRead | undefined;
  /** Children of compositions that the request names, by attribute: keys of those that will be there. */
  readonly children: ReadonlyMap<string, readonly Key[]>;
  /** Attributes that count as changed, by name: associations whose members change at the members' end, hidden ones in rehearsals. */
  readonly replaced?: readonly string[];
  /** The M:N association whose links the other end saves: only the listeners of this end are called about it. */
  readonly linkedAtOtherEnd?: string;
  /** Dynamic attributes that were sent; after `settleDynamicValues`, those that change. */
  readonly dynamic?: readonly DynamicValue[];
}

/** A stored instance that no request names, with what changes of it. */
export const nodeOfRow = (
  writeModel: WriteModel,
  { entity, key, values }: StoredRow,
  changed: Partial<InstanceNode> = {},
): InstanceNode => ({
  entity,
  layout: writeModel.of(entity),
  key,
  kind: 'update',
  path: '',
  before: values,
  after: values,
  sent: new Map(),
  children: new Map(),
  ...changed,
});

/** Whether the row of a new instance gets the default of the column, because nothing was sent. */
export const isLeftOut = ({ kind, sent, after }: InstanceNode, { path, attribute }: ColumnSlot): boolean =>
  attribute.databaseDefault === true && kind === 'create' && !sent.has(path) && (after.get(path) ?? null) === null;

/** A child that is removed from its composition. */
export interface Removal {
  readonly entity: Entity;
  readonly key: Key;
  /** The parent refers to the child (1:1), not the child to the parent. */
  readonly isTarget: boolean;
}
