-- an embedded object that is null as a whole
-- $1 = 100
-- $2 = 0

SELECT concat(
  '{"_entityName":"t_Owner"',
  ',"_instanceName":' || to_json(COALESCE(page."name"::text, ''))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."id" AS "id"
  FROM "t"."owner" t0
  WHERE t0."deleted_date" IS NULL AND (t0."address_country" IS NULL AND t0."address_city" IS NULL)
  ORDER BY t0."name"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
