-- references to composite keys in a list
-- $1 = ["EUR","USD"]
-- $2 = ["2026-01-01","2026-01-01"]
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Visit'::text AS "_entityName",
    json_build_array(
      (
        SELECT CASE
          WHEN t1."entity_name" IN ('t_Vet') THEN COALESCE(
            (
              SELECT ('Dr. '::text || COALESCE(t3."name"::text, ''))
              FROM "t"."vet" t2
              JOIN "t"."staff" t3 ON t3."id" = t2."id"
              WHERE t2."id" = t1."id"
              LIMIT 1
            ),
            ''
          )
          ELSE COALESCE(t1."name"::text, '')
        END
        FROM "t"."staff" t1
        WHERE t1."id" = page."staff_id"
        LIMIT 1
      ),
      page."cost"::text
    ) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."staff_id" AS "staff_id", t0."cost" AS "cost", t0."id" AS "id"
    FROM "t"."visit" t0
    WHERE (
      t0."rate_id_currency", t0."rate_id_valid_on"
    ) IN (SELECT * FROM unnest($1::text[], $2::date[]))
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
