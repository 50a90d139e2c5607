-- pages are ordered by the key after the given keys
-- $1 = 2
-- $2 = 1

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
  page."name"::text AS "position_1",
  page."id"::text AS "position_2"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."color" AS "color"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
  ORDER BY t0."color" DESC, t0."name", t0."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
