import {
  type Attribute,
  columnOf,
  type DatatypeAttribute,
  type ElementsAttribute,
  type Entity,
  embeddedPrefix,
  entityOf,
  enumerationOf,
  foreignColumnsOf,
  isToOne,
  type Model,
} from '@lintel/metadata';
import type { TestClient } from '@lintel/test';

/** Values of text forms by their PostgreSQL type. */
const TEXT_FORMS: Readonly<Record<string, readonly string[]>> = {
  interval: ['PT1H', 'PT2H'],
  'public.lasting': ['PT1H', 'PT2H'],
  inet: ['10.0.0.1', '10.0.0.2'],
  macaddr: ['08:00:2b:01:02:03', '08:00:2b:01:02:04'],
  'bit(4)': ['0101', '0110'],
  'bit varying(8)': ['01', '10'],
  xml: ['<a/>', '<b/>'],
  regclass: ['pg_class', 'pg_type'],
  numrange: ['[1,2)', '[2,3)'],
  'integer[]': ['{{1,2},{3,4}}', '{{5}}'],
  'numeric(6,2)[]': ['{{1.50,2.00}}', '{{2.50}}'],
  'double precision[]': ['{{1.5}}', '{{2.5}}'],
  'text[]': ['{{a,b}}', '{{c}}'],
};

/** Values that the checks of a database demand, by `Entity.attribute`: the first one, and another one. */
export type GivenValues = Readonly<Record<string, readonly unknown[]>>;

/** Creates, reads, finds, sorts, changes and deletes instances of all entities, and reports what fails: a line each. */
export async function useEveryEntity(
  model: Model,
  client: TestClient,
  given: GivenValues = {},
): Promise<readonly string[]> {
  const user = new EntityUser(model, client, given);
  const entities = [...model.entities.values()].filter(
    ({ kind, table, isView, key }) =>
      kind === 'entity' && (table !== undefined || isView === true || key === undefined),
  );
  for (const entity of entities) await user.use(entity);
  return user.failures;
}

class EntityUser {
  readonly failures: string[] = [];
  readonly #model: Model;
  readonly #client: TestClient;
  readonly #given: GivenValues;
  #count = 0;

  constructor(model: Model, client: TestClient, given: GivenValues) {
    this.#model = model;
    this.#client = client;
    this.#given = given;
  }

  async use(entity: Entity): Promise<void> {
    const path = `/entities/${entity.name}`;
    await this.#expect(200, 'GET', `${path}?fetchPlan=_base`);
    const local = [...entity.attributes.values()].filter((each) => each.kind === 'datatype' || each.kind === 'enum');
    for (const { name } of local.filter((each) => each.persistent && !isJson(each)))
      await this.#expect(200, 'GET', `${path}?sort=-${name}`);
    if (entity.isView === true || entity.readOnly === true || entity.key === undefined) return;
    if ((await this.#create(entity, false)) === undefined) return;
    const id = await this.#create(entity, true);
    if (id === undefined) return;
    await this.#find(entity, id);
    await this.#change(entity, id);
    await this.#expect(204, 'DELETE', `${path}/${idText(id)}`);
  }

  /** @param all whether optional attributes and those with a default are sent, too */
  async #create(entity: Entity, all: boolean): Promise<unknown> {
    const body: Record<string, unknown> = {};
    for (const attribute of entity.attributes.values()) {
      if (!isSent(entity, attribute) || !(all || isNeeded(attribute))) continue;
      const value = await this.#valueOf(entity, attribute, 0);
      if (value !== undefined) body[attribute.name] = value;
    }
    if (entity.key?.generation === 'assigned') body['id'] = await this.#keyOf(entity, body);
    const { status, text, json } = await this.#client.post(`/entities/${entity.name}?responseFetchPlan=_base`, body);
    if (status === 201) return json().id;
    this.failures.push(`POST ${entity.name} ${JSON.stringify(body)}: ${status} ${text}`);
    return undefined;
  }

  /** Every stored value finds its instance. */
  async #find(entity: Entity, id: unknown): Promise<void> {
    const path = `/entities/${entity.name}`;
    const read = await this.#expect(200, 'GET', `${path}/${idText(id)}?${planOf(entity)}`);
    for (const attribute of entity.attributes.values()) {
      if (attribute.kind !== 'datatype' && attribute.kind !== 'enum') continue;
      const name = entity.key?.attribute === attribute.name ? 'id' : attribute.name;
      const value = read?.[name];
      if (!attribute.persistent || isJson(attribute) || value === null || value === undefined) continue;
      const filter = { conditions: [{ property: attribute.name, operator: '=', value }] };
      const found = await this.#expect(
        200,
        'GET',
        `${path}/search?filter=${encodeURIComponent(JSON.stringify(filter))}`,
      );
      if (found !== undefined && !found.some((each: { id: unknown }) => JSON.stringify(each.id) === JSON.stringify(id)))
        this.failures.push(`${entity.name}.${name} = ${JSON.stringify(value)} does not find ${JSON.stringify(id)}`);
    }
  }

  async #change(entity: Entity, id: unknown): Promise<void> {
    const body: Record<string, unknown> = {};
    for (const attribute of entity.attributes.values()) {
      if (!isSent(entity, attribute) || attribute.kind === 'reference') continue;
      const value = await this.#valueOf(entity, attribute, 1);
      if (value !== undefined) body[attribute.name] = value;
    }
    await this.#expect(200, 'PUT', `/entities/${entity.name}/${idText(id)}`, body);
    const read = await this.#expect(200, 'GET', `/entities/${entity.name}/${idText(id)}?${planOf(entity)}`);
    for (const [name, value] of Object.entries(body))
      if (read !== undefined && !isSame(read[name], value))
        this.failures.push(`${entity.name}.${name}: ${JSON.stringify(value)} is read as ${JSON.stringify(read[name])}`);
  }

  async #keyOf(entity: Entity, body: Readonly<Record<string, unknown>>): Promise<unknown> {
    const attribute = entity.attributes.get(entity.key?.attribute ?? '');
    if (attribute?.kind !== 'embedded') return attribute && this.#valueOf(entity, attribute, 0);
    const key: Record<string, unknown> = {};
    for (const part of entityOf(this.#model, attribute.target).attributes.values()) {
      // The values of references that are parts of the key are those of the references.
      const owner = [...entity.attributes.values()].filter(isToOne).find((each) => {
        const [column, more] = foreignColumnsOf(this.#model, each);
        return more === undefined && column?.name === columnOf(this.#model, part, embeddedPrefix(attribute)).name;
      });
      const reference = owner === undefined ? undefined : (body[owner.name] as { readonly id: unknown } | undefined);
      key[part.name] = reference?.id ?? (await this.#valueOf(entityOf(this.#model, attribute.target), part, 0));
    }
    return key;
  }

  async #valueOf(entity: Entity, attribute: Attribute, at: 0 | 1): Promise<unknown> {
    const given = this.#given[`${entity.name}.${attribute.name}`];
    if (given !== undefined) return given[at];
    this.#count += 1;
    if (attribute.kind === 'enum')
      return enumerationOf(this.#model, attribute.enumName).values.at(at === 0 ? 0 : -1)?.name;
    if (attribute.kind === 'datatype') return this.#scalar(attribute, at);
    if (attribute.kind === 'elements') return [this.#scalar(attribute, 0), this.#scalar(attribute, 1)];
    if (!isToOne(attribute)) return undefined;
    const target = entityOf(this.#model, attribute.target);
    // A tree ends somewhere.
    if (target === entity) return undefined;
    const id = await this.#create(target, false);
    return id === undefined ? undefined : { id };
  }

  #scalar(attribute: DatatypeAttribute | ElementsAttribute, at: 0 | 1): unknown {
    const n = this.#count;
    const type = attribute.columnType?.replace(/\[\]$/, '') ?? '';
    // Ranges of different instances do not overlap.
    if (type === 'tsrange')
      return `["2026-01-01 00:00:${String(n % 60).padStart(2, '0')}","2026-01-01 00:00:${String(n % 60).padStart(2, '0')}.5")`;
    if (attribute.comparedAs !== undefined) return TEXT_FORMS[type]?.[at] ?? `t${n}`;
    switch (attribute.datatype) {
      case 'string':
      case 'char':
        return `${n.toString(36).toUpperCase()}`.slice(0, attribute.length ?? 10);
      case 'boolean':
        return at === 0;
      case 'short':
      case 'int':
      case 'long':
      case 'bigInteger':
        return n + 1000;
      case 'float':
      case 'double':
        return n + 0.5;
      case 'decimal':
        return attribute.scale === 0 ? (n % 1000) + 1 : (n % 100) + 0.5;
      case 'uuid':
        return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      case 'date':
      case 'localDate':
        return new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);
      case 'dateTime':
      case 'localDateTime':
        return new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, -1);
      case 'offsetDateTime':
        return new Date(Date.UTC(2026, 0, n)).toISOString();
      case 'time':
      case 'localTime':
        return at === 0 ? '04:05:06' : '05:06:07';
      case 'offsetTime':
        return at === 0 ? '04:05:06Z' : '05:06:07Z';
      case 'byteArray':
        return at === 0 ? 'AQID' : 'BAUG';
      case 'json':
        return { n };
      default:
        return `u${n}`;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: responses have every form
  async #expect(wanted: number, method: string, path: string, body?: unknown): Promise<any> {
    const parts = body === undefined ? {} : { body };
    const { status, text, json } = await this.#client.send(method, path, parts);
    if (status === wanted) return text === '' ? undefined : json();
    this.failures.push(`${method} ${path} ${JSON.stringify(body) ?? ''}: ${status} ${text}`);
    return undefined;
  }
}

const isJson = (attribute: Attribute): boolean => attribute.kind === 'datatype' && attribute.datatype === 'json';

const isSent = ({ key, system }: Entity, attribute: Attribute): boolean => {
  const { name, readOnly, persistent } = attribute;
  const isOwn = attribute.kind !== 'reference' || attribute.owning;
  return isOwn && persistent && !readOnly && name !== key?.attribute && !Object.values(system).includes(name);
};

/** What is read of an instance: all its values. */
const planOf = (entity: Entity): string => {
  const properties = [...entity.attributes.values()].filter(({ kind }) => kind !== 'reference').map(({ name }) => name);
  return `fetchPlan=${encodeURIComponent(JSON.stringify({ entity: entity.name, properties }))}`;
};

const isNeeded = (attribute: Attribute): boolean =>
  attribute.mandatory && !('defaultValue' in attribute && attribute.defaultValue !== undefined);

const idText = (id: unknown): string =>
  encodeURIComponent(typeof id === 'object' ? Buffer.from(JSON.stringify(id)).toString('base64url') : String(id));

const isSame = (read: unknown, sent: unknown): boolean =>
  JSON.stringify(read) === JSON.stringify(sent) ||
  (read !== null && Number(read) === Number(sent)) ||
  (typeof read === 'string' && typeof sent === 'string' && Date.parse(read) === Date.parse(sent)) ||
  (Array.isArray(read) &&
    Array.isArray(sent) &&
    read.length === sent.length &&
    read.every((each, at) => isSame(each, sent[at])));
