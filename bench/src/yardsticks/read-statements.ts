import type { Application } from '@lintel/application';
import { searchVector } from '@lintel/metadata';
import {
  bindStatement,
  compileRead,
  ExactNumber,
  type ExactObject,
  parseRead,
  planRead,
  type ReadAccess,
  resolveRead,
  type StatementTemplate,
  secureRead,
  UNLIMITED,
} from '@lintel/query';
import { filterOf, READ_MEMBERS, STATUSES } from '../operations/reads.ts';

interface NamedText {
  readonly name: string;
  readonly text: string;
}

type CompiledName = keyof typeof READ_MEMBERS;
export type ReadName = CompiledName | 'A1' | 'A2' | 'A3' | 'A4';

/** Groups as services read them, by hand. */
const ORDERS_BY_MONTH: NamedText = {
  name: 'orders_by_month',
  text: `SELECT row_to_json(root)::text AS json FROM (
  SELECT date_trunc('month', "date"::timestamp)::date AS month, CASE "status" ${STATUSES.map((name, at) => `WHEN ${(at + 1) * 10} THEN '${name}'`).join(' ')} END AS status,
    count(*) AS n, sum("amount") AS total
  FROM "sales"."order" o WHERE "deleted_date" IS NULL GROUP BY 1, o."status" ORDER BY 1, o."status" LIMIT $1 OFFSET $2) root`,
};

/** The latest orders of customers as services read them, by hand. */
const LATEST_OF_CUSTOMERS: NamedText = {
  name: 'latest_of_customers',
  text: `SELECT row_to_json(root)::text AS json FROM (
  SELECT 'sales_Customer' AS "_entityName", c."name" AS "_instanceName", c."id", c."name", coalesce(o."orders", '[]'::json) AS "orders", '{orders}'::text[] AS "_partial"
  FROM (SELECT "id", "name" FROM "sales"."customer" WHERE "deleted_date" IS NULL ORDER BY "id" LIMIT $1 OFFSET $2) c
  CROSS JOIN LATERAL (SELECT array_to_json(array_agg(latest)) AS "orders" FROM (
    SELECT 'sales_Order' AS "_entityName", "number" AS "_instanceName", "id", "number", "date", "amount"
    FROM "sales"."order" WHERE "customer_id" = c."id" AND "deleted_date" IS NULL ORDER BY "date" DESC, "id" DESC LIMIT 3) latest) o) root`,
};

/** The words of a text, as the index of the platform has them. */
const WORDS = searchVector([
  { text: '"text"', search: { weight: 'D', language: 'simple', prefix: false, typos: false } },
]);

/** The best matches of the word with a number, of a thousand, as services rank them by hand. */
const BEST_NOTES: NamedText = {
  name: 'best_notes',
  text: `SELECT row_to_json(root)::text AS json FROM (
  SELECT 'bench_Note' AS "_entityName", 'bench_Note-' || "id" AS "_instanceName", "id", "text" FROM (
    SELECT "id", "text", ts_rank(${WORDS}, to_tsquery('pg_catalog.simple', 'w' || $2::integer)) AS rank
    FROM "bench"."note" WHERE (${WORDS}) @@ to_tsquery('pg_catalog.simple', 'w' || $2::integer) LIMIT 1000) found
  ORDER BY rank DESC, "id" LIMIT $1) root`,
};

/** Nodes below the node with a number, by hand. */
const NODES_BELOW: NamedText = {
  name: 'nodes_below',
  text: `SELECT row_to_json(root)::text AS json FROM (
  WITH RECURSIVE branch (id) AS (
    SELECT $2::integer UNION ALL SELECT n."id" FROM "bench"."node" n JOIN branch ON n."parent_id" = branch.id)
  SELECT 'bench_Node' AS "_entityName", "name" AS "_instanceName", "id", "name" FROM "bench"."node"
  WHERE "id" IN (SELECT id FROM branch) ORDER BY "id" LIMIT $1) root`,
};

const FULL_ACCESS: ReadAccess = {
  fingerprint: 'full',
  entity: () => ({ canRead: true, mayView: () => true, rows: undefined, predicates: [] }),
};

/** The statements by operation, and the parameters of the filter of R4. */
export interface ReadStatements {
  readonly texts: Readonly<Record<ReadName, NamedText>>;
  /** Values of R4; the other statements take the id, or `[limit, offset]`. */
  matching(status: string, amount: number, prefix: string): readonly unknown[];
}

/** Parameters of each statement, as the yardsticks give them. */
const PARAMETERS: Readonly<Record<Exclude<CompiledName, 'R4'>, string>> = {
  R1: 'id',
  R2: 'limit,offset',
  R3: 'limit,offset',
  R5: 'limit,offset',
};

const WITH_NULLS = 'row_to_json(root)::text';

const WITHOUT_NULLS = /^SELECT concat\(.* AS "json"/;

/**
 * Services by hand have no stage after the database that leaves nulls out; it does so itself, unless the statement does
 * already.
 */
function withoutNulls(text: string): string {
  if (WITHOUT_NULLS.test(text)) return text;
  if (!text.includes(WITH_NULLS)) throw new Error(`Where the JSON of a row begins is not known: ${text}`);
  return text.replace(WITH_NULLS, 'json_strip_nulls(row_to_json(root))::text');
}

/**
 * The statements that the platform runs for a caller with full access, so that yardsticks return the same bytes; but
 * that nulls are left out by the statement.
 *
 * @throws Error when a statement has other parameters than the yardsticks give it
 */
export function readStatements({ model }: Application): ReadStatements {
  const compile = (name: CompiledName): StatementTemplate => {
    const filter = filterOf('NEW', 1, 'A');
    const members: ExactObject =
      name === 'R4' ? { ...READ_MEMBERS.R4, filter: JSON.stringify(filter) } : READ_MEMBERS[name];
    const operation = name === 'R1' ? 'instance' : 'list';
    const request = { operation, entityName: 'sales_Order', members } as const;
    const parsed = parseRead(request, { inlineFetchPlansEnabled: true }, UNLIMITED);
    const plan = planRead(secureRead(resolveRead(parsed, model), FULL_ACCESS), { limited: true });
    return compileRead(plan, undefined, false);
  };
  const named = (name: CompiledName, { text, sources }: StatementTemplate): NamedText => {
    const kinds = sources.map(({ kind }) => kind).join();
    if (name !== 'R4' && kinds !== PARAMETERS[name])
      throw new Error(`${name}: the statement takes ${kinds}; the yardsticks give ${PARAMETERS[name]}`);
    return { name: `yardstick_${name.toLowerCase()}`, text: withoutNulls(text) };
  };
  const matching = compile('R4');
  const of = (name: CompiledName): NamedText => named(name, name === 'R4' ? matching : compile(name));
  return {
    texts: {
      R1: of('R1'),
      R2: of('R2'),
      R3: of('R3'),
      R4: of('R4'),
      R5: of('R5'),
      A1: ORDERS_BY_MONTH,
      A2: LATEST_OF_CUSTOMERS,
      A3: BEST_NOTES,
      A4: NODES_BELOW,
    },
    matching(status, amount, prefix) {
      const inputs = [status, new ExactNumber(String(amount)), prefix];
      return bindStatement(matching, { model, inputs, id: [], limit: 20, offset: 0, sessionValue: () => undefined })
        .values;
    },
  };
}
