-- a negated branch leaves out what has no value
-- $1 = 99
-- $2 = 100
-- $3 = 0

SELECT concat(
  '{"_entityName":"t_Unit"',
  ',"_instanceName":'
  || to_json(('t_Unit'::text || '-'::text || COALESCE(page."number"::text, '')))::text,
  CASE WHEN page."number" IS NOT NULL THEN ',"id":' END,
  to_json(page."number"),
  CASE WHEN page."number" IS NOT NULL THEN ',"number":' END,
  to_json(page."number"),
  '}'
) AS "json"
FROM (
  SELECT t0."number" AS "number"
  FROM "t"."unit" t0
  WHERE NOT (
    (
      t0."whole_number" IN (
        WITH RECURSIVE t1 (key, link) AS (
          SELECT t2."number", t2."whole_number"
          FROM "t"."unit" t2
          WHERE t2."number" = $1::integer
          UNION
          SELECT t3."number", t3."whole_number"
          FROM t1
          CROSS JOIN "t"."unit" t3
          WHERE t3."whole_number" = t1."key"
        ) SELECT key FROM t1
      )
      OR NOT (t0."whole_number" = t0."whole_number")
    )
  )
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
