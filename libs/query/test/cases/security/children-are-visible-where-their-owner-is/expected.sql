-- children are visible where their owner is: one semi-join
-- $1 = "DE"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Visit'::text AS "_entityName",
    json_build_array(
      (
        SELECT CASE
          WHEN t3."entity_name" IN ('t_Vet') THEN COALESCE(
            (
              SELECT ('Dr. '::text || COALESCE(t5."name"::text, ''))
              FROM "t"."vet" t4
              JOIN "t"."staff" t5 ON t5."id" = t4."id"
              WHERE t4."id" = t3."id"
              LIMIT 1
            ),
            ''
          )
          ELSE COALESCE(t3."name"::text, '')
        END
        FROM "t"."staff" t3
        WHERE t3."id" = page."staff_id"
        LIMIT 1
      ),
      page."cost"::text
    ) AS "_instanceName",
    page."id" AS "id",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          t6."entity_name"::text AS "_entityName",
          CASE
            WHEN t6."entity_name" IN ('t_Vet') THEN COALESCE(
              (
                SELECT ('Dr. '::text || COALESCE(t8."name"::text, ''))
                FROM "t"."vet" t7
                JOIN "t"."staff" t8 ON t8."id" = t7."id"
                WHERE t7."id" = t6."id"
                LIMIT 1
              ),
              ''
            )
            ELSE COALESCE(t6."name"::text, '')
          END AS "_instanceName",
          t6."id" AS "id",
          t6."name" AS "name"
        FROM "t"."staff" t6
        WHERE t6."id" = page."staff_id"
        LIMIT 1
      ) j1
    ) AS "staff",
    page."cost" AS "cost"
  FROM (
    SELECT t0."staff_id" AS "staff_id", t0."cost" AS "cost", t0."id" AS "id"
    FROM "t"."visit" t0
    WHERE EXISTS (
      SELECT 1
      FROM "t"."pet" t1
      LEFT JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
      WHERE t1."id" = t0."pet_id" AND t2."address_country" = $1::text
    )
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
