import type { Entity } from '@lintel/metadata';
import { hasCompositeKey, isExactObject, parseRead, readExactJson } from '@lintel/query';
import { executeRows } from '../execute-statement.ts';
import { planOf, readBack } from '../read-back.ts';
import type { CallerAccess } from '../read-dependencies.ts';
import { bindLine, enterLine, type Instance, shapeOne } from '../read-line.ts';
import type { WriteScope } from './execute/write-scope.ts';
import { keyMemberOf, readKey } from './parse/parse-key.ts';
import { idOf } from './values/json-form.ts';
import { keyInSql } from './values/key-in-sql.ts';
import { type Key, keyText } from './values/value.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** What is asked of each instance. */
export interface Asked {
  /** Text of the plan; absent for the identity alone. */
  readonly plan?: string | undefined;
  readonly dynamicAttributes?: boolean;
}

/**
 * Reads instances of one entity through the read line, inside the transaction: many in one statement, but for
 * composite keys, which the filter language cannot name.
 *
 * @returns by the text of the key those that the access shows. Only one that was asked for alone has its version
 */
export async function readMany(
  scope: WriteScope,
  entity: Entity,
  keys: readonly Key[],
  asked: Asked,
  access: CallerAccess,
  deps: Pick<WriteDependencies, 'read'>,
): Promise<ReadonlyMap<string, Instance>> {
  if (keys.length === 1 || hasCompositeKey(entity)) {
    const found = await Promise.all(
      keys.map((key) =>
        readBack(
          entity,
          keyInSql(scope.model, entity, key),
          asked.plan,
          access,
          deps.read,
          scope.transaction,
          asked.dynamicAttributes,
        ),
      ),
    );
    return new Map(keys.flatMap((key, at) => (found[at] === undefined ? [] : [[keyText(key), found[at]]])));
  }
  if (keys.length === 0 || !access.read.entity(entity.name).canRead) return new Map();
  const line = enterLine(parsedOf(scope, entity, keys, asked), scope.model, access, deps.read, true);
  const rows = await executeRows(bindLine(line, line.prepared.rows), line.isKnown, scope.transaction, undefined);
  return new Map(
    rows.flatMap((row): [string, Instance][] => {
      const json = shapeOne(line, row);
      return json === undefined ? [] : [[textOfKey(scope, entity, json), { json, version: undefined }]];
    }),
  );
}

function parsedOf(
  { model }: WriteScope,
  entity: Entity,
  keys: readonly Key[],
  { plan, dynamicAttributes = false }: Asked,
) {
  const value = readExactJson(JSON.stringify(keys.map((key) => idOf(model, entity, key))));
  const filter = { conditions: [{ property: entity.key?.attribute ?? 'id', operator: 'in', value }] };
  const members = { fetchPlan: planOf(entity, plan), filter, dynamicAttributes };
  // The plan was accepted before the write began.
  return parseRead({ operation: 'list', entityName: entity.name, members }, { inlineFetchPlansEnabled: true });
}

function textOfKey({ model }: WriteScope, entity: Entity, json: string): string {
  const members = readExactJson(json);
  const id = isExactObject(members) ? keyMemberOf(entity, members) : undefined;
  const key = id === undefined ? undefined : readKey(model, entity, id);
  if (key === undefined) throw new Error(`An instance of ${entity.name} was answered without its id`);
  return keyText(key);
}
