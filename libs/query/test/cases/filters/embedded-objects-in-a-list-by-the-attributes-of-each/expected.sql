-- embedded objects in a list, by the attributes of each
-- $1 = ["Bonn","Ulm"]
-- $2 = ["DE","DE"]
-- $3 = ["FR"]
-- $4 = 100
-- $5 = 0

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
  WHERE t0."deleted_date" IS NULL
    AND (
      (t0."address_city", t0."address_country") IN (SELECT * FROM unnest($1::text[], $2::text[]))
      OR t0."address_country" = ANY ($3::text[])
    )
  ORDER BY t0."name"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
