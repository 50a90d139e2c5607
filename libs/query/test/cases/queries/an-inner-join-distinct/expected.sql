-- an inner join, distinct
-- $1 = "10"
-- $2 = 100
-- $3 = 0

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
    SELECT t2."name" AS "name", t2."owner_id" AS "owner_id", t2."id" AS "id"
    FROM (
      SELECT DISTINCT t0."id" AS "c0", t0."name" AS "o0"
      FROM "t"."pet" t0
      JOIN "t"."visit" t1 ON t1."pet_id" = t0."id"
      WHERE t0."deleted_date" IS NULL AND t1."cost" > $1::numeric
    ) selected
    JOIN "t"."pet" t2 ON t2."id" = selected."c0"
    ORDER BY selected."o0"
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
