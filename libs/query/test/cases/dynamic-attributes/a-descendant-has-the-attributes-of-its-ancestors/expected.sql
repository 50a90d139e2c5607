-- a descendant has the attributes of its ancestors
-- $1 = "00000000-0000-4000-9000-000000000013"
-- $2 = "00000000-0000-4000-9000-000000000014"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Vet'::text AS "_entityName",
    ('Dr. '::text || COALESCE(page."name"::text, '')) AS "_instanceName",
    page."id" AS "id",
    (
      SELECT t2."string_value"
      FROM "dynat"."attribute_value" t2
      WHERE t2."attribute_id" = $1::uuid AND t2."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+badge",
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
          t4."id" AS "id"
        FROM "t"."staff" t4
        JOIN "dynat"."attribute_value" t3 ON t3."target_number" = t4."id"
        WHERE t3."attribute_id" = $2::uuid AND t3."owner_key" = page."id"::text
        LIMIT 1
      ) j1
    ) AS "+helper"
  FROM (
    SELECT t1."name" AS "name", t0."id" AS "id"
    FROM "t"."vet" t0
    JOIN "t"."staff" t1 ON t1."id" = t0."id"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
