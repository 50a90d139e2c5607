import type { DataManager, LoadOptions } from '@lintel/application';
import { type Entity, entityOf } from '@lintel/metadata';
import {
  type ExactJson,
  type ExactObject,
  isExactObject,
  pageOf,
  parseRead,
  readExactJson,
  shapeRow,
} from '@lintel/query';
import { executeRows } from '../../execute-statement.ts';
import { readBack } from '../../read-back.ts';
import type { ReadDependencies } from '../../read-dependencies.ts';
import { bindLine, enterLine } from '../../read-line.ts';
import { parseInstance } from '../parse/parse-instance.ts';
import { readKey } from '../parse/parse-key.ts';
import { applicationForm } from '../values/application-form.ts';
import { keyInSql } from '../values/key-in-sql.ts';
import { type Key, keyText } from '../values/value.ts';
import { loadRows } from './rows.ts';
import { saveInstances } from './save-instances.ts';
import { UNLIMITED_ACCESS } from './unlimited-access.ts';
import { UNLIMITED, type WriteScope } from './write-scope.ts';

/** Values of application code in the form the line reads. */
const exact = (value: unknown): ExactJson => readExactJson(JSON.stringify(value));

/** Reads and writes inside a transaction, through the same lines as any request, without a caller's limits. */
export const createListenerData =
  (read: ReadDependencies) =>
  (scope: WriteScope): DataManager => {
    const { model, transaction } = scope;
    const keyOf = (entity: Entity, id: unknown): Key => {
      const key = readKey(model, entity, exact(id));
      if (key === undefined) throw new Error(`${JSON.stringify(id)} is no id of ${entity.name}`);
      return key;
    };
    return {
      async load(name, id, options) {
        const entity = entityOf(model, name);
        const plan = exact(options?.fetchPlan ?? '_base');
        const key = keyInSql(model, entity, keyOf(entity, id));
        const found = await readBack(entity, key, plan, UNLIMITED_ACCESS, read, transaction);
        return found === undefined ? undefined : applicationForm(model, entity, readExactJson(found.json));
      },
      async loadList(name, options = {}) {
        const entity = entityOf(model, name);
        const request = { operation: 'list', entityName: name, members: membersOf(options) } as const;
        const parsed = parseRead(request, { inlineFetchPlansEnabled: true });
        const isUnlimited = options.limit === undefined && options.offset === undefined;
        const line = enterLine(parsed, model, UNLIMITED_ACCESS, read, isUnlimited);
        const page = pageOf(parsed, Number.MAX_SAFE_INTEGER);
        const statement = bindLine(line, line.prepared.rows, isUnlimited ? {} : { page });
        const rows = await executeRows(statement, line.isKnown, transaction, undefined);
        return rows.flatMap(({ json }) => {
          const text = shapeRow(json, line.prepared.rows.shape, { omitNulls: true });
          return text === undefined ? [] : [applicationForm(model, entity, readExactJson(text))];
        });
      },
      async update(name, id, values) {
        const entity = entityOf(model, name);
        const key = keyOf(entity, id);
        const selection = { by: 'key', keys: [key] } as const;
        const [stored] = await loadRows(transaction, model, entity, selection, { lock: 'update', liveOnly: true });
        if (stored === undefined) throw new Error(`There is no ${name} with the id ${keyText(key)}`);
        const context = { model, mode: 'other', readsVersion: false } as const;
        const input = parseInstance(context, stored.entity, withoutId(exact(values)), '');
        await saveInstances(scope, UNLIMITED, 'update', [{ input: { ...input, key: stored.key }, stored }]);
      },
    };
  };

function membersOf(options: LoadOptions): ExactObject {
  const { filter, fetchPlan, sort, limit, offset } = options;
  const given = { filter, fetchPlan: fetchPlan ?? '_base', sort, limit, offset };
  const members = exact(given);
  return isExactObject(members) ? members : {};
}

function withoutId(json: ExactJson): ExactJson {
  if (!isExactObject(json)) return json;
  const { id: _id, ...rest } = json;
  return rest;
}
