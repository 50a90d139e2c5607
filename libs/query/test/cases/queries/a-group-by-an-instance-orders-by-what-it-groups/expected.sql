-- a group by an instance orders by what it groups
-- $1 = "1"
-- $2 = 100
-- $3 = 0

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
    SELECT t0."id" AS "c0", sum(t1."weight") AS "o0", t0."name" AS "o1"
    FROM "t"."owner" t0
    JOIN "t"."pet" t1 ON t1."owner_id" = t0."id" AND t1."deleted_date" IS NULL
    WHERE t0."deleted_date" IS NULL
    GROUP BY t0."id", t0."name"
    HAVING sum(t1."weight") > $1::numeric
  ) selected
  JOIN "t"."owner" t2 ON t2."id" = selected."c0"
  ORDER BY selected."o0" DESC, selected."o1"
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
