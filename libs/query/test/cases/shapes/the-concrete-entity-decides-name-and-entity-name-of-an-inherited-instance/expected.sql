-- the concrete entity decides name and entity name of an inherited instance
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."entity_name"::text AS "_entityName",
    CASE
      WHEN page."entity_name" IN ('t_Vet') THEN COALESCE(
        (
          SELECT ('Dr. '::text || COALESCE(t2."name"::text, ''))
          FROM "t"."vet" t1
          JOIN "t"."staff" t2 ON t2."id" = t1."id"
          WHERE t1."id" = page."id"
          LIMIT 1
        ),
        ''
      )
      ELSE COALESCE(page."name"::text, '')
    END AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name"
  FROM (
    SELECT t0."entity_name" AS "entity_name", t0."name" AS "name", t0."id" AS "id"
    FROM "t"."staff" t0
    ORDER BY t0."id"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
