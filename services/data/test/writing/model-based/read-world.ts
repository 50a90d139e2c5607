import { type Entity, entityOf, lineageOf, type Model } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import { keptBy, type Row, type World, type WorldValue } from './world.ts';

type Raw = Readonly<Record<string, unknown>>;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const tableOf = (entity: Entity): string => `l.${snake(entity.name.replace(/^l_/, '')).replace(/^_/, '')}`;

/** The whole content of the library's tables, read by plain statements, without code of the product. */
export async function readWorld(database: Pick<Database, 'query'>, model: Model): Promise<World> {
  const world = new Map<string, Row>();
  for (const entity of model.entities.values()) {
    const isOfLibrary = entity.kind === 'entity' && entity.name.startsWith('l_') && entity.name !== 'l_Stamp';
    if (!isOfLibrary || entity.abstract) continue;
    for (const row of await readEntity(database, model, entity)) world.set(row.id, row);
  }
  return world;
}

async function readEntity(database: Pick<Database, 'query'>, model: Model, entity: Entity): Promise<readonly Row[]> {
  const [own, ...ancestors] = lineageOf(model, entity).map(tableOf);
  const joins = ancestors.map((table) => `JOIN ${table} USING (id)`);
  const rows = await database.query<Raw>({ text: `SELECT * FROM ${own} ${joins.join(' ')} ORDER BY id`, values: [] });
  const kept = keptBy(model, entity);
  const collections = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const { path, attribute } of kept) {
    if (attribute.kind === 'elements') collections.set(path, await readElements(database, own as string, path));
    else if (attribute.kind === 'reference' && attribute.cardinality === 'MANY_TO_MANY')
      collections.set(path, await readLinks(database, own as string, path, entityOf(model, attribute.target)));
  }
  return rows.map((raw): Row => {
    const id = String(raw['id']);
    const values = kept.map(({ path, attribute }): [string, WorldValue] => {
      const found = collections.get(path);
      if (found !== undefined) return [path, found.get(id) ?? []];
      const column = path.split('.').map(snake).join('_');
      const value = raw[attribute.kind === 'reference' ? `${column}_id` : column] ?? null;
      const isDecimal = attribute.kind === 'datatype' && attribute.datatype === 'decimal';
      return [path, isDecimal && value !== null ? Number(value) : (value as WorldValue)];
    });
    return {
      entity: entity.name,
      id,
      version: Number(raw['version']),
      isDeleted: (raw['deleted_date'] ?? null) !== null,
      modifiedBy: (raw['last_modified_by'] ?? null) as string | null,
      values: Object.fromEntries(values),
    };
  });
}

async function readElements(database: Pick<Database, 'query'>, own: string, path: string) {
  const owner = `${own.split('.')[1]}_id`;
  const rows = await database.query<Raw>({
    text: `SELECT ${owner} AS id, array_agg(value ORDER BY position) AS items FROM ${own}_${snake(path)} GROUP BY 1`,
    values: [],
  });
  return new Map(rows.map((raw) => [String(raw['id']), raw['items'] as readonly string[]]));
}

async function readLinks(database: Pick<Database, 'query'>, own: string, path: string, target: Entity) {
  const [owner, member] = [own, tableOf(target)].map((table) => `${table.split('.')[1]}_id`);
  const rows = await database.query<Raw>({
    text: `SELECT ${owner}::text AS id, array_agg(${member}::text ORDER BY ${member}::text) AS items FROM ${own}_${snake(path)}_link GROUP BY 1`,
    values: [],
  });
  return new Map(rows.map((raw) => [String(raw['id']), raw['items'] as readonly string[]]));
}
