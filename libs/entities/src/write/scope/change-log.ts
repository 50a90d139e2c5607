import { type Entity, entityOf, lineageOf, type Model } from '@lintel/metadata';
import type { OutboxEvent } from '@lintel/persistence';
import { type Key, keyText, type Values } from '../values/value.ts';

/** The changes of one instance in a transaction. */
export interface ChangeRecord {
  readonly entity: Entity;
  readonly key: Key;
  readonly change: 'created' | 'updated' | 'deleted';
  /** Names of the changed attributes. */
  readonly attributes: ReadonlySet<string>;
  /** User names that the change concerns: of `sec_User` and `sec_RoleAssignment`, before and after. */
  readonly usernames: ReadonlySet<string>;
  /** Stored values before the transaction; undefined for a new instance. */
  readonly before: Values | undefined;
  /** Values after the last change; undefined for a deleted instance. */
  readonly after: Values | undefined;
}

/** Collects the changes of a transaction, one record per instance, in the order they first happened. */
export class ChangeLog {
  private readonly model: Model;
  private readonly records = new Map<string, ChangeRecord>();
  /** The jobs of which runs were queued. */
  readonly queuedJobs = new Set<string>();
  /** Events of the application that were published, in their order. */
  readonly ownEvents: OutboxEvent[] = [];

  constructor(model: Model) {
    this.model = model;
  }

  private keyOf(entity: Entity, key: Key): string {
    const root = lineageOf(this.model, entity).at(-1) ?? entity;
    return `${root.name} ${keyText(key)}`;
  }

  /** The record of an instance that was written before in this transaction. */
  find(entity: Entity, key: Key): ChangeRecord | undefined {
    return this.records.get(this.keyOf(entity, key));
  }

  note(record: ChangeRecord): void {
    const id = this.keyOf(record.entity, record.key);
    const earlier = this.records.get(id);
    if (earlier === undefined) {
      this.records.set(id, record);
      return;
    }
    if (earlier.change === 'created' && record.change === 'deleted') {
      this.records.delete(id);
      return;
    }
    this.records.set(id, {
      entity: entityOf(this.model, record.entity.name),
      key: record.key,
      change: record.change === 'deleted' ? 'deleted' : earlier.change,
      attributes: new Set([...earlier.attributes, ...record.attributes]),
      usernames: new Set([...earlier.usernames, ...record.usernames]),
      before: earlier.before,
      after: record.after,
    });
  }

  all(): readonly ChangeRecord[] {
    return [...this.records.values()];
  }
}
