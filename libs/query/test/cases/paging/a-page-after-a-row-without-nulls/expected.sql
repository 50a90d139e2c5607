-- a page after a row without nulls
-- $1 = "r"
-- $2 = "Rex"
-- $3 = "00000000-0000-4000-8000-000000000011"
-- $4 = 2

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
  SELECT *
  FROM (
    (
      SELECT
        t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."color" AS "color"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
        AND t0."color" = $1::text
        AND t0."name" = $2::text
        AND t0."id" > $3::uuid
      ORDER BY t0."color" DESC, t0."name", t0."id"
      LIMIT $4::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."color" AS "color"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."color" = $1::text AND t0."name" > $2::text
      ORDER BY t0."color" DESC, t0."name", t0."id"
      LIMIT $4::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."color" AS "color"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."color" < $1::text
      ORDER BY t0."color" DESC, t0."name", t0."id"
      LIMIT $4::bigint
    )
  ) page
  ORDER BY page."color" DESC, page."name", page."id"
  LIMIT $4::bigint
) page
