import { entityOf, lineageOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import { DeletionModel } from './deletion-model.ts';
import { Draft } from './draft.ts';
import type { Body, GeneratedWrite } from './generate-write.ts';
import { isReadable } from './is-readable.ts';
import type { Rules } from './rules.ts';
import { violations } from './violations.ts';
import { isMany, isOf, keptBy, type Row, rowsOf, type World, type WorldValue } from './world.ts';

/** The outcome of a request according to the contract: refused with one of some errors, or done. */
export type Outcome =
  | { readonly kind: 'refused'; readonly errors: ReadonlySet<string> }
  | {
      readonly kind: 'done';
      readonly draft: Draft;
      /** Ids of the returned instances; `?1` stands for an id that the server generates. */
      readonly roots: readonly string[];
      /** The database checks unique values after each statement: exchanged values may be refused. */
      readonly mayCollide: boolean;
    };

const refused = (...errors: readonly string[]): Outcome => ({ kind: 'refused', errors: new Set(errors) });

/**
 * The rules of contract/writing.md#writing and contract/decisions.md#6, #10, #15, #16, #17, #18, #19, #47, #50, #51,
 * #52, #53, #54, in the simplest form.
 */
export function applyWrite(model: Model, world: World, write: GeneratedWrite, rules: Rules): Outcome {
  if (write.method === 'DELETE') return applyDelete(model, world, write.entity, write.ids, rules);
  const ids = write.bodies.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const hasTwins = new Set(ids).size < ids.length;
  const save = new Save(model, world, write.method, rules);
  if (write.method === 'POST') {
    if (!write.bodies.every((body) => isReadable(model, write.entity, body))) return refused('parse');
    if (write.bodies.some((body) => save.concreteOf(write.entity, body).abstract)) return refused('parse');
    if (hasTwins) return refused('parse');
    const made = write.bodies.map((body) => ({ entity: write.entity, body, stored: undefined }));
    return save.run(made, write.isBatch);
  }
  if (hasTwins) return refused('parse');
  const items: Item[] = [];
  for (const body of write.bodies) {
    const stored = world.get(String(body['id']));
    const isThere = stored !== undefined && !stored.isDeleted && isOf(model, stored, write.entity);
    if (!isThere || rules.hides(stored, world)) return refused('Entity not found');
    const named = body['_entityName'];
    const own = { ...body, _entityName: stored.entity };
    if (
      typeof named === 'string' &&
      !lineageOf(model, entityOf(model, stored.entity)).some(({ name }) => name === named)
    )
      return refused('parse');
    if (!isReadable(model, stored.entity, own)) return refused('parse');
    if (isStale(body, stored)) return refused('Optimistic lock');
    items.push({ entity: stored.entity, body: own, stored });
  }
  return save.run(items, write.id === undefined);
}

interface Item {
  readonly entity: string;
  readonly body: Body;
  readonly stored: Row | undefined;
}

const isStale = (body: Body, stored: Row): boolean =>
  body['version'] !== undefined && body['version'] !== stored.version;

function applyDelete(model: Model, world: World, entity: string, ids: readonly string[], rules: Rules): Outcome {
  if (new Set(ids).size < ids.length) return refused('parse');
  for (const id of ids) {
    const row = world.get(id);
    const isThere = row !== undefined && !row.isDeleted && isOf(model, row, entity);
    if (!isThere || rules.hides(row, world)) return refused('Entity not found');
  }
  const draft = new Draft(model, world);
  if (!ids.every((id) => rules.allows('delete', world.get(id) as Row, world))) return refused('Forbidden');
  const errors = new DeletionModel(draft).remove(ids);
  return errors.size > 0 ? { kind: 'refused', errors } : { kind: 'done', draft, roots: [], mayCollide: false };
}

/** An instance of a save, for its rules. */
export interface Node {
  readonly id: string;
  readonly path: string;
  readonly namesChildren: boolean;
}

class Save {
  private readonly model: Model;
  private readonly world: World;
  private readonly rules: Rules;
  private readonly action: string;
  private readonly isUpdate: boolean;
  private readonly isPatch: boolean;
  private readonly draft: Draft;
  private readonly nodes: Node[] = [];
  private readonly errors = new Set<string>();
  private readonly leaving = new Set<string>();
  /** Associations that are replaced from the end without a column. */
  private readonly replaced: { readonly owner: string; readonly attribute: ReferenceAttribute }[] = [];
  private unnamed = 0;

  constructor(model: Model, world: World, method: 'POST' | 'PUT' | 'PATCH', rules: Rules) {
    this.rules = rules;
    this.model = model;
    this.world = world;
    this.isUpdate = method !== 'POST';
    this.isPatch = method === 'PATCH';
    this.action = this.isUpdate ? 'Entity update failed' : 'Entity creation failed';
    this.draft = new Draft(model, world);
  }

  concreteOf(declaredName: string, body: Body) {
    return entityOf(this.model, typeof body['_entityName'] === 'string' ? body['_entityName'] : declaredName);
  }

  run(items: readonly Item[], isBatch: boolean): Outcome {
    const { draft } = this;
    const roots = items.map(({ entity, body, stored }, at) =>
      this.save(entity, body, stored, isBatch ? `entities[${at}]` : '', undefined),
    );
    if (this.errors.size > 0) return { kind: 'refused', errors: this.errors };
    this.keepHiddenTargets();
    this.noteReplaced();
    if (!this.nodes.every(({ id }) => this.mayChange(id))) return refused('Forbidden');
    if (this.nodes.some(({ id }) => draft.danglingReferences(id).length > 0)) return refused(this.action);
    const broken = this.nodes.flatMap((node) => violations(draft, node, this.leaving));
    if (broken.length > 0) return refused(itemsText(broken));
    const mayCollide = draft.mayCollide(this.leaving);
    const goes = [...this.leaving].map((id) => this.world.get(id) as Row);
    const mayGo = goes.every((row) => this.rules.allows('delete', row, this.world));
    const errors = new DeletionModel(draft).remove([...this.leaving]);
    if (!mayGo || !this.nodes.every(({ id }) => this.mayStand(id))) errors.add('Forbidden');
    if (draft.hasTwins()) errors.add('Unique constraint violation');
    if (errors.size > 0 && mayCollide) errors.add('Unique constraint violation');
    if (errors.size > 0) return { kind: 'refused', errors };
    return { kind: 'done', draft, roots, mayCollide };
  }

  /** Conditions on updating apply to the stored state, too. */
  private mayChange(id: string): boolean {
    const [row, before] = [this.draft.rows.get(id), this.world.get(id)];
    if (row === undefined || before === undefined) return true;
    const isChanged = this.draft.isChanged(id) || before.isDeleted !== row.isDeleted;
    return !isChanged || this.rules.allowsChangeOf(before, this.world);
  }

  /** Rules on creating and updating apply to the state after the request. */
  private mayStand(id: string): boolean {
    const [row, before] = [this.draft.rows.get(id), this.world.get(id)];
    if (row === undefined) return true;
    if (before === undefined) return this.rules.allows('create', row, this.draft.rows);
    const isChanged = this.draft.isChanged(id) || before.isDeleted !== row.isDeleted;
    return !isChanged || this.rules.allows('update', row, this.draft.rows);
  }

  /** A reference whose target the caller cannot see is kept; a soft-deleted target is visible. */
  private keepHiddenTargets(): void {
    for (const { id } of this.nodes) {
      const [row, before] = [this.draft.change(id), this.world.get(id)];
      if (before === undefined) continue;
      for (const { path, attribute } of keptBy(this.model, entityOf(this.model, row.entity))) {
        if (attribute.kind !== 'reference' || isMany(attribute)) continue;
        const target = this.world.get(String(before.values[path] ?? ''));
        if (target !== undefined && !this.rules.allows('read', target, this.world)) row.values[path] = target.id;
      }
    }
  }

  /** Adding or removing members changes an instance of the request. */
  private noteReplaced(): void {
    for (const { owner, attribute } of this.replaced) {
      const path = attribute.inverse ?? '';
      const isChanged = rowsOf(this.model, this.draft.rows, attribute.target).some((row) => {
        const [before, after] = [this.world.get(row.id)?.values[path], row.values[path]];
        return before !== after && [before, after].includes(owner);
      });
      if (isChanged) this.draft.noteOwnChange(owner);
    }
  }

  private isHidden(id: string): boolean {
    const row = this.world.get(id);
    return row !== undefined && this.rules.hides(row, this.world);
  }

  /** Links to members that the caller cannot see are kept. */
  private withHidden(before: readonly string[], members: readonly string[]): readonly string[] {
    return [...new Set([...members, ...before.filter((one) => this.isHidden(one))])].sort();
  }

  /** @returns the id of the instance */
  private save(
    declaredName: string,
    body: Body,
    stored: Row | undefined,
    path: string,
    parent: readonly [string, string] | undefined,
  ): string {
    const { model, draft } = this;
    const named = this.concreteOf(declaredName, body);
    const id = stored?.id ?? this.idOf(named.name, body['id']);
    const row = stored === undefined ? draft.create(named.name, id) : draft.change(id);
    if (row.isDeleted) row.isDeleted = false;
    const children: ReferenceAttribute[] = [];
    for (const { path: name, attribute, inside } of keptBy(model, named)) {
      const holder = inside === undefined ? body : ((body[inside.name] ?? {}) as Body);
      const sent = holder[attribute.name];
      if (sent === undefined || (attribute.kind === 'reference' && attribute.composition)) continue;
      row.values[name] = this.valueOf(
        sent,
        attribute.kind === 'elements' || (attribute.kind === 'reference' && isMany(attribute)),
        attribute.kind === 'reference',
      );
      if (attribute.kind !== 'reference' || !isMany(attribute)) continue;
      const before = (this.world.get(id)?.values[name] ?? []) as readonly string[];
      row.values[name] = this.withHidden(before, row.values[name] as readonly string[]);
      draft.relink(id, name);
    }
    this.nodes.push({
      id,
      path,
      namesChildren: [...named.attributes.values()].some(
        (one) => one.kind === 'reference' && one.composition && body[one.name] !== undefined,
      ),
    });
    if (parent !== undefined) row.values[parent[0]] = parent[1];
    for (const attribute of named.attributes.values()) {
      const sent = body[attribute.name];
      if (sent === undefined || attribute.kind !== 'reference') continue;
      const below = path === '' ? attribute.name : `${path}.${attribute.name}`;
      if (attribute.composition) children.push(attribute);
      else if (!attribute.owning && attribute.cardinality === 'MANY_TO_MANY')
        this.linkFromFarEnd(id, attribute, this.valueOf(sent, true, true) as string[]);
      else if (!attribute.owning) {
        const members = isMany(attribute) || sent === null ? sent : [sent];
        this.repoint(id, attribute, this.valueOf(members, true, true) as string[], below);
      }
    }
    for (const attribute of children) {
      const below = path === '' ? attribute.name : `${path}.${attribute.name}`;
      if (isMany(attribute)) this.saveChildren(id, attribute, body[attribute.name] as readonly Body[], below);
      else row.values[attribute.name] = this.saveChild(stored, attribute, body[attribute.name] as Body | null, below);
    }
    return id;
  }

  private idOf(entity: string, sent: unknown): string {
    if (typeof sent !== 'string') {
      this.unnamed += 1;
      return `?${this.unnamed}`;
    }
    const root = lineageOf(this.model, entityOf(this.model, entity)).at(-1)?.name ?? entity;
    const taken = this.draft.rows.get(sent);
    if (taken !== undefined && isOf(this.model, taken, root)) this.errors.add('Entity already exists');
    return sent;
  }

  private valueOf(sent: unknown, many: boolean, isReference: boolean): WorldValue {
    const single = (value: unknown): WorldValue => {
      if (!isReference || value === null) return value as WorldValue;
      const { id } = value as Body;
      if (typeof id !== 'string') this.errors.add(this.action);
      return String(id);
    };
    if (!many) return single(sent);
    const list = ((sent ?? []) as readonly unknown[]).map((item) =>
      typeof item === 'number' ? '' : String(single(item)),
    );
    return isReference ? [...new Set(list)].sort() : list;
  }

  /** The link table belongs to the other end; only this end has changed. */
  private linkFromFarEnd(id: string, attribute: ReferenceAttribute, members: readonly string[]): void {
    const path = attribute.inverse ?? '';
    const before = rowsOf(this.model, this.draft.rows, attribute.target).filter((row) =>
      (row.values[path] as string[]).includes(id),
    );
    for (const member of members) {
      const row = this.draft.rows.get(member);
      if (row === undefined || !isOf(this.model, row, attribute.target)) this.errors.add(this.action);
    }
    if (this.errors.size > 0) return;
    const kept = before.map((row) => row.id).filter((one) => this.isHidden(one));
    const named = new Set([...members, ...kept]);
    const known = new Set(before.map((row) => row.id));
    if (named.size !== known.size || [...named].some((member) => !known.has(member))) this.draft.noteOwnChange(id);
    for (const row of before) if (!named.has(row.id)) this.draft.link(row.id, path, id, false);
    for (const member of members) this.draft.link(member, path, id, true);
  }

  /** contract/decisions.md#6: the references of members are set to this instance; former members lose theirs. */
  private repoint(id: string, attribute: ReferenceAttribute, members: readonly string[], path: string): void {
    const inverse = attribute.inverse ?? '';
    if (this.world.has(id)) this.replaced.push({ owner: id, attribute });
    const current = rowsOf(this.model, this.draft.rows, attribute.target).filter(
      (row) => !row.isDeleted && row.values[inverse] === id,
    );
    for (const member of members) {
      const row = this.world.get(member);
      const isHere = row?.values[inverse] === id && !row.isDeleted;
      const isKnown = row !== undefined && isOf(this.model, row, attribute.target);
      if (!isKnown || (!isHere && this.isHidden(member))) this.errors.add(this.action);
      else if (isHere) this.draft.change(member).values[inverse] = id;
      else {
        this.draft.change(member).values[inverse] = id;
        this.nodes.push({ id: member, path, namesChildren: false });
      }
    }
    for (const row of current) {
      if (members.includes(row.id) || this.isHidden(row.id)) continue;
      this.draft.change(row.id).values[inverse] = null;
      this.nodes.push({ id: row.id, path, namesChildren: false });
    }
  }

  private saveChildren(parent: string, attribute: ReferenceAttribute, sent: readonly Body[], path: string): void {
    const inverse = attribute.inverse ?? '';
    const own = rowsOf(this.model, this.world, attribute.target).filter((row) => row.values[inverse] === parent);
    // contract/writing.md#create: children of a new parent have only their own values, children of a patch always.
    const aligned = this.world.has(parent) && !this.isPatch ? this.align(attribute.target, sent) : sent;
    const kept = new Set(sent.map(({ id }) => id));
    for (const row of own) if (!row.isDeleted && !kept.has(row.id) && !this.isHidden(row.id)) this.leaving.add(row.id);
    for (const [at, body] of aligned.entries()) {
      const stored = own.find((row) => row.id === body['id']);
      if (stored !== undefined && this.isHidden(stored.id)) continue;
      const named = this.concreteOf(attribute.target, body);
      if (stored === undefined ? named.abstract : !isOf(this.model, stored, named.name)) this.errors.add('parse');
      else if (stored !== undefined && this.isUpdate && isStale(body, stored)) this.errors.add('Optimistic lock');
      if (stored === undefined && named.abstract) continue;
      this.save(attribute.target, body, stored, `${path}[${at}]`, [inverse, parent]);
    }
  }

  private saveChild(
    parent: Row | undefined,
    attribute: ReferenceAttribute,
    sent: Body | null,
    path: string,
  ): string | null {
    const current = this.world.get(String(parent?.values[attribute.name] ?? ''));
    if (sent === null) {
      if (current !== undefined && !current.isDeleted) this.leaving.add(current.id);
      return null;
    }
    if (current !== undefined && this.isUpdate && isStale(sent, current)) this.errors.add('Optimistic lock');
    return this.save(attribute.target, sent, current, path, undefined);
  }

  /** contract/writing.md#children: attributes that a sibling has in the body and a child does not are cleared on the child. */
  private align(target: string, siblings: readonly Body[]): readonly Body[] {
    const union = new Set(
      siblings.flatMap((body) =>
        [...this.concreteOf(target, body).attributes.keys()].filter((name) => body[name] !== undefined),
      ),
    );
    return siblings.map((body) => {
      const entity = this.concreteOf(target, body);
      const lacking = [...union].flatMap((name) => {
        const attribute = entity.attributes.get(name);
        if (attribute === undefined || body[name] !== undefined || name === 'id' || name === 'version') return [];
        const isList = attribute.kind === 'elements' || (attribute.kind === 'reference' && isMany(attribute));
        return [[name, isList ? [] : null] as const];
      });
      return { ...body, ...Object.fromEntries(lacking) };
    });
  }
}

/** The paths of validation items as one text, for comparison. */
export const itemsText = (paths: readonly string[]): string => `items ${JSON.stringify([...paths].sort())}`;
