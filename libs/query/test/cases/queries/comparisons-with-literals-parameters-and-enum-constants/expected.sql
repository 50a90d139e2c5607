-- comparisons with literals, parameters and enum constants
-- $1 = "3"
-- $2 = "r"
-- $3 = "12.5001"
-- $4 = true
-- $5 = "x"
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
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
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
          COALESCE(t2."name"::text, '') AS "_instanceName",
          t2."id" AS "id",
          t2."name" AS "name"
        FROM "t"."owner" t2
        WHERE t2."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        t0."age" >= $1::integer
        AND t0."color" = $2::text
        AND t0."weight" < $3::numeric
        AND t0."alive" = $4::boolean
        AND t0."name" <> $5::text
      )
    ORDER BY t0."name"
    LIMIT $6::bigint
    OFFSET $7::bigint
  ) page
) root
