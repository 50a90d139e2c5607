-- an enum by constant, by id and as a parameter
-- $1 = 2
-- $2 = 2
-- $3 = 2
-- $4 = 2
-- $5 = 100
-- $6 = 0

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
  SELECT t0."name" AS "name", t0."id" AS "id"
  FROM "t"."owner" t0
  WHERE t0."deleted_date" IS NULL
    AND (
      t0."level" = $1::integer
      OR t0."level" = $2::integer
      OR t0."level" = $3::integer
      OR t0."level" = $4::integer
    )
  LIMIT $5::bigint
  OFFSET $6::bigint
) page
