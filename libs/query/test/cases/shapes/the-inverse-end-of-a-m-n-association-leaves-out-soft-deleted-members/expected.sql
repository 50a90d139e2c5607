-- the inverse end of a M:N association leaves out soft-deleted members
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Tag'::text AS "_entityName",
    COALESCE(page."label"::text, '') AS "_instanceName",
    page."code" AS "id",
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
                SELECT COALESCE(t3."name"::text, '')
                FROM "t"."owner" t3
                WHERE t3."id" = t1."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t1."id" AS "id"
        FROM "t"."pet" t1
        JOIN "t"."pet_tags_link" t2 ON t2."pet_id" = t1."id"
        WHERE t2."tag_code" = page."code" AND t1."deleted_date" IS NULL
        ORDER BY t1."id"
      ) j1
    ) AS "pets"
  FROM (
    SELECT t0."label" AS "label", t0."code" AS "code"
    FROM "t"."tag" t0
    ORDER BY t0."code"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
