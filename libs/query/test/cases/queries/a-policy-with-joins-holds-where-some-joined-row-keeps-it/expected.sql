-- a policy with joins holds where some joined row keeps it
-- $1 = "x"
-- $2 = "50"
-- $3 = "3"
-- $4 = 100
-- $5 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t4."name"::text, '')
          FROM "t"."owner" t4
          WHERE t4."id" = page."owner_id"
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
          COALESCE(t5."name"::text, '') AS "_instanceName",
          t5."id" AS "id",
          t5."name" AS "name"
        FROM "t"."owner" t5
        WHERE t5."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND EXISTS (
        SELECT 1
        FROM "t"."pet" t1
        LEFT JOIN "t"."visit" t2 ON t2."pet_id" = t0."id"
        JOIN "t"."owner" t3 ON t3."id" = t0."owner_id" AND t3."name" <> $1::text
        WHERE t1."id" = t0."id"
          AND (t2."cost" > $2::numeric OR (t2."id" IS NULL AND t0."age" > $3::integer))
      )
    ORDER BY t0."name"
    LIMIT $4::bigint
    OFFSET $5::bigint
  ) page
) root
