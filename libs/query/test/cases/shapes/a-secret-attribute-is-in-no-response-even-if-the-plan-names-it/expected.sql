-- a secret attribute is in no response, even if the plan names it
-- $1 = "00000000-0000-4000-8000-000000000001"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."owner" t0
CROSS JOIN LATERAL (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(t0."name"::text, '') AS "_instanceName",
    t0."id" AS "id",
    t0."salary" AS "salary"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
