-- a page after a row in the order of a nested path with a filter and row conditions
-- $1 = "2"
-- $2 = "%o%"
-- $3 = "FR"
-- $4 = "Bob_100%"
-- $5 = "00000000-0000-4000-8000-000000000013"
-- $6 = 5

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
    '}'
  ) AS "json",
  page."address_country"::text AS "position_0",
  page."name_t1"::text AS "position_1",
  page."id"::text AS "position_2"
FROM (
  SELECT *
  FROM (
    (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."address_country" AS "address_country",
        t1."name" AS "name_t1"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL
        AND t0."age" > $1::integer
        AND lower(t1."name"::text) LIKE lower($2::text)
        AND t1."address_country" = $3::text
        AND t1."name" = $4::text
        AND t0."id" < $5::uuid
      ORDER BY t1."address_country", t1."name" DESC, t0."id" DESC
      LIMIT $6::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."address_country" AS "address_country",
        t1."name" AS "name_t1"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL
        AND t0."age" > $1::integer
        AND lower(t1."name"::text) LIKE lower($2::text)
        AND t1."address_country" = $3::text
        AND t1."name" < $4::text
      ORDER BY t1."address_country", t1."name" DESC, t0."id" DESC
      LIMIT $6::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."address_country" AS "address_country",
        t1."name" AS "name_t1"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL
        AND t0."age" > $1::integer
        AND lower(t1."name"::text) LIKE lower($2::text)
        AND t1."address_country" > $3::text
      ORDER BY t1."address_country", t1."name" DESC, t0."id" DESC
      LIMIT $6::bigint
    ) UNION ALL (
      SELECT
        t0."name" AS "name",
        t0."owner_id" AS "owner_id",
        t0."id" AS "id",
        t1."address_country" AS "address_country",
        t1."name" AS "name_t1"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL
        AND t0."age" > $1::integer
        AND lower(t1."name"::text) LIKE lower($2::text)
        AND t1."address_country" IS NULL
      ORDER BY t1."address_country", t1."name" DESC, t0."id" DESC
      LIMIT $6::bigint
    )
  ) page
  ORDER BY page."address_country", page."name_t1" DESC, page."id" DESC
  LIMIT $6::bigint
) page
