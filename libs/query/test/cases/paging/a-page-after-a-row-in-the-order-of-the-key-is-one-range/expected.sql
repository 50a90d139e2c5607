-- a page after a row in the order of the key is one range
-- $1 = "00000000-0000-4000-8000-000000000011"
-- $2 = 2

SELECT
  concat(
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
  ) AS "json",
  page."id"::text AS "position_0"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL AND t0."id" > $1::uuid
  ORDER BY t0."id"
  LIMIT $2::bigint
) page
