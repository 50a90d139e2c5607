-- a page goes on after an instance without a value of one
-- $1 = "00000000-0000-4000-9000-000000000001"
-- $2 = "00000000-0000-4000-8000-000000000013"
-- $3 = 2

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
    CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
    to_json(page."name"),
    '}'
  ) AS "json",
  page."string_value"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."string_value" AS "string_value"
      FROM "t"."pet" t0
      LEFT JOIN "dynat"."attribute_value" t1 ON t1."owner_key" = t0."id"::text
        AND t1."attribute_id" = $1::uuid
      WHERE t0."deleted_date" IS NULL AND t1."string_value" IS NULL AND t0."id" < $2::uuid
      ORDER BY t1."string_value" DESC, t0."id" DESC
      LIMIT $3::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."string_value" AS "string_value"
      FROM "t"."pet" t0
      LEFT JOIN "dynat"."attribute_value" t1 ON t1."owner_key" = t0."id"::text
        AND t1."attribute_id" = $1::uuid
      WHERE t0."deleted_date" IS NULL AND t1."string_value" IS NOT NULL
      ORDER BY t1."string_value" DESC, t0."id" DESC
      LIMIT $3::bigint
    )
  ) page
  ORDER BY page."string_value" DESC, page."id" DESC
  LIMIT $3::bigint
) page
