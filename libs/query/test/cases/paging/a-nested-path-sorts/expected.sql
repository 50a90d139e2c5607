-- a nested path sorts
-- $1 = 100
-- $2 = 0

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
          WHERE t2."id" = page."owner_id"
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
  LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
  WHERE t0."deleted_date" IS NULL
  ORDER BY t1."address_country" DESC, t0."name"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
