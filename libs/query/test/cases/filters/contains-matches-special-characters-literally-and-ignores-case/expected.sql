-- contains matches special characters literally and ignores case
-- $1 = "%B\\_1%"
-- $2 = 100
-- $3 = 0

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
  WHERE t0."deleted_date" IS NULL AND lower(t0."name"::text) LIKE lower($1::text)
  ORDER BY t0."name"
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
