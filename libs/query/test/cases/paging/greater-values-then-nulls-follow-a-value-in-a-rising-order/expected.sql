-- greater values, then nulls, follow a value in a rising order
-- $1 = "3.100"
-- $2 = "00000000-0000-4000-8000-000000000012"
-- $3 = 10

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
    CASE WHEN page."weight" IS NOT NULL THEN ',"weight":' END,
    to_json(page."weight"),
    '}'
  ) AS "json",
  page."weight"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    (
      SELECT
        t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."weight" AS "weight"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."weight" = $1::numeric AND t0."id" > $2::uuid
      ORDER BY t0."weight", t0."id"
      LIMIT $3::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."weight" AS "weight"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."weight" > $1::numeric
      ORDER BY t0."weight", t0."id"
      LIMIT $3::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."weight" AS "weight"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."weight" IS NULL
      ORDER BY t0."weight", t0."id"
      LIMIT $3::bigint
    )
  ) page
  ORDER BY page."weight", page."id"
  LIMIT $3::bigint
) page
