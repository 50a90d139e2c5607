-- a policy of the whole language
-- $1 = "2"
-- $2 = "10"
-- $3 = "m%"
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
          SELECT COALESCE(t2."name"::text, '')
          FROM "t"."owner" t2
          WHERE t2."id" = page."owner_id"
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
          COALESCE(t3."name"::text, '') AS "_instanceName",
          t3."id" AS "id",
          t3."name" AS "name"
        FROM "t"."owner" t3
        WHERE t3."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        ((t0."age")::numeric * ($1::integer)::numeric) < $2::bigint
        OR (
          EXISTS (SELECT 1 FROM "t"."visit" t1 WHERE t1."pet_id" = t0."id")
          AND lower((t0."name")::text) LIKE $3::text ESCAPE ''
        )
      )
    ORDER BY t0."name"
    LIMIT $4::bigint
    OFFSET $5::bigint
  ) page
) root
