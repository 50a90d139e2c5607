-- members of a collection are found by words beside its filter
-- $1 = "2"
-- $2 = "schon"
-- $3 = "0"
-- $4 = "2"
-- $5 = "schon"
-- $6 = "0"
-- $7 = 100
-- $8 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Article'::text AS "_entityName",
    ('t_Article'::text || '-'::text || COALESCE(page."id"::text, '')) AS "_instanceName",
    page."id" AS "id",
    page."code" AS "code",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j1))), '[]'::json)
      FROM (
        SELECT
          't_Comment'::text AS "_entityName",
          ('t_Comment'::text || '-'::text || COALESCE(t1."id"::text, '')) AS "_instanceName",
          t1."id" AS "id",
          t1."words" AS "words"
        FROM "t"."comment" t1
        WHERE t1."article_id" = page."id"
          AND t1."id" <> $1::integer
          AND (
            (
              (
                setweight(
                  to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."words"), '')), 'D'
                )
              ) @@ (to_tsquery('pg_catalog.simple', $2::text))
            )
            AND t1."id" > $3::integer
          )
        ORDER BY t1."id" DESC
        LIMIT 1
      ) j1
    ) AS "comments",
    '["comments"]'::json AS "_partial",
    (
      SELECT row_to_json(j2)
      FROM (
        SELECT (
          SELECT count(*)
          FROM "t"."comment" t2
          WHERE t2."article_id" = page."id"
            AND t2."id" <> $4::integer
            AND (
              (
                (
                  setweight(
                    to_tsvector('pg_catalog.simple', coalesce(plain_text(t2."words"), '')), 'D'
                  )
                ) @@ (to_tsquery('pg_catalog.simple', $5::text))
              )
              AND t2."id" > $6::integer
            )
        ) AS "comments"
      ) j2
    ) AS "_counts"
  FROM (
    SELECT t0."id" AS "id", t0."code" AS "code"
    FROM "t"."article" t0
    ORDER BY t0."id"
    LIMIT $7::bigint
    OFFSET $8::bigint
  ) page
) root
