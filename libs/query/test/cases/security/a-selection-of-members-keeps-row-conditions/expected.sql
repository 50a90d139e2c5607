-- the number and the part of a collection are those of visible members
-- $1 = "r"
-- $2 = "r"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id",
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
          t1."id" AS "id"
        FROM "t"."pet" t1
        WHERE t1."owner_id" = page."id"
          AND t1."deleted_date" IS NULL
          AND (t1."color" = $1::text OR t1."color" IS NULL)
        ORDER BY t1."id"
        LIMIT 1
      ) j1
    ) AS "pets",
    '["pets"]'::json AS "_partial",
    (
      SELECT row_to_json(j2)
      FROM (
        SELECT (
          SELECT count(*)
          FROM "t"."pet" t3
          WHERE t3."owner_id" = page."id"
            AND t3."deleted_date" IS NULL
            AND (t3."color" = $2::text OR t3."color" IS NULL)
        ) AS "pets"
      ) j2
    ) AS "_counts"
  FROM (
    SELECT t0."name" AS "name", t0."id" AS "id"
    FROM "t"."owner" t0
    WHERE t0."deleted_date" IS NULL
    ORDER BY t0."name"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
