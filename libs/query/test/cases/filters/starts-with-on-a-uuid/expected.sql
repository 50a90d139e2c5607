-- startsWith on a uuid
-- $1 = "00000000-0000"
-- $2 = "00000000-0000􏿿􏿿􏿿􏿿􏿿􏿿􏿿􏿿"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        lower(t0."chip"::text) ~>=~ lower($1::text) AND lower(t0."chip"::text) ~<=~ lower($2::text)
      )
    ORDER BY t0."name"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
