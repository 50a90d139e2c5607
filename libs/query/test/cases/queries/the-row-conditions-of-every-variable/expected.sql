-- the row conditions of every variable
-- $1 = "DE"
-- $2 = "DE"
-- $3 = "DE"
-- $4 = "100"
-- $5 = 100
-- $6 = 0

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
    SELECT t2."name" AS "name", t2."owner_id" AS "owner_id", t2."id" AS "id"
    FROM (
      SELECT DISTINCT t0."id" AS "c0"
      FROM "t"."pet" t0
      JOIN "t"."owner" t1 ON t1."id" = t0."owner_id" AND t1."address_country" = $3::text
      WHERE t0."deleted_date" IS NULL AND t0."age" < $4::integer AND t1."name" IS NOT NULL
    ) selected
    JOIN "t"."pet" t2 ON t2."id" = selected."c0"
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) page
) root
