-- a page of a distinct list
-- $1 = 1
-- $2 = 0

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
    SELECT t3."name" AS "name", t3."owner_id" AS "owner_id", t3."id" AS "id"
    FROM (
      SELECT DISTINCT t0."id" AS "c0", t0."name" AS "o0"
      FROM "t"."pet" t0
      JOIN (
        "t"."tag" t1 JOIN "t"."pet_tags_link" t2 ON t2."tag_code" = t1."code"
      ) ON t2."pet_id" = t0."id"
      WHERE t0."deleted_date" IS NULL
    ) selected
    JOIN "t"."pet" t3 ON t3."id" = selected."c0"
    ORDER BY selected."o0" DESC, selected."c0"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
