-- the type of an instance
-- $1 = 100
-- $2 = 0

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
    page."id" AS "id",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          t5."entity_name"::text AS "_entityName",
          CASE
            WHEN t5."entity_name" IN ('t_Vet') THEN COALESCE(
              (
                SELECT ('Dr. '::text || COALESCE(t7."name"::text, ''))
                FROM "t"."vet" t6
                JOIN "t"."staff" t7 ON t7."id" = t6."id"
                WHERE t6."id" = t5."id"
                LIMIT 1
              ),
              ''
            )
            ELSE COALESCE(t5."name"::text, '')
          END AS "_instanceName",
          t5."id" AS "id",
          t5."name" AS "name"
        FROM "t"."staff" t5
        WHERE t5."id" = page."staff_id"
        LIMIT 1
      ) j1
    ) AS "staff",
    page."cost" AS "cost"
  FROM (
    SELECT t0."staff_id" AS "staff_id", t0."cost" AS "cost", t0."id" AS "id"
    FROM "t"."visit" t0
    LEFT JOIN "t"."staff" t1 ON t1."id" = t0."staff_id"
    WHERE t1."entity_name" = 't_Vet'::text
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
