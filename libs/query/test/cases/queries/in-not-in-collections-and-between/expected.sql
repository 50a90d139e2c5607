-- in, not in, collections and between
-- $1 = "Rex"
-- $2 = "Mia"
-- $3 = "1"
-- $4 = "5"
-- $5 = ["Old"]
-- $6 = ["00000000-0000-4000-8000-000000000011","00000000-0000-4000-8000-000000000012"]
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
        t0."name" IN ($1::text, $2::text)
        AND (t0."age" >= $3::integer AND t0."age" <= $4::integer)
        AND t0."name" <> ALL ($5::text[])
        AND t0."id" = ANY ($6::uuid[])
      )
    LIMIT $7::bigint
    OFFSET $8::bigint
  ) page
) root
