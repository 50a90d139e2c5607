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
import { type ColumnSlot, layoutOf } from '../layout/layout.ts';
import { isReference, type Key, keyText } from '../values/value.ts';
import { loadRows, type StoredRow } from './rows.ts';
import { loadLinks } from './side-tables.ts';
import type { WriteScope } from './write-scope.ts';

export interface Deletion {
  readonly row: StoredRow;
  readonly mode: 'soft' | 'hard';
  /** Rows of a lower rank are removed first, so that no foreign key is left pointing at nothing. */
  readonly rank: number;
}

/** A reference that is set to null because its target goes. */
export interface Unlink {
  readonly row: StoredRow;
  readonly path: string;
}

/** Links of a M:N association that go with one end of it. */
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
 * Follows the delete policies from some rows to everything that goes with them
 * (contract-security-core.md §6.6). A soft-deleted row takes only children along that can be marked too,
 * so that it can be restored with the others (decisions.md 47).
 *
 * @throws PlatformError DATA_DELETE_POLICY where a policy is DENY
 */
export async function collectDeletions(scope: WriteScope, rows: readonly StoredRow[]): Promise<DeletionPlan> {
  const walk = new DeletionWalk(scope);
  walk.add(rows, 0, false);
  await walk.run();
  return walk;
}

class DeletionWalk implements DeletionPlan {
  readonly deletions: Deletion[] = [];
  readonly unlinks: Unlink[] = [];
  readonly links: LinkRemoval[] = [];
  private readonly scope: WriteScope;
  private readonly seen = new Set<string>();
  private readonly queue: Deletion[] = [];

  constructor(scope: WriteScope) {
    this.scope = scope;
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
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      this.deletions.push(next);
      await this.followReferrers(next);
      await this.followOwn(next);
    }
  }

  private fresh(rows: readonly StoredRow[]): readonly StoredRow[] {
    return rows.filter((row) => !this.seen.has(this.idOf(row)));
  }

  /** References of other instances to the one that goes. */
  private async followReferrers(deletion: Deletion): Promise<void> {
    const { model } = this.scope;
    const names = new Set(lineageOf(model, deletion.row.entity).map(({ name }) => name));
    for (const entity of model.entities.values()) {
      if (entity.kind !== 'entity') continue;
      for (const attribute of entity.attributes.values()) {
        const policy = attribute.kind === 'reference' ? attribute.onDeleteInverse : undefined;
        if (attribute.kind !== 'reference' || policy === undefined || !names.has(attribute.target)) continue;
        if (attribute.declaredBy !== entity.name || !attribute.owning) continue;
        if (isToOne(attribute)) await this.followReference(deletion, entity, attribute, policy);
        else await this.followLinks(deletion, entity, attribute, policy);
      }
    }
  }

  private async followReference(
    deletion: Deletion,
    entity: Entity,
    attribute: ReferenceAttribute,
    policy: DeletePolicy,
  ): Promise<void> {
    const slot = layoutOf(this.scope.model, entity).slots.get(attribute.name) as ColumnSlot;
    const referrers = this.fresh(await this.loadReferrers(entity, slot, deletion.row.key));
    this.apply(deletion, referrers, attribute.name, policy, entity.name);
  }

  private async followLinks(
    deletion: Deletion,
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
    const { row } = deletion;
    const found = await loadLinks(this.scope.transaction, this.scope.model, row.entity, reversed, [row.key]);
    if ((found.get(keyText(row.key)) ?? []).length === 0) return;
    if (policy === 'DENY') throw denied(row.entity, entity.name);
    this.links.push({ entity: row.entity, attribute: reversed, keys: [row.key] });
  }

  /** References and collections of the instance that goes. */
  private async followOwn(deletion: Deletion): Promise<void> {
    const { row } = deletion;
    for (const attribute of row.entity.attributes.values()) {
      if (attribute.kind !== 'reference' || !attribute.persistent || attribute.onDelete === undefined) continue;
      if (attribute.cardinality === 'MANY_TO_MANY') await this.followOwnLinks(deletion, attribute, attribute.onDelete);
      else if (attribute.owning) await this.followTarget(deletion, attribute, attribute.onDelete);
      else await this.followMembers(deletion, attribute, attribute.onDelete);
    }
  }

  private async followMembers(deletion: Deletion, attribute: ReferenceAttribute, policy: DeletePolicy): Promise<void> {
    const target = entityOf(this.scope.model, attribute.target);
    const slot = layoutOf(this.scope.model, target).slots.get(attribute.inverse ?? '');
    if (slot === undefined) return;
    const members = this.fresh(await this.loadReferrers(target, slot, deletion.row.key));
    this.apply(deletion, members, slot.path, policy, target.name);
  }

  private async followTarget(deletion: Deletion, attribute: ReferenceAttribute, policy: DeletePolicy): Promise<void> {
    const value = deletion.row.values.get(attribute.name);
    if (!isReference(value)) return;
    const target = entityOf(this.scope.model, attribute.target);
    if (policy === 'DENY') throw denied(deletion.row.entity, target.name);
    if (policy === 'UNLINK') {
      if (deletion.mode === 'soft') this.unlinks.push({ row: deletion.row, path: attribute.name });
      return;
    }
    const rows = await loadRows(
      this.scope.transaction,
      this.scope.model,
      target,
      { by: 'key', keys: [value.key] },
      { lock: 'delete', liveOnly: true },
    );
    this.cascade(deletion, rows, deletion.rank + 1);
  }

  private async followOwnLinks(deletion: Deletion, attribute: ReferenceAttribute, policy: DeletePolicy): Promise<void> {
    const { row } = deletion;
    const found = await loadLinks(this.scope.transaction, this.scope.model, row.entity, attribute, [row.key]);
    if ((found.get(keyText(row.key)) ?? []).length === 0) return;
    if (policy === 'DENY') throw denied(row.entity, attribute.target);
    this.links.push({ entity: row.entity, attribute, keys: [row.key] });
  }

  private apply(
    deletion: Deletion,
    referrers: readonly StoredRow[],
    path: string,
    policy: DeletePolicy,
    from: string,
  ): void {
    if (referrers.length === 0) return;
    if (policy === 'DENY') throw denied(deletion.row.entity, from);
    if (policy === 'UNLINK') this.unlinks.push(...referrers.map((row) => ({ row, path })));
    else this.cascade(deletion, referrers, deletion.rank - 1);
  }

  private cascade(deletion: Deletion, rows: readonly StoredRow[], rank: number): void {
    if (deletion.mode === 'hard') this.add(rows, rank, true);
    else
      this.add(
        rows.filter((row) => isSoftDeleted(row.entity)),
        rank,
        false,
      );
  }

  private loadReferrers(entity: Entity, slot: ColumnSlot, key: Key): Promise<readonly StoredRow[]> {
    return loadRows(
      this.scope.transaction,
      this.scope.model,
      entity,
      { by: 'reference', slot, keys: [key] },
      { lock: 'delete', liveOnly: true },
    );
  }
}

const denied = (entity: Entity, from: string): PlatformError =>
  new PlatformError('DATA_DELETE_POLICY', `Unable to delete ${entity.name} because there are references from ${from}`);
