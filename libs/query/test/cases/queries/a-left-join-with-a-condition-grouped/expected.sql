-- a left join with a condition, grouped
-- $1 = "5"
-- $2 = "0"
-- $3 = 100
-- $4 = 0

SELECT concat(
  '{"_entityName":"t_Owner"',
  ',"_instanceName":' || to_json(COALESCE(page."name"::text, ''))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
  to_json(page."name"),
  '}'
) AS "json"
FROM (
  SELECT t2."name" AS "name", t2."id" AS "id"
  FROM (
    SELECT t0."id" AS "c0", t0."name" AS "o0"
    FROM "t"."owner" t0
    LEFT JOIN "t"."pet" t1 ON t1."owner_id" = t0."id"
      AND t1."deleted_date" IS NULL
      AND t1."age" > $1::integer
    WHERE t0."deleted_date" IS NULL
    GROUP BY t0."id", t0."name"
    HAVING count(t1."id") = $2::bigint
  ) selected
  JOIN "t"."owner" t2 ON t2."id" = selected."c0"
  ORDER BY selected."o0"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
