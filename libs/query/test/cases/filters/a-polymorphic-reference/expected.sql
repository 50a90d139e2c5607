-- a polymorphic reference
-- $1 = "Joy"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Visit'::text AS "_entityName",
    json_build_array(
      (
        SELECT CASE
          WHEN t2."entity_name" IN ('t_Vet') THEN COALESCE(
            (
              SELECT ('Dr. '::text || COALESCE(t4."name"::text, ''))
              FROM "t"."vet" t3
              JOIN "t"."staff" t4 ON t4."id" = t3."id"
              WHERE t3."id" = t2."id"
              LIMIT 1
            ),
            ''
          )
          ELSE COALESCE(t2."name"::text, '')
        END
        FROM "t"."staff" t2
        WHERE t2."id" = page."staff_id"
        LIMIT 1
      ),
      page."cost"::text
    ) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."staff_id" AS "staff_id", t0."cost" AS "cost", t0."id" AS "id"
    FROM "t"."visit" t0
    LEFT JOIN "t"."staff" t1 ON t1."id" = t0."staff_id"
    WHERE t1."name" = $1::text
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
