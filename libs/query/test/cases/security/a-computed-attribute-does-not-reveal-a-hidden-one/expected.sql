-- a computed attribute does not reveal a hidden one
-- $1 = "00000000-0000-4000-8000-000000000011"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."pet" t0
CROSS JOIN LATERAL (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(t0."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = t0."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    t0."id" AS "id",
    NULL::text AS "doubleAge",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Pet'::text AS "_entityName",
          (
            COALESCE(t0."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t2."name"::text, '')
                FROM "t"."owner" t2
                WHERE t2."id" = t0."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t0."id" AS "id"
      ) j1
    ) AS "$inputs"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
