/** The data set in the tables that Strapi makes from its content types, with the indexes of the originals. */

const NOW = 'now(), now(), now()';
const TIMES = 'created_at, updated_at, published_at';

export const STRAPI_SCHEMA = 'strapi';

const TABLES = [
  'customers',
  'products',
  'orders',
  'orders_customer_lnk',
  'components_order_lines',
  'components_order_lines_product_lnk',
  'orders_cmps',
];

export const STRAPI_DATA: readonly string[] = [
  `SET search_path TO ${STRAPI_SCHEMA}`,
  `TRUNCATE ${TABLES.join(', ')} CASCADE`,
  `INSERT INTO customers (id, document_id, name, email, ${TIMES})
   SELECT row_number() OVER (), id::text, name, email, ${NOW} FROM sales.customer`,
  `INSERT INTO products (id, document_id, name, sku, price, ${TIMES})
   SELECT row_number() OVER (), id::text, name, sku, price, ${NOW} FROM sales.product`,
  `INSERT INTO orders (id, document_id, number, date, status, amount, discount, notes, placed_at, ${TIMES})
   SELECT row_number() OVER (), id::text, number, date, status, amount, discount, notes, placed_at, ${NOW} FROM sales."order"`,
  `INSERT INTO orders_customer_lnk (order_id, customer_id)
   SELECT o.id, c.id FROM sales."order" s JOIN orders o ON o.document_id = s.id::text
   JOIN customers c ON c.document_id = s.customer_id::text`,
  `CREATE TEMPORARY TABLE line AS SELECT row_number() OVER ()::int AS id, l.quantity, l.price, l.position,
     o.id AS order_id, p.id AS product_id
   FROM sales.order_line l JOIN orders o ON o.document_id = l.order_id::text
   JOIN products p ON p.document_id = l.product_id::text`,
  'INSERT INTO components_order_lines (id, quantity, price, position) SELECT id, quantity, price, position FROM line',
  'INSERT INTO components_order_lines_product_lnk (line_id, product_id) SELECT id, product_id FROM line',
  `INSERT INTO orders_cmps (entity_id, cmp_id, component_type, field, "order")
   SELECT order_id, id, 'order.line', 'lines', position FROM line`,
  ...TABLES.map((table) => `SELECT setval('${table}_id_seq', (SELECT max(id) FROM ${table}))`),
  'CREATE INDEX IF NOT EXISTS orders_date ON orders (date, id)',
  'CREATE INDEX IF NOT EXISTS orders_status_amount ON orders (status, amount)',
  'CREATE INDEX IF NOT EXISTS customers_name ON customers (name)',
  'ANALYZE',
];
