import { entityOf, isToOne, type ReferenceAttribute } from '@lintel/metadata';
import type { Draft, DraftRow } from './draft.ts';
import { isMany, isMarkable, isOf, keptBy, refersTo, rowsOf } from './world.ts';

const DENIED = 'Delete policy violation';
const DANGLING = 'Referential integrity violation';

/** Delete policies (contract/writing.md#soft-deletion, contract/decisions.md#47), by checking every row. */
export class DeletionModel {
  private readonly draft: Draft;
  private readonly errors = new Set<string>();
  /** The deleted ids, and whether each is removed (true) or soft-deleted. */
  private readonly going = new Map<string, boolean>();
  private readonly queue: string[] = [];

  constructor(draft: Draft) {
    this.draft = draft;
  }

  /** @returns the errors; without errors the rows are deleted from the draft */
  remove(ids: readonly string[]): Set<string> {
    for (const id of ids) this.add(id, false);
    for (let id = this.queue.shift(); id !== undefined; id = this.queue.shift()) {
      this.followReferrers(id);
      this.followOwn(id);
    }
    const removed = [...this.going].flatMap(([id, isHard]) => (isHard ? [id] : []));
    for (const [id, isHard] of this.going) {
      if (isHard) this.draft.rows.delete(id);
      else this.draft.change(id).isDeleted = true;
    }
    if (this.isStillReferred(removed)) this.errors.add(DANGLING);
    return this.errors;
  }

  private add(id: string, mustBeHard: boolean): void {
    if (this.going.has(id)) return;
    this.going.set(id, mustBeHard || !isMarkable(this.draft.model, this.draft.change(id)));
    this.queue.push(id);
  }

  private isStillReferred(removed: readonly string[]): boolean {
    const { model, rows } = this.draft;
    return [...rows.values()].some((row) =>
      keptBy(model, entityOf(model, row.entity)).some(
        ({ path, attribute }) => attribute.kind === 'reference' && removed.some((id) => refersTo(row, path, id)),
      ),
    );
  }

  /** Rows that block or follow the deletion: soft-deleted ones matter only for a row that is removed. */
  private referrers(id: string, entity: string, path: string): readonly DraftRow[] {
    const isHard = this.going.get(id) === true;
    return rowsOf(this.draft.model, this.draft.rows, entity)
      .filter((row) => refersTo(row, path, id) && !this.going.has(row.id) && (isHard || !row.isDeleted))
      .map((row) => this.draft.change(row.id));
  }

  private followReferrers(id: string): void {
    const { model } = this.draft;
    const row = this.draft.change(id);
    for (const entity of model.entities.values()) {
      for (const attribute of entity.attributes.values()) {
        if (attribute.kind !== 'reference' || attribute.onDeleteInverse === undefined) continue;
        if (attribute.declaredBy !== entity.name || !isOf(model, row, attribute.target) || !isToOne(attribute))
          continue;
        this.apply(id, this.referrers(id, entity.name, attribute.name), attribute.name, attribute.onDeleteInverse);
      }
    }
  }

  private followOwn(id: string): void {
    const { model } = this.draft;
    const row = this.draft.change(id);
    for (const attribute of entityOf(model, row.entity).attributes.values()) {
      if (attribute.kind !== 'reference' || attribute.onDelete === undefined) continue;
      if (isMany(attribute))
        this.apply(
          id,
          this.referrers(id, attribute.target, attribute.inverse ?? ''),
          attribute.inverse ?? '',
          attribute.onDelete,
        );
      else this.followTarget(id, attribute);
    }
  }

  private followTarget(id: string, attribute: ReferenceAttribute): void {
    const row = this.draft.change(id);
    const target = this.draft.rows.get(String(row.values[attribute.name] ?? ''));
    if (target === undefined) return;
    if (attribute.onDelete === 'UNLINK') row.values[attribute.name] = null;
    else if (!target.isDeleted || this.going.get(id) === true) this.cascade(id, [target]);
  }

  private apply(id: string, referrers: readonly DraftRow[], path: string, policy: string): void {
    if (policy === 'DENY') {
      if (referrers.some((row) => !row.isDeleted)) this.errors.add(DENIED);
    } else if (policy === 'UNLINK') for (const row of referrers) row.values[path] = null;
    else this.cascade(id, referrers);
  }

  private cascade(id: string, rows: readonly DraftRow[]): void {
    const isHard = this.going.get(id) === true;
    for (const row of rows) if (isHard || isMarkable(this.draft.model, row)) this.add(row.id, isHard);
  }
}
