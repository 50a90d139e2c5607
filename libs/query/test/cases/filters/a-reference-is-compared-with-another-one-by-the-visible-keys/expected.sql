-- a reference is compared with another one by the visible keys
-- $1 = "Bob_100%"
-- $2 = "Bob_100%"
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
          SELECT COALESCE(t5."name"::text, '')
          FROM "t"."owner" t5
          WHERE t5."id" = page."owner_id" AND t5."name" <> $1::text
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
  LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id" AND t1."name" <> $2::text
  LEFT JOIN (
      "t"."licence" t2 LEFT JOIN (
        "t"."pet" t3 LEFT JOIN "t"."owner" t4 ON t4."id" = t3."owner_id" AND t4."name" <> $3::text
      ) ON t3."id" = t2."pet_id"
    ) ON t2."pet_id" = t0."id"
    AND t2."deleted_date" IS NULL
  WHERE t0."deleted_date" IS NULL AND t1."id" = t4."id"
  ORDER BY t0."name"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
