-- an array has the operators of its elements
-- $1 = "in"
-- $2 = "in􏿿􏿿􏿿􏿿􏿿􏿿􏿿􏿿"
-- $3 = "9.5"
-- $4 = ["10.0.0.1","10.0.0.9"]
-- $5 = 100
-- $6 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Trail'::text AS "_entityName",
    ('t_Trail'::text || '-'::text || COALESCE(page."id"::text, '')) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."id" AS "id"
    FROM "t"."trail" t0
    WHERE (
      EXISTS (
        SELECT 1
        FROM unnest(t0."stops") WITH ORDINALITY t1 (value, position)
        WHERE (
          lower(t1."value"::text) ~>=~ lower($1::text)
          AND lower(t1."value"::text) ~<=~ lower($2::text)
        )
      )
      AND EXISTS (
        SELECT 1
        FROM unnest(t0."heights") WITH ORDINALITY t2 (value, position)
        WHERE t2."value" > $3::numeric
      )
      AND (t0."hosts" IS NOT NULL AND t0."hosts" && $4::inet[]::inet[])
    )
    ORDER BY t0."id"
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) page
) root
