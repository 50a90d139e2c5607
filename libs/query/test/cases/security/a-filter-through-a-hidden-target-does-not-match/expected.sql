-- a filter through a hidden target does not match
-- $1 = "DE"
-- $2 = "DE"
-- $3 = "Bob_100%"
-- $4 = 100
-- $5 = 0

SELECT concat(
  '{"_entityName":"t_Pet"',
  ',"_instanceName":'
  || to_json(
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t2."name"::text, '')
          FROM "t"."owner" t2
          WHERE t2."id" = page."owner_id" AND t2."address_country" = $1::text
          LIMIT 1
        ),
        ''
      )
    )
  )::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id" AND t1."address_country" = $2::text
  WHERE t0."deleted_date" IS NULL AND t1."name" = $3::text
  ORDER BY t0."name"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
