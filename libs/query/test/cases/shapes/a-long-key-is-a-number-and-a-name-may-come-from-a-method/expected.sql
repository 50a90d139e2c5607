-- a long key is a number and a name may come from a method
-- $1 = "2"

SELECT row_to_json(root)::text AS "json"
FROM "t"."visit" t0
CROSS JOIN LATERAL (
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
        WHERE t1."id" = t0."staff_id"
        LIMIT 1
      ),
      t0."cost"::text
    ) AS "_instanceName",
    t0."id" AS "id",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          t4."entity_name"::text AS "_entityName",
          CASE
            WHEN t4."entity_name" IN ('t_Vet') THEN COALESCE(
              (
                SELECT ('Dr. '::text || COALESCE(t6."name"::text, ''))
                FROM "t"."vet" t5
                JOIN "t"."staff" t6 ON t6."id" = t5."id"
                WHERE t5."id" = t4."id"
                LIMIT 1
              ),
              ''
            )
            ELSE COALESCE(t4."name"::text, '')
          END AS "_instanceName",
          t4."id" AS "id",
          t4."name" AS "name"
        FROM "t"."staff" t4
        WHERE t4."id" = t0."staff_id"
        LIMIT 1
      ) j1
    ) AS "staff",
    t0."cost" AS "cost"
) root
WHERE t0."id" = $1::bigint
