-- only further nulls follow a null in a rising order
-- $1 = "00000000-0000-4000-8000-000000000010"
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
    CASE page."color" WHEN 'r' THEN ',"color":"RED"' WHEN 'g' THEN ',"color":"GREEN"' END,
    '}'
  ) AS "json",
  page."color"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."color" AS "color"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL AND t0."color" IS NULL AND t0."id" > $1::uuid
  ORDER BY t0."color", t0."id"
  LIMIT $2::bigint
) page
