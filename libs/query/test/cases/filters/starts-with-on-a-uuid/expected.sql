-- startsWith on a uuid
-- $1 = "00000000-0000"
-- $2 = "00000000-0000􏿿􏿿􏿿􏿿􏿿􏿿􏿿􏿿"
-- $3 = 100
-- $4 = 0

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
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
    AND (
      lower(t0."chip"::text) ~>=~ lower($1::text) AND lower(t0."chip"::text) ~<=~ lower($2::text)
    )
  ORDER BY t0."name"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
