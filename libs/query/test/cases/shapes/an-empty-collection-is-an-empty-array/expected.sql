-- an empty collection is an empty array
-- $1 = "00000000-0000-4000-8000-000000000003"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."owner" t0
CROSS JOIN LATERAL (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(t0."name"::text, '') AS "_instanceName",
    t0."id" AS "id",
    (
      SELECT COALESCE(array_to_json(array_agg(t1."value" ORDER BY t1."position")), '[]'::json)
      FROM "t"."owner_nicknames" t1
      WHERE t1."owner_id" = t0."id"
    ) AS "nicknames",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j1))), '[]'::json)
      FROM (
        SELECT
          't_Pet'::text AS "_entityName",
          (
            COALESCE(t2."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t3."name"::text, '')
                FROM "t"."owner" t3
                WHERE t3."id" = t2."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t2."id" AS "id"
        FROM "t"."pet" t2
        WHERE t2."owner_id" = t0."id" AND t2."deleted_date" IS NULL
        ORDER BY t2."id"
      ) j1
    ) AS "pets"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
