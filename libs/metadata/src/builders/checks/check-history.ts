import { suggestion } from '@lintel/errors';
import type { Entity } from '../../entities/entity.ts';
import { isExternalTable } from '../../entities/table-location.ts';
import type { Model } from '../../model.ts';
import { type HistoryTable, historyOf, tablesOf } from '../../storage/history-tables.ts';

/** Histories and access logs that cannot be recorded as they are declared: one sentence each. */
export function checkHistory(model: Model): readonly string[] {
  const entities = [...model.entities.values()].filter(({ history }) => history !== undefined);
  const problems = [...model.entities.values()].flatMap((entity) => [
    ...(entity.history === undefined ? [] : problemsOf(entity)),
    ...(entity.accessLog === undefined ? [] : problemsOfAccessLog(entity)),
  ]);
  if (problems.length > 0) return problems;
  const owners = new Map<string, { readonly table: HistoryTable; readonly entity: Entity }>();
  return entities.flatMap((entity) =>
    tablesOf(historyOf(model, entity)).flatMap((table) => {
      const name = `${table.schema}.${table.name}`;
      if (isForeign(model, name))
        return [`${entity.name} cannot have a history: the table ${name} belongs to another owner`];
      const known = owners.get(name);
      owners.set(name, { table, entity });
      const isOther = known !== undefined && known.table.owner.length > 0 && table.owner.length > 0;
      return isOther && known.table.owner.join() !== table.owner.join()
        ? [`${entity.name} and ${known.entity.name} cannot both have a history: rows of ${name} are parts of both`]
        : [];
    }),
  );
}

function problemsOf({ name, kind, ancestor, isView, key, history, attributes }: Entity): readonly string[] {
  if (kind !== 'entity' || isView === true || key === undefined)
    return [`${name} cannot have a history: it has no table with a key`];
  if (ancestor !== undefined) return [`${name} cannot have a history: it is declared by the root, not by a descendant`];
  if (!isRetention(history?.retention)) return [wrongRetention(`history of ${name}`, history?.retention)];
  return (history?.attributes ?? []).flatMap((attribute) =>
    attributes.get(attribute)?.persistent === true
      ? []
      : [
          `The history of ${name} names the attribute ${attribute}, which is not stored${suggestion(attribute, attributes.keys())}`,
        ],
  );
}

function problemsOfAccessLog({ name, kind, ancestor, key, accessLog }: Entity): readonly string[] {
  if (kind !== 'entity' || key === undefined)
    return [`${name} cannot have an access log: it has no instances with a key`];
  if (ancestor !== undefined)
    return [`${name} cannot have an access log: it is declared by the root, not by a descendant`];
  return isRetention(accessLog?.retention) ? [] : [wrongRetention(`access log of ${name}`, accessLog?.retention)];
}

const isRetention = (text: string | undefined): boolean =>
  text === undefined || /^P(?=\d)(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,4}W)?(?:\d{1,5}D)?$/.test(text);

const wrongRetention = (of: string, text: string | undefined): string =>
  `The ${of} is kept for ${text}, which is not a duration such as P2Y or P90D`;

const isForeign = ({ entities }: Model, name: string): boolean =>
  [...entities.values()].some(
    ({ table }) => table !== undefined && `${table.schema}.${table.name}` === name && isExternalTable(table),
  );
