import type { TestDatabase } from '@lintel/testkit';

const OWN = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;

/** Grants without the grantor, which is the migrating user. */
const grants = (acl: string): string =>
  `ARRAY(SELECT x.grantee::regrole || '=' || x.privilege_type FROM aclexplode(${acl}) x ORDER BY 1)::text`;

const RELATIONS = `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND ${OWN}`;

const DUMP = `SELECT 'schema ' || n.nspname AS object, ${grants('n.nspacl')} AS definition FROM pg_namespace n WHERE ${OWN}
UNION ALL SELECT 'relation ' || c.oid::regclass, concat_ws(' ', c.relkind, c.reloptions::text, ${grants('c.relacl')},
    CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) WHEN 'i' THEN pg_get_indexdef(c.oid) END) FROM ${RELATIONS}
UNION ALL SELECT format('column %s %s', c.oid::regclass, a.attnum), concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
    a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid), ${grants('a.attacl')})
  FROM ${RELATIONS} JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
UNION ALL SELECT format('constraint %s %s', c.oid::regclass, k.conname), pg_get_constraintdef(k.oid)
  FROM ${RELATIONS} JOIN pg_constraint k ON k.conrelid = c.oid
UNION ALL SELECT format('trigger %s %s', c.oid::regclass, t.tgname), pg_get_triggerdef(t.oid) || t.tgenabled::text
  FROM ${RELATIONS} JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
UNION ALL SELECT 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid) || ${grants('p.proacl')}
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND ${OWN}
UNION ALL SELECT 'sequence ' || s.seqrelid::regclass, (to_jsonb(s) - 'seqrelid')::text FROM (SELECT seqrelid, seqtypid, seqstart, seqincrement,
    seqmax, seqmin, seqcache, seqcycle FROM pg_sequence) s
UNION ALL SELECT 'rows ' || c.oid::regclass, query_to_xml(format('SELECT * FROM %s', c.oid::regclass), true, false, '')::text
  FROM ${RELATIONS} WHERE c.relkind = 'r' AND c.oid <> 'lintel.migration'::regclass
ORDER BY 1, 2`;

/** Every object that a database has of its own, with its definition and privileges, and the rows of all tables. */
export const dumpOf = (database: TestDatabase) =>
  database.query<{ readonly object: string; readonly definition: string }>(DUMP);
