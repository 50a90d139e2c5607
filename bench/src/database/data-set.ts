/**
 * The data set of the benchmarks: 20,000 customers, 200,000 orders, 600,000 lines, 2,000 products, a million texts and a
 * tree of 100,000 nodes. Ids are made from numbers, so that operations can name any row without asking for it. Amounts of orders agree with
 * their lines, as the application keeps them.
 */

const PAGE = { customers: 20_000, products: 2_000, orders: 200_000 } as const;

/** How many times the data set of the performance page; every process of a benchmark has the same variable. */
export const SCALE = Number(process.env['LINTEL_BENCH_SCALE'] ?? 1);

export const SIZES = {
  customers: PAGE.customers * SCALE,
  products: PAGE.products * SCALE,
  orders: PAGE.orders * SCALE,
  linesPerOrder: 3,
  notes: 1_000_000 * SCALE,
  nodes: 100_000 * SCALE,
} as const;

const PREFIXES = { customer: 'be0c0000', product: 'be0b0000', order: 'be0d0000', line: 'be110000' } as const;

export type BenchKind = keyof typeof PREFIXES;

/** SQL that makes the id of a row from an expression for its number. */
export const idInSql = (kind: BenchKind, number: string): string =>
  `('${PREFIXES[kind]}-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** The id of the row with this number. */
export const idOf = (kind: BenchKind, number: number): string =>
  `${PREFIXES[kind]}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const AUDIT = `1, TIMESTAMP '2026-01-02 03:04:05.678', 'bench', TIMESTAMP '2026-01-02 03:04:05.678', NULL`;
const AUDIT_COLUMNS = `"version", "created_date", "created_by", "last_modified_date", "last_modified_by"`;

/** Of the line with number `n`; used for the lines and for the amounts of their orders. */
const QUANTITY = '(n % 20 + 1)';
const PRICE = '((100 + n::bigint * 37 % 90000) / 100.0)';
/** Of the order with number `o`. */
const DISCOUNT = 'CASE WHEN o % 5 = 0 THEN 0.05 END';

const PRODUCTS = `INSERT INTO "sales"."product" ("id", ${AUDIT_COLUMNS}, "name", "sku", "price", "weight", "stock", "barcode", "released_on")
SELECT ${idInSql('product', 'n')}, ${AUDIT}, 'Product ' || n, 'B-' || n, ${PRICE},
       n % 50 + 0.5, n % 500, 4006381000000 + n, DATE '2020-01-01' + n % 2000
FROM generate_series(1, ${SIZES.products}) AS n`;

const CUSTOMERS = `INSERT INTO "sales"."customer" ("id", ${AUDIT_COLUMNS}, "name", "email", "phone", "grade", "active", "birth_date", "credit_limit",
       "address_country", "address_city", "address_street", "address_zip")
SELECT ${idInSql('customer', 'n')}, ${AUDIT}, chr(65 + n % 26) || chr(97 + n / 26 % 26) || ' customer ' || n, 'c' || n || '@example.com',
       '+49 30 ' || n, (ARRAY['B', 'S', 'G'])[n % 3 + 1], n % 10 > 0, DATE '1950-01-01' + n % 18000, n * 10,
       (ARRAY['DE', 'FR', 'US', 'CN'])[n % 4 + 1], 'City ' || n % 300, 'Street ' || n, lpad((n % 100000)::text, 5, '0')
FROM generate_series(1, ${SIZES.customers}) AS n`;

/** Numbers of the lines of the order with number `o`: three in a row. */
const LINES_OF_ORDER = `generate_series((o - 1) * ${SIZES.linesPerOrder} + 1, o * ${SIZES.linesPerOrder}) AS n`;

const ORDERS = `INSERT INTO "sales"."order" ("id", ${AUDIT_COLUMNS}, "number", "date", "status", "customer_id", "amount", "discount", "notes", "placed_at")
SELECT ${idInSql('order', 'o')}, ${AUDIT}, 'B-' || lpad(o::text, greatest(7, length(o::text)), '0'), DATE '2018-01-01' + o % 3000, (o / 7 % 4 + 1) * 10,
       ${idInSql('customer', `o::bigint * 7919 % ${SIZES.customers} + 1`)},
       round((SELECT sum(${QUANTITY} * ${PRICE}) FROM ${LINES_OF_ORDER}) * (1 - coalesce(${DISCOUNT}, 0)), 2),
       ${DISCOUNT}, CASE WHEN o % 10 = 0 THEN 'Call before delivery' END,
       TIMESTAMPTZ '2018-01-01 09:30Z' + o % 3000 * INTERVAL '1 day'
FROM generate_series(1, ${SIZES.orders}) AS o`;

const LINES = `INSERT INTO "sales"."order_line" ("id", ${AUDIT_COLUMNS}, "order_id", "product_id", "quantity", "price", "position")
SELECT ${idInSql('line', 'n')}, ${AUDIT}, ${idInSql('order', `(n - 1) / ${SIZES.linesPerOrder} + 1`)},
       ${idInSql('product', `n::bigint * 31 % ${SIZES.products} + 1`)}, ${QUANTITY}, ${PRICE}, (n - 1) % ${SIZES.linesPerOrder} + 1
FROM generate_series(1, ${SIZES.orders * SIZES.linesPerOrder}) AS n`;

/** Each has 20 words: two of four, three of 21 and the others of 20,001, so that `w1` is in half of the texts. */
const NOTES = `INSERT INTO "bench"."note" ("id", "text")
SELECT n, (SELECT string_agg('w' || CASE WHEN at < 3 THEN hash % 4 WHEN at < 6 THEN 10 + hash % 21 ELSE 100 + hash % 20001 END, ' ' ORDER BY at)
  FROM (SELECT at, abs(hashint8(n::bigint * 20 + at)::bigint) AS hash FROM generate_series(1, 20) AS at) AS words)
FROM generate_series(1, ${SIZES.notes}) AS n`;

/** Ten levels: each node has about three children. */
const NODES = `INSERT INTO "bench"."node" ("id", "name", "parent_id")
SELECT n, 'Node ' || n, CASE WHEN n > 1 THEN (n + 1) / 3 END FROM generate_series(1, ${SIZES.nodes}) AS n`;

/** The tables in the order in which they are filled, with the statements that do it. */
export const DATA_SET: readonly { readonly what: string; readonly statement: string }[] = [
  { what: `${SIZES.products} products`, statement: PRODUCTS },
  { what: `${SIZES.customers} customers`, statement: CUSTOMERS },
  { what: `${SIZES.orders} orders`, statement: ORDERS },
  { what: `${SIZES.orders * SIZES.linesPerOrder} lines`, statement: LINES },
  { what: `${SIZES.notes} notes`, statement: NOTES },
  { what: `${SIZES.nodes} nodes`, statement: NODES },
];
