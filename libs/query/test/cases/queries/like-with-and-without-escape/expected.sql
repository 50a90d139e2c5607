-- like with and without escape
-- $1 = "!"
-- $2 = "%!_%"
-- $3 = "Bob%"
-- $4 = "A%"
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
      t0."name" LIKE $2::text ESCAPE $1::text
      AND t0."name" LIKE $3::text ESCAPE ''
      AND t0."name" NOT LIKE $4::text ESCAPE ''
    )
  LIMIT $5::bigint
  OFFSET $6::bigint
) page
