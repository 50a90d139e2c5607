import { keyInEntries, ownedKeysStatement, referredKeysStatement, rowsByKey, sourceOf } from '@lintel/history';
import {
  columnsOf,
  type Entity,
  type HistoryNode,
  type HistoryTable,
  historyOf,
  type Model,
  rootOf,
  storingEntity,
  tableOf,
} from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { keyInSql, parseEntityId, readExactJson } from '@lintel/query';
import { CommandError } from '../command-error.ts';

/** Why instances belong to a person. */
export type Belonging = 'person' | 'part' | 'refers';

/** Instances of an inheritance tree that belong to a person. */
export interface PersonInstances {
  readonly node: HistoryNode;
  readonly belonging: Belonging;
  /** In the form of entries of the history: `["6b1b36c2-…"]`. */
  readonly keys: ReadonlySet<string>;
}

/** Everything that belongs to a person. */
export interface Person {
  readonly instances: readonly PersonInstances[];
  /** Ids of the users of the platform. */
  readonly users: readonly string[];
}

interface Found extends PersonInstances {
  readonly keys: Set<string>;
}

/**
 * Finds the instance of a person with its composition children, the user of the platform to whom it refers, and the
 * instances that refer to one of both by a personal reference, with their children; also those that were deleted.
 *
 * @throws CommandError if there is no such instance, and never was one with a history
 */
export async function findPerson(model: Model, entity: Entity, id: string, database: StatementRunner): Promise<Person> {
  const search = new PersonSearch(model, database);
  const root = rootOf(model, entity);
  const key = await search.keyOf(entity, id);
  await search.add(root, [key], 'person');
  const users = root.name === 'sec_User' ? [key] : await search.usersOf(root, [key]);
  await search.addReferring(root, [key]);
  if (root.name !== 'sec_User' && users.length > 0) await search.addReferring(userOf(model), users);
  return { instances: [...search.found.values()], users: users.map((user) => String(JSON.parse(user)[0])) };
}

/** The tables of instances and their children; all of them, also if the history records some attributes alone. */
function familyOf(model: Model, { history: _recorded, ...root }: Entity): HistoryNode {
  return historyOf(model, root);
}

/** The id of an instance as responses have it, from its key in the entries. */
export function idOf({ key: declared }: Entity, key: string): unknown {
  const values = readExactJson(key) as readonly unknown[];
  const parts = declared?.parts ?? [];
  return parts.length === 0 ? values[0] : Object.fromEntries(parts.map((part, at) => [part, values[at]]));
}

const userOf = (model: Model): Entity => model.entities.get('sec_User') as Entity;

class PersonSearch {
  readonly found = new Map<string, Found>();
  readonly #model: Model;
  readonly #database: StatementRunner;

  constructor(model: Model, database: StatementRunner) {
    this.#model = model;
    this.#database = database;
  }

  async keyOf(entity: Entity, id: string): Promise<string> {
    const model = this.#model;
    const [table] = familyOf(model, rootOf(model, entity)).tables as readonly [HistoryTable];
    const values = keyInSql(model, entity, parseEntityId(model, entity, id));
    const written = { text: `SELECT ${keyInEntries(model, entity)} AS key`, values };
    const [{ key } = { key: '' }] = await this.#database.query<{ readonly key: string }>(written);
    const text = `SELECT k.key FROM ${rowsByKey(table)} UNION ALL
  (SELECT e.key FROM history.entry e WHERE e.source = $2 AND e.key = ANY ($1::text[]) LIMIT 1)`;
    const found = await this.#database.query({ text, values: [[key], sourceOf(table)] });
    if (found.length > 0) return key;
    throw new CommandError(`There is no ${entity.name} ${id}`, 'Neither stored nor in the history');
  }

  /** Adds instances and their composition children. */
  async add(entity: Entity, keys: readonly string[], belonging: Belonging): Promise<void> {
    if (entity.isView !== true) await this.#addNode(familyOf(this.#model, entity), keys, belonging);
  }

  async #addNode(node: HistoryNode, keys: readonly string[], belonging: Belonging): Promise<void> {
    const { name } = node.entity;
    const known = this.found.get(name) ?? { node, belonging, keys: new Set() };
    const added = keys.filter((key) => !known.keys.has(key));
    if (added.length === 0) return;
    for (const key of added) known.keys.add(key);
    this.found.set(name, known);
    for (const { node: below, table, from } of node.children) {
      const text =
        table === undefined ? from && referredKeysStatement(from, node.tables) : ownedKeysStatement(table, table.owner);
      if (text !== undefined) await this.#addNode(below, await this.#keys(text, added), 'part');
    }
  }

  /** Adds the instances that have a personal reference to one of these. */
  async addReferring(root: Entity, keys: readonly string[]): Promise<void> {
    for (const { owner, table, columns } of this.#references(({ target }) => target === root))
      await this.add(owner, await this.#keys(ownedKeysStatement(table, columns), keys), 'refers');
  }

  /** The users to whom instances refer by a personal reference. */
  async usersOf(root: Entity, keys: readonly string[]): Promise<readonly string[]> {
    const user = userOf(this.#model);
    const users: string[] = [];
    for (const { owner, table, columns } of this.#references(({ target }) => target === user)) {
      if (owner !== root) continue;
      const names = columns.map((column) => `'${column.replaceAll("'", "''")}'`).join(', ');
      const text = `SELECT history.key_of(to_jsonb(t), ARRAY[${names}]::text[]) AS key FROM ${rowsByKey(table)}`;
      users.push(...(await this.#keys(text, keys)));
    }
    return users;
  }

  async #keys(text: string, keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.query<{ readonly key: string | null }>({ text, values: [keys] });
    return rows.flatMap(({ key }) => key ?? []);
  }

  /** The personal references of the model, with the root of their entity and of their target. */
  #references(isWanted: (reference: { readonly target: Entity }) => boolean) {
    const model = this.#model;
    return [...model.entities.values()].flatMap((entity) =>
      [...entity.attributes.values()].flatMap((attribute) => {
        if (attribute.kind !== 'reference' || attribute.personal !== true || attribute.declaredBy !== entity.name)
          return [];
        const target = rootOf(model, model.entities.get(attribute.target) as Entity);
        if (entity.kind !== 'entity' || entity.isView === true || !isWanted({ target })) return [];
        const owner = rootOf(model, entity);
        const stored = tableOf(storingEntity(model, entity));
        const table = familyOf(model, owner).tables.find((each) => sourceOf(each) === sourceOf(stored));
        const columns = columnsOf(model, attribute).map(({ name }) => name);
        return table === undefined ? [] : [{ owner, table, columns }];
      }),
    );
  }
}
