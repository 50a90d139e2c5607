-- a collection shows its first members in the order of the plan
-- $1 = 50
-- $2 = 0

SELECT
  row_to_json(root)::text AS "json",
  page."name"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT t0."name" AS "name", t0."id" AS "id"
  FROM "t"."owner" t0
  WHERE t0."deleted_date" IS NULL
  ORDER BY t0."name", t0."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j1))), '[]'::json)
      FROM (
        SELECT
          't_Pet'::text AS "_entityName",
          (
            COALESCE(t1."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t2."name"::text, '')
                FROM "t"."owner" t2
                WHERE t2."id" = t1."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t1."id" AS "id",
          t1."name" AS "name",
          (
            SELECT COALESCE(array_to_json(array_agg(row_to_json(j2))), '[]'::json)
            FROM (
              SELECT
                't_Visit'::text AS "_entityName",
                json_build_array(
                  (
                    SELECT CASE
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
                    END
                    FROM "t"."staff" t4
                    WHERE t4."id" = t3."staff_id"
                    LIMIT 1
                  ),
                  t3."cost"::text
                ) AS "_instanceName",
                t3."id" AS "id"
              FROM "t"."visit" t3
              WHERE t3."pet_id" = t1."id"
              ORDER BY t3."cost" DESC, t3."id" DESC
              LIMIT 1
            ) j2
          ) AS "visits",
          '["visits"]'::json AS "_partial",
          (
            SELECT row_to_json(j3)
            FROM (
              SELECT (SELECT count(*) FROM "t"."visit" t7 WHERE t7."pet_id" = t1."id") AS "visits"
            ) j3
          ) AS "_counts"
        FROM "t"."pet" t1
        LEFT JOIN "t"."owner" t8 ON t8."id" = t1."owner_id"
        WHERE t1."owner_id" = page."id" AND t1."deleted_date" IS NULL
        ORDER BY t8."name" DESC, t1."name" DESC, t1."id" DESC
        LIMIT 2
      ) j1
    ) AS "pets",
    '["pets"]'::json AS "_partial"
) root
