-- children of a visible owner need no further test
-- $1 = "DE"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t2."name"::text, '')
          FROM "t"."owner" t2
          WHERE t2."id" = page."owner_id"
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
          't_Passport'::text AS "_entityName",
          ('t_Passport'::text || '-'::text || COALESCE(t3."id"::text, '')) AS "_instanceName",
          t3."id" AS "id"
        FROM "t"."passport" t3
        WHERE t3."id" = page."passport_id"
        LIMIT 1
      ) j1
    ) AS "passport",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j2))), '[]'::json)
      FROM (
        SELECT
          't_Visit'::text AS "_entityName",
          json_build_array(
            (
              SELECT CASE
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
              END
              FROM "t"."staff" t5
              WHERE t5."id" = t4."staff_id"
              LIMIT 1
            ),
            t4."cost"::text
          ) AS "_instanceName",
          t4."id" AS "id",
          t4."cost" AS "cost"
        FROM "t"."visit" t4
        WHERE t4."pet_id" = page."id"
        ORDER BY t4."id"
      ) j2
    ) AS "visits"
  FROM (
    SELECT
      t0."name" AS "name",
      t0."owner_id" AS "owner_id",
      t0."id" AS "id",
      t0."passport_id" AS "passport_id"
    FROM "t"."pet" t0
    LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
    WHERE t0."deleted_date" IS NULL AND t1."address_country" = $1::text
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
