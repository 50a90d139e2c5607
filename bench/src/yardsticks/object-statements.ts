import { STATUSES } from '../operations/reads.ts';
import {
  BEST_NOTES,
  LATEST_OF_CUSTOMERS,
  type NamedText,
  NODES_BELOW,
  ORDERS_BY_MONTH,
  type ReadName,
  type ReadStatements,
} from './read-statements.ts';

/**
 * The reads as services are often written by hand: `json_build_object` with every member named, and children by
 * lateral joins. The same rows and members as the platform's statements, but nulls are there and the text has blanks.
 */

const OWN = ['id', 'version', 'number', 'date', 'amount', 'discount', 'notes'];
const NAMED: Readonly<Record<string, string>> = {
  createdDate: 'created_date',
  createdBy: 'created_by',
  lastModifiedDate: 'last_modified_date',
  lastModifiedBy: 'last_modified_by',
  placedAt: 'placed_at',
  confirmedAt: 'confirmed_at',
  deliverFrom: 'deliver_from',
  externalId: 'external_id',
  attachment: 'attachment',
};
const CONSTANTS = STATUSES.map((name, at) => `WHEN ${(at + 1) * 10} THEN '${name}'`).join(' ');
const STATUS = `'status', CASE o."status" ${CONSTANTS} END`;

const ORDER = `json_build_object('_entityName', 'sales_Order', '_instanceName', o."number", ${[
  ...OWN.map((name) => `'${name}', o."${name}"`),
  ...Object.entries(NAMED).map(([name, column]) => `'${name}', o."${column}"`),
  STATUS,
].join(', ')})::text AS json`;

const PAGE =
  'SELECT * FROM "sales"."order" WHERE "deleted_date" IS NULL ORDER BY "date" DESC, "id" DESC LIMIT $1 OFFSET $2';

const WITH_LINES = `SELECT json_build_object('_entityName', 'sales_Order', '_instanceName', o."number", 'id', o."id",
  'number', o."number", 'date', o."date", ${STATUS}, 'amount', o."amount",
  'customer', json_build_object('_entityName', 'sales_Customer', '_instanceName', c."name", 'id', c."id", 'name', c."name", 'email', c."email"),
  'lines', coalesce(l.lines, '[]'::json))::text AS json
FROM (${PAGE}) o
JOIN "sales"."customer" c ON c."id" = o."customer_id"
CROSS JOIN LATERAL (
  SELECT json_agg(json_build_object('_entityName', 'sales_OrderLine', '_instanceName', p."name", 'id', line."id",
    'quantity', line."quantity", 'price', line."price", 'position', line."position",
    'product', json_build_object('_entityName', 'sales_Product', '_instanceName', p."name", 'id', p."id", 'name', p."name", 'sku', p."sku", 'price', p."price"))
    ORDER BY line."position", line."id") AS lines
  FROM "sales"."order_line" line JOIN "sales"."product" p ON p."id" = line."product_id"
  WHERE line."order_id" = o."id") l
ORDER BY o."date" DESC, o."id" DESC`;

const named = (name: ReadName, text: string): NamedText => ({ name: `object_${name.toLowerCase()}`, text });
const list = `SELECT ${ORDER} FROM (${PAGE}) o ORDER BY o."date" DESC, o."id" DESC`;

/** Statements and parameters as `readStatements` has them. */
export const OBJECT_STATEMENTS: ReadStatements = {
  texts: {
    R1: named('R1', `SELECT ${ORDER} FROM "sales"."order" o WHERE o."id" = $1 AND o."deleted_date" IS NULL`),
    R2: named('R2', list),
    R3: named('R3', WITH_LINES),
    R4: named(
      'R4',
      `SELECT ${ORDER} FROM "sales"."order" o JOIN "sales"."customer" c ON c."id" = o."customer_id"
WHERE o."deleted_date" IS NULL AND o."status" = $1 AND o."amount" > $2 AND c."name" LIKE $3 LIMIT 20`,
    ),
    R5: named('R5', list),
    A1: ORDERS_BY_MONTH,
    A2: LATEST_OF_CUSTOMERS,
    A3: BEST_NOTES,
    A4: NODES_BELOW,
  },
  matching: (status, amount, prefix) => [(STATUSES.indexOf(status) + 1) * 10, amount, `${prefix}%`],
};
