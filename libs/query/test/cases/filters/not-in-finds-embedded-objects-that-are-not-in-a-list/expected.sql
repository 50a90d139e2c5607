-- notIn finds embedded objects that are not in a list
-- $1 = ["Bonn","Ulm"]
-- $2 = ["DE","DE"]
-- $3 = 100
-- $4 = 0

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
      (t0."address_country" IS NOT NULL OR t0."address_city" IS NOT NULL)
      AND (
        (t0."address_city", t0."address_country") IN (SELECT * FROM unnest($1::text[], $2::text[]))
      ) IS NOT TRUE
    )
  ORDER BY t0."name"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
