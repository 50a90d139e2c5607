import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { EXPORT_TYPES } from '@lintel/contracts';
import { type ExactJson, type ExactObject, isExactObject, readExactJson } from '@lintel/query';
import { CommandError } from '../command-error.ts';
import { textOfServer } from '../history/ask-server.ts';
import type { Terminal } from '../terminal.ts';
import type { DataExportOptions } from './data.command.ts';
import { type DataModel, entityIn, movedAttributes, naturalKeyOf, readDataModel } from './data-model.ts';
import { maskedValue, personalPart } from './mask-value.ts';
import { CONTENTS, takeFile } from './moved-files.ts';

/** All rows are in memory. */
const MAX_ROWS = 200_000;
/** Ids of one request. */
const IDS_AT_ONCE = 500;

interface Export {
  readonly model: DataModel;
  readonly options: DataExportOptions;
  /** The rows by entity and id, in the form of an import. */
  readonly rows: Map<string, Map<string, MovedRow>>;
  /** Ids of instances that rows refer to and that are not read yet, by entity. */
  needed: Map<string, Map<string, ExactJson>>;
  /** The files that rows refer to, by their references. */
  readonly files: Map<string, MovedFile>;
}

/** A file, as the text that stands for it in the rows. */
class MovedFile {
  text = '';

  toJSON(): string {
    return this.text;
  }
}

interface MovedRow {
  readonly json: ExactObject;
  /** Its key, as text. */
  readonly key: string;
  /** Ids of rows of the same entity that it refers to. */
  readonly before: readonly string[];
}

/**
 * Writes all instances of the chosen entities, and the instances that these refer to, into a folder: a line for each one,
 * in the order of their keys, so that equal data are equal files.
 *
 * @throws CommandError
 */
export async function exportData(folder: string, options: DataExportOptions, terminal: Terminal): Promise<void> {
  const model = await readDataModel(options);
  const running: Export = { model, options, rows: new Map(), needed: new Map(), files: new Map() };
  for (const name of options.entity) await readRows(running, entityIn(model, name), []);
  while (running.needed.size > 0) {
    const { needed } = running;
    running.needed = new Map();
    for (const [name, ids] of needed) {
      const missing = [...ids].filter(([id]) => running.rows.get(name)?.has(id) !== true).map(([, id]) => id);
      for (let from = 0; from < missing.length; from += IDS_AT_ONCE)
        await readRows(running, entityIn(model, name), [
          { property: 'id', operator: 'in', value: missing.slice(from, from + IDS_AT_ONCE) },
        ]);
    }
  }
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, CONTENTS), { recursive: true, force: true });
  for (const [reference, file] of running.files) file.text = await takeFile(options, folder, reference);
  for (const name of readdirSync(folder)) if (name.endsWith('.ndjson')) rmSync(join(folder, name));
  const counts = [...running.rows]
    .filter(([, rows]) => rows.size > 0)
    .map(([name, rows]) => [name, rows.size] as const);
  for (const [name] of counts) {
    const lines = inOrder(running.rows.get(name) ?? new Map()).map(({ json }) => `${JSON.stringify(json)}\n`);
    writeFileSync(join(folder, `${name}.ndjson`), lines.join(''));
  }
  terminal.print(
    options.json === true
      ? JSON.stringify(Object.fromEntries(counts), null, 2)
      : counts.map(([name, count]) => `${name}: ${count}`).join('\n'),
  );
}

/** Reads rows of an entity; rows of its descendants are read as such. */
async function readRows(running: Export, entity: DetailedEntityInfo, conditions: readonly object[]): Promise<void> {
  const { entityName } = entity;
  assertFound(entity);
  const text = await textOfServer(running.options, {
    method: 'POST',
    path: `/entities/${entityName}/search`,
    headers: { accept: EXPORT_TYPES.ndjson, 'content-type': 'application/json' },
    body: JSON.stringify({
      filter: { conditions },
      fetchPlan: planOf(running, entity),
      returnNulls: true,
      dynamicAttributes: true,
    }),
  });
  const found = running.rows.get(entityName) ?? new Map<string, MovedRow>();
  running.rows.set(entityName, found);
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const json = readExactJson(line) as ExactObject;
    const id = idTextOf(json);
    const own = json['_entityName'];
    if (typeof own === 'string' && own !== entityName) need(running, own, json);
    else {
      const before: string[] = [];
      const moved = movedRow(running, entity, json, (name, target) => {
        need(running, name, target);
        if (name === entityName) before.push(idTextOf(target));
      });
      const natural = naturalKeyOf(entity);
      const named = natural === undefined ? { id: json['id'] ?? null, ...moved } : moved;
      found.set(id, { json: named, key: String(natural === undefined ? id : named[natural]), before });
    }
  }
  if ([...running.rows.values()].reduce((sum, { size }) => sum + size, 0) > MAX_ROWS)
    throw new CommandError(
      `There are more than ${MAX_ROWS} instances`,
      'Larger data move as exports and imports of the API',
    );
}

/** Ids that a database counts are others elsewhere. */
function assertFound(entity: DetailedEntityInfo): void {
  const { entityName, kind, key, keyGeneration } = entity;
  if (kind !== 'entity' || key === null)
    throw new CommandError(`${entityName} has no stored instances with a key`, 'Choose an entity with a key');
  if (keyGeneration === 'identity' && naturalKeyOf(entity) === undefined)
    throw new CommandError(
      `Other installations do not find instances of ${entityName}: ids are counted, and no attribute is mandatory and unique`,
      'Declare one in the model',
    );
}

const idTextOf = ({ id }: ExactObject): string => (typeof id === 'string' ? id : JSON.stringify(id));

function need(running: Export, name: string, target: ExactObject): void {
  const ids = running.needed.get(name) ?? new Map<string, ExactJson>();
  running.needed.set(name, ids.set(idTextOf(target), target['id'] ?? null));
}

type NoteTarget = (entity: string, target: ExactObject) => void;

/** The members of a row in the form of an import: references by their natural keys. */
function movedRow(running: Export, entity: DetailedEntityInfo, json: ExactObject, note: NoteTarget): ExactObject {
  const members = movedAttributes(entity, running.options).flatMap((attribute): readonly [string, ExactJson][] => {
    const value = json[attribute.name];
    if (value === undefined) return [];
    const isMasked = running.options.mask === true && attribute.personal === true && isValue(attribute);
    const moved = isMasked
      ? maskedValue(attribute, value, idTextOf(json))
      : movedValue(running, attribute, value, note, json);
    return moved === undefined ? [] : [[attribute.name, moved]];
  });
  const dynamic = Object.entries(json)
    .filter(([name]) => name.startsWith('+'))
    .map(([name, value]): [string, ExactJson] => [name, dynamicValue(value, note)]);
  return Object.fromEntries([...members, ...dynamic]);
}

const isValue = ({ attributeType }: DetailedAttributeInfo): boolean =>
  attributeType === 'DATATYPE' || attributeType === 'ENUM';

/** Values of dynamic attributes have no plan: instances are their ids. */
function dynamicValue(value: ExactJson, note: NoteTarget): ExactJson {
  if (Array.isArray(value)) return value.map((each: ExactJson) => dynamicValue(each, note));
  if (!isExactObject(value)) return value;
  note(String(value['_entityName']), value);
  return { id: value['id'] ?? null };
}

function movedValue(
  running: Export,
  attribute: DetailedAttributeInfo,
  value: ExactJson,
  note: NoteTarget,
  owner: ExactObject,
): ExactJson {
  if (Array.isArray(value)) return value.map((each: ExactJson) => movedValue(running, attribute, each, note, owner));
  if (attribute.type === 'fileRef' && typeof value === 'string') {
    const file = running.files.get(value) ?? new MovedFile();
    running.files.set(value, file);
    // Written as a text, like numbers of any size.
    return file as unknown as ExactJson;
  }
  const found = running.model.get(attribute.type);
  if (!isExactObject(value) || found === undefined) return value;
  const target = attribute.personal === true ? personalPart(found) : found;
  if (attribute.attributeType === 'EMBEDDED')
    return movedRow(running, target, { ...value, id: owner['id'] ?? null }, note);
  if (attribute.attributeType === 'COMPOSITION')
    return { id: value['id'] ?? null, ...movedRow(running, childOf(target, attribute), value, note) };
  const own = value['_entityName'];
  note(typeof own === 'string' ? own : target.entityName, value);
  const natural = naturalKeyOf(target);
  return natural === undefined ? { id: value['id'] ?? null } : { [natural]: value[natural] ?? null };
}

/** A child without the reference to its owner. */
const childOf = (child: DetailedEntityInfo, { inverse }: DetailedAttributeInfo): DetailedEntityInfo => ({
  ...child,
  properties: child.properties.filter(({ name }) => name !== inverse),
});

/** Compositions inside of compositions. */
const MAX_DEPTH = 10;

/**
 * The fetch plan of what moves.
 *
 * @throws CommandError for compositions that contain themselves
 */
export function planOf(
  running: { readonly model: DataModel; readonly options: { readonly personal: boolean } },
  entity: DetailedEntityInfo,
  depth = 0,
): object {
  if (depth > MAX_DEPTH)
    throw new CommandError(
      `${entity.entityName} is a part of itself`,
      'Such data move as exports and imports of the API',
    );
  const properties = movedAttributes(entity, running.options).map((attribute) => {
    const { name, type, attributeType } = attribute;
    const target = running.model.get(type);
    if (target === undefined || isValue(attribute)) return name;
    if (attributeType !== 'ASSOCIATION')
      return { name, fetchPlan: planOf(running, childOf(target, attribute), depth + 1) };
    const natural = naturalKeyOf(target);
    return { name, fetchPlan: { properties: natural === undefined ? [] : [natural] } };
  });
  return { entity: entity.entityName, properties };
}

/** By their keys, and each after the rows of its entity that it refers to, such as its parent. */
function inOrder(rows: ReadonlyMap<string, MovedRow>): readonly MovedRow[] {
  const ordered = new Set<MovedRow>();
  const visited = new Set<MovedRow>();
  const visit = (row: MovedRow | undefined): void => {
    if (row === undefined || visited.has(row)) return;
    visited.add(row);
    for (const id of row.before) visit(rows.get(id));
    ordered.add(row);
  };
  for (const row of [...rows.values()].sort((one, other) => (one.key < other.key ? -1 : 1))) visit(row);
  return [...ordered];
}
