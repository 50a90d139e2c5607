-- the rows of a descendant keep its conditions
-- $1 = "other"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."entity_name"::text AS "_entityName",
    CASE
      WHEN page."entity_name" IN ('t_Vet') THEN COALESCE(
        (
          SELECT ('Dr. '::text || COALESCE(t3."name"::text, ''))
          FROM "t"."vet" t2
          JOIN "t"."staff" t3 ON t3."id" = t2."id"
          WHERE t2."id" = page."id"
          LIMIT 1
        ),
        ''
      )
      ELSE COALESCE(page."name"::text, '')
    END AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."entity_name" AS "entity_name", t0."name" AS "name", t0."id" AS "id"
    FROM "t"."staff" t0
    WHERE (
      NOT (t0."entity_name" IN ('t_Vet'))
      OR EXISTS (SELECT 1 FROM "t"."vet" t1 WHERE t1."id" = t0."id" AND t1."licence" = $1::text)
    )
    ORDER BY t0."id"
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
