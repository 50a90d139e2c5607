-- texts of references find instances under their row conditions
-- $1 = "Carl"
-- $2 = "Carl"
-- $3 = 10
-- $4 = 0
-- $5 = "Carl"
-- $6 = "anna"

SELECT
  row_to_json(root)::text AS "json",
  page."rank"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t2."rank" AS "rank"
    FROM "t"."pet" t0
    LEFT JOIN LATERAL (SELECT 0::real AS rank) t2 ON TRUE
    WHERE t0."deleted_date" IS NULL
      AND (
        t0."owner_id" = ANY (
          ARRAY(
            SELECT t1."id"
            FROM "t"."owner" t1
            WHERE t1."name" <> $5::text
              AND (
                (
                  setweight(
                    to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."name"), '')), 'D'
                  )
                ) @@ (to_tsquery('pg_catalog.simple', $6::text))
              )
          )
        )
      )
    LIMIT greatest(1000, $3::bigint + $4::bigint)
  ) page
  ORDER BY page."rank" DESC, page."id"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t3."name"::text, '')
          FROM "t"."owner" t3
          WHERE t3."id" = page."owner_id" AND t3."name" <> $1::text
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t4."name"::text, '') AS "_instanceName",
          t4."id" AS "id",
          t4."name" AS "name"
        FROM "t"."owner" t4
        WHERE t4."id" = page."owner_id" AND t4."name" <> $2::text
        LIMIT 1
      ) j1
    ) AS "owner"
) root
