-- many tests of one list share one pass
-- $1 = "%r%"
-- $2 = "%e%"
-- $3 = "%x%"
-- $4 = "%i%"
-- $5 = "%o%"
-- $6 = "00000000-0000-4000-9000-000000000010"
-- $7 = 100
-- $8 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
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
    ) AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t4."name"::text, '') AS "_instanceName",
          t4."id" AS "id",
          t4."name" AS "name"
        FROM "t"."owner" t4
        WHERE t4."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    LEFT JOIN LATERAL (
      SELECT
        bool_or(lower(t1."string_value"::text) LIKE lower($1::text)) AS b0,
        bool_or(lower(t1."string_value"::text) LIKE lower($2::text)) AS b1,
        bool_or(lower(t1."string_value"::text) LIKE lower($3::text)) AS b2,
        bool_or(lower(t1."string_value"::text) LIKE lower($4::text)) AS b3,
        bool_or(lower(t1."string_value"::text) LIKE lower($5::text)) AS b4
      FROM "dynat"."attribute_value" t1
      WHERE t1."owner_key" = t0."id"::text AND t1."attribute_id" = $6::uuid
    ) t2 ON TRUE
    WHERE t0."deleted_date" IS NULL
      AND (
        COALESCE(t2."b0", FALSE)
        AND COALESCE(t2."b1", FALSE)
        AND COALESCE(t2."b2", FALSE)
        AND COALESCE(t2."b3", FALSE)
        AND COALESCE(t2."b4", FALSE)
      )
    ORDER BY t0."name"
    LIMIT $7::bigint
    OFFSET $8::bigint
  ) page
) root
