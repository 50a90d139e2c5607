-- some member is in a branch of a tree
-- $1 = 2
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
  WHERE EXISTS (
    SELECT 1
    FROM "t"."unit" t1
    WHERE t1."whole_number" = t0."number"
      AND (
        t1."number" IN (
          WITH RECURSIVE t2 (key, link) AS (
            SELECT t3."number", t3."whole_number"
            FROM "t"."unit" t3
            WHERE t3."number" = $1::integer
            UNION
            SELECT t4."number", t4."whole_number"
            FROM t2
            CROSS JOIN "t"."unit" t4
            WHERE t4."whole_number" = t2."key"
          ) SELECT key FROM t2
        )
      ) IS TRUE
  )
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
