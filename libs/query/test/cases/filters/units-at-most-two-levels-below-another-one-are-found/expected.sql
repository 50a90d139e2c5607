-- units at most two levels below another one are found
-- $1 = "10"
-- $2 = "10"
-- $3 = "10"
-- $4 = 1
-- $5 = "10"
-- $6 = 100
-- $7 = 0

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
  LEFT JOIN "t"."unit" t1 ON t1."number" = t0."whole_number" AND t1."number" < $1::integer
  WHERE t0."number" < $2::integer
    AND t1."number" IN (
      WITH RECURSIVE t2 (key, link, level) AS (
        SELECT t3."number", t3."whole_number", 0
        FROM "t"."unit" t3
        WHERE t3."number" < $3::integer AND t3."number" = $4::integer
        UNION
        SELECT t4."number", t4."whole_number", t2.level + 1
        FROM t2
        CROSS JOIN "t"."unit" t4
        WHERE t4."number" < $5::integer AND t4."whole_number" = t2."key" AND t2.level < 2
      ) SELECT key FROM t2
    )
  LIMIT $6::bigint
  OFFSET $7::bigint
) page
