import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf, isSoftDeleted } from '@lintel/metadata';
import type { InstanceChange } from '../compare-states.ts';
import type { HistoryReading } from '../read-states.ts';

/** The refusal of a change that the caller does not see as a whole. */
export const notWhole = (): PlatformError =>
  new PlatformError('ACCESS_DENIED', 'The change has parts that the caller may not take back');

/** An instance that is created again must be as it was: what the caller does not see would be lost. */
export function assertSeesWhole({ access }: HistoryReading, { name, attributes }: Entity): void {
  const { mayView } = access.read.entity(name);
  for (const attribute of attributes.values()) if (attribute.persistent && !mayView(attribute.name)) throw notWhole();
}

/** Asserts the same for children that are created again. */
export function assertSeesChildren(reading: HistoryReading, { children = [] }: Pick<InstanceChange, 'children'>): void {
  for (const child of children) {
    const entity = entityOf(reading.model, child.entity);
    if (child.operation === 'deleted' && !isSoftDeleted(entity)) assertSeesWhole(reading, entity);
    assertSeesChildren(reading, child);
  }
}
