-- an instance that is its own ancestor is written short
-- $1 = "00000000-0000-4000-8000-000000000001"

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
          t1."name" AS "name",
          (
            SELECT CASE
              WHEN t3."id" = t0."id" THEN (
                SELECT row_to_json(j2)
                FROM (
                  SELECT
                    't_Owner'::text AS "_entityName",
                    COALESCE(t3."name"::text, '') AS "_instanceName",
                    t3."id" AS "id"
                ) j2
              )
              ELSE (
                SELECT row_to_json(j3)
                FROM (
                  SELECT
                    't_Owner'::text AS "_entityName",
                    COALESCE(t3."name"::text, '') AS "_instanceName",
                    t3."id" AS "id",
                    t3."name" AS "name",
                    t3."salary" AS "salary"
                ) j3
              )
            END
            FROM "t"."owner" t3
            WHERE t3."id" = t1."owner_id"
            LIMIT 1
          ) AS "owner"
        FROM "t"."pet" t1
        WHERE t1."owner_id" = t0."id" AND t1."deleted_date" IS NULL
        ORDER BY t1."id"
      ) j1
    ) AS "pets"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
