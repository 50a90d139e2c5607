import { PlatformError } from '@lintel/errors';
import {
  type DeletePolicy,
  type Entity,
  entityOf,
  isSoftDeleted,
  isToOne,
  lineageOf,
  type ReferenceAttribute,
} from '@lintel/metadata';
import type { ColumnSlot } from '../model/layout.ts';
import { assertRowCount, loadRows, type StoredRow } from '../rows/rows.ts';
import { loadLinks } from '../rows/side-tables.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { isReference, type Key, keyText } from '../values/value.ts';

export interface Deletion {
  readonly row: StoredRow;
  readonly mode: 'soft' | 'hard';
  /** Rows of a lower rank are removed first, so that no foreign key is left pointing at nothing. */
  readonly rank: number;
}

/** A reference that is set to null because its target is deleted. */
export interface Unlink {
  readonly row: StoredRow;
  readonly path: string;
}

/** Links of a M:N association that are removed together with one end. */
export interface LinkRemoval {
  readonly entity: Entity;
  readonly attribute: ReferenceAttribute;
  readonly keys: readonly Key[];
}

export interface DeletionPlan {
  readonly deletions: readonly Deletion[];
  readonly unlinks: readonly Unlink[];
  readonly links: readonly LinkRemoval[];
}

/**
 * Follows the delete policies from some rows to all rows that are deleted with them
 * (contract/writing.md#soft-deletion). With a soft-deleted row only children that can be soft-deleted too are deleted,
 * so that it can be restored together with them (contract/decisions.md#47).
 *
 * @param isPurge the rows are removed, not marked
 * @param maxRows refuses to delete or unlink more
 * @throws PlatformError DATA_DELETE_POLICY if a policy is DENY, REQ_COST_EXCEEDED
 */
export async function collectDeletions(
  scope: WriteScope,
  rows: readonly StoredRow[],
  isPurge: boolean,
  maxRows?: number,
): Promise<DeletionPlan> {
  const walk = new DeletionWalk(scope, maxRows);
  walk.add(rows, 0, isPurge);
  await walk.run();
  return walk;
}

/** Deletions of one entity, mode and rank. */
interface Group extends Pick<Deletion, 'mode' | 'rank'> {
  readonly entity: Entity;
  readonly all: readonly Deletion[];
  readonly keys: readonly Key[];
}

class DeletionWalk implements DeletionPlan {
  readonly deletions: Deletion[] = [];
  readonly unlinks: Unlink[] = [];
  readonly links: LinkRemoval[] = [];
  private readonly scope: WriteScope;
  private readonly maxRows: number | undefined;
  private readonly seen = new Set<string>();
  private queue: Deletion[] = [];

  constructor(scope: WriteScope, maxRows: number | undefined) {
    this.scope = scope;
    this.maxRows = maxRows;
  }

  private idOf(row: StoredRow): string {
    const root = lineageOf(this.scope.model, row.entity).at(-1) ?? row.entity;
    return `${root.name} ${keyText(row.key)}`;
  }

  add(rows: readonly StoredRow[], rank: number, mustBeHard: boolean): void {
    for (const row of rows) {
      if (this.seen.has(this.idOf(row))) continue;
      this.seen.add(this.idOf(row));
      const mode = isSoftDeleted(row.entity) && !mustBeHard ? 'soft' : 'hard';
      this.queue.push({ row, mode, rank });
    }
  }

  async run(): Promise<void> {
    for (let group = this.nextGroup(); group !== undefined; group = this.nextGroup()) {
      // One by one: the number of arguments of a call is limited by the stack.
      for (const deletion of group.all) this.deletions.push(deletion);
      await this.followReferrers(group);
      await this.followOwn(group);
      assertRowCount(this.seen.size + this.unlinks.length, this.maxRows);
    }
  }

  /**
   * Rows that are deleted in the same way are processed together: the number of statements depends on the references,
   * not on the number of rows.
   */
  private nextGroup(): Group | undefined {
    const [first] = this.queue;
    if (first === undefined) return undefined;
    const isAlike = ({ row, mode, rank }: Deletion): boolean =>
      row.entity === first.row.entity && mode === first.mode && rank === first.rank;
    const all = this.queue.filter(isAlike);
    this.queue = this.queue.filter((one) => !isAlike(one));
    return { entity: first.row.entity, mode: first.mode, rank: first.rank, all, keys: all.map(({ row }) => row.key) };
  }

  private fresh(rows: readonly StoredRow[]): readonly StoredRow[] {
    return rows.filter((row) => !this.seen.has(this.idOf(row)));
  }

  /** References of other instances to those that go. */
  private async followReferrers(group: Group): Promise<void> {
    for (const { entity, attribute, policy } of this.scope.writeModel.of(group.entity).referrers) {
      if (isToOne(attribute)) await this.followReference(group, entity, attribute, policy);
      else await this.followLinks(group, entity, attribute, policy);
    }
  }

  private async followReference(
    group: Group,
    entity: Entity,
    attribute: ReferenceAttribute,
    policy: DeletePolicy,
  ): Promise<void> {
    const slot = this.scope.writeModel.of(entity).slots.get(attribute.name) as ColumnSlot;
    const referrers = this.fresh(await this.loadReferrers(entity, slot, group, policy));
    this.apply(group, referrers, attribute.name, policy, entity.name);
  }

  private async followLinks(
    group: Group,
    entity: Entity,
    attribute: ReferenceAttribute,
    policy: DeletePolicy,
  ): Promise<void> {
    const reversed: ReferenceAttribute = {
      ...attribute,
      target: entity.name,
      owning: false,
      inverse: attribute.name,
    };
    await this.followLinksOf(group, reversed, policy, entity.name);
  }

  /** References and collections of the instances that go. */
  private async followOwn(group: Group): Promise<void> {
    for (const attribute of group.entity.attributes.values()) {
      if (attribute.kind !== 'reference' || !attribute.persistent || attribute.onDelete === undefined) continue;
      const policy = attribute.onDelete;
      if (attribute.cardinality === 'MANY_TO_MANY')
        await this.followLinksOf(group, attribute, policy, attribute.target);
      else if (attribute.owning) await this.followTarget(group, attribute, policy);
      else await this.followMembers(group, attribute, policy);
    }
  }

  private async followMembers(group: Group, attribute: ReferenceAttribute, policy: DeletePolicy): Promise<void> {
    const target = entityOf(this.scope.model, attribute.target);
    const slot = this.scope.writeModel.of(target).slots.get(attribute.inverse ?? '');
    if (slot === undefined) return;
    const members = this.fresh(await this.loadReferrers(target, slot, group, policy));
    this.apply(group, members, slot.path, policy, target.name);
  }

  private async followTarget(group: Group, attribute: ReferenceAttribute, policy: DeletePolicy): Promise<void> {
    const referring = group.all.flatMap(({ row }) => {
      const value = row.values.get(attribute.name);
      return isReference(value) ? [{ row, key: value.key }] : [];
    });
    if (referring.length === 0) return;
    const target = entityOf(this.scope.model, attribute.target);
    if (policy === 'DENY') throw denied(this.scope, group.entity, target.name);
    if (policy === 'UNLINK') {
      if (group.mode === 'soft') for (const { row } of referring) this.unlinks.push({ row, path: attribute.name });
      return;
    }
    const rows = await loadRows(
      this.scope.transaction,
      this.scope.writeModel,
      target,
      { by: 'key', keys: referring.map(({ key }) => key) },
      { lock: 'delete', liveOnly: group.mode === 'soft', maxRows: this.maxRows },
    );
    this.cascade(group, rows, group.rank + 1);
  }

  private async followLinksOf(
    group: Group,
    attribute: ReferenceAttribute,
    policy: DeletePolicy,
    from: string,
  ): Promise<void> {
    const { transaction, model } = this.scope;
    const found = await loadLinks(transaction, model, group.entity, attribute, group.keys);
    const keys = group.keys.filter((key) => (found.get(keyText(key)) ?? []).length > 0);
    if (keys.length === 0) return;
    if (policy === 'DENY') throw denied(this.scope, group.entity, from);
    this.links.push({ entity: group.entity, attribute, keys });
  }

  private apply(group: Group, referrers: readonly StoredRow[], path: string, policy: DeletePolicy, from: string): void {
    if (referrers.length === 0) return;
    if (policy === 'DENY') throw denied(this.scope, group.entity, from);
    if (policy === 'UNLINK') for (const row of referrers) this.unlinks.push({ row, path });
    else this.cascade(group, referrers, group.rank - 1);
  }

  private cascade({ mode }: Group, rows: readonly StoredRow[], rank: number): void {
    if (mode === 'hard') this.add(rows, rank, true);
    else
      this.add(
        rows.filter((row) => isSoftDeleted(row.entity)),
        rank,
        false,
      );
  }

  /** Soft-deleted rows deny nothing; they only block the removal of a row by their foreign key. */
  private loadReferrers(
    entity: Entity,
    slot: ColumnSlot,
    { keys, mode }: Group,
    policy: DeletePolicy,
  ): Promise<readonly StoredRow[]> {
    return loadRows(
      this.scope.transaction,
      this.scope.writeModel,
      entity,
      { by: 'reference', slot, keys },
      {
        lock: 'delete',
        liveOnly: mode === 'soft' || policy === 'DENY',
        maxRows: policy === 'DENY' ? undefined : this.maxRows,
      },
    );
  }
}

/** An entity that the caller may not read is not named. */
function denied({ errorAccess }: WriteScope, entity: Entity, from: string): PlatformError {
  const referrers = errorAccess.allows(from, 'read') ? `references from ${from}` : 'references to it';
  const details = `Unable to delete ${entity.name} because there are ${referrers}`;
  return new PlatformError('DATA_DELETE_POLICY', details);
}
