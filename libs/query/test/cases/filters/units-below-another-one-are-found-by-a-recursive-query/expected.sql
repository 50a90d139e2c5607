-- units below another one are found by a recursive query
-- $1 = "10"
-- $2 = "10"
-- $3 = "10"
-- $4 = 1
-- $5 = "10"
-- $6 = "10"
-- $7 = 3
-- $8 = "10"
-- $9 = 100
-- $10 = 0

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
    AND (
      t1."number" IN (
        WITH RECURSIVE t2 (key, link) AS (
          SELECT t3."number", t3."whole_number"
          FROM "t"."unit" t3
          WHERE t3."number" < $3::integer AND t3."number" = $4::integer
          UNION
          SELECT t4."number", t4."whole_number"
          FROM t2
          CROSS JOIN "t"."unit" t4
          WHERE t4."number" < $5::integer AND t4."whole_number" = t2."key"
        ) SELECT key FROM t2
      )
      AND t0."number" = ANY (
        ARRAY(
          WITH RECURSIVE t5 (key, link) AS (
            SELECT t6."number", t6."whole_number"
            FROM "t"."unit" t6
            WHERE t6."number" < $6::integer AND t6."number" = $7::integer
            UNION
            SELECT t7."number", t7."whole_number"
            FROM t5
            CROSS JOIN "t"."unit" t7
            WHERE t7."number" < $8::integer AND t7."number" = t5."link"
          ) SELECT key FROM t5
        )
      )
    )
  LIMIT $9::bigint
  OFFSET $10::bigint
) page
