-- is empty, size and member of collections
-- $1 = "1"
-- $2 = "cute"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t6."name"::text, '')
          FROM "t"."owner" t6
          WHERE t6."id" = page."owner_id"
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
          COALESCE(t7."name"::text, '') AS "_instanceName",
          t7."id" AS "id",
          t7."name" AS "name"
        FROM "t"."owner" t7
        WHERE t7."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        EXISTS (SELECT 1 FROM "t"."visit" t1 WHERE t1."pet_id" = t0."id")
        AND (
          SELECT count(*) AS "size"
          FROM "t"."tag" t2
          JOIN "t"."pet_tags_link" t3 ON t3."tag_code" = t2."code"
          WHERE t3."pet_id" = t0."id"
        ) >= $1::bigint
        AND $2::text IN (
          SELECT t4."code" AS "c0"
          FROM "t"."tag" t4
          JOIN "t"."pet_tags_link" t5 ON t5."tag_code" = t4."code"
          WHERE t5."pet_id" = t0."id"
        )
      )
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
