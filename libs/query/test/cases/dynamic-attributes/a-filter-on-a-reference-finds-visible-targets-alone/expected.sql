-- a filter on a reference finds visible targets alone
-- $1 = "DE"
-- $2 = "DE"
-- $3 = "00000000-0000-4000-9000-000000000009"
-- $4 = "DE"
-- $5 = ["00000000-0000-4000-8000-000000000002","00000000-0000-4000-8000-000000000004"]
-- $6 = 100
-- $7 = 0

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
          WHERE t3."id" = page."owner_id" AND t3."address_country" = $1::text
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
        WHERE t4."id" = page."owner_id" AND t4."address_country" = $2::text
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND EXISTS (
        SELECT 1
        FROM "t"."owner" t2
        JOIN "dynat"."attribute_value" t1 ON t1."target_uuid" = t2."id"
        WHERE t1."owner_key" = t0."id"::text
          AND t1."attribute_id" = $3::uuid
          AND t2."address_country" = $4::text
          AND t2."id" = ANY ($5::uuid[])
      )
    ORDER BY t0."name"
    LIMIT $6::bigint
    OFFSET $7::bigint
  ) page
) root
