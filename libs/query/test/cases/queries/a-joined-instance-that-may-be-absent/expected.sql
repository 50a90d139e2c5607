-- a joined instance that may be absent
-- $1 = "Rex"
-- $2 = "Stray"
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
  SELECT t1."name" AS "name", t1."id" AS "id"
  FROM "t"."pet" t0
  LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
  WHERE t0."deleted_date" IS NULL AND t0."name" IN ($1::text, $2::text) AND t1."id" IS NOT NULL
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
