-- a text form is compared as its type
-- $1 = "PT2H"
-- $2 = ["1.5 hours","P1D"]
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Trail'::text AS "_entityName",
    ('t_Trail'::text || '-'::text || COALESCE(page."id"::text, '')) AS "_instanceName",
    page."id" AS "id",
    page."span" AS "span"
  FROM (
    SELECT t0."id" AS "id", t0."span" AS "span"
    FROM "t"."trail" t0
    WHERE (t0."span" < $1::interval AND t0."span" = ANY ($2::interval[]))
    ORDER BY t0."span" DESC
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
