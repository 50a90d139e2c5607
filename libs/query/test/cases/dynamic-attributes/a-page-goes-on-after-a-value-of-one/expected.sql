-- a page goes on after a value of one
-- $1 = "00000000-0000-4000-9000-000000000002"
-- $2 = "7"
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
  page."integer_value"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."integer_value" AS "integer_value"
      FROM "t"."pet" t0
      LEFT JOIN "dynat"."attribute_value" t1 ON t1."owner_key" = t0."id"::text
        AND t1."attribute_id" = $1::uuid
      WHERE t0."deleted_date" IS NULL AND t1."integer_value" = $2::integer AND t0."id" > $3::uuid
      ORDER BY t1."integer_value", t0."id"
      LIMIT $4::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."integer_value" AS "integer_value"
      FROM "t"."pet" t0
      LEFT JOIN "dynat"."attribute_value" t1 ON t1."owner_key" = t0."id"::text
        AND t1."attribute_id" = $1::uuid
      WHERE t0."deleted_date" IS NULL AND t1."integer_value" > $2::integer
      ORDER BY t1."integer_value", t0."id"
      LIMIT $4::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."integer_value" AS "integer_value"
      FROM "t"."pet" t0
      LEFT JOIN "dynat"."attribute_value" t1 ON t1."owner_key" = t0."id"::text
        AND t1."attribute_id" = $1::uuid
      WHERE t0."deleted_date" IS NULL AND t1."integer_value" IS NULL
      ORDER BY t1."integer_value", t0."id"
      LIMIT $4::bigint
    )
  ) page
  ORDER BY page."integer_value", page."id"
  LIMIT $4::bigint
) page
