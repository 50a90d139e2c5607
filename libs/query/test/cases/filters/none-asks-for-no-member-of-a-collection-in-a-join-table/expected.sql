-- none asks for no member of a collection in a join table
-- $1 = "%a%"
-- $2 = 100
-- $3 = 0

SELECT concat(
  '{"_entityName":"t_Pet"',
  ',"_instanceName":'
  || to_json(
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t3."name"::text, '')
          FROM "t"."owner" t3
          WHERE t3."id" = page."owner_id"
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
    AND NOT (
      EXISTS (
        SELECT 1
        FROM "t"."tag" t1
        JOIN "t"."pet_tags_link" t2 ON t2."tag_code" = t1."code"
        WHERE t2."pet_id" = t0."id" AND lower(t1."label"::text) LIKE lower($1::text)
      )
    )
  ORDER BY t0."name"
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
