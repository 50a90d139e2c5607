import { rowsByKey, sourceOf } from '@lintel/history';
import { columnOf, type HistoryTable, type Model, quoteIdentifier, quoteTable, type Table } from '@lintel/metadata';
import type { Transaction } from '@lintel/persistence';
import { formatEntityId } from '@lintel/query';
import { fileKeyOf } from '@lintel/reading';
import { type ErasedRows, eraseUser } from './erase-user.ts';
import { idOf, type Person, type PersonInstances } from './find-person.ts';
import { neutralValue } from './neutral-value.ts';
import { type PersonalColumn, personalColumnsOf } from './personal-columns.ts';
import { personalFilesOf } from './personal-files.ts';

/** The effect of an erasure. */
export interface Erasure {
  readonly entities: readonly {
    readonly entity: string;
    readonly instances: number;
    readonly attributes: readonly string[];
    /** Rows and entries of the history that had other values. */
    readonly rows: number;
    readonly entries: number;
  }[];
  /** Attributes that need a value. */
  readonly neutral: readonly { readonly attribute: string; readonly value: unknown; readonly keepsRules: boolean }[];
  /** Files that are removed when nothing else refers to them. */
  readonly files: number;
  readonly platform: readonly ErasedRows[];
}

const REASON = 'personal data was erased';

/** Erases the personal values of a person within a transaction (contract/personal-data.md#erase). */
export async function erasePerson(model: Model, person: Person, transaction: Transaction): Promise<Erasure> {
  const eraser = new Eraser(model, transaction);
  await eraser.run(`SELECT set_config('lintel.history', $1, true)`, [JSON.stringify({ reason: REASON })]);
  const [entities, references]: [Erasure['entities'][number][], string[]] = [[], []];
  for (const instances of person.instances) {
    references.push(...(await personalFilesOf(model, instances, transaction)));
    entities.push(await eraser.eraseInstances(instances));
  }
  const files = await eraser.releaseFiles(references);
  const platform: ErasedRows[] = [];
  for (const user of person.users) platform.push(...(await eraseUser(user, transaction)));
  const responses = await eraser.eraseResponses(person);
  if (responses > 0) platform.push({ table: 'lintel.idempotent_request', rows: responses });
  return { entities, neutral: [...eraser.neutral.values()], files, platform };
}

class Eraser {
  readonly neutral = new Map<string, Erasure['neutral'][number]>();
  readonly #model: Model;
  readonly #transaction: Transaction;

  constructor(model: Model, transaction: Transaction) {
    this.#model = model;
    this.#transaction = transaction;
  }

  run<R extends object>(text: string, values: readonly unknown[]): Promise<readonly R[]> {
    return this.#transaction.query<R>({ text, values });
  }

  async eraseInstances({ node, keys }: PersonInstances): Promise<Erasure['entities'][number]> {
    const { entity, tables, sides } = node;
    const columns = personalColumnsOf(this.#model, entity);
    const all = [...keys];
    const changed = new Set<string>();
    let [rows, entries] = [0, 0];
    for (const [source, own] of Map.groupBy(columns, ({ table }) => sourceOf(table))) {
      const table = [...tables, ...sides].find((each) => sourceOf(each) === source);
      if (table === undefined) continue;
      const locked = { ...table, key: own[0]?.owner ?? table.key };
      await this.run(`SELECT FROM ${rowsByKey(locked)} FOR UPDATE OF t`, [all]);
      const values = all.map((key) => this.#valuesOf(entity.name, own, key));
      const isSide = own[0]?.owner !== undefined;
      const written = isSide
        ? await this.#deleteElements(table, own[0]?.owner ?? [], all)
        : await this.#updateRows(table, own, all, values);
      for (const key of written) changed.add(key);
      rows += written.length;
      entries += await this.#maskEntries(table, own, all, values, isSide ? 'owner_key' : 'key');
    }
    await this.#follow(node, columns, [...changed]);
    const attributes = [...new Set(columns.map(({ path }) => path))];
    return { entity: entity.name, instances: keys.size, attributes, rows, entries };
  }

  /** The erased values of a row by its columns, as JSON. */
  #valuesOf(entity: string, columns: readonly PersonalColumn[], key: string): string {
    const values = columns.map((column) => {
      const { value, keepsRules } = neutralValue(this.#model, column, key);
      const attribute = `${entity}.${column.path}`;
      if (!column.isNullable && column.owner === undefined)
        this.neutral.set(attribute, { attribute, value: this.neutral.get(attribute)?.value ?? value, keepsRules });
      return [column.name, value];
    });
    return JSON.stringify(Object.fromEntries(values));
  }

  async #updateRows(
    table: HistoryTable,
    columns: readonly PersonalColumn[],
    keys: readonly string[],
    values: readonly string[],
  ): Promise<readonly string[]> {
    const names = columns.map(({ name }) => quoteIdentifier(name));
    // Some types have no operator for equality.
    const differs = names.map((name) => `to_jsonb(t.${name}) IS DISTINCT FROM to_jsonb((v.r).${name})`).join(' OR ');
    const text = `WITH v AS MATERIALIZED (SELECT k.key, ${rowOf(table)} AS r FROM unnest($1::text[], $2::text[]) k(key, erased)),
w AS (SELECT k.key, t.ctid AS row FROM ${rowsByKey(table)} JOIN v ON v.key = k.key WHERE ${differs})
UPDATE ${quoteTable(table)} x SET ${names.map((name) => `${name} = (v.r).${name}`).join(', ')}
FROM w JOIN v ON v.key = w.key WHERE x.ctid = w.row RETURNING w.key`;
    return (await this.run<{ readonly key: string }>(text, [keys, values])).map(({ key }) => key);
  }

  async #deleteElements(
    table: HistoryTable,
    owner: readonly string[],
    keys: readonly string[],
  ): Promise<readonly string[]> {
    const text = `DELETE FROM ${quoteTable(table)} x USING ${rowsByKey({ ...table, key: owner })}
WHERE t.ctid = x.ctid RETURNING k.key`;
    return (await this.run<{ readonly key: string }>(text, [keys])).map(({ key }) => key);
  }

  /**
   * All states get the values that the row has now; columns that differed are named, as secret ones are. Values of
   * columns that are no longer there are removed: some of them may have been personal.
   */
  async #maskEntries(
    table: HistoryTable,
    columns: readonly PersonalColumn[],
    keys: readonly string[],
    values: readonly string[],
    by: 'key' | 'owner_key',
  ): Promise<number> {
    const known = (state: string): string => `CASE WHEN ${state} IS NOT NULL THEN (SELECT
    jsonb_object_agg(s.name, CASE WHEN s.name = ANY ($3::text[]) THEN to_jsonb(v.r) -> s.name ELSE s.value END)
    FROM jsonb_each(${state}) s(name, value) WHERE to_jsonb(v.r) ? s.name) END`;
    const text = `WITH v AS MATERIALIZED (SELECT k.key, ${rowOf(table)} AS r FROM unnest($1::text[], $2::text[]) k(key, erased)),
m AS (SELECT e.id, e.key, e.recorded_at, ${known('e.before')} AS before, ${known('e.after')} AS after,
  ARRAY(SELECT unnest(e.secrets) UNION SELECT c.name FROM unnest($3::text[]) c(name)
    WHERE e.before IS NOT NULL AND e.after IS NOT NULL AND e.before -> c.name IS DISTINCT FROM e.after -> c.name ORDER BY 1) AS secrets
  FROM history.entry e JOIN v ON v.key = e.${by} WHERE e.source = $4)
UPDATE history.entry e SET before = m.before, after = m.after, secrets = nullif(m.secrets, '{}') FROM m
WHERE e.source = $4 AND e.key = m.key AND e.id = m.id AND e.recorded_at = m.recorded_at
  AND (e.before IS DISTINCT FROM m.before OR e.after IS DISTINCT FROM m.after) RETURNING 1`;
    const names = columns.map(({ name }) => name);
    return (await this.run(text, [keys, values, names, sourceOf(table)])).length;
  }

  /** Gives changed instances a new version, and publishes their changes. */
  async #follow(
    { entity, tables }: PersonInstances['node'],
    columns: readonly PersonalColumn[],
    changed: readonly string[],
  ) {
    const [table] = tables;
    if (table === undefined || changed.length === 0) return;
    const version = entity.attributes.get(entity.system.version ?? '');
    if (version !== undefined) {
      const set = quoteIdentifier(columnOf(this.#model, version).name);
      const rows = `${rowsByKey(table)} WHERE t.ctid = x.ctid`;
      await this.run(`UPDATE ${quoteTable(table)} x SET ${set} = x.${set} + 1 FROM ${rows}`, [changed]);
    }
    const attributes = [...new Set(columns.map(({ path }) => path.split('.', 1)[0]))].sort();
    const events = changed.map((key) => {
      const id = idOf(entity, key);
      const subject = `${entity.name}/${formatEntityId(this.#model, entity, id)}`;
      return [subject, JSON.stringify({ entity: entity.name, id, change: 'updated', by: 'lintel', attributes })];
    });
    const text = `SELECT sec.publish_federated_change('data.entity.changed.v1', e.subject, e.data::jsonb)
FROM unnest($1::text[], $2::text[]) e(subject, data)`;
    await this.run(text, [events.map(([subject]) => subject), events.map(([, data]) => data)]);
  }

  /** The data service removes them when nothing refers to them; without their names. */
  async releaseFiles(files: readonly string[]): Promise<number> {
    const keys = new Set(files.map((reference) => `${fileKeyOf(reference)}?name=erased`));
    if (keys.size > 0)
      await this.run('INSERT INTO report.released_file (file_ref) SELECT unnest($1::text[])', [[...keys]]);
    return keys.size;
  }

  /** Responses that would be sent again for a known `Idempotency-Key`. */
  async eraseResponses({ instances }: Person): Promise<number> {
    const ids = instances.flatMap(({ node, keys }) => [...keys].map((key) => JSON.stringify(idOf(node.entity, key))));
    // Objects of composite keys have blanks in some responses.
    const patterns = ids.map(
      (id) => `"id" ?: ?${id.replaceAll(/[.*+?^$(){}|[\]\\]/g, '\\$&').replaceAll(/[:,]/g, '$& ?')}[,} ]`,
    );
    const text = `UPDATE lintel.idempotent_request SET body = CASE WHEN body LIKE '[%' THEN '[]' ELSE '{}' END
WHERE body ~ ANY ($1::text[]) RETURNING 1`;
    return (await this.run(text, [patterns])).length;
  }
}

/** The erased values `k.erased` in the types of the columns. */
const rowOf = (table: Table): string => `jsonb_populate_record(NULL::${quoteTable(table)}, k.erased::jsonb)`;
