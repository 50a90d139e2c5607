-- hidden attributes are dropped at every level and from names
-- $1 = "00000000-0000-4000-8000-000000000011"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."pet" t0
CROSS JOIN LATERAL (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(t0."name"::text, '')
      || ' of '::text
      || COALESCE((SELECT ''::text FROM "t"."owner" t1 WHERE t1."id" = t0."owner_id" LIMIT 1), '')
    ) AS "_instanceName",
    t0."id" AS "id",
    t0."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          ''::text AS "_instanceName",
          t2."id" AS "id",
          t2."salary" AS "salary"
        FROM "t"."owner" t2
        WHERE t2."id" = t0."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
