const COUNT = 500;
const COLUMNS = ['varchar(80)', 'integer', 'numeric(12, 2)', 'timestamptz', 'boolean', 'date', 'text', 'uuid'];

/** The statements that create a schema of 500 tables with references, indexes and one row each. */
export function manyTables(): string {
  return Array.from({ length: COUNT }, (_, at) => tableOf(at)).join('\n');
}

function tableOf(at: number): string {
  const name = nameOf(at);
  const columns = COLUMNS.map(
    (type, column) => `  value_${column} ${type}${column === 1 ? ' NOT NULL DEFAULT 0' : ''}`,
  );
  const parent = at === 0 ? [] : [`  parent_id bigint NOT NULL REFERENCES ${nameOf(Math.floor(at / 2))}`];
  const other = at < 10 ? [] : [`  other_id bigint REFERENCES ${nameOf(at - 10)} ON DELETE SET NULL`];
  const all = ['  id bigserial PRIMARY KEY', '  name varchar(60) NOT NULL', ...columns, ...parent, ...other];
  const references = [...(at === 0 ? [] : ['parent_id']), ...(at < 10 ? [] : ['other_id'])];
  return [
    `CREATE TABLE ${name} (\n${all.join(',\n')}\n);`,
    ...['name', ...references].map((column) => `CREATE INDEX ON ${name} (${column});`),
    `INSERT INTO ${name} (${['name', ...references].join(', ')}) VALUES (${[`'first of ${name}'`, ...references.map(() => '1')].join(', ')});`,
  ].join('\n');
}

/** `module_07_item_321` */
const nameOf = (at: number): string => `module_${String(at % 20).padStart(2, '0')}_item_${String(at).padStart(3, '0')}`;
