import { type Attribute, entityOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import { isMany, isOf, keptBy, type Row, rowsOf, type World, type WorldValue } from './world.ts';

/** A row during a request. */
export interface DraftRow {
  readonly entity: string;
  readonly id: string;
  version: number;
  isDeleted: boolean;
  modifiedBy: string | null;
  values: Record<string, WorldValue>;
}

const same = (left: WorldValue | undefined, right: WorldValue | undefined): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null);

const isOneToOne = (attribute: Attribute): boolean =>
  attribute.kind === 'reference' && attribute.cardinality === 'ONE_TO_ONE';

const isUnique = (attribute: Attribute): boolean =>
  (attribute.kind === 'datatype' && attribute.unique) || isOneToOne(attribute);

/** The world during a request. Versions are incremented at the end, by comparison with the world before it. */
export class Draft {
  readonly model: Model;
  readonly before: World;
  readonly rows: Map<string, DraftRow>;
  /** Instances whose links were changed from their end. */
  private readonly relinked = new Set<string>();

  constructor(model: Model, before: World) {
    this.model = model;
    this.before = before;
    this.rows = new Map([...before].map(([id, row]) => [id, { ...row, values: { ...row.values } }]));
  }

  create(entity: string, id: string): DraftRow {
    const defaults = keptBy(this.model, entityOf(this.model, entity)).map(
      ({ path, attribute }): [string, WorldValue] => {
        if (attribute.kind === 'elements' || (attribute.kind === 'reference' && isMany(attribute))) return [path, []];
        // The model of these tests has no JSON attributes, so defaults are single values.
        return [path, ((attribute.kind === 'datatype' ? attribute.defaultValue : undefined) ?? null) as WorldValue];
      },
    );
    const row = { entity, id, version: 1, isDeleted: false, modifiedBy: null, values: Object.fromEntries(defaults) };
    this.rows.set(id, row);
    return row;
  }

  change(id: string): DraftRow {
    return this.rows.get(id) as DraftRow;
  }

  /** A collection of links was sent for the instance itself. */
  relink(id: string, path: string): void {
    if (!same(this.before.get(id)?.values[path] ?? [], this.rows.get(id)?.values[path])) this.relinked.add(id);
  }

  noteOwnChange(id: string): void {
    this.relinked.add(id);
  }

  link(id: string, path: string, member: string, isLinked: boolean): void {
    const row = this.change(id);
    const others = (row.values[path] as readonly string[]).filter((one) => one !== member);
    row.values[path] = isLinked ? [...others, member].sort() : others;
  }

  /** Changed paths of an instance, without links; all paths of a new one. */
  changedPaths(id: string): readonly string[] {
    const [row, before] = [this.rows.get(id), this.before.get(id)];
    if (row === undefined) return [];
    return keptBy(this.model, entityOf(this.model, row.entity)).flatMap(({ path, attribute }) => {
      if (before === undefined) return [path];
      const isLink = attribute.kind === 'reference' && isMany(attribute);
      const differs = isLink
        ? this.relinked.has(id) && !same(before.values[path], row.values[path])
        : !same(before.values[path], row.values[path]);
      return differs ? [path] : [];
    });
  }

  isChanged(id: string): boolean {
    return this.changedPaths(id).length > 0 || this.relinked.has(id);
  }

  /** Changed references to instances that are neither stored nor created by the request. */
  danglingReferences(id: string): readonly string[] {
    const row = this.change(id);
    const known = new Map(
      keptBy(this.model, entityOf(this.model, row.entity)).map((kept) => [kept.path, kept.attribute]),
    );
    return this.changedPaths(id).filter((path) => {
      const attribute = known.get(path);
      if (attribute?.kind !== 'reference') return false;
      const value = row.values[path];
      const ids = Array.isArray(value)
        ? (value as readonly string[])
        : value === null || value === undefined
          ? []
          : [String(value)];
      return ids.some((one) => {
        const target = this.rows.get(one);
        return target === undefined || !isOf(this.model, target, attribute.target);
      });
    });
  }

  private uniqueValues(rows: Iterable<Row>, isCounted = isUnique): readonly (readonly [string, Row])[] {
    return [...rows].flatMap((row) => {
      if (row.isDeleted) return [];
      return keptBy(this.model, entityOf(this.model, row.entity)).flatMap(({ path, attribute }) =>
        isCounted(attribute) && row.values[path] !== null
          ? [[`${attribute.declaredBy}.${path} ${row.values[path]}`, row] as const]
          : [],
      );
    });
  }

  /** Whether two rows that are not deleted have the same unique value, or the same target of a 1:1 reference. */
  hasTwins(): boolean {
    const values = this.uniqueValues(this.rows.values()).map(([value]) => value);
    return new Set(values).size < values.length;
  }

  /**
   * Whether stored rows exchange unique values in a cycle, so that no order of updates keeps them unique. Optional
   * references are set to null first, and all 1:1 references of the library are optional.
   */
  mayCollide(leaving: ReadonlySet<string>): boolean {
    const isCounted = (attribute: Attribute) => isUnique(attribute) && !isOneToOne(attribute);
    const before = new Map(this.uniqueValues(this.before.values(), isCounted).map(([value, row]) => [value, row.id]));
    const takesFrom = new Map<string, string[]>();
    for (const [value, row] of this.uniqueValues(this.rows.values(), isCounted)) {
      const owner = before.get(value);
      if (owner !== undefined && owner !== row.id && !leaving.has(owner) && this.before.has(row.id))
        takesFrom.set(row.id, [...(takesFrom.get(row.id) ?? []), owner]);
    }
    const leadsBack = (from: string, id: string, seen: readonly string[]): boolean =>
      (takesFrom.get(id) ?? []).some(
        (next) => next === from || (!seen.includes(next) && leadsBack(from, next, [...seen, next])),
      );
    return [...takesFrom.keys()].some((id) => leadsBack(id, id, [id]));
  }

  /**
   * The world after the request: with versions, deletion flags and new versions of the owners of changed children
   * (contract/decisions.md#54).
   */
  finish(user: string): World {
    const touched = this.touchedOwners();
    for (const row of this.rows.values()) {
      const before = this.before.get(row.id);
      if (before === undefined) continue;
      const isModified = this.isChanged(row.id) || touched.has(row.id) || (before.isDeleted && !row.isDeleted);
      if (isModified) row.modifiedBy = user;
      if (isModified || before.isDeleted !== row.isDeleted) row.version = before.version + 1;
    }
    return this.rows;
  }

  private touchedOwners(): ReadonlySet<string> {
    const ids = new Set([...this.before.keys(), ...this.rows.keys()]);
    const isTouching = (id: string): boolean =>
      !this.before.has(id) ||
      !this.rows.has(id) ||
      this.isChanged(id) ||
      this.before.get(id)?.isDeleted !== this.rows.get(id)?.isDeleted;
    const touched = new Set<string>();
    const queue = [...ids].filter(isTouching);
    const seen = new Set(queue);
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      for (const owner of this.ownersOf(id)) {
        if (seen.has(owner)) continue;
        seen.add(owner);
        touched.add(owner);
        queue.push(owner);
      }
    }
    return touched;
  }

  /** Owners that are not deleted, by the links before and after. */
  private ownersOf(id: string): readonly string[] {
    const states = [this.before.get(id), this.rows.get(id)].flatMap((row) => row ?? []);
    const [row] = states;
    if (row === undefined) return [];
    const owners = [...this.model.entities.values()].flatMap((owner) =>
      [...owner.attributes.values()].flatMap((attribute) =>
        attribute.kind === 'reference' && attribute.composition && isOf(this.model, row, attribute.target)
          ? this.ownersThrough(attribute, owner.name, id, states)
          : [],
      ),
    );
    return owners.filter((one) => this.rows.get(one)?.isDeleted === false);
  }

  private ownersThrough(
    attribute: ReferenceAttribute,
    owner: string,
    id: string,
    states: readonly Row[],
  ): readonly string[] {
    if (attribute.owning)
      return rowsOf(this.model, this.rows, owner).flatMap((row) => (row.values[attribute.name] === id ? [row.id] : []));
    return states.flatMap((row) => {
      const link = row.values[attribute.inverse ?? ''];
      return typeof link === 'string' ? [link] : [];
    });
  }
}
