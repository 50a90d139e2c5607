-- the other end needs the right to read its entity
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
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    )
  )::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
  to_json(page."name"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
  ORDER BY t0."name"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
