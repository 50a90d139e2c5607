import { idInSql, SIZES } from '../database/data-set.ts';
import type { NamedText, ReadStatements } from './read-statements.ts';

/** Replaces the parameters by expressions. */
const filled = ({ text }: NamedText, ...values: readonly string[]): string =>
  `${withoutVariables(text).replace(/\$(\d+)/g, (_, number: string) => values[Number(number) - 1] ?? 'NULL')};`;

/** `pgbench` would take the `:MI` of a date format for one of its variables. */
const withoutVariables = (text: string): string =>
  text.replace(/'([^']*)'/g, (whole, literal: string) =>
    /:[A-Za-z_]/.test(literal) ? `E'${literal.replaceAll(':', '\\x3a')}'` : whole,
  );

const envelope = (entity: string, id: string, attributes: string): string =>
  `('{"specversion":"1.0","id":"be0e0000-0000-7000-8000-000000000000","source":"/lintel/data","type":"data.entity.changed.v1","subject":"${entity}/' || ${id} || '","time":"2026-11-21T05:58:55.971Z","datacontenttype":"application/json","traceparent":"00-1dfcc98ebf74da0535ce928e310d69ac-7382b6d11ffebd1e-00","data":{"entity":"${entity}","id":"' || ${id} || '","change":"created","attributes":["${attributes.replaceAll(' ', '","')}"],"by":"admin"}}')::json`;

const ORDER_ATTRIBUTES = 'amount createdBy createdDate customer date id lastModifiedDate number status version';
const LINE_ATTRIBUTES = 'createdBy createdDate id lastModifiedDate order position price product quantity version';
const NEW_ORDER = `('bebe0000' || substr(${idInSql('order', ':n::bigint')}::text, 9))::uuid`;
const KNOWN_ORDER = idInSql('order', ':n::bigint');

const INSERT_ORDER = `\\set n random(1, 200000000000000)
\\set c random(1, ${SIZES.customers})
BEGIN;
INSERT INTO "sales"."order" ("id", "version", "created_date", "created_by", "last_modified_date", "number", "date", "status", "customer_id", "amount")
VALUES (${NEW_ORDER}, 1, localtimestamp, 'admin', localtimestamp, 'P' || to_hex(:n::bigint), DATE '2026-05-06', 10, ${idInSql('customer', ':c::bigint')}, 63);`;

const INSERT_LINES = `INSERT INTO "sales"."order_line" ("id", "version", "created_date", "created_by", "last_modified_date", "order_id", "product_id", "quantity", "price", "position")
SELECT gen_random_uuid(), 1, localtimestamp, 'admin', localtimestamp, ${NEW_ORDER}, ${idInSql('product', `(:n::bigint + number) % ${SIZES.products} + 1`)}, 2, 10.50, number FROM generate_series(1, 3) AS number;`;

const appendOne = (entity: string, id: string, attributes: string): string =>
  `INSERT INTO "events"."outbox" ("id", "type", "subject", "envelope") VALUES (gen_random_uuid(), 'data.entity.changed.v1', '${entity}/' || ${id}, ${envelope(entity, id, attributes)});`;

const appendFour = `INSERT INTO "events"."outbox" ("id", "type", "subject", "envelope")
SELECT gen_random_uuid(), 'data.entity.changed.v1', 'sales_OrderLine/' || ${NEW_ORDER}, ${envelope('sales_OrderLine', NEW_ORDER, LINE_ATTRIBUTES)} FROM generate_series(1, 4);`;

const UPDATE_ORDER = `\\set n random(1, ${SIZES.orders})
\\set m random(1, 1000000000)
BEGIN;
UPDATE "sales"."order" SET "notes" = 'changed ' || :m, "version" = "version" + 1, "last_modified_date" = localtimestamp, "last_modified_by" = 'admin'
WHERE "id" = ${KNOWN_ORDER} AND "deleted_date" IS NULL RETURNING "number";
${appendOne('sales_Order', KNOWN_ORDER, 'lastModifiedBy lastModifiedDate notes version')}
COMMIT;`;

/** Scripts of `pgbench` by operation: the statements of the yardsticks, without any service around them. */
export function pgbenchScripts({ texts, matching }: ReadStatements): Readonly<Record<string, string>> {
  const offset = '\\set offset random(0, 999)\n';
  const inner = '\\set offset random(100, 999)\n';
  return {
    R1: `\\set n random(1, ${SIZES.orders})\n${filled(texts.R1, KNOWN_ORDER)}`,
    R2: offset + filled(texts.R2, '50', ':offset'),
    R3: offset + filled(texts.R3, '20', ':offset'),
    R4: `\\set s random(1, 4)\n\\set a random(1, 19999)\n\\set p random(0, 25)\n${filled(texts.R4, ...filterInSql(matching))}`,
    R5: filled(texts.R5, '10000', '0'),
    A1: filled(texts.A1, '10000', '0'),
    A2: offset + filled(texts.A2, '50', ':offset'),
    A3: inner + filled(texts.A3, '20', ':offset'),
    A4: inner + filled(texts.A4, '50', ':offset'),
    W1: `${INSERT_ORDER}\n${appendOne('sales_Order', NEW_ORDER, ORDER_ATTRIBUTES)}\nCOMMIT;`,
    W2: `${INSERT_ORDER}\n${INSERT_LINES}\n${appendFour}\nCOMMIT;`,
    W3: UPDATE_ORDER,
  };
}

/** The parameters of R4 as expressions: those of one filter, with the parts that change from call to call. */
const filterInSql = (matching: ReadStatements['matching']): readonly string[] =>
  matching('SHIPPED', 4_711, 'Q').map((value) => {
    if (value === 30) return '(:s * 10)';
    if (String(value) === '4711') return ':a';
    return typeof value === 'string'
      ? `(${quoted(value).replaceAll('Q', "' || chr(65 + :p::integer) || '")})`
      : String(value);
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
