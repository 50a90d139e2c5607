-- a collection shows the members that its filter selects, and counts them
-- $1 = ["r","g"]
-- $2 = "1"
-- $3 = ["r","g"]
-- $4 = "1"
-- $5 = "00000000-0000-4000-8000-000000000001"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."owner" t0
CROSS JOIN LATERAL (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(t0."name"::text, '') AS "_instanceName",
    t0."id" AS "id",
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
          CASE t1."color" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color"
        FROM "t"."pet" t1
        WHERE t1."owner_id" = t0."id"
          AND t1."deleted_date" IS NULL
          AND (
            t1."color" = ANY ($1::text[])
            AND EXISTS (
              SELECT 1 FROM "t"."visit" t3 WHERE t3."pet_id" = t1."id" AND t3."cost" > $2::numeric
            )
          )
        ORDER BY t1."id"
        OFFSET 0
      ) j1
    ) AS "pets",
    '["pets"]'::json AS "_partial",
    (
      SELECT row_to_json(j2)
      FROM (
        SELECT (
          SELECT count(*)
          FROM "t"."pet" t4
          WHERE t4."owner_id" = t0."id"
            AND t4."deleted_date" IS NULL
            AND (
              t4."color" = ANY ($3::text[])
              AND EXISTS (
                SELECT 1 FROM "t"."visit" t5 WHERE t5."pet_id" = t4."id" AND t5."cost" > $4::numeric
              )
            )
        ) AS "pets"
      ) j2
    ) AS "_counts"
) root
WHERE t0."id" = $5::uuid AND t0."deleted_date" IS NULL
